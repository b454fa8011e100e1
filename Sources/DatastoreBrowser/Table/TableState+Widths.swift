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
      guard row.cells[index].role == .number else { continue }
      let fraction = row.fractions[index]
      if fraction > 0 || numberWidths[index].fraction > 0 {
        numberWidths[index].fraction = max(numberWidths[index].fraction, fraction)
        numberWidths[index].whole = max(numberWidths[index].whole, width - fraction)
      }
      let both = numberWidths[index].whole + numberWidths[index].fraction
      widestNumbers[index] = max(widestNumbers[index], width, min(both, Self.widestColumn))
      contentWidths[index] = max(contentWidths[index], widestNumbers[index])
    }
  }

  /// More of a value is not shown in the table, however wide the screen.
  static let widestColumn = 48
}
