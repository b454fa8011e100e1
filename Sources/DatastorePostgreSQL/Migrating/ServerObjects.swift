#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// Objects that users have created on the tables of a store: views that read them, and triggers, indexes,
/// owners and grants of tables that are recreated. Recorded and dropped before tables are changed, and
/// recreated afterwards.
///
/// The server keeps them by the objects they refer to, so they are recorded when tables and columns have
/// their new names.
struct ServerObjects {
  private let schema: MigratedSchema
  /// The indexes that the models request.
  private let ownIndexes: Set<String>
  private var objects: [Object] = []

  private struct Object {
    let kind: String
    let name: String
    let sql: String
  }

  init(_ schema: MigratedSchema, besides ownIndexes: Set<String>) {
    self.schema = schema
    self.ownIndexes = ownIndexes
  }

  /// - Throws: `MigrationError` with objects that cannot be put aside; `PostgreSQLFailure`.
  mutating func putAside(_ script: MigrationScript) throws {
    let remade = script.dropped
    let narrowed = script.tables.filter {
      if case .altered(let dropped, _) = $0.way { return !dropped.isEmpty }
      return false
    }.map(\.name)
    if remade.isEmpty, narrowed.isEmpty { return }
    try refuseOthers(remade, remade + narrowed)
    try putViewsAside(remade + narrowed)
    // Nothing is recreated of tables that are dropped for good.
    let kept = Set(script.tables.map(\.name))
    for table in remade where kept.contains(table) { try recordThose(of: table) }
  }

  /// Recreates them.
  ///
  /// - Throws: `MigrationError` with the first that does not fit the new tables.
  func putBack() throws {
    for object in objects {
      do {
        try schema.run(text: object.sql)
      } catch let failure as PostgreSQLFailure where !failure.isOfConnection {
        throw MigrationError(
          path: schema.place,
          obstacles: [
            .inTheWay(
              kind: object.kind, name: object.name,
              detail:
                "it does not fit the new tables (PostgreSQL says “\(failure.message)”); drop it, "
                + "and make it again after the migration")
          ])
      }
    }
  }

  private func numbers(_ tables: [String]) -> SQLFragment {
    tables.map { "\(.text(schema.qualified($0)))::regclass" as SQLFragment }.joined(by: ", ")
  }

  /// Refuses objects that would be lost with a table and are not recreated here.
  private func refuseOthers(_ remade: [String], _ changed: [String]) throws {
    var query: SQLFragment = """
      SELECT DISTINCT 'materialized view', c.relname::text FROM pg_depend AS d \
      JOIN pg_rewrite AS w ON w.oid = d.objid AND d.classid = 'pg_rewrite'::regclass \
      JOIN pg_class AS c ON c.oid = w.ev_class AND c.relkind = 'm' \
      WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid IN (\(numbers(changed)))
      """
    if !remade.isEmpty {
      query += """
         UNION ALL SELECT 'policy', polname::text FROM pg_policy WHERE polrelid IN (\(numbers(remade))) \
        UNION ALL SELECT 'rule', rulename::text FROM pg_rewrite WHERE ev_class IN (\(numbers(remade))) \
        UNION ALL SELECT 'foreign key', conname::text FROM pg_constraint \
        WHERE contype = 'f' AND confrelid IN (\(numbers(remade))) AND NOT (condeferred = \(schema.defersReferences) \
        AND connamespace = (SELECT oid FROM pg_namespace WHERE nspname = \(.text(schema.name))))
        """
    }
    let found = try schema.texts(query)
    if found.isEmpty { return }
    throw MigrationError(
      path: schema.place,
      obstacles: found.map {
        .inTheWay(
          kind: $0[0], name: $0[1], detail: "drop it, and make it again after the migration")
      })
  }

  /// Records and drops views, and views that read those.
  private mutating func putViewsAside(_ tables: [String]) throws {
    let views = try schema.texts(
      """
      WITH RECURSIVE found (oid, depth) AS ( \
      SELECT unnest(ARRAY[\(numbers(tables))]::oid[]), 0 UNION ALL \
      SELECT w.ev_class, f.depth + 1 FROM found AS f JOIN pg_depend AS d ON d.refobjid = f.oid \
      AND d.refclassid = 'pg_class'::regclass AND d.classid = 'pg_rewrite'::regclass \
      JOIN pg_rewrite AS w ON w.oid = d.objid AND w.ev_class <> f.oid) \
      SELECT c.oid::regclass::text, c.relname::text, \
      coalesce(' WITH (' || array_to_string(c.reloptions, ', ') || ')', ''), \
      pg_get_viewdef(c.oid), c.oid::text \
      FROM pg_class AS c JOIN (SELECT oid, max(depth) AS depth FROM found WHERE depth > 0 \
      GROUP BY oid) AS f ON f.oid = c.oid WHERE c.relkind = 'v' ORDER BY f.depth, c.oid
      """)
    for view in views {
      objects.append(
        Object(
          kind: "view", name: view[1], sql: "CREATE VIEW \(view[0])\(view[2]) AS \(view[3])"))
      try recordRights(view[0])
    }
    // Views that others read come last.
    for view in views.reversed() { try schema.run(text: "DROP VIEW \(view[0])") }
  }

  private mutating func recordThose(of table: String) throws {
    let place: SQLFragment = "\(.text(schema.qualified(table)))::regclass"
    let found = try schema.texts(
      """
      SELECT 'trigger', tgname::text, pg_get_triggerdef(oid) FROM pg_trigger \
      WHERE tgrelid = \(place) AND NOT tgisinternal AND tgname <> \(.text(ChangeLog.trigger)) UNION ALL \
      SELECT 'index', c.relname::text, pg_get_indexdef(c.oid) FROM pg_index AS x \
      JOIN pg_class AS c ON c.oid = x.indexrelid WHERE x.indrelid = \(place) \
      AND NOT EXISTS (SELECT 1 FROM pg_constraint AS k WHERE k.conindid = c.oid)
      """)
    objects += found.filter { $0[0] != "index" || !ownIndexes.contains($0[1]) }
      .map { Object(kind: $0[0], name: $0[1], sql: $0[2]) }
    try recordRights(schema.qualified(table))
  }

  /// Records the owner of a table or a view, and its grants.
  private mutating func recordRights(_ name: String) throws {
    let place: SQLFragment = "\(.text(name))::regclass"
    let found = try schema.texts(
      """
      SELECT format('ALTER TABLE %s OWNER TO %I', \(.text(name)), pg_get_userbyid(relowner)) \
      FROM pg_class WHERE oid = \(place) AND pg_get_userbyid(relowner) <> current_user \
      UNION ALL SELECT format('GRANT %s ON %s TO %s%s', privilege_type, \(.text(name)), \
      CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END, \
      CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END) \
      FROM pg_class, aclexplode(relacl) WHERE oid = \(place) AND grantee <> relowner
      """)
    objects += found.map { Object(kind: "right", name: name, sql: $0[0]) }
  }
}
#endif
