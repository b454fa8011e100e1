import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser
@testable import DatastoreImport

// Promise: a JSON file has keys that differ in case or composition only, or twice → each is a column; an
// edit changes its own cell, as Python reads the file.
/// Files whose rows are shown from a copy are written back cell by cell.
@MainActor
@Suite("Files that are shown from a copy")
struct SourceFileTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// A file of rows, and the copy that `datastore browse` makes of it.
  private struct Copy {
    let source: LoadSource
    let datastore: SwiftDatastore
    var file: SourceFile

    var entity: Entity {
      get throws { try #require(datastore.schema.entity(named: file.entity ?? "")) }
    }
  }

  private func copy(_ text: String, _ name: String) async throws -> Copy {
    try directory.write(text, to: name)
    var reading = ReadingOptions()
    reading.csv.repairsHeader = true
    reading.csv.keepsIrregular = true
    reading.csv.keepsText = true
    reading.json.keepsIrregular = true
    let plan = try LoadPlan(tables: [directory.path(name)], entity: nil, reading: reading)
    let url = directory.file("\(UUID().uuidString).sqlite")
    let datastore = try SwiftDatastore(schema: plan.inferredSchema { _ in }.schema, url: url)
    try datastore.close()
    return Copy(
      source: plan.sources[0], datastore: try SwiftDatastore(opening: url),
      file: try #require(try SourceFile(plan.sources[0])))
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: directory.file(name), encoding: .utf8)
  }

  @Test(
    "JSON names that differ in case only are columns of their own, and an edit writes its own cell")
  func namesInCase() async throws {
    let before =
      "[\n {\"Name\": \"Ann\", \"name\": \"a\", \"NAME\": 1},\n {\"name\": \"b\", \"Name\": \"Bob\"}\n]\n"
    let copy = try await copy(before, "t.json")
    var options = BrowserOptions()
    options.importing = copy.source
    options.copiedFile = "t.json"
    options.sourceFiles = [copy.file]
    let terminal = MemoryTerminal(size: Size(columns: 100, rows: 24), glyphs: .unicode)
    let browser = Browser(copy.datastore, terminal: terminal, options: options)
    try browser.start()
    await browser.idle()
    func press(_ keys: String...) async {
      for key in keys.flatMap({ KeySequence(stringLiteral: $0).keys }) {
        terminal.press(key)
        await browser.idle()
      }
    }
    #expect(
      terminal.picture.contains {
        $0.contains("Name") && $0.contains("name_2") && $0.contains("NAME_3")
      })
    await press("right", "e")
    await press("ctrl-u")
    terminal.type("new")
    await browser.idle()
    await press("enter", "ctrl-s")
    let review = terminal.picture
    #expect(
      review.contains { $0.contains("name_2") && $0.contains("new") },
      "\(review.joined(separator: "\n"))")
    await press("ctrl-s")
    #expect(try text("t.json") == before.replacing("\"a\"", with: "\"new\""))
  }

  private func show(
    _ copy: Copy, _ name: String
  ) async throws -> (browser: Browser, terminal: MemoryTerminal) {
    var options = BrowserOptions()
    options.importing = copy.source
    options.copiedFile = name
    options.sourceFiles = [copy.file]
    let terminal = MemoryTerminal(size: Size(columns: 100, rows: 24), glyphs: .unicode)
    let browser = Browser(copy.datastore, terminal: terminal, options: options)
    try browser.start()
    await browser.idle()
    return (browser, terminal)
  }

  private func press(
    _ keys: String..., in shown: (browser: Browser, terminal: MemoryTerminal)
  ) async {
    for key in keys {
      shown.terminal.press(Key(stringLiteral: key))
      await shown.browser.idle()
    }
  }

  @Test("Numbers are typed and pasted as a file with decimal comma writes them")
  func decimalComma() async throws {
    let shown = try await show(copy("name;price\nAnn;1,50\nBob;3,25\n", "t.csv"), "t.csv")
    await press("right", "e", "ctrl-u", in: shown)
    shown.terminal.type("2,75")
    await shown.browser.idle()
    await press("enter", "0", in: shown)
    shown.terminal.send(.paste("Cy\t7,5\n"))
    await shown.browser.idle()
    await press("enter", "ctrl-s", "ctrl-s", in: shown)
    #expect(try text("t.csv") == "name;price\nAnn;2,75\nBob;3,25\nCy;7,5\n")
  }

  @Test("Whole rows are pasted in the order of the file, or in that of the table if only that fits")
  func orderOfPastedRows() async throws {
    let shown = try await show(
      copy("id,name,price\n7,Ann,1.5\n8,Bob,2.5\n", "t.csv"), "t.csv")
    // Identifiers are shown last.
    for (row, order) in [
      ("9\tLamp\t4.5\n", "columns as in the file"),
      ("Desk\t5.5\t10\n", "columns from the cursor on"),
    ] {
      await press("0", in: shown)
      shown.terminal.send(.paste(row))
      await shown.browser.idle()
      let picture = shown.terminal.picture
      #expect(picture.contains { $0.contains(order) }, "\(picture.joined(separator: "\n"))")
      await press("enter", in: shown)
    }
    await press("ctrl-s", "ctrl-s", in: shown)
    let written = try text("t.csv")
    #expect(written.contains("9,Lamp,4.5\n") && written.contains("10,Desk,5.5\n"), "\(written)")
  }

  // MARK: Python as the judge

  private struct Edit: Encodable {
    let row: Int
    let name: String
    /// Which of the members of that name.
    let number: Int
    let value: String
  }

  private struct Case: Encodable {
    var before: String
    var after = ""
    var edits: [Edit] = []
  }

  private static let names = [
    "name", "Name", "NAME", "name ", " name", "name_2", "é", "e\u{301}", "É", "", "_id", "rowid",
    "oid", "_rowid_", "irregular", "a.b", "a`b", "a\"b", "ſ", "S", "s",
  ]

  private static func quoted(_ text: String) -> String {
    // Some letters as escapes: the meaning of a name counts, not its spelling.
    "\""
      + text.unicodeScalars.map { scalar in
        switch scalar {
        case "\"": "\\\""
        case "é", "n": "\\u\(String(scalar.value + 0x10000, radix: 16).dropFirst())"
        default: String(scalar)
        }
      }.joined() + "\""
  }

  /// Objects with some of the names each, and now and then one twice.
  private static func draw(_ random: inout SeededRandom) -> (text: String, objects: [[String]]) {
    let known = names.shuffled(using: &random).prefix(2 + random.below(8))
    var value = 0
    let objects = (0..<(1 + random.below(5))).map { _ in
      var chosen = Array(known.shuffled(using: &random).prefix(1 + random.below(known.count)))
      if random.below(4) == 0 { chosen.append(chosen[random.below(chosen.count)]) }
      return chosen
    }
    let texts = objects.map { names in
      "{"
        + names.map { name in
          value += 1
          return "\(quoted(name)): \"v\(value)\""
        }.joined(separator: ", ") + "}"
    }
    return (
      random.below(2) == 0
        ? "[\n" + texts.joined(separator: ",\n") + "\n]\n" : texts.joined(separator: "\n"), objects
    )
  }

  @Test(
    "Edits of random cells of random objects change what they should, as Python reads it",
    .enabled(if: Python.isPresent, "python3 is not installed"))
  func python() async throws {
    var cases: [Case] = []
    for round in RandomCases.rounds(of: 40) {
      var random = SeededRandom(seed: RandomCases.seed(round))
      let (text, objects) = Self.draw(&random)
      var drawn = Case(before: text)
      var copy = try await copy(text, "r.json")
      _ = try await LoadOperation(LoadPlan(sources: [copy.source]), into: copy.datastore).run { _ in
      }
      // Twice, because a written file is written again.
      for save in 0..<2 {
        for row in objects.indices where random.below(3) > 0 {
          let member = random.below(objects[row].count)
          let name = objects[row][member]
          func isSame(_ other: String) -> Bool { other.utf8.elementsEqual(name.utf8) }
          let edit = Edit(
            row: row, name: name, number: objects[row][...member].count(where: isSame),
            value: "edit \(round) \(save) \(row)")
          var reader = try #require(try copy.source.makeReader() as? JSONReader)
          var column = ""
          for index in 0...row {
            let record = try #require(try reader.next())
            if index == row { column = record.fields[member].name }
          }
          let place = column
          try await copy.datastore.newContext().perform { context in
            let rows: [DynamicObject] = try context.fetch(FetchRequest(entity: "r"))
            rows[row][place] = .text(edit.value)
            try context.saveChanges()
          }
          drawn.edits.append(edit)
        }
        _ = try copy.file.write(copy.datastore.engine)
      }
      drawn.after = try self.text("r.json")
      cases.append(drawn)
      try copy.datastore.close()
    }
    let script = """
      import json, sys
      def objects(text):
          decoder, found, text = json.JSONDecoder(object_pairs_hook=list), [], text.strip()
          if text.startswith('['): return decoder.decode(text)
          while text:
              value, end = decoder.raw_decode(text)
              found.append(value)
              text = text[end:].strip()
          return found
      for case in json.load(open(sys.argv[1])):
          expected = objects(case['before'])
          for edit in case['edits']:
              places = [i for i, (name, _) in enumerate(expected[edit['row']]) if name == edit['name']]
              expected[edit['row']][places[edit['number'] - 1]] = (edit['name'], edit['value'])
          as_lists = lambda found: [[list(pair) for pair in row] for row in found]
          if as_lists(expected) != as_lists(objects(case['after'])):
              sys.exit(f"{case}\\nexpected {expected}")
      """
    _ = try Python.run(script, input: JSONEncoder().encode(cases), in: directory)
  }

  // Promise: an edit would close a quote that is open elsewhere in the file → refused; the file stays as it
  // is.
  @Test("An edit that would close an open quote is refused, and the file stays as it is")
  func openQuote() async throws {
    let before = "a,b\n1,\"open\n2,x\n3,y\n"
    var copy = try await copy(before, "q.csv")
    _ = try await LoadOperation(LoadPlan(sources: [copy.source]), into: copy.datastore).run { _ in }
    func set(_ text: String) async throws {
      try await copy.datastore.newContext().perform { context in
        let rows: [DynamicObject] = try context.fetch(FetchRequest(entity: "q"))
        rows[2]["b"] = .text(text)
        try context.saveChanges()
      }
    }
    try await set(",z")
    #expect(throws: SourceFile.Refused.self) { try copy.file.write(copy.datastore.engine) }
    #expect(try text("q.csv") == before)
    try await set("z")
    _ = try copy.file.write(copy.datastore.engine)
    #expect(try text("q.csv") == before.replacing("3,y", with: "3,z"))
  }
}
