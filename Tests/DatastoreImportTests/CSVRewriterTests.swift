import DatastoreCore
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreImport

// Promise: a CSV file is written back → what was not edited is the same byte for byte, whatever line ends,
// quotes, comments or ragged records it has.
// Also: `FilesOnTerminalTests.editing`
/// A CSV file goes out with the values that its rows have now, and otherwise as it was.
@Suite("Writing a CSV file again")
struct CSVRewriterTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// The rows that a text has, by key, and how they are read.
  private struct Table {
    var source: LoadSource
    let entity: Entity
    var rows: [(key: RowKey, values: [Slot: Value])]
  }

  private func table(
    _ text: [UInt8], _ change: (inout ReadingOptions) -> Void = { _ in }
  ) throws -> Table {
    let file = directory.file("t.csv")
    try Data(text).write(to: file)
    var options = ReadingOptions()
    options.csv.repairsHeader = true
    options.csv.keepsIrregular = true
    options.csv.keepsText = true
    change(&options)
    let plan = try LoadPlan(paths: [file.path], entity: "t", reading: options)
    let schema = try plan.inferredSchema { _ in }.schema
    let entity = try #require(schema.entity(named: "t"))
    var reader = try plan.sources[0].makeReader()
    var conversion = FieldConversion(
      reader.valueReading, of: plan.sources[0], batchSize: 100, checkCancellation: {})
    var rows: [(key: RowKey, values: [Slot: Value])] = []
    while true {
      do {
        guard let record = try reader.next() else { break }
        var values: [Slot: Value] = [:]
        for field in record.fields {
          guard let slot = entity.slot(named: field.name),
            let attribute = entity.properties[slot].attribute
          else { continue }
          values[slot] = try conversion.value(of: field.value, in: field.name, for: attribute)
        }
        rows.append((RowKey(Int64(rows.count + 1)), values))
      } catch ImportError.malformed {}
    }
    return Table(source: plan.sources[0], entity: entity, rows: rows)
  }

  private func written(
    _ table: Table, _ memory: RewriteMemory = RewriteMemory()
  ) throws -> (bytes: [UInt8], changes: RewriteChanges, memory: RewriteMemory) {
    let file = try FileHandle(forReadingFrom: directory.file("t.csv"))
    defer { try? file.close() }
    var bytes: [UInt8] = []
    var rewriter = try table.source.makeRewriter(
      table.entity, memory: memory, descriptor: file.fileDescriptor
    ) { bytes += $0 }
    for row in table.rows { try rewriter.write(key: row.key) { row.values[$0] ?? .null } }
    let next = try rewriter.finish()
    return (bytes, rewriter.changes, next)
  }

  private func written(
    _ text: String, comment: Unicode.Scalar? = nil, _ edit: (inout Table) throws -> Void
  ) throws -> String {
    var table = try table(Array(text.utf8)) { options in
      if let comment { options.csv.comment = UInt8(ascii: comment) }
    }
    try edit(&table)
    return String(decoding: try written(table).bytes, as: UTF8.self)
  }

  /// Whether the file has a quote that is not closed.
  private func isUncertain(_ table: Table) throws -> Bool {
    var reader = try #require(try table.source.makeReader() as? CSVReader)
    while let length = try reader.findNext() {
      if reader.scanner.oddities.contains(where: { $0.kind == .openQuote }) { return true }
      reader.consumeRecord(length: length)
    }
    return false
  }

  private func slot(_ name: String, _ table: Table) throws -> Slot {
    try #require(table.entity.slot(named: name))
  }

  @Test("Nothing is changed: not a byte, whatever the file looks like")
  func untouched() throws {
    for round in RandomCases.rounds(of: 4) {
      var random = SeededRandom(seed: RandomCases.seed(round))
      let text = Self.file(&random)
      guard let table = try? table(text) else { continue }
      let (bytes, changes, _) = try written(table)
      #expect(bytes == text, "round \(round): \(String(decoding: text, as: UTF8.self))")
      #expect(changes == RewriteChanges())
    }
  }

  @Test("What is edited is read again with its new values, and all else with its old ones")
  func edited() throws {
    for round in RandomCases.rounds(of: 4) {
      var random = SeededRandom(seed: RandomCases.seed(round) ^ 7)
      let text = Self.file(&random)
      guard var table = try? table(text), !table.rows.isEmpty else { continue }
      // Texts only: another kind of value would make the column another type when it is read again.
      let slots = table.entity.slots.filter { slot in
        table.entity.properties[slot].attribute?.type == .string
          && table.entity.properties[slot].name != "irregular"
      }
      guard !slots.isEmpty else { continue }
      // Without quotes, an empty text is no value.
      let hasQuotes = (try table.source.makeReader() as? CSVReader)?.hasQuotes ?? true
      var expected = table.rows
      for _ in 0...random.below(3) {
        let row = random.below(expected.count)
        let slot = slots[random.below(slots.count)]
        expected[row].values[slot] = .text(
          ["Eve", "a,b;c", "two\nlines", "\"", hasQuotes ? "" : "-"][random.below(5)])
      }
      if random.below(3) == 0 { expected.remove(at: random.below(expected.count)) }
      table.rows = expected
      // If quotes are ordinary characters, some values cannot be written.
      guard let (bytes, _, _) = try? written(table) else { continue }
      // The writer of the file finds and refuses text that would close an open quote.
      if try isUncertain(table) { continue }
      let again = try self.table(bytes) { $0 = table.source.reading }
      // Filling up a record makes it a regular one, and values that are gone may leave a column of another
      // type.
      let shown: ([(key: RowKey, values: [Slot: Value])]) -> [[String]] = { rows in
        rows.map { row in slots.map { "\(row.values[$0] ?? .null)" } }
      }
      if again.entity.properties == table.entity.properties {
        #expect(shown(again.rows) == shown(expected), "round \(round)")
      }
    }
  }

  /// A file with any line end, delimiter and quotes, with empty lines, records of more or fewer fields, and
  /// quotes where CSV has none.
  private static func file(_ random: inout SeededRandom) -> [UInt8] {
    let end = ["\n", "\r\n", "\r"][random.below(3)]
    let delimiter = [",", ";", "\t"][random.below(3)]
    let columns = 2 + random.below(3)
    let words = [
      "Ada", "1", "22.50", "007", "TRUE", "2024-05-01", "1.5.2024", "", "\"\"", "\"x\"\"y\"",
      "\"a\(delimiter)b\"", "\"two\(end)lines\"", "Zoë", " padded ", "NA", "5\" pipe", "\"x\"y",
      "\"open",
    ]
    var lines = [(0..<columns).map { "c\($0)" }.joined(separator: delimiter)]
    for _ in 0..<random.below(12) {
      let count = random.below(6) == 0 ? 1 + random.below(columns + 2) : columns
      var line = (0..<count).map { _ in words[random.below(words.count)] }
        .joined(separator: delimiter)
      if random.below(12) == 0 { line = "a\"b\(delimiter)x" }
      if random.below(12) == 0 { line = "" }
      lines.append(line)
    }
    var text = lines.joined(separator: end)
    if random.below(3) > 0 { text += end }
    return (random.below(4) == 0 ? [0xEF, 0xBB, 0xBF] : []) + Array(text.utf8)
  }

  @Test("A field is written like the one that was there")
  func style() throws {
    let text =
      "\u{FEFF}name;\"note\";n;born;ok\r\nAda;\"x\";1,50;1.5.2024;TRUE\r\n# no; \"t\r\nBo;y;22;31.12.2024;FALSE"
    #expect(
      try written(text) { table in
        table.rows[0].values[try slot("name", table)] = .text("A;da")
        table.rows[0].values[try slot("note", table)] = .text("say \"no\"")
      } == text.replacing("Ada;\"x\"", with: "\"A;da\";\"say \"\"no\"\"\""))
    #expect(
      try written(text) { table in
        table.rows[2].values[try slot("note", table)] = .null
      } == text.replacing("Bo;y", with: "Bo;"))
  }

  @Test("Numbers, dates and booleans keep the marks, the order and the case of the file")
  func values() throws {
    let text = "n;born;ok\n1,50;1.5.2024;true\n2,25;31.12.2024;false\n"
    let changed = try written(text) { table in
      #expect(
        table.entity.properties.compactMap(\.attribute?.type) == [.double, .calendarDate, .boolean])
      table.rows[0].values[try slot("n", table)] = .real(3.75)
      table.rows[0].values[try slot("born", table)] = .text("1999-02-03")
      table.rows[1].values[try slot("ok", table)] = .integer(1)
      table.rows[1].values[try slot("born", table)] = .text("2001-10-11")
    }
    #expect(changed == "n;born;ok\n3,75;3.2.1999;true\n2,25;11.10.2001;true\n")
  }

  @Test("New rows come to the end, in the way of the others; deleted ones go with their line")
  func rows() throws {
    let text = "\"id\",\"name\"\r\n\"1\",\"Ada\"\r\n\"2\",\"Bo\""
    let changed = try written(text) { table in
      let (id, name) = (try slot("id", table), try slot("name", table))
      table.rows.remove(at: 0)
      table.rows.append((9, [id: .integer(3), name: .text("Cy")]))
      table.rows.append((12, [id: .integer(4)]))
    }
    #expect(changed == "\"id\",\"name\"\r\n\"2\",\"Bo\"\r\n\"3\",\"Cy\"\r\n\"4\",\r\n")
    #expect(
      try written("a\n") { $0.rows.append((1, [try slot("a", $0): .text("x")])) } == "a\nx\n")
    #expect(
      try written("a,b") { $0.rows.append((1, [try slot("a", $0): .text("x")])) } == "a,b\nx,\n")
  }

  @Test("A file is written again and again; rows keep their records whatever was deleted before")
  func again() throws {
    let text = "d,name\n13/02/2024,Ada\n01/02/2024,Bo\n03/04/2024,Cy\n"
    var table = try table(Array(text.utf8))
    table.source = try table.source.settled()
    let (d, name) = (try slot("d", table), try slot("name", table))
    let first = table.rows[0]
    // Then the order of days is unknown.
    table.rows.remove(at: 0)
    var memory = RewriteMemory()
    func save(_ expected: String) throws {
      let (bytes, _, next) = try written(table, memory)
      #expect(String(decoding: bytes, as: UTF8.self) == expected)
      try Data(bytes).write(to: directory.file("t.csv"))
      memory = next
    }
    try save("d,name\n01/02/2024,Bo\n03/04/2024,Cy\n")
    table.rows[1].values[d] = .text("2024-04-05")
    table.rows.append((9, [name: .text("New")]))
    try save("d,name\n01/02/2024,Bo\n05/04/2024,Cy\n,New\n")
    // Undone: it comes back to its place.
    table.rows.insert(first, at: 0)
    table.rows[3].values[name] = .text("Dee")
    try save("d,name\n13/02/2024,Ada\n01/02/2024,Bo\n05/04/2024,Cy\n,Dee\n")
    try Data("d,name\n01/02/2024,Bo\n".utf8).write(to: directory.file("t.csv"))
    #expect(throws: RewriteRefusal.self) { try written(table, memory) }
  }

  // Promise: one cell of an odd file is edited → only the bytes of that field change.
  @Test("One edit changes the bytes of one field, however odd the file is")
  func oneField() throws {
    for round in RandomCases.rounds(of: 4) {
      var random = SeededRandom(seed: RandomCases.seed(round) ^ 99)
      let text = Self.file(&random)
      guard var table = try? table(text), !table.rows.isEmpty else { continue }
      // The places of each record's fields.
      var reader = try #require(try table.source.makeReader() as? CSVReader)
      var fields: [[Range<Int>]] = []
      while let length = try reader.findNext() {
        let start = reader.input.offset
        fields.append(reader.scanner.fields.map { start + $0.start..<start + $0.end })
        reader.consumeRecord(length: length)
      }
      try #require(fields.count == table.rows.count, "round \(round)")
      let row = random.below(fields.count)
      let place = random.below(min(fields[row].count, reader.columns.count))
      let slot = try slot(reader.columns[place], table)
      guard table.entity.properties[slot].attribute?.type == .string else { continue }
      table.rows[row].values[slot] = .text("EDIT")
      var expected = text
      let isQuoted = text[fields[row][place]].first == Byte.quote && reader.hasQuotes
      let (bytes, _, _) = try written(table)
      expected.replaceSubrange(fields[row][place], with: Array("EDIT".utf8))
      if bytes == expected { continue }
      var quoted = text
      quoted.replaceSubrange(fields[row][place], with: Array("\"EDIT\"".utf8))
      try #require(
        isQuoted && bytes == quoted,
        "round \(round): \(String(decoding: text, as: UTF8.self).debugDescription)")
    }
  }

  @Test(
    "Where quotes are signs like others, they are written as such, and what would need them is refused"
  )
  func withoutQuotes() throws {
    let text = "name\tsize\nDouglas \"Dougie\" P\t5\"\n\"Hi,\" he said\t\"X\"\n"
    #expect(
      try written(text) { table in
        table.rows[1].values[try slot("size", table)] = .text("6\"")
      } == text.replacing("\"X\"", with: "6\""))
    #expect(throws: RewriteRefusal.self) {
      try written(text) { table in
        table.rows[1].values[try slot("size", table)] = .text("a\tb")
      }
    }
  }

  @Test("A byte that is not UTF-8 is written as it was read")
  func bytes() throws {
    let text = Array("name,n\nZo".utf8) + [0xEB] + Array("é,1\né,2\n".utf8)
    var table = try table(text)
    let name = try slot("name", table)
    let former = try #require(table.rows[0].values[name])
    guard case .text(let former) = former else { return }
    table.rows[1].values[name] = .text(former + "!")
    #expect(
      try written(table).bytes
        == Array(text.dropLast(5)) + Array("Zo".utf8) + [0xEB] + Array("é!,2\n".utf8))
  }

  @Test("A record with fewer fields gets as many as an edit needs; comments and faults stay")
  func ragged() throws {
    let text = "# made by hand\na,b,c\n1\n2,x\"y,z\n#3,q,r\n4,5,6,7\n"
    let changed = try written(text, comment: "#") { table in
      #expect(table.rows.count == 3)
      table.rows[0].values[try slot("c", table)] = .text("new")
      table.rows[2].values[try slot("column_4", table)] = .integer(8)
    }
    #expect(changed == "# made by hand\na,b,c\n1,,new\n2,x\"y,z\n#3,q,r\n4,5,6,8\n")
  }

  // Promise: a file in another encoding is edited → it stays in that, and what was not changed stays byte for
  // byte; a letter that the encoding lacks is refused by name.
  @Test(
    "A file in another encoding is written in it",
    arguments: [
      ("windows-1252", "Müller", "Zoë"), ("windows-1251", "Иванов", "Пётр"),
      ("shift_jis", "山田太郎", "東京"), ("utf-16le", "\u{FEFF}Ω", "Ж"),
    ])
  func encoded(name: String, first: String, second: String) throws {
    let encoding = try #require(TextEncoding(name: name))
    let text = "name,n\n\"\(first)\" ,1\n\(first),2.50\n"
    var table = try table(#require(encoding.bytes(of: text))) { $0.encoding = encoding }
    #expect(try table.source.rewritingRefusal() == nil)
    table.rows[1].values[try slot("name", table)] = .text(second)
    #expect(
      try written(table).bytes
        == encoding.bytes(of: "name,n\n\"\(first)\" ,1\n\(second),2.50\n"))
    guard !encoding.isWide else { return }
    table.rows[1].values[try slot("name", table)] = .text("👩")
    #expect(
      throws: RewriteRefusal(
        description:
          "it is in \(encoding.title), which has no “👩”; write that otherwise, or export the rows")
    ) {
      try written(table)
    }
  }

  @Test("What is no CSV file is refused in a sentence")
  func refused() throws {
    // Byte 0xD2 is no letter of Windows-1253.
    let greek = try #require(TextEncoding(name: "windows-1253"))
    var latin = try table(Array("a,b\nZo".utf8) + [0xD2] + Array(",1\n".utf8)) {
      $0.encoding = greek
    }
    #expect(
      try latin.source.rewritingRefusal()
        == RewriteRefusal(
          description: "its bytes are not all Windows-1253; export the rows instead"))
    try Data(#"[{"a": 1}]"#.utf8).write(to: directory.file("t.json"))
    latin.source = try LoadPlan(paths: [directory.file("t.json").path]).sources[0]
    #expect(throws: RewriteRefusal.self) {
      try CSVRewriter(latin.source, entity: latin.entity, descriptor: -1) { _ in }
    }
  }
}
