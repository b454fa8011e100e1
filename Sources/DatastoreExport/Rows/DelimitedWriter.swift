import Basics
import DatastoreCore
import Gates
import TerminalUI

/// CSV as RFC 4180 defines it but with LF line ends, or the same with tabs.
///
/// NULL is an empty field and empty text is `""`, so that they differ. If the options give a text for NULL,
/// it is written without quotes, and equal text with quotes. Bytes are Base64. Texts of another file are
/// written as that file spells them, in its quotes, even if they are not UTF-8.
struct DelimitedWriter: RowWriter {
  private let columns: [ExportColumn]
  private let delimiter: UInt8
  private let null: [UInt8]
  /// Whether the options give the text for NULL.
  private let isNullGiven: Bool
  private let writesHeader: Bool
  private let isForTerminal: Bool
  private let output: ExportOutput

  init(
    _ columns: [ExportColumn], delimiter: UInt8, _ options: ExportOptions,
    _ output: ExportOutput
  ) {
    self.columns = columns
    self.delimiter = delimiter
    null = Array((options.null ?? "").utf8)
    isNullGiven = options.null != nil
    writesHeader = options.writesHeader
    isForTerminal = options.isForTerminal
    self.output = output
  }

  mutating func begin() throws {
    guard writesHeader, !columns.isEmpty else { return }
    for (index, column) in columns.enumerated() {
      if index > 0 { output.append(delimiter) }
      var name = column.name
      name.withUTF8 { appendText($0) }
    }
    output.append(UInt8(ascii: "\n"))
  }

  mutating func write(_ page: RowPage, row: Int, _ texts: RowTexts?) throws {
    for column in 0..<columns.count {
      if column > 0 { output.append(delimiter) }
      if let texts, append(texts, column, isNull: page.tag(row: row, column: column) == .null) {
        continue
      }
      switch page.tag(row: row, column: column) {
      case .null: output.append(null)
      case .integer, .real:
        output.append(number: page.value(row: row, column: column), of: columns[column])
      case .text: appendText(page.bytes(row: row, column: column))
      case .blob:
        let bytes = page.bytes(row: row, column: column)
        if columns[column].type == .uuid, bytes.count == 16 {
          output.append(uuid: bytes)
        } else if bytes.isEmpty {
          output.append(Self.emptyText)
        } else {
          output.append(base64: bytes)
        }
      }
    }
    output.append(UInt8(ascii: "\n"))
    try output.endRow()
  }

  mutating func end() throws {
    try output.flush()
  }

  /// Writes a cell as its source file spells it; false if there is no such text.
  private func append(_ texts: RowTexts, _ column: Int, isNull: Bool) -> Bool {
    let form = texts.form(of: column)
    if form == .value || isNull && isNullGiven { return false }
    texts.withBytes(of: column) { bytes in
      if isForTerminal {
        appendText(bytes)
      } else if form == .quoted {
        Quoting.append(bytes, between: UInt8(ascii: "\""), to: &output.buffer)
      } else if bytes.isEmpty, form == .bare, null.isEmpty {
        return
      } else {
        appendField(bytes)
      }
    }
    return true
  }

  private func appendText(_ bytes: UnsafeBufferPointer<UInt8>) {
    if isForTerminal {
      var marked = String(decoding: bytes, as: UTF8.self).withoutTerminalControls
      marked.withUTF8 { appendField($0) }
      return
    }
    var union: UInt8 = 0
    for byte in bytes { union |= byte }
    if union >= 0x80, UTF8Sequences.firstFault(in: bytes) != nil {
      output.replacedTexts += 1
      var repaired = String(decoding: bytes, as: UTF8.self)
      repaired.withUTF8 { appendField($0) }
      return
    }
    appendField(bytes)
  }

  private func appendField(_ bytes: UnsafeBufferPointer<UInt8>) {
    if bytes.count == null.count && bytes.elementsEqual(null)
      || Quoting.fieldNeedsQuotes(bytes, delimiter: delimiter)
    {
      Quoting.append(bytes, between: UInt8(ascii: "\""), to: &output.buffer)
    } else {
      output.append(bytes)
    }
  }

  private static let emptyText = Array("\"\"".utf8)
}
