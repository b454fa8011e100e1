import DatastoreCore
import DatastoreSQL
package import Foundation
import GRDB
import GRDBSQLite
import SQLiteFiles

/// Maintaining the file.
extension SQLiteStore {
  /// Copies the current state of the store into a new file, while it is in use.
  ///
  /// - Throws: `StoreError.fileExists` rather than replacing a file; other `StoreError`s. A failed copy
  ///   leaves nothing behind.
  package func backUp(to url: URL) throws { try Self.copy(reader, to: url.path) }

  /// Copies a database into a new file, while it is in use.
  ///
  /// - Throws: the errors of `backUp(to:)`.
  static func copy(_ source: any DatabaseReader, to target: String) throws {
    if FileManager.default.fileExists(atPath: target) { throw StoreError.fileExists(path: target) }
    // No one can predict the name and put a link there.
    let partial = "\(target).\(UUID().uuidString).partial"
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

  /// Reads the whole file and describes its faults, at most a hundred of each kind: structure, indexes and
  /// constraints, and dangling references. O(file).
  package func integrityFaults() throws -> [String] {
    try read { database in
      var faults = try Self.structuralFaults(by: "integrity_check", in: database)
      let references = try RawStatement(
        #"SELECT "table", rowid, parent FROM pragma_foreign_key_check LIMIT 100"#, in: database)
      while try references.step() {
        faults.append(
          "row \(references.value(at: 1)) of \(references.value(at: 0).plainText) refers to a row of "
            + "\(references.value(at: 2).plainText) that does not exist")
      }
      return faults
    }
  }

  /// The results of SQLite's `integrity_check` or `quick_check`, at most a hundred faults.
  static func structuralFaults(by check: SQLFragment, in database: Database) throws -> [String] {
    let statement = try RawStatement("PRAGMA " + check + "(100)", in: database)
    defer { statement.reset() }
    var faults: [String] = []
    while try statement.step() {
      let line = statement.value(at: 0).plainText
      if line != "ok" { faults.append(line) }
    }
    return faults
  }

  /// Moves the log of a file in WAL mode into the file, as far as readers allow.
  ///
  /// - Returns: whether all of it was moved. True for files without a log.
  @discardableResult
  package func checkpoint() throws -> Bool {
    if isReadOnly || !mapping.isNative || url == nil { return true }
    return try write {
      try Checkpointing.ofLibrary.moveLog($0, timeout: Connections.savingLockTimeout)
    }
  }
}
