import Basics
import DatastoreCore
import Gates

/// A table of GitHub Flavored Markdown. Characters with a meaning in Markdown are escaped, line ends inside a
/// value become `<br>`, and other controls become marks; NULL is `*NULL*`.
struct MarkdownWriter: RowWriter {
  private let columns: [ExportColumn]
  private let options: ExportOptions
  private let output: ExportOutput

  init(_ columns: [ExportColumn], options: ExportOptions, output: ExportOutput) {
    self.columns = columns
    self.options = options
    self.output = output
  }

  mutating func begin() throws {
    guard options.writesHeader else { return }
    output.append(UInt8(ascii: "|"))
    for column in columns {
      output.append(" ")
      append(text: column.name)
      output.append(" |")
    }
    output.append("\n|")
    for column in columns { output.append(column.type.isNumeric ? " ---: |" : " --- |") }
    output.append("\n")
  }

  mutating func write(_ page: RowPage, row: Int, _: RowTexts?) throws {
    output.append(UInt8(ascii: "|"))
    for column in 0..<columns.count {
      output.append(" ")
      switch ShownValue(page, row: row, column: column, columns[column]) {
      case .null: output.append(options.null ?? "*NULL*")
      case .number(let text), .plain(let text): output.append(text)
      case .text(let text): append(text: text)
      }
      output.append(" |")
    }
    output.append("\n")
    try output.endRow()
  }

  mutating func end() throws {
    try output.flush()
  }

  private func append(text: String) {
    // Line ends become `<br>` first; marks would replace them.
    output.append(Quoting.markdownCell(text).markingHarmful())
  }
}
