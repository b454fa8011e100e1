package import DatastoreCore
import DatastoreSQL
import GRDB

/// Rows `history:0001` and so on of `_datastore`.
extension MigrationRecord {
  func write(to database: Database) throws {
    let count = try RawStatement(
      "SELECT count(*) FROM _datastore WHERE key LIKE 'history:%'", in: database
    ).firstInteger()
    let row = try StoreDescription.row(of: self, after: Int(count ?? 0))
    try FileMetadata.setValue(row.value, for: row.key, in: database)
    // For programs that know nothing of the migration records.
    try RawStatement("PRAGMA user_version = \(number: Int(count ?? 0) + 1)", in: database).run()
  }

  /// All migrations of a file, oldest first.
  static func all(in database: Database) throws -> [MigrationRecord] {
    let list = try RawStatement(
      "SELECT value FROM _datastore WHERE key LIKE 'history:%' ORDER BY key", in: database)
    return StoreDescription.records(try list.rows().map { $0[0].plainText })
  }
}

extension SQLiteStore {
  package func migrationHistory() throws -> [MigrationRecord] {
    guard mapping.isNative else { return [] }
    return try read { try MigrationRecord.all(in: $0) }
  }
}
