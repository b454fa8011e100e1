#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// Locks the tables of a store against all others until the transaction ends.
struct TableLocks {
  private let schema: MigratedSchema

  init(_ schema: MigratedSchema) { self.schema = schema }

  /// Waits five seconds for each table, unless the session has another `lock_timeout`: a waiting session
  /// holds up all that come after it.
  ///
  /// - Throws: `MigrationError` with the transaction that holds a table.
  func take(_ mapping: SchemaMapping) throws {
    try schema.run("SET LOCAL lock_timeout TO DEFAULT")
    _ = try schema.rows(
      "SELECT set_config('lock_timeout', '5s', true) WHERE current_setting('lock_timeout') = '0'")
    let tables =
      Set(mapping.entities.map(\.table)).union(
        NativeTables(mapping: mapping).joinTables.map(\.join.table))
    for table in tables.sorted() {
      let failure = try schema.attempt {
        try schema.run("LOCK TABLE \(name: table) IN ACCESS EXCLUSIVE MODE")
      }
      guard let failure else { continue }
      guard ["55P03", "40P01"].contains(failure.code) else { throw failure }
      throw MigrationError(
        path: schema.place,
        obstacles: [
          .inTheWay(
            kind: "transaction", name: try holder(of: table),
            detail: "it uses the table “\(table)”; let it end, and try again")
        ])
    }
  }

  /// The holder of a table, as far as this user may see it.
  private func holder(of table: String) throws -> String {
    let found = try schema.texts(
      """
      SELECT coalesce(nullif(a.application_name, ''), 'another program') || ', process ' || l.pid \
      FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation \
      JOIN pg_namespace AS n ON n.oid = c.relnamespace \
      LEFT JOIN pg_stat_activity AS a ON a.pid = l.pid \
      WHERE n.nspname = \(.text(schema.name)) AND c.relname = \(.text(table)) \
      AND l.granted AND l.pid <> pg_backend_pid() ORDER BY l.pid LIMIT 1
      """)
    return found.first?[0] ?? "another program"
  }
}
#endif
