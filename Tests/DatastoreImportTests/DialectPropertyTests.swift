import DatastoreTestSupport
import Testing

@testable import DatastoreImport

/// Random tables written in random dialects of all formats are read back equal, with a detected or a given
/// dialect.
@Suite("Dialects: properties")
struct DialectPropertyTests {
  private struct Table {
    var names: [String]
    var rows: [[ImportValue]]
  }

  private struct Dialect {
    var format: FileFormat
    var delimiter: Character
    var lineEnd: String
    var quotesAll: Bool
    var hasHeader: Bool
    var encoding: TextEncoding
    var hasMark: Bool
    /// Whether the reader has to find all this out.
    var isFound: Bool
    var chunkSize: Int

    /// Whether letters beyond ASCII are bytes of a language.
    var hasBytes: Bool { encoding != .utf8 && !encoding.isWide }
  }

  private static let encodings: [TextEncoding] =
    [
      .utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian, .windows1252,
      .macRoman,
    ]
    + ["windows-1250", "ibm850", "gb18030"].compactMap { TextEncoding(name: $0) }

  private static let words = [
    "", "a", "Ada Lovelace", "x,y", "x;y", "x\ty", "x|y", "\"", "say \"no\"", "two\nlines",
    "two\r\nlines",
    " padded ", "é", "Zoë", "007", "12.5", "true", "2024-05-01", "null", "NULL", "\\N", "-", "#1",
  ]
  /// Not in Latin-1.
  private static let farWords = ["日本", "👩‍👩‍👧", "العربية", "\u{202E}x", "\u{FEFF}"]

  private static func value(
    _ dialect: Dialect, _ random: inout SeededRandom
  ) -> ImportValue {
    if random.below(6) == 0 { return .null }
    let isText = dialect.format == .csv || random.below(2) == 0
    guard isText else {
      switch random.below(3) {
      case 0: return .boolean(random.below(2) == 0)
      case 1: return .integer(Int64(truncatingIfNeeded: random.next()))
      default: return .real(Double(random.below(2_000_001) - 1_000_000) / 64 + 1.0 / 128)
      }
    }
    let all = dialect.hasBytes ? words : words + farWords
    return .text((0...random.below(2)).map { _ in all[random.below(all.count)] }.joined())
  }

  private static func draw(_ random: inout SeededRandom) -> (Table, Dialect) {
    let formats: [FileFormat] = [.csv, .csv, .csv, .json, .jsonLines]
    let delimiters: [Character] = [",", ";", "\t", "|"]
    var dialect = Dialect(
      format: formats[random.below(formats.count)], delimiter: delimiters[random.below(4)],
      lineEnd: ["\n", "\r\n", "\r"][random.below(3)], quotesAll: random.below(3) == 0,
      hasHeader: random.below(4) > 0, encoding: encodings[random.below(encodings.count)],
      hasMark: random.below(2) == 0, isFound: random.below(2) == 0,
      chunkSize: 1 + random.below(300))
    if dialect.format != .csv {
      dialect.lineEnd = "\n"
      if dialect.hasBytes { dialect.encoding = .utf8 }
    }
    if dialect.hasBytes { dialect.hasMark = false }
    if dialect.isFound {
      dialect.hasHeader = true
      // Bytes of Latin-1 may happen to be UTF-8; a mark leaves no doubt.
      if dialect.hasBytes { dialect.encoding = .utf8 }
      dialect.hasMark = dialect.hasMark || dialect.encoding != .utf8
    }
    // A delimiter that splits nothing cannot be detected.
    let columns = (dialect.isFound ? 2 : 1) + random.below(4)
    let names = (0..<columns).map { "col \($0 + 1) \(["é", "x", "Y"][random.below(3)])" }
    let count = (dialect.hasHeader && dialect.format == .csv ? 0 : 1) + random.below(8)
    let rows = (0..<count).map { _ in names.map { _ in value(dialect, &random) } }
    if !dialect.hasHeader, dialect.format == .csv {
      return (Table(names: (1...columns).map { "column_\($0)" }, rows: rows), dialect)
    }
    return (Table(names: names, rows: rows), dialect)
  }

  private static func csv(_ table: Table, _ dialect: Dialect) -> String {
    func field(_ value: ImportValue) -> String {
      guard case .text(let text) = value else { return "" }
      let special = text.unicodeScalars.contains { scalar in
        scalar == "\"" || scalar == "\n" || scalar == "\r" || Character(scalar) == dialect.delimiter
      }
      // Empty text in quotes is not the same as nothing. A mark at the beginning would be one of the file.
      guard special || dialect.quotesAll || text.isEmpty || text.hasPrefix("\u{FEFF}") else {
        return text
      }
      var quoted = String.UnicodeScalarView()
      for scalar in text.unicodeScalars {
        quoted.append(scalar)
        if scalar == "\"" { quoted.append(scalar) }
      }
      return "\"\(String(quoted))\""
    }
    let lines = (dialect.hasHeader ? [table.names.map(ImportValue.text)] : []) + table.rows
    return lines.map { line in
      line.map(field).joined(separator: String(dialect.delimiter)) + dialect.lineEnd
    }.joined()
  }

  private static func json(_ table: Table, _ dialect: Dialect) -> String {
    let objects = table.rows.map { row in
      ImportValue.record(
        zip(table.names, row).map { ImportField(name: $0, value: $1, line: 1, column: 1) }
      ).json
    }
    return dialect.format == .jsonLines
      ? objects.map { $0 + "\n" }.joined() : "[\(objects.joined(separator: ",\n"))]"
  }

  private static func bytes(_ text: String, _ dialect: Dialect) -> [UInt8] {
    let text = (dialect.hasMark ? "\u{FEFF}" : "") + text
    return dialect.encoding.bytes(of: text) ?? []
  }

  @Test("A table that was written in any dialect is read back equal")
  func roundTrip() throws {
    for seed in RandomCases.rounds(of: 1).map({ RandomCases.seed($0) }) {
      var random = SeededRandom(seed: seed)
      let (table, dialect) = Self.draw(&random)
      let text =
        dialect.format == .csv ? Self.csv(table, dialect) : Self.json(table, dialect)
      var options = ReadingOptions()
      options.csv.header = .detect
      // Otherwise a text that means no value among numbers means the same among texts.
      options.csv.missing = [""]
      if !dialect.isFound {
        options.format = dialect.format
        options.encoding = dialect.encoding
        options.csv.delimiter = dialect.delimiter.asciiValue
        options.csv.header = dialect.hasHeader ? .present : .absent
      }
      let suffix = ["csv": "csv", "json": "json", "jsonlines": "jsonl"][dialect.format.rawValue]
      let context = "seed \(seed), \(dialect): \(text.debugDescription)"
      var rows: [[ImportValue]] = []
      do {
        var reader = try ByteInput(
          Self.bytes(text, dialect), name: "t.\(suffix ?? "")", chunkSize: dialect.chunkSize
        ).makeReader(options)
        while let record = try reader.next() {
          try #require(record.fields.map(\.name) == table.names, "\(context)")
          rows.append(record.fields.map(\.value))
        }
      } catch let error as ImportError {
        Issue.record("\(error), \(context)")
        return
      }
      try #require(rows == table.rows, "\(context)")
    }
  }
}
