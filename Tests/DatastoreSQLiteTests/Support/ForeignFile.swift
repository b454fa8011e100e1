import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import GRDB
import Testing

/// A file made by another program: plain SQL on a plain connection.
struct ForeignFile {
  let folder: TemporaryDirectory
  let url: URL

  init(_ sql: String) throws {
    folder = try TemporaryDirectory()
    url = folder.file("foreign.db")
    let queue = try DatabaseQueue(path: url.path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  func open(isReadOnly: Bool = false) throws -> SQLiteStore {
    try SQLiteStore(existing: url, isReadOnly: isReadOnly)
  }

  /// The answer of plain SQLite, values in text form.
  func query(_ sql: String) throws -> [[String]] { try Self.query(url, sql) }

  static func query(_ url: URL, _ sql: String) throws -> [[String]] {
    let queue = try DatabaseQueue(path: url.path)
    defer { try? queue.close() }
    return try queue.read { database in
      try Row.fetchAll(database, sql: sql).map { row in
        row.databaseValues.map { $0.isNull ? "NULL" : "\($0.description)" }
      }
    }
  }
}
