#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// Tables whose rows, or some of them, are kept by other servers (foreign tables and their partitioned parents). A
/// transaction over several of those is not one: each commits by itself.
extension PostgreSQLStore {
  private static let spreadTables = PostgreSQLStatement(
    """
    SELECT n.nspname, c.relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
    WHERE c.oid IN (SELECT ftrelid FROM pg_foreign_table UNION ALL \
    SELECT above.relid FROM pg_foreign_table, pg_partition_ancestors(ftrelid) AS above)
    """)

  /// The names of the entities of a save whose rows other servers keep, in order.
  ///
  /// Asked after a failure only, since saves that succeed need not know.
  func spreadEntities(
    of changes: ChangeSet, on connection: PostgreSQLConnection
  ) throws -> [String] {
    let result = try connection.run(Self.spreadTables)
    let tables = (0..<result.rowCount).map { (result.text($0, 0), result.text($0, 1)) }
    let written = Set(
      changes.entities.map(\.entity) + changes.links.map(\.entity) + changes.orders.map(\.entity))
    return written.filter { entity in
      let mapped = mapping.entities[entity]
      let schema = mapped.namespace ?? address.searchPath?.first
      return tables.contains { $1 == mapped.table && (schema == nil || $0 == schema) }
    }.map { schema.entities[$0].name }.sorted()
  }
}
#endif
