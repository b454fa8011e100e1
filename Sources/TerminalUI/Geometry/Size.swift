/// An extent on the screen, in character cells.
package struct Size: Hashable, Sendable, CustomStringConvertible {
  /// Width in cells; never negative.
  package var columns: Int
  /// Height in cells; never negative.
  package var rows: Int

  /// Makes an extent; negative numbers count as zero.
  package init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }

  /// The extent with no cells.
  package static let zero = Size(columns: 0, rows: 0)

  /// Columns and rows as people write them: `80x24`.
  package var description: String { "\(columns)x\(rows)" }
}

/// A cell's place on the screen; (0, 0) is the top left corner.
package struct Position: Hashable, Sendable, CustomStringConvertible {
  /// Cells from the left edge.
  package var column: Int
  /// Cells from the top edge.
  package var row: Int

  /// Makes a position, which may lie outside every screen.
  package init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }

  /// The top left corner.
  package static let origin = Position(column: 0, row: 0)

  /// Column and row as `(column, row)`.
  package var description: String { "(\(column), \(row))" }
}
