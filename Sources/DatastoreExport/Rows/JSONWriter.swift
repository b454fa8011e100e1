import Basics
import DatastoreCore
import Gates

/// JSON of RFC 8259: an array of objects, or one object a line.
///
/// Numbers keep all their digits, even beyond the precision of a double; decimals with more digits than a
/// double keeps are text. Dates, UUIDs and bytes (Base64) are text. Controls and direction characters are
/// escaped, so that a terminal obeys none of them. Columns of the same name get a number. Numbers, lists,
/// objects and texts of another JSON file are written as that file spells them.
struct JSONWriter: RowWriter {
  enum Layout {
    case array, lines
  }

  private let columns: [ExportColumn]
  /// The name of each column with the punctuation around it.
  private let names: [[UInt8]]
  private let layout: Layout
  private let output: ExportOutput
  private var isFirst = true

  init(_ columns: [ExportColumn], layout: Layout, output: ExportOutput) {
    self.columns = columns
    self.layout = layout
    self.output = output
    var taken: Set<String> = []
    names = columns.enumerated().map { index, column in
      var name = taken.insertFree(column.name) { "\(column.name)_\($0)" }
      let piece = ExportOutput()
      if index > 0 { piece.append(UInt8(ascii: ",")) }
      name.withUTF8 { piece.append(jsonText: $0) }
      piece.append(UInt8(ascii: ":"))
      return piece.contents
    }
  }

  mutating func begin() throws {
    if layout == .array { output.append(UInt8(ascii: "[")) }
  }

  mutating func write(_ page: RowPage, row: Int, _ texts: RowTexts?) throws {
    if layout == .array { output.append(isFirst ? "\n" : ",\n") }
    isFirst = false
    output.append(UInt8(ascii: "{"))
    for column in 0..<columns.count {
      output.append(names[column])
      if let texts, append(texts, column, page.tag(row: row, column: column)) { continue }
      switch page.tag(row: row, column: column) {
      case .null: output.append("null")
      case .integer, .real:
        output.append(
          number: page.value(row: row, column: column), of: columns[column], quote: "\"")
      case .text: output.append(jsonText: page.bytes(row: row, column: column))
      case .blob:
        let bytes = page.bytes(row: row, column: column)
        output.append(UInt8(ascii: "\""))
        if columns[column].type == .uuid, bytes.count == 16 {
          output.append(uuid: bytes)
        } else {
          output.append(base64: bytes)
        }
        output.append(UInt8(ascii: "\""))
      }
    }
    output.append(UInt8(ascii: "}"))
    if layout == .lines { output.append(UInt8(ascii: "\n")) }
    try output.endRow()
  }

  mutating func end() throws {
    if layout == .array { output.append(isFirst ? "]\n" : "\n]\n") }
    try output.flush()
  }

  /// Writes a cell as its source file spells it; false if the value is to be written instead. A CSV field
  /// with the type and the digits of a number is written as a number; NULL and booleans are written by value,
  /// whatever the words of the file.
  private func append(_ texts: RowTexts, _ column: Int, _ tag: CellTag) -> Bool {
    let type = columns[column].type
    var isLiteral = false
    switch texts.form(of: column) {
    case .value: return false
    case .text: break
    case .literal: isLiteral = true
    case .bare, .quoted:
      if tag == .null || type == .boolean { return false }
      isLiteral = type.isNumeric || type == .undefined && (tag == .integer || tag == .real)
    }
    return texts.withBytes(of: column) { bytes in
      if !isLiteral {
        output.append(jsonText: bytes)
        return true
      }
      guard UTF8Sequences.firstFault(in: bytes) == nil,
        texts.form(of: column) == .literal || Self.isNumber(bytes)
      else { return false }
      output.append(validJSON: bytes, escaping: false)
      return true
    }
  }

  /// Whether the bytes are a number in the grammar of RFC 8259.
  static func isNumber(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var rest = bytes[...]
    func digits() -> Int {
      let count = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
      rest = rest.dropFirst(count)
      return count
    }
    func consume(_ signs: String) -> Bool {
      guard let first = rest.first, signs.utf8.contains(first) else { return false }
      rest = rest.dropFirst()
      return true
    }
    _ = consume("-")
    let hasZero = rest.first == UInt8(ascii: "0")
    let count = digits()
    if count == 0 || hasZero && count > 1 { return false }
    if consume("."), digits() == 0 { return false }
    if consume("eE") {
      _ = consume("+-")
      if digits() == 0 { return false }
    }
    return rest.isEmpty
  }
}

extension ExportOutput {
  /// Appends text as a JSON string in quotes. Invalid UTF-8 becomes �.
  func append(jsonText bytes: UnsafeBufferPointer<UInt8>) {
    if UTF8Sequences.firstFault(in: bytes) != nil {
      replacedTexts += 1
      var repaired = String(decoding: bytes, as: UTF8.self)
      repaired.withUTF8 { append(validJSONText: $0) }
    } else {
      append(validJSONText: bytes)
    }
  }

  private func append(validJSONText bytes: UnsafeBufferPointer<UInt8>) {
    append(UInt8(ascii: "\""))
    append(validJSON: bytes, escaping: true)
    append(UInt8(ascii: "\""))
  }

  /// Appends the content of a JSON string, or a JSON value in which only strings can hold harmful characters.
  ///
  /// - Parameter escaping: whether to escape quotes and backslashes, too.
  fileprivate func append(validJSON bytes: UnsafeBufferPointer<UInt8>, escaping: Bool) {
    var start = 0
    var index = 0
    func copyRun() {
      if start < index { append(UnsafeBufferPointer(rebasing: bytes[start..<index])) }
    }
    while index < bytes.count {
      let byte = bytes[index]
      if escaping, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        copyRun()
        append(UInt8(ascii: "\\"))
        append(byte)
        index += 1
        start = index
      } else if let (scalar, length) = HarmfulBytes.character(at: index, of: bytes) {
        copyRun()
        append(escaped: scalar)
        index += length
        start = index
      } else {
        index += 1
      }
    }
    copyRun()
  }

  private func append(escaped scalar: UInt32) {
    if let scalar = Unicode.Scalar(scalar) { append(Quoting.jsonEscape(scalar)) }
  }
}
