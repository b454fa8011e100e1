/// Widgets in a border with a title. The border is left out if there is no room for it.
public struct Pane: Widget {
  private let title: String
  private let content: Stack

  /// Puts widgets into a border.
  ///
  /// - Parameters:
  ///   - title: shown in the border.
  ///   - content: the widgets, from top to bottom.
  public init(_ title: String = "", @WidgetBuilder _ content: () -> [any Widget]) {
    self.title = title
    self.content = Stack(content)
  }

  public func draw(in canvas: Canvas) {
    content.draw(in: canvas.bordered(title: title))
  }
}
