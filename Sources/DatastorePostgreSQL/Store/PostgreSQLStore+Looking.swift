#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// The first check for writes by others, with which the later ones are compared.
extension PostgreSQLStore {
  /// Records the state of the server. One wait.
  func beginLooking() throws {
    guard capabilities.contains(.snapshots) else {
      let fingerprint = try tablesNow()
      openedTables.withLock { $0 = fingerprint }
      return
    }
    let columns =
      mapping.isNative
      ? "\(LogPosition.columns), NULL" : "\(ForeignLook.columns), \(TableCounters.sql)"
    let result = try read { connection in
      try connection.run(
        PostgreSQLStatement(
          """
          SELECT \(columns), \(tablesFingerprint) \
          FROM (SELECT pg_current_snapshot() AS snapshot) AS looked
          """, parameters))
    }
    if mapping.isNative {
      lastLook.withLock { $0 = LogPosition(result) }
    } else {
      _ = foreignTransactions.withLock { $0.look(ForeignLook(result)) }
      counters.withLock { $0.last = result.text(0, 2) }
    }
    openedTables.withLock { $0 = result.text(0, 3) }
  }

  /// Whether someone has changed the definition of tables, views, indexes or constraints. The server has no
  /// number that changes with them, so their definitions are read: a millisecond for some twenty tables.
  package func haveTablesChanged() throws -> Bool {
    let now = try tablesNow()
    return openedTables.withLock { opened in opened != nil && opened != now }
  }

  private func tablesNow() throws -> String? {
    try read { connection in
      try connection.run(PostgreSQLStatement("SELECT \(tablesFingerprint)", parameters)).text(0, 0)
    }
  }

  private var parameters: [PostgreSQLParameter] {
    [mapping.isNative ? .text(address.searchPath?.first ?? "") : .null(.text)]
  }

  /// A short fingerprint of the definitions of tables: of the schema `$1`, or of all that users have created.
  private var tablesFingerprint: String {
    """
    (WITH shown AS (SELECT c.oid, c.relname, c.relnamespace, c.relkind FROM pg_class AS c \
    JOIN pg_namespace AS n ON n.oid = c.relnamespace \
    WHERE CASE WHEN $1::text IS NULL THEN n.nspname <> 'information_schema' AND n.nspname !~ '^pg_' \
    ELSE n.nspname = $1 END AND c.relkind IN ('r', 'p', 'v', 'm', 'f')), \
    parts AS (SELECT s::text AS part FROM shown AS s UNION ALL \
    SELECT concat_ws(',', a.attrelid, a.attnum, a.attname, a.atttypid, a.atttypmod, a.attnotnull, \
    a.attidentity, a.attgenerated) FROM shown JOIN pg_attribute AS a ON a.attrelid = shown.oid \
    AND a.attnum > 0 AND NOT a.attisdropped UNION ALL \
    SELECT concat_ws(',', k.oid, k.conname, k.contype, k.condeferrable, k.confdeltype) \
    FROM shown JOIN pg_constraint AS k ON k.conrelid = shown.oid UNION ALL \
    SELECT concat_ws(',', i.indexrelid, i.indkey, i.indisunique, i.indisvalid) \
    FROM shown JOIN pg_index AS i ON i.indrelid = shown.oid UNION ALL \
    SELECT concat_ws(',', e.enumtypid, e.enumlabel, e.enumsortorder) FROM pg_enum AS e \
    WHERE $1::text IS NULL) \
    SELECT concat_ws(' ', count(*), sum(hashtextextended(part, 0))) FROM parts)
    """
  }
}
#endif
