import DatastoreCore
import GRDB

/// Detecting that someone else has changed the tables of the file.
extension SQLiteStore {
  /// Whether tables, views or indexes of the file have changed since it was opened. `VACUUM` also raises the
  /// version of the schema, but changes none of them.
  ///
  /// - Throws: `StoreError`.
  package func haveTablesChanged() throws -> Bool {
    guard let tables else { return false }
    do {
      return try read { try tables.haveTablesChanged(in: $0) }
    } catch StoreError.migrated {
      return true
    }
  }

  /// Runs `body` in a transaction that has just begun, with tables that still match the mapping.
  @inline(__always)
  func onKnownTables<T>(_ database: Database, _ body: (Database) throws -> T) throws -> T {
    guard let tables else { return try body(database) }
    return try tables.reading(database, body)
  }

  /// - Throws: `StoreError.migrated`, `StoreError.tablesChanged`; see `TableGuard`.
  func requireKnownTables(_ entities: Set<EntityIndex>? = nil, in database: Database) throws {
    try tables?.requireKnownTables(entities, in: database)
  }
}
