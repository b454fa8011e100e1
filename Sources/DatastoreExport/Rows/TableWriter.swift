import DatastoreCore
import Gates
import TerminalUI

/// Aligned columns between lines, for people. No data reaches the terminal as a control sequence.
///
/// The first `sampleSize` rows, kept until then, give the widths of the columns. A wider value in a later row
/// pushes the rest of its row to the right and is not cut. Texts wider than `cellLimit` are cut, with `…`.
struct TableWriter: RowWriter {
  /// The number of rows that give the widths of the columns.
  static let sampleSize = 200
  /// The most cells of the terminal that a value takes.
  static let cellLimit = 120

  private struct Cell {
    var text: String
    var width: Int
    var isNumber = false
  }

  private struct Column {
    var width: Int
    /// Whether the values are right-aligned.
    var isTrailing: Bool
    var hasNumbers = false
    var hasOthers = false
  }

  private let columns: [ExportColumn]
  private let options: ExportOptions
  private let output: ExportOutput
  private let null: Cell
  private var layout: [Column]
  private var sample: [[Cell]] = []
  private var isOpen = false

  init(_ columns: [ExportColumn], options: ExportOptions, output: ExportOutput) {
    self.columns = columns
    self.options = options
    self.output = output
    let mark = options.null ?? (options.glyphs == .unicode ? "∅" : "NULL")
    null = Self.cell(mark, options.glyphs)
    layout = columns.map { column in
      let name = Self.cell(column.name, options.glyphs)
      return Column(
        width: options.writesHeader ? name.width : 0, isTrailing: column.type.isNumeric)
    }
  }

  mutating func begin() throws {}

  mutating func write(_ page: RowPage, row: Int, _: RowTexts?) throws {
    let cells = (0..<columns.count).map { column -> Cell in
      switch ShownValue(page, row: row, column: column, columns[column]) {
      case .null: return null
      case .number(let text):
        // A number with fewer digits would be another number, so it is never cut.
        var cell = Self.cell(text, options.glyphs, limit: .max)
        cell.isNumber = true
        return cell
      case .plain(let text), .text(let text): return Self.cell(text, options.glyphs)
      }
    }
    if isOpen {
      appendRow(cells)
      try output.endRow()
      return
    }
    for column in cells.indices {
      layout[column].width = max(layout[column].width, cells[column].width)
      if page.tag(row: row, column: column) == .null { continue }
      if cells[column].isNumber {
        layout[column].hasNumbers = true
      } else {
        layout[column].hasOthers = true
      }
    }
    sample.append(cells)
    if sample.count >= Self.sampleSize { try open() }
  }

  mutating func end() throws {
    if !isOpen { try open() }
    appendLine(.bottom)
    try output.flush()
  }

  /// Writes the header and the sampled rows.
  private mutating func open() throws {
    isOpen = true
    for column in layout.indices where columns[column].type == .undefined {
      layout[column].isTrailing = layout[column].hasNumbers && !layout[column].hasOthers
    }
    appendLine(.top)
    if options.writesHeader {
      appendRow(columns.map { Self.cell($0.name, options.glyphs) })
      appendLine(.middle)
    }
    for cells in sample {
      appendRow(cells)
      try output.endRow()
    }
    sample = []
  }

  private func appendRow(_ cells: [Cell]) {
    let bar = options.glyphs == .unicode ? "│" : "|"
    output.append(bar)
    for (cell, column) in zip(cells, layout) {
      let padding = String(repeating: " ", count: max(0, column.width - cell.width))
      output.append(" ")
      if column.isTrailing { output.append(padding) }
      output.append(cell.text)
      if !column.isTrailing { output.append(padding) }
      output.append(" ")
      output.append(bar)
    }
    output.append("\n")
  }

  private enum Line {
    case top, middle, bottom
  }

  private func appendLine(_ line: Line) {
    let (start, cross, end) =
      switch (options.glyphs, line) {
      case (.ascii, _): ("+", "+", "+")
      case (.unicode, .top): ("┌", "┬", "┐")
      case (.unicode, .middle): ("├", "┼", "┤")
      case (.unicode, .bottom): ("└", "┴", "┘")
      }
    let dash = options.glyphs == .unicode ? "─" : "-"
    output.append(start)
    for (index, column) in layout.enumerated() {
      if index > 0 { output.append(cross) }
      output.append(String(repeating: dash, count: column.width + 2))
    }
    output.append(end)
    output.append("\n")
  }

  /// The text with marks for harmful characters, cut if it is too wide.
  private static func cell(_ text: String, _ glyphs: GlyphSet, limit: Int = cellLimit) -> Cell {
    var cell = Cell(text: "", width: 0)
    var last = (bytes: 0, width: 0)
    for glyph in Glyphs(text) {
      if cell.width + glyph.width > limit {
        if cell.width == limit {
          cell.text = String(decoding: cell.text.utf8.dropLast(last.bytes), as: UTF8.self)
          cell.width -= last.width
        }
        cell.text += glyphs.ellipsis
        cell.width += 1
        return cell
      }
      last = (glyph.text.utf8.count, glyph.width)
      cell.text += glyph.text
      cell.width += glyph.width
    }
    return cell
  }
}
