import DatastoreCore
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreImport

/// CSV files that are read on one thread and written on another, with types that their beginning has shown.
@Suite("Loading in one scan")
struct StreamedLoadTests {
  private static let pools: [[String]] = [
    ["1", "22", "-3", "0"], ["1.5", "2", "-0.25"], ["true", "false"],
    ["2024-05-01", "1999-12-31"], ["2024-05-01T09:30:00Z", "2024-05-01"],
    ["01/02/2024", "13/02/2024"], ["Ada", "Bo", "say \"no\"", "two\nlines", "Zoë", ""],
    ["DD0C2F09-F6C9-5BD9-9124-EB1E7C5791D8"], ["", ""], ["007", "12"], ["NA", "5"],
    ["9007199254740993", "0.5"], ["\u{10FEA0}x", "y"],
  ]

  private static func quoted(_ text: String, _ random: inout SeededRandom) -> String {
    let needs = text.contains { "\",\n".contains($0) }
    guard needs || random.below(10) == 0 else { return text }
    return "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
  }

  /// A table whose columns mostly keep to one kind of value, but may have another one later; now and then a
  /// record is invalid.
  private static func table(_ random: inout SeededRandom) -> String {
    let columns = 1 + random.below(4)
    let kinds = (0..<columns).map { _ in random.below(pools.count) }
    let others = (0..<columns).map { _ in random.below(4) == 0 ? random.below(pools.count) : nil }
    let rows = random.below(40)
    var text = (0..<columns).map { "c\($0)" }.joined(separator: ",") + "\n"
    for row in 0..<rows {
      var fields = (0..<columns).map { column -> String in
        let other = row * 3 > rows * 2 ? others[column] : nil
        let pool = pools[other ?? kinds[column]]
        return random.below(8) == 0 ? "" : quoted(pool[random.below(pool.count)], &random)
      }
      if random.below(15) == 0 { fields.append("too many") }
      text += fields.joined(separator: ",") + "\n"
    }
    return text
  }

  private func load(
    _ file: String, sampleSize: Int
  ) async throws -> (
    rows: [StoreContents.Row], schema: Set<String>, faults: [LoadFault], LoadReport
  ) {
    let fixture = try LoadFixture()
    let plan = try LoadPlan(paths: [file], entity: "t")
    var options = LoadOptions()
    options.faults = .skip
    options.batchSize = 4
    options.sampleSize = sampleSize
    let told = Told()
    let report = try await StoreLoader(plan, into: fixture.store, options: options).run(told.take)
    return (
      try await fixture.contents()["t"], try Declarations.of(fixture.store), told.faults, report
    )
  }

  // Promise: the beginning of a CSV file shows other types than its rest → schema, rows and faults are
  // those of reading all of it first.
  @Test("The types, rows, faults and notes are those that reading the whole file first finds")
  func agreement() async throws {
    let directory = try TemporaryDirectory()
    for round in RandomCases.rounds(of: 40) {
      var random = SeededRandom(seed: RandomCases.seed(round))
      let text = Self.table(&random)
      let file = try directory.write(text, to: "t.csv")
      let whole = try await load(file, sampleSize: .max)
      let guessed = try await load(file, sampleSize: 1 + random.below(text.utf8.count))
      #expect(guessed.rows == whole.rows, "round \(round):\n\(text)")
      #expect(guessed.schema == whole.schema, "round \(round):\n\(text)")
      #expect(guessed.faults == whole.faults, "round \(round):\n\(text)")
      #expect(guessed.3 == whole.3, "round \(round):\n\(text)")
      #expect(whole.rows.map(\.key.rawValue) == Array(1...Int64(whole.rows.count + 1)).dropLast())
    }
  }

  @Test("The values are those that the records have one by one")
  func model() async throws {
    let directory = try TemporaryDirectory()
    for round in RandomCases.rounds(of: 40) {
      var random = SeededRandom(seed: RandomCases.seed(round) ^ 1)
      let text = Self.table(&random)
      let file = try directory.write(text, to: "t.csv")
      let source = try LoadPlan(paths: [file], entity: "t").sources[0]
      var records: [ImportRecord] = []
      var reader = try source.makeReader()
      let reading = reader.valueReading
      while true {
        do {
          guard let record = try reader.next() else { break }
          records.append(record)
        } catch ImportError.malformed {}
      }
      let loaded = try await load(file, sampleSize: 1 + random.below(text.utf8.count))
      #expect(loaded.rows.count == records.count, "round \(round)")
      let names = (try source.makeReader() as? CSVReader)?.columns ?? []
      var inferences = names.map { _ in ColumnTypeInference(reading) }
      for record in records {
        for (index, name) in names.enumerated() { inferences[index].observe(record[name] ?? .null) }
      }
      let orders = Set(inferences.compactMap(\.dateOrder))
      for (index, name) in names.enumerated() {
        var ofColumn = reading
        ofColumn.dates = inferences[index].dateOrder ?? (orders.count == 1 ? orders.first : nil)
        let type = (inferences[index].type(dates: ofColumn.dates) ?? .string).attributeType
        let expected = try records.map { try ($0[name] ?? .null).converted(to: type, ofColumn) }
        #expect(
          loaded.rows.map { $0[name] } == expected, "round \(round): \(name)\n\(text)")
      }
    }
  }

  @Test("The file is read once for its types where its beginning tells them")
  func oneScan() async throws {
    let fixture = try LoadFixture()
    var text = "id,name\n"
    for row in 1...20_000 { text += "\(row),name \(row)\n" }
    let file = try fixture.directory.write(text, to: "t.csv")
    var options = LoadOptions()
    options.sampleSize = 1_000
    let told = Told()
    let report = try await StoreLoader(
      LoadPlan(paths: [file]), into: fixture.store, options: options
    ).run(told.take)
    #expect(report.inserted == 20_000)
    let looked = told.progress.filter { $0.stage == .inferring }.map(\.bytesRead).max() ?? 0
    #expect(looked < 3_000)
    #expect(
      try SQLiteCommand.run(
        "SELECT count(*), sum(id), max(typeof(name)) FROM t", on: fixture.store)
        == "20000|200010000|text")
  }

  @Test("A value that is something else late in the file makes the column what it should have been")
  func refuted() async throws {
    let fixture = try LoadFixture()
    var text = "code,note\n"
    for row in 1...5_000 { text += "\(row % 100),\n" }
    text += "too,many,fields\n007,late\n"
    let file = try fixture.directory.write(text, to: "t.csv")
    var options = LoadOptions()
    options.sampleSize = 1_000
    options.faults = .skip
    let told = Told()
    let report = try await StoreLoader(
      LoadPlan(paths: [file]), into: fixture.store, options: options
    ).run(told.take)
    #expect(report.inserted == 5_001)
    #expect(told.faults.map(\.record) == [5_001])
    #expect(
      try SQLiteCommand.run(
        "SELECT typeof(code), count(*), max(note) FROM t GROUP BY 1", on: fixture.store)
        == "text|5001|late")
    #expect(
      try SQLiteFile.values("SELECT count(*) FROM t WHERE code = '1'", in: fixture.store) == ["50"])
    #expect(try fixture.directory.names() == ["store.sqlite", "t.csv"])
  }

  @Test("Rows are added to a table of another program by its own types, with its defaults")
  func intoTable() async throws {
    let fixture = try LoadFixture()
    try SQLiteFile.make(
      at: fixture.store,
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, small INT8, born DATE, at DATETIME, name TEXT NOT NULL DEFAULT 'x',
        ratio REAL, must INTEGER NOT NULL);
      INSERT INTO t VALUES (10, 1, '2000-01-01', '2000-01-01 10:00:00', 'a', 0.5, 1);
      """)
    let file = try fixture.directory.write(
      #"""
      name,born,ratio,must,small
      Ada,1815-12-10,1,7,+5
      ,2001-01-01,2.25,8,
      Bo,2001-01-01,x,9,1
      Cy,2001-01-01,,,1
      "D ""E""",31.12.1999,-0.0,10,12

      """#, to: "t.csv")
    let told = Told()
    var options = LoadOptions()
    options.faults = .skip
    let report = try await StoreLoader(
      LoadPlan(paths: [file]), into: fixture.store, options: options
    ).run(told.take)
    #expect(report.inserted == 3)
    #expect(
      told.faults.map(\.description).map { $0.replacingOccurrences(of: file, with: "t.csv") } == [
        "t.csv, line 4, column 15: ratio: “x” is not a number.",
        "t.csv, line 5, column 16: “must” must have a value, but has none here.",
      ])
    #expect(
      try SQLiteCommand.run(
        "SELECT id, small, typeof(small), born, name, ratio, must FROM t ORDER BY id",
        on: fixture.store)
          == """
          10|1|integer|2000-01-01|a|0.5|1
          11|5|integer|1815-12-10|Ada|1.0|7
          12||null|2001-01-01|x|2.25|8
          13|12|integer|1999-12-31|D "E"|0.0|10
          """)
  }

  @Test("The reader is some batches ahead at most, and ends when nobody wants more")
  func bounded() throws {
    let counts = Lock((sent: 0, taken: 0, ahead: 0))
    let stream = RowStream()
    let ended = DispatchSemaphore(value: 0)
    stream.start { send in
      defer { ended.signal() }
      for _ in 0..<100 {
        if !send(RowStream.Batch()) { break }
        counts.withLock {
          $0.sent += 1
          $0.ahead = max($0.ahead, $0.sent - $0.taken)
        }
      }
      return RowStream.Ending(seenMarks: [:], observed: nil)
    }
    for _ in 0..<50 {
      counts.withLock { $0.taken += 1 }
      #expect(try stream.next().batch != nil)
    }
    stream.close()
    ended.wait()
    #expect(counts.withLock { $0.ahead } <= 9)
    #expect(counts.withLock { $0.sent } < 100)
  }

  @Test("What reading throws comes after the rows before it")
  func failure() throws {
    struct Failed: Error {}
    let stream = RowStream()
    stream.start { send in
      for _ in 0..<3 { _ = send(RowStream.Batch()) }
      throw Failed()
    }
    for _ in 0..<3 { #expect(try stream.next().batch != nil) }
    #expect(throws: Failed.self) { try stream.next() }
  }
}
