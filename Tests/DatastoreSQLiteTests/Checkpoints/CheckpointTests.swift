import CPausingVFS
import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Foundation
import GRDB
import Testing

@testable import DatastoreSQLite

/// SQLite's WAL-reset bug, and the protection from it: see `Checkpointing`.
@Suite("Checkpoints beside commits") struct CheckpointTests {
  private static let isAffected = SQLiteLibrary.hasWALResetBug(SQLiteLibrary.versionNumber)

  private let folder: TemporaryDirectory
  private var file: URL { folder.file("f.sqlite") }

  init() throws {
    folder = try TemporaryDirectory()
  }

  /// A connection that waits for no lock.
  private func connect(_ checkpointing: Checkpointing, by path: String? = nil) throws
    -> DatabaseQueue
  {
    var configuration = Connections.configuration(
      keyTables: KeyTables([], budget: 1_000_000), isReadOnly: false, lockTimeout: 0,
      checkpointing: checkpointing)
    configuration.allowsUnsafeTransactions = true
    return try DatabaseQueue(path: path ?? file.path, configuration: configuration)
  }

  private func make(_ connection: DatabaseQueue) throws {
    try connection.writeWithoutTransaction {
      try $0.execute(
        sql: "PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, x BLOB)")
    }
  }

  /// Commits rows of a page each; false if someone else is writing.
  private func commit(_ rows: Int, by connection: DatabaseQueue) throws -> Bool {
    do {
      try connection.writeWithoutTransaction { database in
        try database.inTransaction(.immediate) {
          try database.execute(
            sql: """
              WITH n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
              INSERT INTO t (x) SELECT randomblob(3000) FROM n
              """)
          return .commit
        }
      }
      return true
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      return false
    }
  }

  /// How many rows are there; nil when the file cannot be read any more.
  private func count() throws -> Int? {
    let connection = try? DatabaseQueue(path: file.path)
    let count = try? connection?.read { database in
      guard try String.fetchOne(database, sql: "PRAGMA integrity_check") == "ok" else {
        return nil as Int?
      }
      return try Int.fetchOne(database, sql: "SELECT count(*) FROM t")
    }
    try connection?.close()
    return count ?? nil
  }

  private func size(_ suffix: String = "") throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path + suffix)
    return try #require(attributes[.size] as? Int)
  }

  @Test(
    "The versions with the bug",
    arguments: [
      (3_006_023, false), (3_007_000, true), (3_040_001, true), (3_044_005, true),
      (3_044_006, false), (3_045_000, true), (3_050_004, true), (3_050_006, true),
      (3_050_007, false), (3_051_000, true), (3_051_002, true), (3_051_003, false),
      (3_052_000, false), (3_053_004, false),
    ] as [(Int32, Bool)])
  func versions(version: Int32, isAffected: Bool) {
    #expect(SQLiteLibrary.hasWALResetBug(version) == isAffected)
    #expect(Checkpointing(libraryVersion: version) == (isAffected ? .guarded : .automatic))
  }

  // Promise: SQLite before 3.51.3 makes a checkpoint beside a commit → nobody can write during a checkpoint
  // of this library; nothing acknowledged is lost.
  // Also: (also shows the loss without the guard), `CheckpointRoundsTests` (3 rounds; 200 in `make
  // fault-tests`)
  /// The race, in its one fatal order. Someone commits until the log is long enough for a checkpoint. Before
  /// the checkpoint begins, someone else also commits, and moves the whole log into the file. Then the
  /// checkpoint begins and reads the length of the log, and now the next commit begins the log again. Without
  /// protection, the checkpoint mistakes the new log for the old one.
  @Test(
    "A commit in the middle of a checkpoint is not lost",
    arguments: isAffected ? [Checkpointing.guarded, .automatic] : [.guarded])
  func forcedInterleaving(checkpointing: Checkpointing) throws {
    let files = try PausedFiles()
    let first = try connect(checkpointing, by: files.path(of: file))
    try make(first)
    let second = try connect(checkpointing)
    var acknowledged = 0
    var reached: [pausing_vfs_moment] = []
    var isCommittedInTheMiddle = false
    func commit(_ rows: Int, by connection: DatabaseQueue) throws -> Bool {
      let isDone = try self.commit(rows, by: connection)
      if isDone { acknowledged += rows }
      return isDone
    }
    files.meanwhile = { moment in
      let isNext =
        reached.isEmpty
        ? moment == PAUSING_VFS_READ_ENDED
        : reached.count == 1 && moment == PAUSING_VFS_HEADER_READ
      guard isNext else { return }
      reached.append(moment)
      do {
        if moment == PAUSING_VFS_READ_ENDED {
          #expect(try commit(1, by: second))
        } else {
          isCommittedInTheMiddle = try commit(20, by: second)
        }
      } catch {
        Issue.record(error)
      }
    }
    #expect(try commit(Int(Checkpointing.batch) + 100, by: first))
    files.meanwhile = { _ in }
    try #require(reached.count == 2, "there was no checkpoint")
    #expect(isCommittedInTheMiddle == (checkpointing == .automatic))
    switch checkpointing {
    case .automatic:
      #expect(try count() != acknowledged)
    case .guarded:
      #expect(try count() == acknowledged)
      #expect(try commit(50, by: first) && commit(50, by: second))
      try first.close()
      try second.close()
      #expect(try count() == acknowledged)
    }
  }

  // Promise: a checkpoint runs when the last connection closes → SQLite holds the file's exclusive lock:
  // nobody writes.
  /// It needs no guard.
  @Test("Nobody writes during the checkpoint of the last connection that closes")
  func closing() throws {
    let files = try PausedFiles()
    let last = try connect(.guarded, by: files.path(of: file))
    try make(last)
    let other = try connect(.guarded)
    #expect(try commit(5, by: other))
    try other.close()
    var isReached = false
    files.meanwhile = { moment in
      guard moment == PAUSING_VFS_HEADER_READ else { return }
      isReached = true
      // GRDB reads when it opens a file.
      #expect(throws: DatabaseError.self) {
        let late = try self.connect(.guarded)
        #expect(try !self.commit(5, by: late))
      }
    }
    try last.close()
    #expect(isReached)
    #expect(try count() == 5)
    #expect(try folder.names() == ["f.sqlite"])
  }

  @Test(
    "A store leaves its log alone until it is worth a checkpoint, and then begins it again",
    .enabled(if: isAffected, "this SQLite makes its checkpoints itself"))
  func batches() throws {
    let store = try SQLiteStore(CompanySchema.schema, at: file)
    func save(_ count: Int) throws {
      var changes = Changes(store)
      for _ in 0..<count {
        try changes.insert(
          "Tag", ["label": .text(String(repeating: "x", count: 3_000) + UUID().uuidString)])
      }
      try changes.save()
    }
    let before = try Data(contentsOf: file)
    // Twice as much as SQLite's own checkpoints wait for.
    try save(2_000)
    #expect(try size("-wal") > 2_000 * 4_096)
    #expect(try Data(contentsOf: file) == before)
    try save(4_000)
    #expect(try size() > 6_000 * 3_000)
    // The log of a large save is not kept.
    try save(1)
    #expect(try size("-wal") <= Int(Checkpointing.batch) * 4_096)
    try store.close()
    #expect(try folder.names() == ["f.sqlite"])
  }

  @Test(
    "A checkpoint that was asked for waits for those who write and read, and says if it was in vain"
  )
  func asked() throws {
    let connection = try connect(.guarded)
    try make(connection)
    #expect(try commit(10, by: connection))
    let before = try Data(contentsOf: file)
    func moveLog() throws -> Bool {
      try connection.writeWithoutTransaction {
        try Checkpointing.guarded.moveLog($0, timeout: 0.05)
      }
    }
    let writer = try SQLiteLock(file, forWriting: true)
    #expect(try !moveLog())
    #expect(try Data(contentsOf: file) == before)
    try writer.release()
    let reader = try connect(.guarded)
    try reader.inDatabase { try $0.execute(sql: "BEGIN; SELECT count(*) FROM t") }
    #expect(try commit(10, by: connection))
    #expect(try !moveLog())
    try reader.inDatabase { try $0.execute(sql: "COMMIT") }
    #expect(try moveLog())
    #expect(try Data(contentsOf: file) != before)
    // Afterwards, every connection can write.
    #expect(try commit(1, by: reader))
    try reader.close()
    try connection.close()
    #expect(try count() == 21)
  }

  @Test("A checkpoint that someone types is refused in a sentence")
  func typed() throws {
    let store = try SQLiteStore(CompanySchema.schema, at: file)
    let error = #expect(throws: StoreError.self) {
      _ = try store.execute("PRAGMA wal_checkpoint(TRUNCATE)", [])
    }
    #expect(error?.description.contains("wal_checkpoint with a value cannot be run here") ?? false)
    try store.close()
  }
}
