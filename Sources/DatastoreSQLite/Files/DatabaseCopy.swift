import DatastoreCore
import DatastoreSQL
import Foundation
import GRDB
import SQLiteFiles

/// Copies a database into a new file, while it is in use: for backups, and before a migration that loses
/// data.
enum DatabaseCopy {
  /// - Parameters:
  ///   - original: the path of the file, whose permissions the copy gets; nil if there is none.
  ///   - partial: the path of the copy while it is not complete, in the target's folder.
  ///   - keepsMode: whether the copy of a file in WAL mode is in this mode, too.
  /// - Throws: `StoreError.fileExists` rather than replacing a file; other `StoreError`s. A failed copy
  ///   leaves nothing behind.
  static func make(
    of source: any DatabaseReader, like original: String?, at target: String,
    through partial: String? = nil, keepsMode: Bool = false
  ) throws {
    if isTaken(target) { throw StoreError.fileExists(path: target) }
    // No one can predict the name and put a link there.
    let partial = partial ?? "\(target).\(UUID().uuidString).partial"
    do {
      // Before SQLite does, so that at no time others can read what they cannot read in the original.
      if let original, !EmptyFile.make(partial, like: original) { throw cannotMake(target) }
      let copy = try DatabaseQueue(path: partial, configuration: .ofFile())
      // One step: the copy is of a single moment, and in WAL mode no one waits for it.
      try source.backup(to: copy)
      // The copy is a single file, whatever the mode of the original: closing it removes its log.
      if !keepsMode {
        try copy.writeWithoutTransaction { database in
          let mode = try RawStatement("PRAGMA journal_mode = DELETE", in: database)
          while try mode.step() {}
        }
      }
      try copy.close()
      try FileManager.default.moveItem(atPath: partial, toPath: target)
      synchronizeDirectory(of: target)
    } catch let error as DatabaseError {
      FileSurroundings.removeDatabase(partial)
      guard error.resultCode != .SQLITE_CANTOPEN else { throw cannotMake(target) }
      throw StoreError(error, path: target)
    } catch {
      FileSurroundings.removeDatabase(partial)
      throw error
    }
  }

  /// Whether there is a file, or a symbolic link that leads nowhere.
  private static func isTaken(_ path: String) -> Bool {
    let files = FileManager.default
    return files.fileExists(atPath: path)
      || (try? files.destinationOfSymbolicLink(atPath: path)) != nil
  }

  private static func cannotMake(_ target: String) -> StoreError {
    let folder = URL(fileURLWithPath: target).deletingLastPathComponent().path
    return StoreError.cannotOpen(
      path: target,
      detail: FileManager.default.fileExists(atPath: folder)
        ? "no file can be made in \(folder)" : "there is no folder \(folder)")
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
