import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Foundation
import GRDB
import Testing

@testable import DatastoreSQLite

// Promise: another process swaps two columns at any moment of reading and saving → no value is read from or
// written to the wrong one; told.
/// Another program changes tables while a store has them open: not one value is read from or written to a
/// column that has come to be another one.
@Suite("Columns that swap their names underneath", .enabled(if: SQLiteCommand.isPresent))
struct TableGuardTests {
  private let folder: TemporaryDirectory
  private let url: URL
  private let count = 40_000
  /// How often the columns change places: 20 times, unless `make fault-tests` asks for more.
  private let rounds =
    ProcessInfo.processInfo.environment["DATASTORE_FAULT_ROUNDS"].flatMap { Int($0) } ?? 20
  /// In one transaction, so that no reader sees it half done.
  private let swap = """
    BEGIN IMMEDIATE; ALTER TABLE T RENAME a TO z; ALTER TABLE T RENAME b TO a; \
    ALTER TABLE T RENAME z TO b; COMMIT;
    """

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("swap.sqlite")
  }

  /// A store in which each column of a row names the column.
  private func makeStore(isNative: Bool) throws -> SQLiteStore {
    let rows = """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) \
      INSERT INTO T (a, b) SELECT 'a' || i, 'b' || i FROM n;
      """
    if isNative {
      let attributes = ["a", "b"].map { name in
        PropertyDescription.attribute(AttributeDescription(name: name, type: .string))
      }
      let schema = try Schema([
        EntityDescription(name: "T", properties: attributes),
        EntityDescription(name: "U", properties: attributes),
      ])
      let store = try SQLiteStore(schema, at: url)
      try SQLiteFile.make(at: url, rows + "INSERT INTO U (a, b) VALUES ('a1', 'b1')")
      return store
    }
    try SQLiteFile.make(
      at: url,
      "CREATE TABLE T (id INTEGER PRIMARY KEY, a TEXT, b TEXT); CREATE TABLE U (a TEXT, b TEXT);"
        + rows + "INSERT INTO U (a, b) VALUES ('a1', 'b1')")
    return try SQLiteStore(existing: url)
  }

  /// Every way in which rows are read; each returns texts of the column `a`.
  private func readers(_ store: SQLiteStore) throws -> [(
    name: String, read: @Sendable () async throws -> [Value]
  )] {
    let entity = try #require(store.schema.entity(named: "T"))
    let slot = try #require(entity.slot(named: "a"))
    let values: @Sendable ([RowPage]) -> [Value] = { pages in
      pages.flatMap { page in (0..<page.rowCount).map { page.value(row: $0, slot: slot) } }
    }
    let first = FetchRequest(
      entity: "T", sortDescriptors: [SortDescriptor(["b"])], limit: 5)
    return [
      ("one row by its key", { values(try store.rows(entity: entity.index, keys: [7])) }),
      ("a few rows", { values(try store.rows(entity: entity.index, keys: [1, 2, 3])) }),
      ("many rows", { values(try store.rows(entity: entity.index, keys: Array(1...50))) }),
      ("the whole table", { values(try store.fetch(FetchRequest(entity: "T"))) }),
      ("the first rows", { values(try await store.fetch(first)) }),
      (
        "by a condition",
        {
          let request = FetchRequest(
            entity: "T", predicate: .comparison(.init(.keyPath(["b"]), .equal, .value("b9"))))
          let keys = try await store.answer(KeysQuestion(request))
          // Nothing is found by the values of another column.
          return keys == [9] ? ["a9"] : ["no row"]
        }
      ),
      (
        "in a pinned state",
        { values(try store.snapshot()?.rows(entity: entity.index, keys: [7]) ?? []) }
      ),
    ]
  }

  @Test(
    "Nothing is read or written, and all is as before when they swap back",
    arguments: [true, false])
  func everyRound(isNative: Bool) async throws {
    let store = try makeStore(isNative: isNative)
    let entity = try #require(store.schema.entity(named: "T"))
    let program = try SQLiteProgram(url)
    // An answer may be there before its transaction has ended.
    #expect(program.run(".timeout 60000") == [])
    let readers = try readers(store)
    let other = try #require(store.schema.entity(named: "U"))
    let error = StoreError.tablesChanged(path: url.path, tables: ["T"])
    for round in 1...rounds {
      // Reading the whole table takes a while; it need not happen in every round.
      let ways = readers.enumerated().filter { round % 20 == 1 || $0.offset != 3 }.map(\.element)
      for way in ways {
        let found = try await way.read()
        #expect(found.allSatisfy { "\($0)".hasPrefix("“a") }, "\(way.name) in round \(round)")
      }
      #expect(program.run(swap) == [])
      for way in ways where isNative || way.name != "in a pinned state" {
        await #expect(throws: error, "\(way.name) in round \(round)") { try await way.read() }
      }
      var changes = Changes(store)
      try changes.insert("T", key: RowKey(count + round), ["a": "a", "b": "b"])
      #expect(throws: error) { try store.save(changes.set) }
      // The other table has nothing to do with it.
      #expect(try store.rows(entity: other.index, keys: [1]).first?.rowCount == 1)
      #expect(program.run(swap) == [])
      #expect(try store.save(changes.set).rekeyed[entity.root]?.count ?? 1 == 1)
    }
    #expect(
      program.run("SELECT count(*) FROM T WHERE a NOT LIKE 'a%' OR b NOT LIKE 'b%'") == ["0"])
    #expect(program.run("SELECT count(*) FROM T") == ["\(count + rounds)"])
  }

  @Test("Also where they swap at any moment of reading and saving", arguments: [true, false])
  func anyMoment(isNative: Bool) async throws {
    let store = try makeStore(isNative: isNative)
    let entity = try #require(store.schema.entity(named: "T"))
    let readers = try readers(store).filter { $0.name != "in a pinned state" }
    let program = Lock(try SQLiteProgram(url))
    _ = program.withLock { $0.run(".timeout 60000") }
    let isDone = Lock(false)
    let counts = Lock((read: 0, refused: 0))
    let (swap, rounds) = (swap, rounds)
    // Not a task: those of other tests may leave the readers no thread for a while, and swapping goes on
    // until they have had theirs.
    Thread.detachNewThread {
      var round = 0
      while round < rounds
        || counts.withLock({ $0.read < 100_000 && ($0.read == 0 || $0.refused == 0) })
      {
        for _ in 0..<2 { _ = program.withLock { $0.run(swap) } }
        round += 1
      }
      isDone.withLock { $0 = true }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for way in readers {
        group.addTask {
          while !isDone.withLock({ $0 }) {
            do {
              let found = try await way.read()
              #expect(found.allSatisfy { "\($0)".hasPrefix("“a") }, "\(way.name)")
              counts.withLock { $0.read += 1 }
            } catch StoreError.tablesChanged {
              counts.withLock { $0.refused += 1 }
            } catch StoreError.locked {
              // Without a log, a writer keeps out readers.
            }
            // Other tests have their turn.
            await Task.yield()
          }
        }
      }
      group.addTask {
        while !isDone.withLock({ $0 }) {
          do {
            var changes = Changes(store)
            try changes.insert(
              "T", key: try store.makeKey(entity: entity.index), ["a": "a", "b": "b"])
            _ = try store.save(changes.set)
            counts.withLock { $0.read += 1 }
          } catch StoreError.tablesChanged {
            counts.withLock { $0.refused += 1 }
          } catch StoreError.locked {
          }
          await Task.yield()
        }
      }
      try await group.waitForAll()
    }
    let (read, refused) = counts.withLock { $0 }
    #expect(read > 0 && refused > 0, "\(read) answers, \(refused) refusals")
    #expect(
      program.withLock {
        $0.run("SELECT count(*) FROM T WHERE a NOT LIKE 'a%' OR b NOT LIKE 'b%'")
      } == ["0"])
  }

  // Promise: another process migrates a file that is open → every read and save says so; what is staged
  // stays.
  // Also: `TableGuardTests.migratedInWords`
  @Test("A file that another process has migrated is told as one")
  func migrated() throws {
    let store = try makeStore(isNative: true)
    let entity = try #require(store.schema.entity(named: "U"))
    #expect(try store.rows(entity: entity.index, keys: [1]).count == 1)
    var changes = Changes(store)
    try changes.insert("U", ["a": "a", "b": "b"])
    // The tables themselves would do: a new column comes after the others.
    try SQLiteFile.make(
      at: url,
      """
      BEGIN; ALTER TABLE U ADD COLUMN c TEXT; INSERT INTO _datastore VALUES ('version', 'V2');
      UPDATE _datastore SET value = replace(value, '"name":"U","properties":[', \
      '"name":"U","properties":[{"attribute":{"_0":{"defaultValue":null,"isIndexed":false,\
      "isOptional":true,"isReadOnly":false,"isUnique":false,"name":"c","type":"string"}}},') \
      WHERE key = 'schema'; COMMIT
      """)
    let error = StoreError.migrated(path: url.path, version: "V2")
    #expect(throws: error) { try store.rows(entity: entity.index, keys: [1]) }
    #expect(throws: error) { try store.fetch(FetchRequest(entity: "T")) }
    #expect(throws: error) { try store.save(changes.set) }
    #expect(try store.haveTablesChanged())
    #expect(
      "\(error)" == """
        Nothing was read or saved, because another process has migrated \(url.path) to version \
        “V2” of its model since it was opened; open it again, with a program that knows that version.
        """)
    #expect(try SQLiteStore(existing: url).schema.entity(named: "U")?.slotCount == 3)
  }

  @Test("So is one whose tables are as they were, and only what they hold is not")
  func migratedInWords() throws {
    let store = try makeStore(isNative: true)
    let entity = try #require(store.schema.entity(named: "U"))
    #expect(try store.rows(entity: entity.index, keys: [1]).count == 1)
    var descriptions = store.schema.entities.map(\.description)
    guard case .attribute(var attribute) = descriptions[1].properties[0] else { return }
    attribute.type = .url
    descriptions[1].properties[0] = .attribute(attribute)
    let other = try DatabaseQueue(path: url.path)
    try other.write { [descriptions] in
      try FileMetadata.describe(descriptions, version: "V2", in: $0)
    }
    try other.close()
    let error = StoreError.migrated(path: url.path, version: "V2")
    #expect(throws: error) { try store.rows(entity: entity.index, keys: [1]) }
    #expect(throws: error) { try store.fetch(FetchRequest(entity: "T")) }
  }

  @Test(
    "What makes no difference to rows is followed without a word",
    arguments: [
      "VACUUM", "CREATE INDEX i ON T (b)", "CREATE TABLE other (x)", "ANALYZE",
      "ALTER TABLE T ADD COLUMN c TEXT DEFAULT 'c'",
      "CREATE TRIGGER g AFTER UPDATE ON T BEGIN SELECT 1; END",
    ], [true, false])
  func harmless(change: String, isNative: Bool) async throws {
    let store = try makeStore(isNative: isNative)
    let readers = try readers(store)
    for _ in 0..<2 {
      for way in readers {
        let found = try await way.read()
        #expect(found.allSatisfy { "\($0)".hasPrefix("“a") }, "\(way.name)")
      }
      try SQLiteFile.make(at: url, change)
      if change != "VACUUM", change != "ANALYZE" { break }
    }
    for way in readers {
      let found = try await way.read()
      #expect(found.allSatisfy { "\($0)".hasPrefix("“a") }, "\(way.name)")
    }
  }
}
