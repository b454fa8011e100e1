import DatastoreCore
import DatastoreSQL
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import GRDB
import Testing

// Promise: a program ends in the middle of a save → the next opening takes it back; the recovery file is
// offered.
// Also: `KillWhileSavingManyTests`, all `KillWhile…Tests`
/// A program that has ended in the middle of a save has left a journal that has to be rolled back.
@Suite("Files with a hot journal")
struct InterruptedSaveTests {
  private static let rows = 5_000
  private let folder: TemporaryDirectory
  private let url: URL

  /// Makes the file as a crash leaves it: half of a save is in it already, and the journal beside it.
  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("hot.db")
    let running = folder.file("running.db")
    try SQLiteFile.make(
      at: running,
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT NOT NULL);
      WITH n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.rows))
      INSERT INTO t SELECT i, 'old' || hex(zeroblob(50)) FROM n;
      """)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let writer = try DatabaseQueue(path: running.path, configuration: configuration)
    try writer.inDatabase {
      try $0.execute(sql: "PRAGMA cache_size = 10; BEGIN; UPDATE t SET n = 'new'")
    }
    for suffix in ["", "-journal"] {
      let status = try spawn(
        "/bin/cp", [running.path + suffix, url.path + suffix],
        output: URL(fileURLWithPath: "/dev/null"))
      #expect(status == 0)
    }
    try writer.inDatabase { try $0.execute(sql: "ROLLBACK") }
    try writer.close()
    #expect(throws: DatabaseError.self) {
      var configuration = Configuration()
      configuration.readonly = true
      _ = try DatabaseQueue(path: url.path, configuration: configuration)
    }
  }

  private func old(in store: SQLiteStore) throws -> Int {
    try store.count(
      FetchRequest(
        entity: "t",
        predicate: .comparison(.init(.keyPath(["n"]), .beginsWith, .value("old")))))
  }

  @Test("What was half saved is taken back when the file is opened", arguments: [false, true])
  func opening(isReadOnly: Bool) throws {
    let store = try SQLiteStore(existing: url, isReadOnly: isReadOnly)
    #expect(try old(in: store) == Self.rows)
    #expect(try store.integrityFaults().isEmpty)
    try store.close()
    #expect(try !folder.names().contains("hot.db-journal"))
  }

  // Promise: a program ends in the middle of a save, and the file cannot be written → a sentence that says
  // what is needed.
  @Test("Where that is not allowed, the sentence says what is needed")
  func notAllowed() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: url.path)
    for isReadOnly in [false, true] {
      let error = try #require(throws: StoreError.self) {
        _ = try SQLiteStore(existing: url, isReadOnly: isReadOnly)
      }
      #expect(error == .interruptedSave(path: url.path))
      #expect(!error.description.contains("--read-only"))
    }
    #expect(try folder.names().contains("hot.db-journal"))
  }

  @Test("So it is when another program ends while the file is open here")
  func whileOpen() async throws {
    let file = try ForeignFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT NOT NULL); INSERT INTO t VALUES (1, 'old')")
    let store = try file.open()
    #expect(try old(in: store) == 1)
    func crash() throws {
      // Written over in place, by another process, as a save is.
      let status = try spawn(
        "/bin/sh",
        [
          "-c",
          "cat \(url.path) > \(file.url.path); cp \(url.path)-journal \(file.url.path)-journal",
        ],
        output: URL(fileURLWithPath: "/dev/null"))
      #expect(status == 0)
    }
    try crash()
    #expect(try old(in: store) == Self.rows)
    try crash()
    #expect(try await store.answer(CountQuestion(FetchRequest(entity: "t"))) == Self.rows)
    try crash()
    #expect(try store.checkForExternalChanges())
    // Waiting, unlike the question before.
    func countOfNew() throws -> [[Value]] {
      try store.answer(SQLQuestion("SELECT count(*) FROM t WHERE n = 'new'", [])).rows
    }
    #expect(try countOfNew() == [[0]])
    try store.close()
  }
}
