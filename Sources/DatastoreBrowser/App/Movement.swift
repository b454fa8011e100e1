/// A step of the cursor.
enum Movement: Sendable {
  case lineUp
  case lineDown
  case pageUp
  case pageDown
  case halfPageUp
  case halfPageDown
  case first
  case last

  /// The rows that it goes on a panel of so many.
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

/// A step to another column.
enum ColumnMovement: Sendable {
  case left
  case right
  case first
  case last

  /// The columns that it goes.
  var columns: Int {
    switch self {
    case .left: -1
    case .right: 1
    case .first: -(.max / 2)
    case .last: .max / 2
    }
  }

  /// The cells that it scrolls.
  var cells: Int { columns.signum() * (abs(columns) == 1 ? 8 : .max / 2) }
}

/// A line that is on the screen already.
enum ScreenPlace: Sendable {
  case top
  case middle
  case bottom

  /// Which one of those that are visible.
  func line(of visible: Range<Int>) -> Int {
    switch self {
    case .top: visible.lowerBound
    case .middle: visible.lowerBound + max(0, visible.count - 1) / 2
    case .bottom: max(visible.lowerBound, visible.upperBound - 1)
    }
  }
}
