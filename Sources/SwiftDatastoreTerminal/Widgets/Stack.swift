import TerminalUI

/// Widgets below each other. Widgets without a height of their own share the rows that the others leave.
public struct Stack: Widget {
  private let widgets: [any Widget]

  /// Puts widgets below each other.
  ///
  /// - Parameter content: the widgets, from top to bottom.
  public init(@WidgetBuilder _ content: () -> [any Widget]) { self.init(content()) }

  init(_ widgets: [any Widget]) { self.widgets = widgets }

  public func height(columns: Int) -> Int? {
    var sum = 0
    for widget in widgets {
      guard let height = widget.height(columns: columns) else { return nil }
      sum += height
    }
    return sum
  }

  public func draw(in canvas: Canvas) {
    let tracks = widgets.map { widget -> Track in
      widget.height(columns: canvas.columns).map { .fixed($0) } ?? .share(minimum: 1)
    }
    for (widget, area) in zip(widgets, canvas.area.stacked(tracks)) where !area.isEmpty {
      widget.draw(in: Canvas(canvas.drawing, area))
    }
  }
}

extension Stack: FlowingWidget {
  func flow(in canvas: Canvas) -> Int {
    var rest = canvas
    for widget in widgets where !rest.isEmpty {
      let rows: Int
      if let flowing = widget as? any FlowingWidget {
        rows = flowing.flow(in: rest)
      } else {
        rows = widget.height(columns: rest.columns) ?? rest.rows
        widget.draw(in: rest.split(top: rows).top)
      }
      rest = rest.split(top: rows).rest
    }
    return canvas.rows - rest.rows
  }
}

/// Widgets beside each other. If they do not all fit, those on the right are left out.
public struct Columns: Widget {
  private let widgets: [any Widget]
  private let weights: [Int]
  private let minimum: Int

  /// Puts widgets beside each other.
  ///
  /// - Parameters:
  ///   - weights: the relative widths, from left to right; 1 for each widget beyond them.
  ///   - minimum: the smallest width in cells; a narrower widget is left out, except the first.
  ///   - content: the widgets, from left to right.
  public init(
    _ weights: Int..., minimum: Int = 20, @WidgetBuilder _ content: () -> [any Widget]
  ) {
    self.weights = weights
    self.minimum = minimum
    widgets = content()
  }

  public func draw(in canvas: Canvas) {
    var count = widgets.count
    while count > 1, canvas.columns < count * minimum { count -= 1 }
    let tracks = (0..<count).map { index in
      Track.share(weight: index < weights.count ? weights[index] : 1, minimum: minimum)
    }
    for (widget, area) in zip(widgets, canvas.area.sideBySide(tracks)) where !area.isEmpty {
      widget.draw(in: Canvas(canvas.drawing, area))
    }
  }
}
