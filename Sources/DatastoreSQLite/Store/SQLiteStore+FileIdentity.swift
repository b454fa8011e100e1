import DatastoreCore
import DatastoreSQL
import Foundation
import GRDB
import SQLiteFiles

extension SQLiteStore {
  /// The path of a file.
  ///
  /// - Throws: `StoreError.notAFile` for addresses of other kinds.
  static func path(of url: URL) throws -> String {
    guard url.isFileURL else { throw StoreError.notAFile(address: url.absoluteString) }
    return url.path
  }

  /// Checks that the path still leads to the opened file, and that its log is the one that this store's
  /// connections write.
  ///
  /// - Throws: `StoreError.replaced`, `.removed`, `.logRemoved`, or `.malformed` when the file was emptied.
  func requireSameFile() throws {
    guard let opened else { return }
    guard let present = FileIdentity(path) else { throw StoreError.removed(path: path) }
    guard present.isSame(as: opened) else { throw StoreError.replaced(path: path) }
    if present.isEmpty, !opened.isEmpty {
      throw StoreError.malformed(path: path, detail: "it has been emptied since it was opened")
    }
    guard let log = log.withLock({ $0 }) else { return }
    guard let presentLog = FileIdentity(logPath), presentLog.isSame(as: log) else {
      throw StoreError.logRemoved(path: path)
    }
  }

  /// Remembers the log, if the connection uses one.
  ///
  /// A connection in WAL mode holds a lock on the file for as long as it is open, which prevents other
  /// processes from removing the log or leaving the mode: from then on the log is the same file.
  func rememberLog(of database: Database) throws {
    guard opened != nil, isWatchable, log.withLock({ $0 == nil }) else { return }
    let mode = try RawStatement("PRAGMA journal_mode", in: database, isCached: true)
    defer { mode.reset() }
    guard try mode.step(), mode.value(at: 0) == .text("wal") else { return }
    let present = FileIdentity(logPath)
    log.withLock { $0 = present }
  }
}
