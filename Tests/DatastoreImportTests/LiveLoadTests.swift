import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

@testable import DatastoreImport

/// Loads whose batches are written one by one into a store that someone reads.
@Suite("Live loads")
struct LiveLoadTests {
  private static let table = """
    CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT UNIQUE, name TEXT NOT NULL,
      age INTEGER CHECK (age >= 0));
    INSERT INTO p VALUES (1, 'a', 'Ada', 36), (2, 'b', 'Bo', 40);
    """

  private func load(
    _ text: String, key: String? = nil, batchSize: Int = 4, into fixture: LoadFixture,
    columns: [ImportManifest.Column] = [], tell: @escaping @Sendable (LoadEvent) -> Void = { _ in }
  ) async throws -> (report: LoadReport, told: Told) {
    let path = try fixture.directory.write(text, to: "p.csv")
    var options = LoadOptions()
    options.faults = .skip
    options.saving = .eachBatch
    options.batchSize = batchSize
    let source = LoadSource(
      input: .file(path: path), name: "p.csv", reading: ReadingOptions(),
      content: .entity(
        ImportManifest.EntityContent(
          entity: "p", key: key, columns: columns, ignoresOthers: !columns.isEmpty)))
    let datastore = try SwiftDatastore(opening: fixture.store)
    let told = Told()
    do {
      let report = try await LoadOperation(
        LoadPlan(sources: [source]), into: datastore, options: options
      ).run { event in
        told.take(event)
        tell(event)
      }
      try datastore.close()
      return (report, told)
    } catch {
      try datastore.close()
      throw error
    }
  }

  private func fixture() throws -> LoadFixture {
    let fixture = try LoadFixture()
    try SQLiteFile.make(at: fixture.store, Self.table)
    return fixture
  }

  @Test("Rows that the store refuses are left out, one by one, and all others are written")
  func refusals() async throws {
    let fixture = try fixture()
    var lines = (10..<60).map { "\($0),c\($0),n\($0),\($0)" }
    lines[3] = "13,a,taken,1"
    lines[20] = "30,c30,young,-1"
    lines[21] = "31,c31,,1"
    lines[22] = "x,c32,n,1"
    lines[40] = "10,c50,again,1"
    lines[41] = "51,c51,short"
    let (report, told) = try await load(
      "id,code,name,age\n" + lines.joined(separator: "\n") + "\n", into: fixture)
    #expect(report.rows == 50)
    #expect(report.inserted == 44)
    #expect(report.skippedRows == 6)
    #expect(told.faults.map(\.record).sorted { ($0 ?? 0) < ($1 ?? 0) } == [4, 21, 22, 23, 41, 42])
    let byRecord = Dictionary(uniqueKeysWithValues: told.faults.map { ($0.record ?? 0, $0) })
    #expect(byRecord[4]?.reason == "there is another p with the same code")
    #expect(byRecord[4]?.column == "code")
    #expect(byRecord[4]?.value == "a")
    #expect(byRecord[21]?.reason.contains("breaks the rule") == true)
    #expect(byRecord[22]?.reason == "“name” must have a value, but has none here")
    #expect(byRecord[23]?.reason == "“x” is not an integer")
    #expect(byRecord[23]?.value == "x")
    #expect(byRecord[23]?.position.line == 24)
    #expect(byRecord[41]?.reason.hasPrefix("there is another p with the same") == true)
    let contents = try await fixture.contents()
    #expect(contents["p"].count == 46)
    #expect(told.progress.last?.written == 44)
  }

  // Promise: rows of a file are left out while people look on → the others have the keys from 1 on, in its
  // order.
  @Test("Rows have the keys from 1 on in the order of the file, whatever is left out between them")
  func keys() async throws {
    let fixture = try LoadFixture()
    try SQLiteFile.make(at: fixture.store, "CREATE TABLE p (name TEXT, age INTEGER)")
    let lines = (0..<9_000).map { "n\($0),\($0 % 7 == 3 ? "x" : "\($0)")" }
    let (report, told) = try await load(
      "name,age\n" + lines.joined(separator: "\n") + "\n", batchSize: 400, into: fixture)
    let taken = (0..<9_000).filter { $0 % 7 != 3 }
    #expect(report.inserted == taken.count)
    #expect(told.faults.map(\.record) == (0..<9_000).filter { $0 % 7 == 3 }.map { $0 + 1 })
    let rows = try SQLiteProgram(fixture.store).run("SELECT rowid, age FROM p ORDER BY rowid")
    #expect(rows == taken.enumerated().map { "\($0.offset + 1)|\($0.element)" })
  }

  @Test("What is told of a file does not depend on rows that the store refuses")
  func refusedInBetween() async throws {
    let lines = (0..<60).map { "\($0),n,\($0 % 9 == 0 ? "NA" : "\($0)")" }
    let text = "code,name,age\n" + lines.joined(separator: "\n") + "\n40,again,1\n60,n,NA\n"
    let refusing = try await load(text, into: fixture()).report
    let fixture = try LoadFixture()
    try SQLiteFile.make(at: fixture.store, "CREATE TABLE p (code TEXT, name TEXT, age INTEGER)")
    let taking = try await load(text, into: fixture).report
    #expect((taking.rows, taking.inserted, taking.skippedRows) == (62, 62, 0))
    #expect((refusing.rows, refusing.inserted, refusing.skippedRows) == (62, 61, 1))
    #expect(refusing.notes == taking.notes)
    #expect(taking.notes.contains { $0.contains("(8) means no value") }, "\(taking.notes)")
  }

  @Test("With a key rows are updated or inserted, and the last of several with one key counts")
  func upsert() async throws {
    let fixture = try fixture()
    let lines =
      ["b,Beth,41", "c,Cid,50", "c,Cyd,51", "a,,37", "d,Dan,1"]
      + (0..<20).map { "e,Eve,\($0)" }
    let (report, told) = try await load(
      "code,name,age\n" + lines.joined(separator: "\n") + "\n", key: "code", into: fixture)
    #expect(report.inserted == 3)
    #expect(report.updated == 21)
    #expect(told.faults.map(\.record) == [4])
    let rows = try await fixture.contents()["p"]
    #expect(rows.map { $0["name"] } == ["Ada", "Beth", "Cyd", "Dan", "Eve"])
    #expect(rows.map { $0["age"] } == [36, 41, 51, 1, 19])
  }

  @Test("Columns that are not mapped are left out, and those nobody knew of are told")
  func columns() async throws {
    let fixture = try fixture()
    let (report, _) = try await load(
      "who,junk,age,more\nZoe,1,2,3\n", into: fixture,
      columns: [
        ImportManifest.Column(name: "who", property: "name", role: .attribute(nil)),
        ImportManifest.Column(name: "junk", property: "junk", role: .ignored),
        ImportManifest.Column(name: "age", property: "age", role: .attribute(nil)),
      ])
    #expect(report.inserted == 1)
    #expect(report.notes == ["p.csv: left out “more”."])
    #expect(try await fixture.contents()["p"].last?["name"] == "Zoe")
  }

  @Test(
    "A cancelled load keeps the batches that were written, and nothing else", arguments: [0, 1, 3])
  func cancelled(after batches: Int) async throws {
    let fixture = try fixture()
    let text = "code,name\n" + (0..<400).map { "k\($0),n\($0)\n" }.joined()
    let path = try fixture.directory.write(text, to: "p.csv")
    var options = LoadOptions()
    options.faults = .skip
    options.saving = .eachBatch
    options.batchSize = 8
    let source = LoadSource(
      input: .file(path: path), name: "p.csv", reading: ReadingOptions(),
      content: .entity(ImportManifest.EntityContent(entity: "p", key: nil, columns: [])))
    let datastore = try SwiftDatastore(opening: fixture.store)
    let told = Told()
    let reached = AsyncStream<Void>.makeStream()
    let proceed = DispatchSemaphore(value: 0)
    let operation = LoadOperation(LoadPlan(sources: [source]), into: datastore, options: options)
    let seen = Lock(0)
    let work = Task {
      try await operation.run { event in
        told.take(event)
        guard case .progress = event else { return }
        let count = seen.withLock { count in
          defer { count += 1 }
          return count
        }
        // The load is still, with that many batches written, until it has been cancelled.
        if count == batches {
          reached.continuation.yield()
          proceed.wait()
        }
      }
    }
    for await _ in reached.stream { break }
    work.cancel()
    proceed.signal()
    await #expect(throws: CancellationError.self) { try await work.value }
    try datastore.close()
    let written = try #require(told.progress.last?.written)
    #expect(written > 0)
    #expect(told.progress.count == batches + 1)
    let rows = try await fixture.contents()["p"]
    #expect(rows.count == 2 + written)
    #expect(rows.last?["name"] == .text("n\(written - 1)"))
  }

  @Test("Batches begin small, grow with the file, and end growing")
  func batches() async throws {
    let fixture = try fixture()
    let text = "name\n" + (0..<2_000).map { "n\($0)\n" }.joined()
    let (report, told) = try await load(text, batchSize: 20, into: fixture)
    #expect(report.inserted == 2_000)
    let rows = told.progress.filter { $0.stage == .loading }.map(\.rows)
    let sizes = zip(rows, [0] + rows).map { $0 - $1 }.filter { $0 > 0 }
    #expect(sizes.first == 5)
    #expect(sizes.max() == 100)
    #expect(sizes.dropLast() == sizes.dropLast().sorted()[...])
  }

  @Test("References are found by the key of the other table, and dangling ones are told")
  func references() async throws {
    let fixture = try LoadFixture()
    try SQLiteFile.make(
      at: fixture.store,
      """
      CREATE TABLE c (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT, c_id INTEGER REFERENCES c (id));
      INSERT INTO c VALUES (7, 'Acme'), (8, 'Borg');
      """)
    let text = "name,c_id\n" + (0..<30).map { "n\($0),\($0 == 17 ? 99 : 7 + $0 % 2)\n" }.joined()
    let (report, told) = try await load(text, into: fixture)
    #expect(report.inserted == 30)
    #expect(report.skippedReferences == 1)
    #expect(told.faults.count == 1)
    let rows = try await fixture.contents()["p"]
    #expect(rows.map { $0["c"] }.filter { $0 == 7 }.count == 15)
    #expect(rows[17]["c"] == .null)
  }
}
