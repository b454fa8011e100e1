import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// The rows of a file to delete. Their keys are in temporary tables, one for each family.
final class FileDeletionSet: DeletionSet {
  private let batch: FileBatch
  private let database: Database
  /// The families that have a table.
  private var families: [EntityIndex] = []
  /// The number of the newest generation.
  private var generation: Int64 = -1

  init(_ batch: FileBatch, _ database: Database) {
    self.batch = batch
    self.database = database
  }

  private var mapping: SchemaMapping { batch.mapping }

  private func table(_ family: EntityIndex) -> SQLFragment {
    "temp.\(name: "datastore_deletion_\(family)")"
  }

  private func drop(_ family: EntityIndex) throws {
    try RawStatement("DROP TABLE IF EXISTS \(table(family))", in: database).run()
  }

  /// Drops the tables.
  func end() {
    for family in families { try? drop(family) }
  }

  private func begin(_ family: EntityIndex) throws {
    guard !families.contains(family) else { return }
    try drop(family)
    try RawStatement(
      "CREATE TABLE \(table(family)) (key INTEGER PRIMARY KEY, generation INTEGER NOT NULL)",
      in: database
    ).run()
    let index: SQLFragment = "temp.\(name: "datastore_deletion_\(family)_index")"
    try RawStatement(
      "CREATE INDEX \(index) ON \(name: "datastore_deletion_\(family)") (generation)", in: database
    ).run()
    families.append(family)
  }

  func add(_ query: SQLFragment, of family: EntityIndex) throws -> Bool {
    try begin(family)
    // Cached, because each generation runs the same statement.
    let statement = try RawStatement(
      """
      INSERT OR IGNORE INTO \(table(family)) \
      SELECT found.*, \(.integer(generation + 1)) FROM (\(query)) AS found
      """, in: database, isCached: true)
    try statement.run()
    return sqlite3_changes(database.sqliteConnection) > 0
  }

  func advance() { generation += 1 }

  func goes(_ key: SQLFragment, of family: EntityIndex) -> SQLFragment {
    families.contains(family)
      ? "\(key) IN (SELECT key FROM \(table(family)))" : mapping.dialect.constant(false)
  }

  func isNew(_ key: SQLFragment, of family: EntityIndex) -> SQLFragment {
    "\(key) IN (SELECT key FROM \(table(family)) WHERE generation = \(.integer(generation)))"
  }

  func delete(_ family: EntityIndex) throws -> [EntityIndex: [RowKey]] {
    let builder = QueryBuilder(mapping)
    let alias = builder.makeAlias()
    if case .rowid(let column) = mapping.entities[family].key {
      let clause: SQLFragment = " WHERE \(goes(builder.column(alias, column), of: family))"
      let deleted = try batch.delete(family, as: alias, clause, returning: []).keys
      if mapping.isNative { return deleted }
      // A statement does not return rows that the file's own foreign keys deleted with others.
      let gone = try batch.keys(
        """
        SELECT key FROM \(table(family)) \
        WHERE key NOT IN (SELECT \(name: column) FROM \(builder.table(family, alias)))
        """, of: family)
      return gone.isEmpty ? [:] : [family: gone]
    }
    let keys = try batch.keys("SELECT key FROM \(table(family))", of: family)
    let statement = try RawStatement(
      "DELETE FROM \(builder.table(family, alias)) WHERE \(builder.isRow(family, alias, key: "?1"))",
      in: database)
    for key in keys {
      statement.bind(key, at: 1)
      try statement.run()
    }
    return keys.isEmpty ? [:] : [family: keys]
  }
}
