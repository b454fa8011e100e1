import DatastoreCore
import TerminalUI

/// The widths of columns from the rows seen so far.
extension TableState {
  /// Fits the columns to the rows on the screen, as far as they have been read.
  mutating func measureVisibleWidths(height: Int) {
    for key in keys(of: scroll.visible(count: lines.count, height: height)) {
      if let row = rows[key] { measureWidths(of: row) }
    }
  }

  mutating func measureWidths(of row: RowSnapshot) {
    for (index, width) in row.widths.enumerated() {
      guard row.cells[index].role == .number else {
        if width > contentWidths[index] { contentWidths[index] = width }
        continue
      }
      var (width, fraction) = (width, row.fractions[index])
      if !settings.numbers.isEmpty, let format = settings.numbers[columns[index].name] {
        let text = format.text(of: row.cells[index].text)
        (width, fraction) = (text.displayWidth(), NumberText.fraction(text))
      }
      if fraction > 0 || numberWidths[index].fraction > 0 {
        numberWidths[index].fraction = max(numberWidths[index].fraction, fraction)
        numberWidths[index].whole = max(numberWidths[index].whole, width - fraction)
      }
      let both = numberWidths[index].whole + numberWidths[index].fraction
      widestNumbers[index] = max(widestNumbers[index], width, min(both, Self.widestColumn))
      contentWidths[index] = max(contentWidths[index], widestNumbers[index])
    }
  }

  /// Forgets the width of a column after the format of its values has changed.
  mutating func forgetWidths(of column: Int) {
    (contentWidths[column], widestNumbers[column], numberWidths[column]) = (0, 0, (0, 0))
    for row in rows.values { measureWidths(of: row) }
  }

  /// The format of numbers computed from a column: the column's own format, or else as many decimals as its
  /// numbers have.
  func computedNumbers(of column: TableColumn) -> NumberFormat {
    if let format = settings.numbers[column.name] { return format }
    guard let index = columns.firstIndex(of: column) else { return .grouped }
    let decimals = min(numberWidths[index].fraction - 1, 6)
    guard decimals > 0 else { return .grouped }
    return NumberFormat("#,##0." + String(repeating: "0", count: decimals)) ?? .grouped
  }

  /// The largest width that a column gets from its content, however wide the screen.
  static let widestColumn = 48
}
