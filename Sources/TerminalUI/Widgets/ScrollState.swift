/// The scroll position of a long list: the row under the cursor and the first visible row.
package struct ScrollState: Hashable, Sendable {
  /// Index of the row under the cursor; 0 when there are no rows.
  package private(set) var cursor: Int
  /// Index of the uppermost visible row.
  package private(set) var first: Int

  /// Starts at the given rows.
  package init(cursor: Int = 0, first: Int = 0) {
    self.cursor = max(0, cursor)
    self.first = max(0, first)
  }

  /// Puts the cursor on a row, or on the nearest existing one, and scrolls as little as needed.
  package mutating func move(to row: Int, count: Int, height: Int) {
    cursor = min(max(0, row), max(0, count - 1))
    first = Self.firstVisible(cursor: cursor, count: count, height: height, previous: first)
  }

  /// Moves the cursor by a number of rows; a negative number moves it up.
  package mutating func move(by rows: Int, count: Int, height: Int) {
    let (row, overflow) = cursor.addingReportingOverflow(rows)
    move(to: overflow ? (rows > 0 ? .max : 0) : row, count: count, height: height)
  }

  /// Scrolls the view by a number of rows, as the mouse wheel does. The cursor moves along only if it would
  /// leave the screen.
  package mutating func scroll(by rows: Int, count: Int, height: Int) {
    settle(count: count, height: height)
    guard height > 0, count > 0 else { return }
    first = min(max(0, first + rows), max(0, count - height))
    cursor = min(max(cursor, first), min(count, first + height) - 1)
  }

  /// Fits the state to a list or a screen whose size has changed.
  package mutating func settle(count: Int, height: Int) {
    move(to: cursor, count: count, height: height)
  }

  /// The visible rows.
  package func visible(count: Int, height: Int) -> Range<Int> {
    let start = min(first, max(0, count))
    return start..<min(max(0, count), start + max(0, height))
  }

  /// The first visible row: `previous` changed as little as needed for the cursor to be on the
  /// screen and for no line to stay empty while there are rows to fill it.
  package static func firstVisible(
    cursor: Int, count: Int, height: Int, previous: Int
  ) -> Int {
    guard height > 0, count > 0 else { return 0 }
    let lowest = max(0, cursor - height + 1)
    let first = min(max(previous, lowest), max(0, cursor))
    return min(first, max(0, count - height))
  }
}
