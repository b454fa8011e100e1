import DatastoreCore
import Foundation
import GRDB
import SQLiteFiles

extension StoreError {
  /// Converts a result code of SQLite for a file.
  init(_ error: DatabaseError, path: String) {
    let detail = error.message ?? "no details"
    switch error.resultCode {
    case _ where error.isOfExhaustedExpression:
      self = .unsupportedPredicate(detail)
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      self =
        MigrationNotice.holder(of: path).map {
          .beingMigrated(path: path, process: $0.process, percent: $0.percent)
        } ?? .locked(path: path)
    case .SQLITE_READONLY where HotJournal.isCause(of: error): self = .interruptedSave(path: path)
    case .SQLITE_READONLY: self = .readOnly(path: path)
    // The content is valid: a function or a module in a declaration is missing.
    case .SQLITE_CORRUPT where detail.hasPrefix("malformed database schema"):
      self = .unreadableSchema(
        path: path, detail: detail, engine: "SQLite \(SQLiteLibrary.version)")
    // The index of a virtual table, which can be made again; SQLite's message is reported.
    case .SQLITE_CORRUPT where error.extendedResultCode != .SQLITE_CORRUPT_VTAB:
      self = .malformed(path: path, detail: "SQLite says “\(detail)”")
    case .SQLITE_FULL: self = .diskFull(path: path)
    case .SQLITE_PERM, .SQLITE_AUTH: self = .noPermission(path: path)
    case .SQLITE_NOTADB:
      self = .notADatabase(path: path, looksLike: FileHeader.appearance(of: path))
    case .SQLITE_CANTOPEN:
      switch FileHeader.access(to: path) {
      case .missing: self = .missingFile(path: path)
      case .denied: self = .noPermission(path: path)
      case .other: self = .cannotOpen(path: path, detail: detail)
      }
    case _ where error.isAboutSize:
      self = .sqlite(
        code: error.extendedResultCode.rawValue, detail: error.sizeDescription, path: path)
    case .SQLITE_IOERR
    where error.extendedResultCode == .SQLITE_IOERR_SHORT_READ
      || error.extendedResultCode == .SQLITE_IOERR_CORRUPTFS:
      self = .malformed(path: path, detail: "SQLite says “\(detail)”")
    case .SQLITE_IOERR where error.isOfWriting:
      self = .sqlite(
        code: error.extendedResultCode.rawValue,
        detail: "it cannot be written; the disk is full, or a file would be larger than it may be",
        path: path)
    default:
      self = .sqlite(code: error.extendedResultCode.rawValue, detail: detail, path: path)
    }
  }
}

extension DatabaseError {
  /// Whether a regular expression took too many steps; the message is its sentence.
  var isOfExhaustedExpression: Bool {
    resultCode == .SQLITE_ERROR
      && message?.hasPrefix(RegularExpression.Exhaustion.opening) ?? false
  }

  /// Whether the system did not write. SQLite's message says no more, or “not an error” after a backup.
  var isOfWriting: Bool {
    [.SQLITE_IOERR_WRITE, .SQLITE_IOERR_TRUNCATE, .SQLITE_IOERR_SHMSIZE]
      .contains(extendedResultCode)
  }

  /// Whether SQLite gave up because something is too large.
  var isAboutSize: Bool {
    resultCode == .SQLITE_NOMEM || resultCode == .SQLITE_TOOBIG || hasTooManyColumns
  }

  private var hasTooManyColumns: Bool {
    resultCode == .SQLITE_ERROR && message?.hasPrefix("too many columns on ") ?? false
  }

  var sizeDescription: String {
    if hasTooManyColumns {
      return "a table has more columns than SQLite allows, which are 2,000 by default"
    }
    return resultCode == .SQLITE_TOOBIG
      ? "a value is longer than SQLite’s limit of 1 GB"
      : "that needs more memory than SQLite is given, as when columns or views compute huge values"
  }
}
