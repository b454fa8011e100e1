import CSQLiteShims
import Foundation
import GRDB
import GRDBSQLite

/// Moving the log of a file in WAL mode into the file.
///
/// In SQLite with the WAL-reset bug (`SQLiteLibrary.hasWALResetBug`), a checkpoint may read the length of the
/// log, lose a race against a commit that begins a new log, and then record that the new log is already in
/// the file. The next commit, in whatever process, is lost, and nothing reports an error. It cannot happen
/// while no one can write, so this library runs no checkpoint unless a second connection holds the writer's
/// lock. SQLite's own modes that take this lock (`FULL`, `RESTART`, `TRUNCATE`) do not help, because they
/// continue without it when they have waited for too long.
///
/// One checkpoint remains SQLite's: that of the last connection to close. It holds the exclusive lock of the
/// file, so no one reads or writes it.
enum Checkpointing: Sendable {
  /// By SQLite.
  case automatic
  /// By this library, while no one can write.
  case guarded

  /// The kind for the loaded SQLite.
  static let ofLibrary = Checkpointing(libraryVersion: SQLiteLibrary.versionNumber)

  init(libraryVersion: Int32) {
    self = SQLiteLibrary.hasWALResetBug(libraryVersion) ? .guarded : .automatic
  }

  /// The number of pages in a log that triggers a checkpoint after a commit.
  ///
  /// SQLite uses 1,000. Every writer waits for a guarded checkpoint, so it has to be worthwhile; and the
  /// index of a log of up to 4,062 pages is a single table, in which readers find their pages at once
  /// (<https://www.sqlite.org/walformat.html#the_wal_index_file_format>).
  static let batch: Int32 = 4_000

  /// Applies the kind to a connection that was just opened, and to all databases attached to it.
  func begin(_ database: Database) throws {
    guard self == .guarded else { return }
    // SQLite's own checkpoints after commits are such a hook, which this one replaces.
    sqlite3_wal_hook(
      database.sqliteConnection,
      { _, connection, name, pages in
        // Does not wait for a writer: its commit comes here, too. The commit is done, whatever the result of
        // the checkpoint.
        if pages >= Checkpointing.batch, let connection, let name,
          let lock = WriterLock(of: connection, name, milliseconds: 0)
        {
          _ = try? lock.moveLog()
        }
        return SQLITE_OK
      }, nil)
    // Limits the log of a large commit, because no checkpoint truncates it.
    try database.execute(sql: "PRAGMA journal_size_limit = \(Int(Self.batch) * 4096)")
  }

  /// Moves the log into the file, as far as readers allow. Waits for writers and readers.
  ///
  /// - Parameter timeout: seconds to wait.
  /// - Returns: whether all of it was moved. True for files without a log.
  /// - Throws: `DatabaseError`.
  func moveLog(_ database: Database, timeout: TimeInterval) throws -> Bool {
    guard let connection = database.sqliteConnection else { return false }
    switch self {
    case .automatic:
      let code = sqlite3_wal_checkpoint_v2(
        connection, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
      if code == SQLITE_BUSY { return false }
      guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
      return true
    case .guarded:
      let end = ContinuousClock.now + .seconds(timeout)
      while true {
        let rest = max(0, (end - .now) / .milliseconds(1))
        guard let lock = WriterLock(of: connection, "main", milliseconds: Int32(rest)) else {
          return false
        }
        if try lock.moveLog() { return true }
        if ContinuousClock.now >= end { return false }
        // No event reports the end of a reader. Others may write meanwhile.
        _ = consume lock
        sqlite3_sleep(10)
      }
    }
  }
}

/// The writer's lock of a file in WAL mode, held by a separate connection until this is released: a
/// connection cannot make a checkpoint while it writes itself.
///
/// Opening one takes some 50 µs, which is little compared with a checkpoint, so none is kept.
private struct WriterLock: ~Copyable {
  private let holder: OpaquePointer
  private let connection: OpaquePointer
  private let name: UnsafePointer<CChar>

  /// nil when the lock is not available.
  ///
  /// - Parameters:
  ///   - connection: the connection that makes the checkpoint.
  ///   - name: the name of its database.
  init?(of connection: OpaquePointer, _ name: UnsafePointer<CChar>, milliseconds: Int32) {
    var system: UnsafeMutablePointer<sqlite3_vfs>?
    var holder: OpaquePointer?
    guard let path = sqlite3_db_filename(connection, name),
      sqlite3_file_control(connection, name, SQLITE_FCNTL_VFS_POINTER, &system) == SQLITE_OK,
      let system,
      sqlite3_open_v2(
        path, &holder, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, system.pointee.zName)
        == SQLITE_OK,
      let holder,
      // It closes without a checkpoint.
      csqliteshims_skip_checkpoint_on_close(UnsafeMutableRawPointer(holder)) == SQLITE_OK,
      sqlite3_busy_timeout(holder, milliseconds) == SQLITE_OK,
      sqlite3_exec(holder, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK
    else {
      sqlite3_close(holder)
      return nil
    }
    (self.holder, self.connection, self.name) = (holder, connection, name)
  }

  deinit { sqlite3_close(holder) }

  /// - Returns: whether no reader prevented it.
  borrowing func moveLog() throws -> Bool {
    var (length, moved): (Int32, Int32) = (0, 0)
    let code = sqlite3_wal_checkpoint_v2(
      connection, name, SQLITE_CHECKPOINT_PASSIVE, &length, &moved)
    if code == SQLITE_BUSY { return false }
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    return length == moved
  }
}

extension Configuration {
  /// The initial configuration of every connection to a file.
  static func ofFile(_ checkpointing: Checkpointing = .ofLibrary) -> Configuration {
    var configuration = Configuration()
    configuration.prepareDatabase { try checkpointing.begin($0) }
    return configuration
  }
}
