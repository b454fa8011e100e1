import DatastoreCore
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreImport

/// A JSON file is written with the current values of its rows, and otherwise unchanged.
@Suite("Writing a JSON file again")
struct JSONRewriterTests {
  private let directory: TemporaryDirectory
  private var url: URL { directory.file("t.json") }

  init() throws { directory = try TemporaryDirectory() }

  /// The rows that a text has, by key, and how they are read.
  private struct Table {
    let source: LoadSource
    let entity: Entity
    var rows: [(key: RowKey, values: [Slot: Value])]
  }

  private func table(
    _ text: String, _ format: FileFormat? = nil, path: [String] = []
  ) throws -> Table {
    try Data(text.utf8).write(to: url)
    var options = ReadingOptions()
    options.format = format
    options.json.path = path
    let plan = try LoadPlan(paths: [url.path], entity: "t", reading: options)
    let entity = try #require(try plan.inferredSchema { _ in }.schema.entity(named: "t"))
    let source = try plan.sources[0].settled()
    return Table(source: source, entity: entity, rows: try rows(source, entity))
  }

  private func rows(
    _ source: LoadSource, _ entity: Entity
  ) throws -> [(key: RowKey, values: [Slot: Value])] {
    var reader = try source.makeReader()
    var conversion = FieldConversion(
      reader.valueReading, of: source, batchSize: 100, checkCancellation: {})
    var rows: [(key: RowKey, values: [Slot: Value])] = []
    while let record = try reader.next() {
      var values: [Slot: Value] = [:]
      for field in record.fields {
        guard let slot = entity.slot(named: field.name),
          let attribute = entity.properties[slot].attribute
        else { continue }
        values[slot] = try conversion.value(of: field.value, in: field.name, for: attribute)
      }
      rows.append((RowKey(Int64(rows.count + 1)), values.filter { !$0.value.isNull }))
    }
    return rows
  }

  private func written(
    _ table: Table, _ memory: RewriteMemory = RewriteMemory()
  ) throws -> (text: String, changes: RewriteChanges, memory: RewriteMemory) {
    let file = try FileHandle(forReadingFrom: url)
    defer { try? file.close() }
    var bytes: [UInt8] = []
    var rewriter = try table.source.makeRewriter(
      table.entity, memory: memory, descriptor: file.fileDescriptor
    ) { bytes += $0 }
    for row in table.rows { try rewriter.write(key: row.key) { row.values[$0] ?? .null } }
    let next = try rewriter.finish()
    return (String(decoding: bytes, as: UTF8.self), rewriter.changes, next)
  }

  private func slot(_ name: String, _ table: Table) throws -> Slot {
    try #require(table.entity.slot(named: name))
  }

  /// An object in any style, with some of the columns.
  private static func object(_ random: inout SeededRandom, isLine: Bool) -> String {
    let spaces = isLine ? ["", " ", "\t"] : ["", " ", "\n  ", "\r\n\t"]
    func space() -> String { spaces.randomElement(using: &random) ?? "" }
    let values: [(String, [String])] = [
      ("a", ["1", "-20", "null", "300"]), ("b", [#""x""#, #""é\n\"\u00fc""#, #""""#, "null"]),
      ("c", ["1.50", "2e3", "0.1"]), ("d", ["true", "false"]),
      ("e", ["[1, {\"x\": [ ]}]", "{ }", "[]"]), (#"\u0066"#, [#""esc""#]),
    ]
    let members = values.shuffled(using: &random).prefix(Int.random(in: 0...6, using: &random))
    let texts = members.map { name, values in
      "\"\(name)\"\(space()):\(space())\(values.randomElement(using: &random) ?? "null")\(space())"
    }
    return "{\(space())" + texts.joined(separator: ",\(space())") + "}"
  }

  private static func file(_ random: inout SeededRandom) -> (text: String, format: FileFormat) {
    let layout = Int.random(in: 0..<4, using: &random)
    // The first one has all columns, so that all of them are known.
    let whole = #"{"a": 1, "b": "x", "c": 1.5, "d": true, "e": [1], "f": "y"}"#
    let objects =
      [whole]
      + (0..<Int.random(in: 0...6, using: &random)).map { _ in
        object(&random, isLine: layout == 1)
      }
    switch layout {
    case 0: return ("[\n  " + objects.joined(separator: ",\n  ") + "\n]\n", .json)
    case 1:
      return (
        objects.joined(separator: "\n") + (objects.count % 2 == 0 ? "\n" : ""), .jsonLines
      )
    case 2: return ("[" + objects.joined(separator: " , ") + "]", .json)
    default: return (objects.joined(separator: "\n\n"), .json)
    }
  }

  // Promise: a JSON file is written back → no edit: the same bytes; edits: read again as the new values,
  // all other objects byte for byte (random files, edits, deletions, insertions; seed).
  // Also: `JSONRewriterTests.edited`, `JSONRewriterTests.styles`
  @Test("Nothing is changed: not a byte, whatever the file looks like")
  func untouched() throws {
    for round in RandomCases.rounds(of: 4) {
      var random = SeededRandom(seed: RandomCases.seed(round))
      let (text, format) = Self.file(&random)
      let (bytes, changes, _) = try written(table(text, format))
      try #require(bytes == text, "round \(round)")
      #expect(changes == RewriteChanges())
    }
  }

  @Test(
    "What is edited is read again with its new values, and all else is byte for byte what it was")
  func edited() throws {
    for round in RandomCases.rounds(of: 4) {
      var random = SeededRandom(seed: RandomCases.seed(round) ^ 7)
      let (text, format) = Self.file(&random)
      var table = try table(text, format)
      var untouched: [String] = []
      let objects = try Self.objects(text)
      var expected: [[Slot: Value]] = []
      var rows: [(key: RowKey, values: [Slot: Value])] = []
      for (index, row) in table.rows.enumerated() {
        var row = row
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where index > 0: continue
        case 1:
          row.values[try slot("a", table)] = .integer(Int64.random(in: 0...9, using: &random))
          row.values[try slot("b", table)] =
            [nil, .text("new \"ü\" \\")].randomElement(
              using: &random) ?? nil
        default: untouched.append(objects[index])
        }
        rows.append(row)
        expected.append(row.values)
      }
      for key in 0..<Int.random(in: 0...2, using: &random) {
        let values: [Slot: Value] = [
          try slot("b", table): .text("added"), try slot("d", table): .integer(0),
        ]
        rows.append((RowKey(Int64(100 + key)), values))
        expected.append(values)
      }
      table.rows = rows
      let (bytes, _, _) = try written(table)
      try Data(bytes.utf8).write(to: url)
      let found = try self.rows(table.source, table.entity).map(\.values)
      try #require(found == expected, "round \(round):\n\(text)\n\(bytes)")
      for object in untouched { try #require(bytes.contains(object), "round \(round): \(object)") }
    }
  }

  /// The texts of the objects of a file, in their order.
  private static func objects(_ text: String) throws -> [String] {
    var texts: [String] = []
    var depth = 0
    var isInString = false
    var isEscaped = false
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if depth > 0 { bytes.append(byte) }
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == Byte.backslash {
          isEscaped = true
        } else if byte == Byte.quote {
          isInString = false
        }
        continue
      }
      switch byte {
      case Byte.quote: isInString = true
      case Byte.openBrace:
        if depth == 0 { bytes = [byte] }
        depth += 1
      case Byte.closeBrace:
        depth -= 1
        if depth == 0 { texts.append(String(decoding: bytes, as: UTF8.self)) }
      default: break
      }
    }
    return texts
  }

  @Test("Values are written as the file writes its own; what is around the list stays")
  func styles() throws {
    var table = try table(
      #"""
      { "made by": ["me"], "rows": [
          { "id": 1, "name": "\u00c4nn", "pay": "12", "ok": true, "tags": ["a"] },
          { "id": 2, "name": "Bob", "pay": "7", "ok": false, "tags": [] }
        ], "end": {"x": [1, 2]}
      }
      """#, path: ["rows"])
    func set(_ row: Int, _ name: String, _ value: Value) throws {
      table.rows[row].values[try slot(name, table)] = value
    }
    try set(0, "id", .integer(10))
    try set(0, "name", .text("Zoë 😀"))
    try set(0, "pay", .integer(13))
    try set(0, "ok", .integer(0))
    try set(0, "tags", .text(#"["a", "b"]"#))
    try set(1, "name", .null)
    table.rows.append(
      (3, [try slot("name", table): .text("New"), try slot("ok", table): .integer(1)]))
    let (text, changes, _) = try written(table)
    #expect(
      text == #"""
        { "made by": ["me"], "rows": [
            { "id": 10, "name": "Zo\u00eb \ud83d\ude00", "pay": "13", "ok": false, "tags": ["a", "b"] },
            { "id": 2, "name": null, "pay": "7", "ok": false, "tags": [] },
            { "id": null, "name": "New", "pay": null, "ok": true, "tags": null }
          ], "end": {"x": [1, 2]}
        }
        """#)
    #expect((changes.changed, changes.inserted, changes.deleted) == (2, 1, 0))
  }

  // Promise: a save of a JSON file is undone and saved again → what was deleted comes back to its place.
  @Test("A file that was written is written again, and what was undone comes back to its place")
  func again() throws {
    var table = try table("{\"n\": 1}\n{\"n\": 2}\n{\"n\": 3}\n")
    var memory = RewriteMemory()
    func save(_ expected: String) throws {
      let (text, _, next) = try written(table, memory)
      #expect(text == expected)
      try Data(text.utf8).write(to: url)
      memory = next
    }
    let first = table.rows.removeFirst()
    let second = table.rows.removeFirst()
    try save("{\"n\": 3}\n")
    table.rows.append((9, [try slot("n", table): .integer(9)]))
    try save("{\"n\": 3}\n{\"n\": 9}\n")
    table.rows = [first, second] + table.rows
    try save("{\"n\": 1}\n{\"n\": 2}\n{\"n\": 3}\n{\"n\": 9}\n")
    table.rows = []
    try save("\n")
  }

  // Promise: a JSON file has parts that could not be read, or one object where a list is needed → refused
  // with the line; nothing is written.
  @Test("What would be lost or guessed is refused in a sentence")
  func refused() throws {
    var faulty = try table("{\"a\": 1}\n{\"a\": 2}\n")
    try Data("{\"a\": 1}\nnonsense\n{\"a\": 2}\n".utf8).write(to: url)
    #expect(throws: RewriteRefusal.self) { try written(faulty) }
    faulty = try table(#"{"x": {"a": 1}}"#, path: ["x"])
    #expect(try written(faulty).text == #"{"x": {"a": 1}}"#)
    faulty.rows.append((2, [:]))
    #expect(throws: RewriteRefusal.self) { try written(faulty) }
  }
}
