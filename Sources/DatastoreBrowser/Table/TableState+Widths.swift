import DatastoreCore
import TerminalUI

/// How wide columns are by what has been seen of them.
extension TableState {
  /// Makes columns as wide as the rows on the screen need, as far as these have been read.
  mutating func noteVisibleWidths(height: Int) {
    for key in keys(of: scroll.visible(count: lines.count, height: height)) {
      if let row = rows[key] { noteWidths(of: row) }
    }
  }

  mutating func noteWidths(of row: RowSnapshot) {
    for (index, width) in row.widths.enumerated() {
      if width > contentWidths[index] { contentWidths[index] = width }
      let fraction = row.fractions[index]
      guard fraction > 0 || numberWidths[index].fraction > 0 else { continue }
      numberWidths[index].fraction = max(numberWidths[index].fraction, fraction)
      if row.cells[index].role == .number {
        numberWidths[index].whole = max(numberWidths[index].whole, width - fraction)
      }
      let both = numberWidths[index].whole + numberWidths[index].fraction
      contentWidths[index] = max(contentWidths[index], min(both, Self.widestColumn))
    }
  }

  /// More of a value is not shown in the table, however wide the screen.
  static let widestColumn = 48
}
