/// A value that draws a part of the screen. Widgets are created for each picture and are cheap to create.
///
/// The widgets of this library are enough for most screens; a custom widget draws in its ``Canvas``, or
/// combines other widgets.
@MainActor
public protocol Widget {
  /// Returns the rows that the widget needs in a width; nil if it takes all rows there are.
  ///
  /// - Parameter columns: the width in cells.
  func height(columns: Int) -> Int?

  /// Draws the widget.
  ///
  /// - Parameter canvas: the part of the screen to draw in.
  func draw(in canvas: Canvas)
}

extension Widget {
  /// Takes all rows there are.
  public func height(columns: Int) -> Int? { nil }
}

/// A widget that learns its height while it draws: to build everything beforehand would read rows for which
/// there is no room.
@MainActor
protocol FlowingWidget: Widget {
  /// Draws the widget from the top and returns the number of rows that it has taken.
  func flow(in canvas: Canvas) -> Int
}

/// Collects the widgets of a closure, also in `if`, `switch` and `for`.
@resultBuilder
public enum WidgetBuilder {
  /// A statement that is one widget.
  public static func buildExpression(_ widget: any Widget) -> [any Widget] { [widget] }

  /// A statement that is several widgets, such as the result of a function.
  public static func buildExpression(_ widgets: [any Widget]) -> [any Widget] { widgets }

  /// Several statements.
  public static func buildBlock(_ widgets: [any Widget]...) -> [any Widget] {
    Array(widgets.joined())
  }

  /// An `if` without `else`.
  public static func buildOptional(_ widgets: [any Widget]?) -> [any Widget] { widgets ?? [] }

  /// The first branch of an `if` or `switch`.
  public static func buildEither(first widgets: [any Widget]) -> [any Widget] { widgets }

  /// The other branch.
  public static func buildEither(second widgets: [any Widget]) -> [any Widget] { widgets }

  /// A `for`.
  public static func buildArray(_ widgets: [[any Widget]]) -> [any Widget] {
    Array(widgets.joined())
  }

  /// The widgets.
  public static func buildFinalResult(_ widgets: [any Widget]) -> [any Widget] { widgets }
}
