import DatastoreCore
import Foundation
import GRDB
import SQLiteFiles

/// The rollback journal of a save during which a program ended. The file cannot be read until it is rolled
/// back, and only a connection that may write does that:
/// <https://www.sqlite.org/atomiccommit.html#_rollback>.
enum HotJournal {
  /// Whether a journal is the reason why a connection could not read.
  static func isCause(of error: DatabaseError) -> Bool {
    error.extendedResultCode == .SQLITE_READONLY_ROLLBACK
  }

  /// <https://www.sqlite.org/fileformat.html#the_rollback_journal>
  private static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

  /// Whether there is a seemingly valid journal beside a file, without asking SQLite.
  static func isThere(_ path: String) -> Bool {
    DatabaseFileHandle(FileIdentity.realPath(path) + "-journal")?.firstBytes(magic.count) == magic
  }

  /// Makes SQLite roll back the unfinished save of the ended program, as every program does that may write
  /// the file.
  ///
  /// - Throws: `StoreError.interruptedSave` if that needs missing rights; other `StoreError`s.
  static func rollBack(_ path: String) throws {
    let directory = URL(fileURLWithPath: FileIdentity.realPath(path)).deletingLastPathComponent()
    guard !FileHeader.isWriteProtected(path),
      FileManager.default.isWritableFile(atPath: directory.path)
    else { throw StoreError.interruptedSave(path: path) }
    var configuration = Configuration.ofFile()
    configuration.busyMode = .timeout(FileLock.timeout)
    do {
      // GRDB reads the schema when it opens a file, and with the first page SQLite rolls back.
      try DatabaseQueue(path: path, configuration: configuration).close()
    } catch let error as DatabaseError {
      switch error.resultCode {
      case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
        throw StoreError.interruptedSave(path: path)
      case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_DELETE:
        throw StoreError.interruptedSave(path: path)
      default: throw error
      }
    }
  }
}
