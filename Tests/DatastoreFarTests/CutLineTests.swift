import DatastoreCore
import DatastoreFar
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

/// A line that ends in the middle of a call.
@Suite("A line that is cut") struct CutLineTests {
  private static func names(in url: URL) throws -> [String] {
    let store = try SQLiteStore(existing: url, isReadOnly: true)
    defer { try? store.close() }
    return try store.answer(
      ValuesQuestion(
        of: [["name"]],
        in: FetchRequest(entity: "Company", sortDescriptors: [SortDescriptor(["name"])]))
    ).compactMap { if case .text(let name) = $0[0] { name } else { nil } }
  }

  private static func insert(_ names: [String], in store: FarStore) throws -> ChangeSet {
    var changes = Changes(store)
    for name in names { try changes.insert("Company", ["name": .text(name)]) }
    return changes.set
  }

  // Promise: A line that is cut at any byte of a save → all of it is saved or nothing; what is not known is
  // told as not known
  @Test(
    "At whatever byte of a save: all or nothing, and nobody is told otherwise",
    arguments: Relay.Side.allCases)
  func atAnyByteOfASave(_ side: Relay.Side) throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appending(path: "a.sqlite")
    var saved: [String] = []
    // How many bytes a save takes.
    let length: Int
    do {
      let pair = try FarPair(of: CompanySchema.schema, at: url)
      let first = try Self.insert(["0a", "0b"], in: pair.store)
      pair.relay.count()
      _ = try pair.store.save(first)
      length = pair.relay.count(side)
      saved = ["0a", "0b"]
      try pair.store.close()
    }
    var outcomes: [String: Int] = [:]
    let rounds = min(length + 1, max(RandomCases.count / 10, 20))
    for round in 0..<rounds {
      // Every place if there are few, else a sample of them.
      let place = round * (length + 1) / rounds
      let pair = try FarPair(of: CompanySchema.schema, at: url)
      let names = ["\(round + 1)a", "\(round + 1)b"]
      let changes = try Self.insert(names, in: pair.store)
      pair.relay.cut(side, after: place)
      var outcome = "saved"
      do {
        _ = try pair.store.save(changes)
      } catch StoreError.outcomeUnknown {
        outcome = "unknown"
      } catch StoreError.connectionLost {
        outcome = "not saved"
      }
      outcomes[outcome, default: 0] += 1
      try pair.store.close()
      pair.relay.end()
      pair.waitForTheFarEnd()
      let found = Set(try Self.names(in: url))
      let isThere = found.isSuperset(of: names)
      #expect(isThere || found.isDisjoint(with: names), "\(place) of \(length) bytes")
      switch outcome {
      case "saved": #expect(isThere)
      case "not saved": #expect(!isThere)
      default: break
      }
      if isThere { saved += names }
    }
    #expect(Set(try Self.names(in: url)) == Set(saved))
    print("\(side) is cut at \(rounds) of \(length) bytes: \(outcomes.sorted { $0.key < $1.key })")
  }

  @Test("Whoever waits is told, and so is whoever asks later")
  func everyoneIsTold() async throws {
    let directory = try TemporaryDirectory()
    let pair = try FarPair(
      of: CompanySchema.schema, at: directory.url.appending(path: "a.sqlite"))
    let request = FetchRequest(entity: "Company")
    _ = try pair.store.count(request)
    pair.relay.end()
    for _ in 0..<2 {
      do {
        _ = try pair.store.count(request)
        Issue.record("a line that has ended answers")
      } catch StoreError.connectionLost(let server, _) {
        #expect(server == "the other end")
      }
    }
    await #expect(throws: StoreError.self) { try await pair.store.fetch(request) }
    try pair.store.close()
    #expect(throws: StoreError.closed(path: "the other end")) { try pair.store.count(request) }
  }

  // Promise: A line that has ended → the next call begins another one, and what others wrote meanwhile is
  // read
  @Test("The next call begins another line, which reads again what others may have written")
  func anotherLine() async throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appending(path: "a.sqlite")
    let pair = try FarPair(of: CompanySchema.schema, at: url, connects: true)
    let request = FetchRequest(entity: "Company")
    let changes = try Self.insert(["a"], in: pair.store)
    _ = try pair.store.save(changes)
    let listener = pair.store.listen {}
    #expect(listener != nil)
    #expect(try pair.store.externalChanges().isEmpty)
    pair.relay.end()
    pair.waitForTheFarEnd()
    try SQLiteFile.make(at: url, "INSERT INTO \"Company\" (name) VALUES ('theirs')")
    // Whether or not this call sees that the line has ended, the next one has another line.
    _ = try? pair.store.count(request)
    #expect(try pair.store.count(request) == 2)
    let missed = try pair.store.externalChanges()
    #expect(missed.contains { $0.keys.isEverything })
    let more = try Self.insert(["b"], in: pair.store)
    _ = try pair.store.save(more)
    #expect(try pair.store.count(request) == 3)
    withExtendedLifetime(listener) {}
    try pair.store.close()
  }

  @Test("No other line where the tables are others by then")
  func otherTables() throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appending(path: "a.sqlite")
    try SQLiteFile.make(at: url, "CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
    let pair = try FarPair(FarOptions(), connects: true) { _ in
      try SQLiteStore(existing: url, isReadOnly: true)
    }
    let request = FetchRequest(entity: "t")
    #expect(try pair.store.count(request) == 0)
    pair.relay.end()
    pair.waitForTheFarEnd()
    try SQLiteFile.make(at: url, "ALTER TABLE t ADD COLUMN b")
    _ = try? pair.store.count(request)
    do {
      _ = try pair.store.count(request)
      Issue.record("other tables are read as the former ones")
    } catch StoreError.connectionLost(_, let detail) {
      #expect(detail.contains("other tables"))
    }
    try pair.store.close()
  }

  @Test("A task that is cancelled waits for nobody, and the line goes on")
  func cancelling() async throws {
    let directory = try TemporaryDirectory()
    let pair = try FarPair(
      of: CompanySchema.schema, at: directory.url.appending(path: "a.sqlite"))
    let store = pair.store
    let task = Task {
      try await store.answer(
        SQLQuestion(
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
          []))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try store.count(FetchRequest(entity: "Company")) == 0)
    try store.close()
  }
}
