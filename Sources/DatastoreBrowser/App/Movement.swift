/// A movement of the cursor.
enum Movement: Sendable {
  case lineUp
  case lineDown
  case pageUp
  case pageDown
  case halfPageUp
  case halfPageDown
  case first
  case last

  /// The number of rows to move in a panel of this height.
  func rows(height: Int) -> Int {
    switch self {
    case .lineUp: -1
    case .lineDown: 1
    case .pageUp: -max(1, height - 1)
    case .pageDown: max(1, height - 1)
    case .halfPageUp: -max(1, height / 2)
    case .halfPageDown: max(1, height / 2)
    case .first: -.max
    case .last: .max
    }
  }
}

/// A movement to another column.
enum ColumnMovement: Sendable {
  case left
  case right
  case first
  case last

  /// The number of columns to move.
  var columns: Int {
    switch self {
    case .left: -1
    case .right: 1
    case .first: -(.max / 2)
    case .last: .max / 2
    }
  }

  /// The number of cells to scroll.
  var cells: Int { columns.signum() * (abs(columns) == 1 ? 8 : .max / 2) }
}

/// A place among the visible lines.
enum ScreenPlace: Sendable {
  case top
  case middle
  case bottom

  /// The line at this place.
  func line(of visible: Range<Int>) -> Int {
    switch self {
    case .top: visible.lowerBound
    case .middle: visible.lowerBound + max(0, visible.count - 1) / 2
    case .bottom: max(visible.lowerBound, visible.upperBound - 1)
    }
  }
}
