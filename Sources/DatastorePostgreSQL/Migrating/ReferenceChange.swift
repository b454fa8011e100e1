#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// An existing reference of one column between two tables of a store.
struct ServerReference {
  let name: String
  let table: String
  let column: String
  let target: String
  /// `a` for no action, `c` for rows that are deleted with the row they refer to, `n` for NULL.
  let rule: String

  init(_ row: [String]) {
    name = row[0]
    table = row[1]
    column = row[2]
    target = row[3]
    rule = row[4]
  }

  /// The references that are declared as native ones are: checked when the transaction ends, if the server
  /// can do that.
  static func query(_ schema: MigratedSchema) -> SQLFragment {
    """
    SELECT k.conname::text, t.relname::text, a.attname::text, r.relname::text, k.confdeltype::text \
    FROM pg_constraint AS k JOIN pg_class AS t ON t.oid = k.conrelid \
    JOIN pg_class AS r ON r.oid = k.confrelid \
    JOIN pg_namespace AS n ON n.oid = t.relnamespace AND n.oid = r.relnamespace \
    JOIN pg_attribute AS a ON a.attrelid = t.oid AND a.attnum = k.conkey[1] \
    WHERE n.nspname = \(.text(schema.name)) AND k.contype = 'f' AND cardinality(k.conkey) = 1 \
    AND k.condeferred = \(schema.defersReferences) AND k.conparentid = 0
    """
  }

  func drop(in schema: MigratedSchema) throws {
    try schema.run("ALTER TABLE \(name: table) DROP CONSTRAINT \(name: name)")
  }

  func isSame(as reference: NativeReference) -> Bool {
    table == reference.table && column == reference.column && target == reference.target
      && rule == reference.rule
  }
}

extension NativeReference {
  /// The rule as in the server's catalogue.
  fileprivate var rule: String {
    if declaration.says(" ON DELETE CASCADE") { return "c" }
    return declaration.says(" ON DELETE SET NULL") ? "n" : "a"
  }
}

/// Changes the references of a store to those of the new schema.
struct ReferenceChange {
  private let run: ServerMigrationRun

  init(_ run: ServerMigrationRun) { self.run = run }

  /// - Throws: `MigrationError` with references that would lead nowhere.
  func perform() throws {
    let schema = run.schema
    let wanted = NativeTables(mapping: run.after).references
    let ours = Set(run.after.entities.map(\.table)).union(
      NativeTables(mapping: run.after).joinTables.map(\.join.table))
    var present: [ServerReference] = []
    for reference in try schema.texts(ServerReference.query(schema)).map(ServerReference.init)
    where ours.contains(reference.table) && ours.contains(reference.target) {
      if wanted.contains(where: reference.isSame) {
        present.append(reference)
      } else {
        try reference.drop(in: schema)
      }
    }
    var obstacles: [MigrationObstacle] = []
    for reference in wanted where !present.contains(where: { $0.isSame(as: reference) }) {
      let failure = try schema.attempt { try schema.run(reference.statement) }
      guard let failure else { continue }
      guard failure.code == "23503" else { throw failure }
      let target = run.after.entities.first { $0.table == reference.target }?.keyColumn ?? ""
      let count = try schema.count(
        """
        SELECT count(*) FROM \(name: reference.table) AS s WHERE s.\(name: reference.column) \
        IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(name: reference.target) AS t \
        WHERE t.\(name: target) = s.\(name: reference.column))
        """)
      obstacles.append(
        .brokenReferences(table: "\(reference.table).\(reference.column)", count: count))
    }
    guard obstacles.isEmpty else { throw MigrationError(path: schema.place, obstacles: obstacles) }
  }
}
#endif
