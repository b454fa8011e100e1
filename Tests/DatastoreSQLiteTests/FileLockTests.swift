import DatastoreCore
import DatastoreSQL
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import GRDB
import SQLiteFiles
import Testing

// Promise: we open a file that SQLite has open, and so drop its locks → never by ourselves: the first bytes
// are read through SQLite's own handle.
// Also: `DatabaseAsInputTests`, `OtherProcessTests.sqlAndThenASave`, `.ci/check-opening` in `make lint`
/// Closing a descriptor of a file releases all locks of the process on it. Nobody may do that to SQLite.
@Suite("Locks of an open file")
struct FileLockTests {
  private static let tables = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT);
    INSERT INTO t VALUES (1, 'a'), (2, 'b');
    """

  private func makeFile(inWAL: Bool) throws -> ForeignFile {
    try ForeignFile((inWAL ? "PRAGMA journal_mode = WAL;" : "") + Self.tables)
  }

  /// Everything that looks at a file before SQLite reads it, or beside it.
  private static func waysOfOpening(_ url: URL) -> [(String, () throws -> Void)] {
    let schema = CompanySchema.schema
    return [
      ("an existing file", { try SQLiteStore(existing: url).close() }),
      ("an existing file, read-only", { try SQLiteStore(existing: url, isReadOnly: true).close() }),
      ("with a model that it was not made from", { _ = try? SQLiteStore(schema, at: url) }),
      (
        "reading",
        {
          let store = try SQLiteStore(existing: url)
          #expect(try store.count(FetchRequest(entity: "t")) == 2)
          _ = try store.checkForExternalChanges()
          _ = try store.integrityFaults()
          #expect(try store.answer(SQLQuestion("SELECT count(*) FROM t", [])).rows == [[2]])
          try store.close()
        }
      ),
      (
        "what lies beside it",
        {
          for suffix in ["-wal", "-shm", "-journal"] {
            // An empty one looks like a database without tables.
            _ = try? SQLiteStore(existing: URL(fileURLWithPath: url.path + suffix))
          }
          #expect(throws: StoreError.self) {
            _ = try SQLiteStore(existing: URL(fileURLWithPath: url.path + "-shm"))
          }
        }
      ),
      (
        "a copy",
        {
          let copy = url.deletingLastPathComponent().appendingPathComponent("copy.db")
          let store = try SQLiteStore(existing: url)
          try store.backUp(to: copy)
          try store.close()
          try FileManager.default.removeItem(at: copy)
        }
      ),
      (
        "a question about its kind",
        {
          #expect(FileHeader.isDatabase(url.path))
          for suffix in ["", "-wal", "-shm", "-journal"] {
            #expect(FileHeader.isPartOfDatabase(url.path + suffix))
          }
          #expect(FileHeader.isOpenHere(url.path))
          #expect(!FileHeader.isDatabase(url.path + "-shm"))
        }
      ),
      (
        "by another name",
        {
          let link = url.deletingLastPathComponent().appendingPathComponent("link.db")
          try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
          try SQLiteStore(existing: link).close()
          #expect(FileHeader.isPartOfDatabase(link.path))
          try FileManager.default.removeItem(at: link)
        }
      ),
    ]
  }

  @Test("No way of opening a file takes a lock from another connection", arguments: [true, false])
  func opening(inWAL: Bool) throws {
    let file = try makeFile(inWAL: inWAL)
    // A transaction that stays open between the closures.
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let writer = try DatabaseQueue(path: file.url.path, configuration: configuration)
    try writer.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE; UPDATE t SET n = n") }
    let index = URL(fileURLWithPath: file.url.path + "-shm")
    let locks = FileLocks.held(on: file.url)
    let indexLocks = FileLocks.held(on: index)
    #expect(!locks.isEmpty && indexLocks.isEmpty != inWAL)
    for (way, open) in Self.waysOfOpening(file.url) {
      try open()
      #expect(FileLocks.held(on: file.url).isSuperset(of: locks), "\(way)")
      #expect(FileLocks.held(on: index).isSuperset(of: indexLocks), "\(way)")
    }
    try writer.inDatabase { try $0.execute(sql: "COMMIT") }
    try writer.close()
    #expect(FileLocks.held(on: file.url).isEmpty)
  }

  @Test(
    "Another process does not believe itself alone after SQL and a second opening here",
    .enabled(if: SQLiteCommand.isPresent, "\(SQLiteCommand.absence)"),
    arguments: [
      "CREATE TABLE more (x)", "ANALYZE", "CREATE INDEX i ON t (n)", "PRAGMA user_version = 3",
      "REINDEX", "DROP TABLE IF EXISTS more", "PRAGMA wal_checkpoint",
    ])
  func anotherProcess(statement: String) throws {
    let file = try makeFile(inWAL: true)
    let store = try file.open()
    var changes = Changes(store)
    try changes.update("t", 1, from: ["n": "a"], to: ["n": "first"])
    try changes.save()
    // As the browser does after SQL that changes tables: it opens the same file again, behind the screen.
    do { _ = try store.execute(statement, []) } catch is StoreError {}
    try SQLiteStore(existing: file.url).close()
    #expect(FileLocks.held(on: file.url).contains("READ 1073741826 1073742335"))

    try SQLiteCommand.run("INSERT INTO t (n) VALUES ('theirs')", on: file.url)
    #expect(FileManager.default.fileExists(atPath: file.url.path + "-wal"))
    changes = Changes(store)
    try changes.update("t", 2, from: ["n": "b"], to: ["n": "second"])
    try changes.save()
    #expect(
      try SQLiteCommand.run("SELECT group_concat(n) FROM t; PRAGMA integrity_check", on: file.url)
        == "first,second,theirs\nok")
    try store.close()
  }

  @Test("A log that is removed or replaced under a store is told before anything is saved there")
  func lostLog() throws {
    let folder = try TemporaryDirectory()
    let foreign = try makeFile(inWAL: true)
    for (url, isNative) in [(foreign.url, false), (folder.file("ours.db"), true)] {
      let store = try isNative ? SQLiteStore(CompanySchema.schema, at: url) : foreign.open()
      func save(_ text: String) throws {
        var changes = Changes(store)
        try changes.insert(isNative ? "Tag" : "t", [isNative ? "label" : "n": .text(text)])
        try changes.save()
      }
      try save("first")
      let log = url.path + "-wal"
      try FileManager.default.moveItem(atPath: log, toPath: log + ".away")
      #expect(throws: StoreError.logRemoved(path: url.path)) { try save("second") }
      #expect(throws: StoreError.logRemoved(path: url.path)) {
        _ = try store.checkForExternalChanges()
      }
      try Data().write(to: URL(fileURLWithPath: log))
      #expect(throws: StoreError.logRemoved(path: url.path)) { try save("third") }
      // Put back, it is the same one again.
      try FileManager.default.removeItem(atPath: log)
      try FileManager.default.moveItem(atPath: log + ".away", toPath: log)
      try save("fourth")
      try store.close()
    }
  }
}
