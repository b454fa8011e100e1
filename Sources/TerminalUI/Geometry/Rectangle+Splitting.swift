extension Rectangle {
  /// The rectangle without a border of this many cells.
  package func inset(horizontal: Int = 0, vertical: Int = 0) -> Rectangle {
    Rectangle(
      column: left + min(horizontal, columns), row: top + min(vertical, rows),
      columns: columns - 2 * horizontal, rows: rows - 2 * vertical)
  }

  /// One row of the rectangle, counted from its top.
  package func row(_ index: Int) -> Rectangle {
    Rectangle(column: left, row: top + index, columns: columns, rows: 1)
  }

  /// Splits off the upper `count` rows.
  package func split(top count: Int) -> (top: Rectangle, rest: Rectangle) {
    let count = min(max(0, count), rows)
    return (
      Rectangle(column: left, row: top, columns: columns, rows: count),
      Rectangle(column: left, row: top + count, columns: columns, rows: rows - count)
    )
  }

  /// Splits off the lower `count` rows.
  package func split(bottom count: Int) -> (rest: Rectangle, bottom: Rectangle) {
    let count = min(max(0, count), rows)
    let parts = split(top: rows - count)
    return (parts.top, parts.rest)
  }

  /// Splits off the leftmost `count` columns.
  package func split(left count: Int) -> (left: Rectangle, rest: Rectangle) {
    let count = min(max(0, count), columns)
    return (
      Rectangle(column: left, row: top, columns: count, rows: rows),
      Rectangle(column: left + count, row: top, columns: columns - count, rows: rows)
    )
  }

  /// Splits off the rightmost `count` columns.
  package func split(right count: Int) -> (rest: Rectangle, right: Rectangle) {
    let count = min(max(0, count), columns)
    let parts = split(left: columns - count)
    return (parts.left, parts.rest)
  }

  /// The rectangle cut into rows of cells, one part per track from top to bottom.
  package func stacked(_ tracks: [Track], spacing: Int = 0) -> [Rectangle] {
    var position = top
    return Track.lengths(tracks, available: rows, spacing: spacing).map { length in
      defer { position += length + spacing }
      return Rectangle(
        column: left, row: min(position, bottom), columns: columns, rows: length)
    }
  }

  /// The rectangle cut into columns of cells, one part per track from left to right.
  package func sideBySide(_ tracks: [Track], spacing: Int = 0) -> [Rectangle] {
    var position = left
    return Track.lengths(tracks, available: columns, spacing: spacing).map { length in
      defer { position += length + spacing }
      return Rectangle(column: min(position, right), row: top, columns: length, rows: rows)
    }
  }

  /// A rectangle of the given size in the middle of this one, cut to fit.
  package func centred(_ wanted: Size) -> Rectangle {
    let columns = min(wanted.columns, self.columns)
    let rows = min(wanted.rows, self.rows)
    return Rectangle(
      column: left + (self.columns - columns) / 2, row: top + (self.rows - rows) / 2,
      columns: columns, rows: rows)
  }
}
