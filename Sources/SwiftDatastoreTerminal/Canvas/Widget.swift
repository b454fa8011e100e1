/// Something that is drawn: a value that is made for each picture, and cheap to make.
///
/// The widgets of this library are enough for most screens; a widget of your own draws in its ``Canvas``, or
/// puts others together.
@MainActor
public protocol Widget {
  /// The rows that it takes in a width; nil for all that there are.
  ///
  /// - Parameter columns: the width in cells.
  func height(columns: Int) -> Int?

  /// Draws itself.
  ///
  /// - Parameter canvas: where.
  func draw(in canvas: Canvas)
}

extension Widget {
  /// All rows that there are.
  public func height(columns: Int) -> Int? { nil }
}

/// A widget that finds out how many rows it takes while it is drawn: making everything beforehand would read
/// rows for which there is no room.
@MainActor
protocol FlowingWidget: Widget {
  /// Draws itself from the top, and returns the rows that it has taken.
  func flow(in canvas: Canvas) -> Int
}

/// Makes widgets of the lines of a closure, also in `if`, `switch` and `for`.
@resultBuilder
public enum WidgetBuilder {
  /// A line with a widget.
  public static func buildExpression(_ widget: any Widget) -> [any Widget] { [widget] }

  /// A line with several widgets, such as those that a function has made.
  public static func buildExpression(_ widgets: [any Widget]) -> [any Widget] { widgets }

  /// Several lines.
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
