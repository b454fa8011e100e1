import Basics
import DatastoreCore
import DatastoreSQL
package import Foundation
import GRDB

/// Maintaining the file.
extension SQLiteStore {
  /// Copies the current state of the store into a new file, while it is in use. The copy has the permissions
  /// of the file, and that of another program's file has its journal mode.
  ///
  /// - Throws: `StoreError.fileExists` rather than replacing a file; other `StoreError`s. A failed copy
  ///   leaves nothing behind.
  package func backUp(to url: URL) throws {
    try DatabaseCopy.make(
      of: reader, like: self.url?.path, at: url.path, keepsMode: !isNative)
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

  /// Reads the pages of the file and describes their faults, at most a hundred. O(file).
  package func structuralFaults() throws -> [String] {
    try read { database in
      do {
        return try Self.structuralFaults(by: "quick_check", in: database)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
        return [error.message ?? "a page is damaged"]
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        // A function or a module in the declarations is missing: nothing is known of the pages.
        return []
      }
    }
  }

  /// The results of SQLite's `integrity_check` or `quick_check`, at most a hundred faults.
  static func structuralFaults(by check: SQLFragment, in database: Database) throws -> [String] {
    let statement = try RawStatement("PRAGMA " + check + "(100)", in: database)
    defer { statement.reset() }
    var faults: [String] = []
    while try statement.step() {
      // The first line of a fault may only name the database.
      let lines = statement.value(at: 0).plainText.lines()
      for line in lines where line != "ok" && !line.hasPrefix("*** in database ") {
        faults.append(String(line))
      }
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
