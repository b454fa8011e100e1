import DatastoreCore
import DatastoreSQLite
import Foundation
import GRDB
import Testing

@Suite("Opening files beside other programs")
struct OpeningTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A file in WAL mode that was closed cleanly.
  private func makeWALFile() throws -> URL {
    let url = folder.file("wal.db")
    let queue = try DatabaseQueue(path: url.path)
    try queue.writeWithoutTransaction {
      try $0.execute(
        sql: """
          PRAGMA journal_mode = WAL;
          CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT);
          INSERT INTO t VALUES (1, 'a');
          """)
    }
    try queue.close()
    #expect(folder.names == ["wal.db"])
    return url
  }

  @Test("Looking at a WAL file leaves nothing beside it", arguments: [true, false])
  func noSideFiles(isReadOnly: Bool) throws {
    let url = try makeWALFile()
    let before = try Data(contentsOf: url)
    let store = try SQLiteStore(existing: url, isReadOnly: isReadOnly)
    #expect(try store.count(FetchRequest(entity: "t")) == 1)
    try store.close()
    #expect(folder.names == ["wal.db"])
    #expect(try Data(contentsOf: url) == before)
  }

  @Test("Side files of a program that is still there stay")
  func sideFilesOfOthers() throws {
    let url = try makeWALFile()
    let other = try DatabaseQueue(path: url.path)
    try other.write { try $0.execute(sql: "INSERT INTO t VALUES (2, 'b')") }
    let store = try SQLiteStore(existing: url, isReadOnly: true)
    #expect(try store.count(FetchRequest(entity: "t")) == 2)
    try store.close()
    #expect(folder.names.contains("wal.db-wal"))
    #expect(try other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 2)
    try other.close()
  }

  @Test("A WAL file whose side files cannot be made is read as it is, unless a log lies beside it")
  func immutable() throws {
    let url = try makeWALFile()
    // Nobody can open a link that leads to itself, not even root.
    let index = folder.file("wal.db-shm").path
    try FileManager.default.createSymbolicLink(atPath: index, withDestinationPath: index)
    let store = try SQLiteStore(existing: url, isReadOnly: true)
    #expect(try store.row("t", 1)?["n"] == "a")
    try store.close()
    try Data("log".utf8).write(to: folder.file("wal.db-wal"))
    #expect(throws: StoreError.self) { _ = try SQLiteStore(existing: url, isReadOnly: true) }
  }

  @Test("Opening does not wait for somebody who saves, and says soon that a file is locked")
  func locks() throws {
    let url = folder.file("ours.db")
    try SQLiteStore(Company.schema, at: url).close()
    // Transactions stay open between the closures.
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: url.path, configuration: configuration)
    try other.write { try $0.execute(sql: "INSERT INTO Tag (label) VALUES ('x')") }
    try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    let store = try SQLiteStore(Company.schema, at: url)
    #expect(try store.count(FetchRequest(entity: "Tag")) == 1)
    try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
    try store.close()
    try other.close()

    let file = try ForeignFile("CREATE TABLE t (id INTEGER PRIMARY KEY)")
    let holder = try DatabaseQueue(path: file.url.path, configuration: configuration)
    try holder.inDatabase { try $0.execute(sql: "BEGIN EXCLUSIVE") }
    #expect(throws: StoreError.locked(path: file.url.path)) { _ = try file.open() }
    try holder.inDatabase { try $0.execute(sql: "ROLLBACK") }
    #expect(try file.open().count(FetchRequest(entity: "t")) == 0)
  }
}
