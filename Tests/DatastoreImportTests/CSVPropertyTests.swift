import DatastoreImport
import DatastoreTestSupport
import Testing

@Suite("CSV: properties")
struct CSVPropertyTests {
  private static let pieces = [
    "", "a", "\"", "\"\"", ",", ";", "\t", "\n", "\r\n", "\r", " ", "é", "日本", "👩‍👩‍👧", "\u{FEFF}",
    "\u{0}",
    "Null", "12.5", "العربية",
  ]

  private static func randomTable(
    _ random: inout SeededRandom
  ) -> (names: [String], rows: [[ImportValue]]) {
    let names = (1...Int.random(in: 1...5, using: &random)).map { "c\($0)" }
    let rows = (0..<Int.random(in: 0...8, using: &random)).map { _ in
      names.map { _ -> ImportValue in
        if Int.random(in: 0..<6, using: &random) == 0 { return .null }
        let count = Int.random(in: 0...5, using: &random)
        return .text(
          (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined())
      }
    }
    return (names, rows)
  }

  /// Writes a table by the rules of RFC 4180, sometimes with quotes that are not needed.
  private static func write(
    _ rows: [[ImportValue]], delimiter: String, _ random: inout SeededRandom
  ) -> String {
    let lineEnd = ["\n", "\r\n", "\r"].randomElement(using: &random) ?? "\n"
    var text = ""
    for (index, row) in rows.enumerated() {
      let fields = row.map { value -> String in
        guard case .text(let field) = value else { return "" }
        let special = field.unicodeScalars.contains { "\",;\t\n\r".unicodeScalars.contains($0) }
        if !special, !field.isEmpty, Bool.random(using: &random) { return field }
        // By scalars: "\r\n" is one Character, and so may be a quote with a combining mark.
        var quoted = String.UnicodeScalarView()
        for scalar in field.unicodeScalars {
          quoted.append(scalar)
          if scalar == "\"" { quoted.append(scalar) }
        }
        return "\"\(String(quoted))\""
      }
      text += fields.joined(separator: delimiter)
      // The last line need not end with a line end, unless it would be no line at all.
      let isLast = index == rows.count - 1
      if !isLast || row == [.null] || Bool.random(using: &random) { text += lineEnd }
    }
    return text
  }

  @Test("A table that was written is read back equal")
  func roundTrip() throws {
    for seed in RandomCases.rounds(of: 1).map({ RandomCases.seed($0) }) {
      var random = SeededRandom(seed: seed)
      let table = Self.randomTable(&random)
      let delimiter = [",", ";", "\t"].randomElement(using: &random) ?? ","
      let header = table.names.map(ImportValue.text)
      let text = Self.write([header] + table.rows, delimiter: delimiter, &random)
      let outcomes = try readCSV(text, chunkSize: Int.random(in: 1...40, using: &random)) {
        $0.delimiter = delimiter.utf8.first
      }
      let values = outcomes.map(\.values)
      // A row without values is an empty line, which is a record only if there is one column.
      let expected = table.rows.filter { table.names.count > 1 || !$0.isEmpty }
      try #require(values == expected, "seed \(seed): \(text.debugDescription)")
    }
  }

  @Test("The size of the chunks makes no difference, faults included")
  func chunks() throws {
    let texts = [
      "\u{FEFF}a,b\r\n1,\"x\r\ny\"\r\n\r\n\"q\"\"q\",é\r\n5\r\n1,\"a\"b\r\nx,y",
      "a;b\n1;2\n\"open;3\n4;5\n6;\"7\n", "a\rb\r\r\"c\r", "a\tb\n\"\"\t\"\"\"\"\n1\t2\t3\n",
    ]
    for text in texts {
      let bytes = Array(text.utf8)
      let whole = try readCSV(bytes, chunkSize: bytes.count + 1)
      #expect(whole.count > 1)
      for chunkSize in 1...bytes.count {
        let chunked = try readCSV(bytes, chunkSize: chunkSize)
        #expect(chunked == whole, "chunk size \(chunkSize): \(text.debugDescription)")
      }
    }
  }

  @Test("Random bytes are read to their end without a crash, whatever the chunks")
  func randomBytes() throws {
    let alphabet = Array("\"\",,;\t\n\r ab1".utf8) + [0xC3, 0xA9, 0xFF, 0x00]
    for seed in RandomCases.rounds(of: 1).map({ RandomCases.seed($0) }) {
      var random = SeededRandom(seed: seed)
      let count = Int.random(in: 0...60, using: &random)
      let bytes = (0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      let whole = try readCSV(bytes, chunkSize: 100)
      #expect(whole.count <= count + 1, "seed \(seed)")
      let chunked = try readCSV(bytes, chunkSize: Int.random(in: 1...9, using: &random))
      #expect(chunked == whole, "seed \(seed): \(bytes)")
    }
  }
}
