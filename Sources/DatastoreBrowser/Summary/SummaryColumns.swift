import TerminalUI

/// The columns of a summary's lines: a name, numbers at their right edges, and a bar.
struct SummaryColumns {
  let area: Rectangle
  let name: String
  let numbers: [String]
  let widths: [Int]
  private let nameWidth: Int

  /// - Parameter names: the names on the screen, which the first column is as wide as.
  init(_ area: Rectangle, name: String, names: [String], numbers: [String], widths: [Int]) {
    self.area = area
    self.name = name
    self.numbers = numbers
    self.widths = widths
    let numbersWidth = widths.reduce(0) { $0 + $1 + 1 }
    let most = max(8, area.columns - numbersWidth - 12)
    let widest = (names + [name]).map { $0.displayWidth(upTo: most) }.max() ?? 0
    nameWidth = min(max(widest, 8), most)
  }

  /// Draws the header in the last row of an area; `sorted` is the number that the lines are in the
  /// order of.
  func drawHeader(into buffer: inout ScreenBuffer, in top: Rectangle, sorted: Int?) {
    let row = top.bottom - 1
    buffer.draw(
      "", at: Position(column: area.left, row: row), width: area.columns, role: .columnHeader)
    buffer.draw(
      name, at: Position(column: area.left, row: row), width: nameWidth, role: .columnHeader)
    let mark = Marks(buffer.glyphs).descending
    for (index, placed) in placements.enumerated() {
      buffer.draw(
        numbers[index] + (sorted == index ? " " + mark : ""),
        at: Position(column: placed, row: row), width: widths[index], role: .columnHeader,
        alignment: .trailing)
    }
  }

  /// Draws one line.
  func draw(
    _ cell: CellContent, _ texts: [String], bar: Double, into buffer: inout ScreenBuffer, row: Int,
    isSelected: Bool
  ) {
    buffer.draw(
      cell.text, at: Position(column: area.left, row: row), width: nameWidth, role: cell.role)
    for (text, (placed, width)) in zip(texts, zip(placements, widths)) {
      buffer.draw(
        text, at: Position(column: placed, row: row), width: width, role: .number,
        alignment: .trailing)
    }
    let start = (placements.last ?? area.left) + (widths.last ?? 0) + 2
    Bar(bar).draw(
      into: &buffer, at: Position(column: start, row: row), width: max(0, area.right - start))
    if isSelected {
      buffer.highlight(
        Rectangle(column: area.left, row: row, columns: area.columns, rows: 1), as: .selection)
    }
  }

  /// Where each number's column begins.
  private var placements: [Int] {
    var column = area.left + nameWidth + 1
    return widths.map { width in
      defer { column += width + 1 }
      return column
    }
  }
}
