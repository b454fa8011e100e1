/// A block of cells. All layout is arithmetic on rectangles: pure functions that never trap and
/// give empty rectangles when there is no room.
package struct Rectangle: Hashable, Sendable, CustomStringConvertible {
  /// The top left cell.
  package var origin: Position
  /// The extent from there.
  package var size: Size

  /// Makes a rectangle from its corner and extent.
  package init(origin: Position, size: Size) {
    self.origin = origin
    self.size = size
  }

  /// Makes a rectangle from its corner's coordinates and its extent in cells.
  package init(column: Int, row: Int, columns: Int, rows: Int) {
    self.init(
      origin: Position(column: column, row: row), size: Size(columns: columns, rows: rows))
  }

  /// Makes the rectangle that covers a whole screen of the given size.
  package init(_ size: Size) {
    self.init(origin: .origin, size: size)
  }

  /// The first column inside.
  package var left: Int { origin.column }
  /// The first row inside.
  package var top: Int { origin.row }
  /// The first column right of the rectangle.
  package var right: Int { origin.column + size.columns }
  /// The first row below the rectangle.
  package var bottom: Int { origin.row + size.rows }
  /// The width in cells.
  package var columns: Int { size.columns }
  /// The height in cells.
  package var rows: Int { size.rows }
  /// Whether no cell lies inside.
  package var isEmpty: Bool { size.columns == 0 || size.rows == 0 }

  /// Whether the cell at `position` lies inside.
  package func contains(_ position: Position) -> Bool {
    position.column >= left && position.column < right && position.row >= top
      && position.row < bottom
  }

  /// The cells that both rectangles share; empty when they share none.
  package func intersection(_ other: Rectangle) -> Rectangle {
    let left = max(self.left, other.left)
    let top = max(self.top, other.top)
    return Rectangle(
      column: left, row: top, columns: min(right, other.right) - left,
      rows: min(bottom, other.bottom) - top)
  }

  /// Corner and extent: `20x5 at (3, 1)`.
  package var description: String { "\(size) at \(origin)" }
}
