import DatastoreCore
import DatastoreFar
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

/// A save whose answer is lost.
@Suite("A save whose answer is lost") struct SaveOutcomeTests {
  private static func insert(_ names: [String], in store: FarStore) throws -> ChangeSet {
    var changes = Changes(store)
    for name in names { try changes.insert("Company", ["name": .text(name)]) }
    return changes.set
  }

  // Promise: the answer to a save is lost, and another line can be begun → it is asked for, and told as saved
  // when it was
  @Test("is told as saved when the next line says so, and its rows are read again")
  func saved() throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appending(path: "a.sqlite")
    let pair = try FarPair(of: CompanySchema.schema, at: url, connects: true)
    let first = try Self.insert(["a", "b"], in: pair.store)
    pair.relay.cut(.there, after: 0)
    let result = try pair.store.save(first)
    #expect(result.stale.values.map(\.count) == [2])
    #expect(try pair.store.count(FetchRequest(entity: "Company")) == 2)
    // Everything else goes on.
    let second = try Self.insert(["c"], in: pair.store)
    _ = try pair.store.save(second)
    #expect(try pair.store.count(FetchRequest(entity: "Company")) == 3)
    try pair.store.close()
  }

  // Promise: the answer to a save is lost, and nothing leads there → it is told as not known, nothing is
  // saved before it is, and the same changes are not saved twice
  @Test("is asked for by the next save, when nothing led there before")
  func askedLater() throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appending(path: "a.sqlite")
    let pair = try FarPair(of: CompanySchema.schema, at: url, connects: true)
    let changes = try Self.insert(["a"], in: pair.store)
    pair.isReachable.withLock { $0 = false }
    pair.relay.cut(.there, after: 0)
    for _ in 0..<2 {
      #expect(throws: StoreError.outcomeUnknown(server: "the other end")) {
        _ = try pair.store.save(changes)
      }
    }
    pair.isReachable.withLock { $0 = true }
    _ = try pair.store.save(changes)
    #expect(try SQLiteFile.values("SELECT name FROM Company", in: url) == ["a"])
    try pair.store.close()
  }

  @Test("is told as not known when others have changed its rows meanwhile")
  func unknown() throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appending(path: "a.sqlite")
    let pair = try FarPair(of: CompanySchema.schema, at: url, connects: true)
    let changes = try Self.insert(["a"], in: pair.store)
    pair.isReachable.withLock { $0 = false }
    pair.relay.cut(.there, after: 0)
    _ = try? pair.store.save(changes)
    pair.waitForTheFarEnd()
    try SQLiteFile.make(at: url, "UPDATE Company SET name = 'theirs'")
    pair.isReachable.withLock { $0 = true }
    // The key is another row's by now, so that these are saved as new ones.
    let result = try pair.store.save(changes)
    #expect(result.rekeyed.values.map(\.count) == [1])
    #expect(
      try SQLiteFile.values("SELECT name FROM Company ORDER BY name", in: url) == ["a", "theirs"])
    try pair.store.close()
  }

  /// The outcome judged by the rows, compared with a model that knows which of the changes are there.
  @Test("is judged by all of its changes: one that is there, and none that is not")
  func judging() throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appending(path: "a.sqlite")
    let pair = try FarPair(of: CompanySchema.schema, at: url, connects: true)
    _ = try pair.store.save(Self.insert(["a", "b", "c"], in: pair.store))
    var changes = Changes(pair.store)
    let keys = try pair.store.fetchKeys(
      FetchRequest(entity: "Company", sortDescriptors: [SortDescriptor(["name"])]))
    try changes.update("Company", keys[0], from: [:], to: ["name": .text("x")])
    try changes.delete("Company", keys[1])
    try changes.insert("Company", ["name": .text("y")])
    let set = changes.set
    pair.relay.cut(.there, after: 0)
    _ = try pair.store.save(set)
    #expect(
      try SQLiteFile.values("SELECT name FROM Company ORDER BY name", in: url) == ["c", "x", "y"])
    try pair.store.close()
  }
}

/// Whole files over a line.
@Suite("Whole files over a line") struct FarFileCopyTests {
  @Test("A copy is made there of one moment, and comes here as one file")
  func copyOut() throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appending(path: "a.sqlite")
    try SQLiteFile.make(
      at: url,
      """
      PRAGMA journal_mode = WAL;
      CREATE TABLE t (id INTEGER PRIMARY KEY, a);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO t SELECT i, hex(randomblob(100)) FROM n
      """)
    let pair = try FarPair(opening: url, readOnly: true)
    let copy = directory.url.appending(path: "copy.sqlite")
    var parts: [Int] = []
    try pair.store.backUp(to: copy) { done, _ in parts.append(done) }
    #expect(parts.count > 3)
    let sum = "SELECT count(*) || sum(length(a)) FROM t"
    #expect(try SQLiteFile.values(sum, in: copy) == SQLiteFile.values(sum, in: url))
    #expect(throws: StoreError.fileExists(path: copy.path)) { try pair.store.backUp(to: copy) }
    // A stopped copy leaves nothing behind.
    let other = directory.url.appending(path: "other.sqlite")
    #expect(throws: CancellationError.self) {
      try pair.store.backUp(to: other) { _, _ in throw CancellationError() }
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
        .filter { $0.hasPrefix("other") }.isEmpty)
    try pair.store.close()
  }
}

/// A far end whose program is gone by the time that a line begins.
@Suite("A program that is gone") struct GoneProgramTests {
  @Test("is brought again once, and told as missing when that does not help")
  func broughtAgain() throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appending(path: "a.sqlite")
    try SQLiteFile.make(at: url, "CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
    let nothing: @Sendable () throws -> FarLine = {
      try FarProgram.line(["/bin/sh", "-c", "exit 127"], named: "nothing there")
    }
    let count = Lock(0)
    #expect(throws: FarProgramMissing.self) {
      _ = try FarStore(nothing(), FarOptions(), connecting: nothing) { count.withLock { $0 += 1 } }
    }
    #expect(count.withLock { $0 } == 1)
    let store = try FarStore(
      nothing(), FarOptions(), connecting: { try Self.line(to: url) },
      ifMissing: { count.withLock { $0 += 1 } })
    #expect(count.withLock { $0 } == 2)
    #expect(try store.count(FetchRequest(entity: "t")) == 0)
    try store.close()
  }

  private static func line(to url: URL) throws -> FarLine {
    let relay = try Relay()
    let server = FarServer(reading: relay.there, writing: dup(relay.there)) { _ in
      try SQLiteStore(existing: url, isReadOnly: true)
    }
    Thread.detachNewThread {
      try? server.run()
      close(relay.there)
    }
    return FarLine(reading: relay.here, writing: dup(relay.here), named: "there")
  }
}

/// A line that falls silent without ending.
@Suite("A line that falls silent") struct SilentLineTests {
  // Promise: a line stalls → that is told after a second, and when it goes on
  @Test("is told to whoever wants to know, and so is its return")
  func silence() async throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appending(path: "a.sqlite")
    let pair = try FarPair(of: CompanySchema.schema, at: url)
    let (told, continuation) = AsyncStream<Bool>.makeStream()
    pair.store.onAnswering { continuation.yield($0) }
    pair.relay.hold(true)
    async let count = BlockingWork.run { try pair.store.count(FetchRequest(entity: "Company")) }
    var iterator = told.makeAsyncIterator()
    #expect(await iterator.next() == false)
    pair.relay.hold(false)
    #expect(await iterator.next() == true)
    #expect(try await count == 0)
    try pair.store.close()
  }
}
