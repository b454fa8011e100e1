import DatastoreCore
import DatastoreSQL
import Foundation
import GRDB
import SQLiteFiles

/// Copies a database into a new file, while it is in use: for backups, and before a migration that loses
/// data.
enum DatabaseCopy {
  /// - Parameter partial: the path of the copy while it is not complete, in the target's folder.
  /// - Throws: `StoreError.fileExists` rather than replacing a file; other `StoreError`s. A failed copy
  ///   leaves nothing behind.
  static func make(
    of source: any DatabaseReader, at target: String, through partial: String? = nil
  ) throws {
    if FileManager.default.fileExists(atPath: target) { throw StoreError.fileExists(path: target) }
    // No one can predict the name and put a link there.
    let partial = partial ?? "\(target).\(UUID().uuidString).partial"
    do {
      let copy = try DatabaseQueue(path: partial, configuration: .ofFile())
      // One step: the copy is of a single moment, and in WAL mode no one waits for it.
      try source.backup(to: copy)
      // The copy is a single file, whatever the mode of the original.
      try copy.writeWithoutTransaction { database in
        let mode = try RawStatement("PRAGMA journal_mode = DELETE", in: database)
        while try mode.step() {}
      }
      try copy.close()
      try FileManager.default.moveItem(atPath: partial, toPath: target)
      synchronizeDirectory(of: target)
    } catch let error as DatabaseError {
      FileSurroundings.removeDatabase(partial)
      guard error.resultCode != .SQLITE_CANTOPEN else {
        let folder = URL(fileURLWithPath: target).deletingLastPathComponent().path
        throw StoreError.cannotOpen(
          path: target,
          detail: FileManager.default.fileExists(atPath: folder)
            ? "no file can be made in \(folder)" : "there is no folder \(folder)")
      }
      throw StoreError(error, path: target)
    } catch {
      FileSurroundings.removeDatabase(partial)
      throw error
    }
  }

  /// Flushes the new name of a file to the disk, as SQLite has flushed its content.
  private static func synchronizeDirectory(of path: String) {
    let directory = Foundation.open(
      URL(fileURLWithPath: path).deletingLastPathComponent().path,
      O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return }
    // Not every file system supports it.
    fsync(directory)
    Foundation.close(directory)
  }
}
