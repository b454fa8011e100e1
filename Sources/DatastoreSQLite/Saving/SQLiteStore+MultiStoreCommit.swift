package import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// Saves to several files, including this one.
extension SQLiteStore: JointStore {
  package func save(
    _ changes: ChangeSet, as joint: MultiStoreCommit, unless isCancelled: (@Sendable () -> Bool)?,
    commitOthers: () throws -> Void
  ) throws -> SaveResult {
    try save(changes, unless: isCancelled) { transaction in
      if mapping.isNative, url != nil { try record(joint, in: transaction.database) }
      try transaction.prepareCommit()
      try commitOthers()
    }
  }

  /// Third-party files record nothing: their tables belong to other programs.
  private func record(_ joint: MultiStoreCommit, in database: Database) throws {
    let own = try FileMetadata.value("uuid", in: database)
    for other in joint.stores where other != own {
      try FileMetadata.setValue(
        joint.mark.text, for: FileMetadata.commitPrefix + other, in: database)
    }
  }

  package func multiStoreCommits() throws -> [String: MultiStoreCommit.Mark] {
    guard mapping.isNative, url != nil else { return [:] }
    return try read { database in
      let prefix = FileMetadata.commitPrefix
      let statement = try RawStatement(
        "SELECT key, value FROM _datastore WHERE key > \(.text(prefix)) AND key < 'joint;'",
        in: database)
      defer { statement.reset() }
      var marks: [String: MultiStoreCommit.Mark] = [:]
      while try statement.step() {
        let uuid = String(statement.value(at: 0).plainText.dropFirst(prefix.count))
        marks[uuid] = MultiStoreCommit.Mark(statement.value(at: 1).plainText)
      }
      return marks
    }
  }
}

extension SaveTransaction {
  /// Performs the parts of a commit that can fail because of the written data: references are checked, and
  /// the changed pages are written from the cache, so that a full disk is met now.
  ///
  /// - Throws: `StoreError`, the errors of SQLite.
  func prepareCommit() throws {
    let connection = database.sqliteConnection
    var unresolved: Int32 = 0
    var highest: Int32 = 0
    sqlite3_db_status(connection, SQLITE_DBSTATUS_DEFERRED_FKS, &unresolved, &highest, 0)
    if unresolved != 0 { throw try brokenReference() }
    let code = sqlite3_db_cacheflush(connection)
    // A page in use is written with the commit.
    guard code == SQLITE_OK || code == SQLITE_BUSY else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: code),
        message: sqlite3_errmsg(connection).map { String(cString: $0) })
    }
  }
}
