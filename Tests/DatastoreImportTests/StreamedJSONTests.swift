import DatastoreCore
import DatastoreTestSupport
import Foundation
import Gates
import Testing

@testable import DatastoreImport

/// JSON files whose bytes become cells directly, with types from the beginning of the file.
@Suite("Reading JSON into rows")
struct StreamedJSONTests {
  private static let pools: [[String]] = [
    ["1", "22", "-3", "0", "-0", "9007199254740993", "1234567890123456789012"],
    ["1.5", "2", "-0.25", "1e3", "1.50", "0.1234567890123456789"], ["true", "false"],
    ["\"2024-05-01\"", "\"1999-12-31\""],
    ["\"2024-05-01T09:30:00Z\"", "\"2024-05-01T09:30+02:00\""],
    ["\"01/02/2024\"", "\"13/02/2024\""],
    [#""Ada""#, #""say \"no\"""#, #""two\nlines""#, #""Zoë""#, #""\u005a\ud83d\ude00""#, #""""#],
    ["\"DD0C2F09-F6C9-5BD9-9124-EB1E7C5791D8\""], ["null"], ["\"007\"", "\"12\"", "7"],
    ["\"NA\"", "5"], ["[1, 2.50, {\"a\": null}]", "{\"x\" : \"]}\"}", "[]"],
    [#""\ud800""#, "\"\u{10FEA0}x\""],
  ]

  /// Objects whose members mostly keep to one kind of value and one order; now and then one is odd or
  /// invalid.
  private static func objects(_ random: inout SeededRandom) -> [String] {
    let names = ["id", "Name", "a b", "größe", "q\\\"q", "name"].prefix(1 + random.below(6))
    let kinds = names.map { _ in random.below(pools.count) }
    let others = names.map { _ in random.below(4) == 0 ? random.below(pools.count) : nil }
    let count = random.below(40)
    return (0..<count).map { row in
      var members = names.enumerated().compactMap { column, name -> String? in
        if random.below(12) == 0 { return nil }
        let other = row * 3 > count * 2 ? others[column] : nil
        let pool = pools[other ?? kinds[column]]
        let space = random.below(6) == 0 ? " " : ""
        return "\(space)\"\(name)\"\(space):\(space)\(pool[random.below(pool.count)])\(space)"
      }
      if random.below(9) == 0 { members.shuffle(using: &random) }
      switch random.below(40) {
      case 0: return "[1, \"x\"]"
      case 1: return "7"
      case 2: return "{\"id\": 1, \"id\": 2}"
      case 3: return "{\"late\": 1}"
      case 4: return "{\"id\": 01}"
      case 5: return "{}"
      default: return "{\(members.joined(separator: ","))}"
      }
    }
  }

  private static func file(_ random: inout SeededRandom) -> (text: String, name: String) {
    let objects = objects(&random)
    switch random.below(4) {
    case 0: return (objects.joined(separator: "\n") + "\n", "t.jsonl")
    case 1: return (objects.joined(separator: " \r\n\r\n"), "t.jsonl")
    case 2: return ("[" + objects.joined(separator: ",\n") + "]", "t.json")
    default: return ("  [ " + objects.joined(separator: ",") + " ]\n", "t.json")
    }
  }

  private func load(
    _ file: String, sampleSize: Int
  ) async throws -> (
    rows: [StoreContents.Row], schema: Set<String>, faults: [LoadFault], report: LoadReport
  ) {
    let fixture = try LoadFixture()
    var options = LoadOptions()
    options.faults = .skip
    options.batchSize = 4
    options.sampleSize = sampleSize
    let told = Told()
    let report = try await StoreLoader(
      LoadPlan(paths: [file], entity: "t"), into: fixture.store, options: options
    ).run(told.take)
    return (
      try await fixture.contents()["t"], try Declarations.of(fixture.store), told.faults, report
    )
  }

  // Promise: the beginning of a JSON file shows other types or members than its rest → schema, rows and
  // faults are those of reading all of it first.
  @Test("A load finds the types, rows, faults and notes that reading the whole file first finds")
  func agreement() async throws {
    let directory = try TemporaryDirectory()
    for round in RandomCases.rounds(of: 60) {
      var random = SeededRandom(seed: RandomCases.seed(round))
      let (text, name) = Self.file(&random)
      let file = try directory.write(text, to: name)
      let whole = await Result(catching: { try await load(file, sampleSize: .max) })
      let size = 1 + random.below(text.utf8.count)
      let guessed = await Result(catching: { try await load(file, sampleSize: size) })
      switch (whole, guessed) {
      case (.success(let whole), .success(let guessed)):
        #expect(guessed.rows == whole.rows, "round \(round):\n\(text)")
        #expect(guessed.schema == whole.schema, "round \(round):\n\(text)")
        #expect(guessed.faults == whole.faults, "round \(round):\n\(text)")
        #expect(guessed.report == whole.report, "round \(round):\n\(text)")
      case (.failure(let whole), .failure(let guessed)):
        #expect("\(guessed)" == "\(whole)", "round \(round):\n\(text)")
      default: Issue.record("round \(round): \(guessed) is not \(whole)\n\(text)")
      }
    }
  }

  // Promise: a JSON file is asked without a copy → its values and texts are those of its records.
  @Test("Rows that are asked for have the values and texts of the records")
  func records() throws {
    let directory = try TemporaryDirectory()
    for round in RandomCases.rounds(of: 60) {
      var random = SeededRandom(seed: RandomCases.seed(round) ^ 2)
      let (text, name) = Self.file(&random)
      let path = try directory.write(text, to: name)
      var options = ReadingOptions()
      options.json.keepsIrregular = true
      let plan = try LoadPlan(paths: [path], entity: "t", reading: options)
      guard let rows = try? FileRows(plan, isGuess: false, { _ in }) else { continue }
      let entity = rows.entity
      let slots = Array(entity.slots)
      var json = try #require(try plan.sources[0].makeReader() as? JSONReader)
      json.keepsBytes = true
      var values = JSONRowValues(of: entity, json, plan.sources[0], dateOrders: nil)
      rows.keepTexts(of: slots)
      let pages = try rows.makePages(of: SlotSet(slots))
      defer { pages.close() }
      var all: [(page: RowPage, row: Int, texts: RowTexts)] = []
      while let page = try pages.next() {
        for row in 0..<page.rowCount {
          let record = try #require(try nextRow(&json, &values))
          for slot in slots {
            #expect(
              page.value(row: row, slot: slot) == record.values[slot] ?? .null,
              "round \(round): \(entity.properties[slot].name)\n\(text)")
          }
          var expected = RowTexts()
          for slot in slots {
            record.object.map { $0.append(entity.properties[slot].name, to: &expected) }
          }
          let texts = try #require(rows.texts(of: page.key(ofRow: row)))
          all.append((page, row, texts))
          #expect(
            Self.shown(texts, slots) == Self.shown(expected, slots), "round \(round)\n\(text)")
        }
      }
      #expect(try nextRow(&json, &values) == nil, "round \(round)\n\(text)")
      // A caller that wants the texts of some rows finds their records by their places.
      var found = try #require(
        try SourceTexts(
          of: rows.source, as: entity, columns: slots, areEdited: false,
          areAllRows: { rows.areAllRows }, known: { _ in nil },
          place: { rows.place(ofStride: $0) }))
      all.shuffle(using: &random)
      for (page, row, texts) in all where random.below(2) == 0 {
        let again = try #require(
          try found.texts(of: page.key(ofRow: row), page, row: row), "round \(round)\n\(text)")
        #expect(Self.shown(again, slots) == Self.shown(texts, slots), "round \(round)\n\(text)")
      }
    }
  }

  private static func shown(_ texts: RowTexts, _ slots: [Slot]) -> [String] {
    slots.indices.map { column in
      "\(texts.form(of: column)) \(texts.withBytes(of: column) { String(decoding: $0, as: UTF8.self) })"
    }
  }

  private func nextRow(
    _ json: inout JSONReader, _ values: inout JSONRowValues
  ) throws -> (values: [Slot: Value], object: JSONObjectText?)? {
    while true {
      do {
        guard let record = try json.next() else { return nil }
        return (
          try values.values(of: record),
          JSONObjectText(json.last.bytes, columns: record.fields.map(\.name))
        )
      } catch is ConversionFault {
      } catch ImportError.malformed {}
    }
  }
}

extension Result where Failure == any Error {
  fileprivate init(catching body: () async throws -> Success) async {
    do {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
