public import SwiftDatastore

/// Widgets made from a list, and made again when the list changes.
///
/// ```swift
/// ListReader($contacts) { list in
///   Line("\(list.count) contacts")
/// } placeholder: {
///   Line("Reading…", role: .dim)
/// }
/// ```
public struct ListReader<T: DatastoreObject>: Widget {
  private let adapter: ListAdapter<T>
  private let content: @MainActor (ListSnapshot<T>) -> [any Widget]
  private let placeholder: @MainActor () -> [any Widget]

  /// Creates widgets from a list.
  ///
  /// - Parameters:
  ///   - adapter: the list: `$contacts` of a ``ListState``.
  ///   - content: the widgets, from top to bottom.
  ///   - placeholder: the text until the list has been read.
  public init(
    _ adapter: ListAdapter<T>,
    @WidgetBuilder content: @escaping @MainActor (ListSnapshot<T>) -> [any Widget],
    @WidgetBuilder placeholder: @escaping @MainActor () -> [any Widget] = { [] }
  ) {
    self.adapter = adapter
    self.content = content
    self.placeholder = placeholder
  }

  public func height(columns: Int) -> Int? { widgets.height(columns: columns) }

  public func draw(in canvas: Canvas) {
    adapter.follow(in: canvas.drawing)
    widgets.draw(in: canvas)
  }

  private var widgets: Stack {
    Stack(adapter.isReading ? placeholder() : content(adapter.snapshot))
  }
}
