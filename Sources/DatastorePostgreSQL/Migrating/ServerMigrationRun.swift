#if PostgreSQL
import Basics
import DatastoreCore
import DatastoreSQL

/// The statements of one step of a migration, in their order, inside its transaction.
struct ServerMigrationRun {
  let plan: MigrationPlan
  let schema: MigratedSchema
  let losesMisfits: Bool
  let step: StepNumber

  var before: SchemaMapping { plan.before }
  var after: SchemaMapping { plan.after }
  var renamed: SchemaMapping { plan.former.renamed }

  /// - Returns: the number of rows written, by the name of the table.
  /// - Throws: `MigrationError`; `PostgreSQLFailure`; `CancellationError`.
  func perform() throws -> [String: Int] {
    let keys = try KeyPlan(plan, in: schema)
    let script = MigrationScript(plan, keys, losesMisfits: losesMisfits)
    try flushTriggers()
    for statement in plan.former.renames { try schema.run(statement) }
    var objects = ServerObjects(
      schema, besides: Set(NativeTables(mapping: before).describedIndexes.map(\.name)))
    try objects.putAside(script)
    try dropReferences(of: script.dropped)
    for statement in script.additions { try schema.run(statement) }
    try makeSequences(keys)
    let filling = MigrationFilling(
      path: schema.place, plan, script, keys, in: schema, step: step)
    let rows = try filling.perform()
    try flushTriggers()
    if !script.dropped.isEmpty {
      let names = script.dropped.map { "\(name: $0)" as SQLFragment }.joined(by: ", ")
      try schema.run("DROP TABLE \(names)")
    }
    for (table, temporary) in filling.temporaryNames { try rename(temporary, to: table) }
    report(.indexing, rows.values.reduce(0, +))
    for (table, column) in script.droppedColumns {
      try schema.run("ALTER TABLE \(name: table) DROP COLUMN \(name: column)")
    }
    try setDefaults(script)
    for sql in plan.custom?.statementsAfter ?? [] { try WrittenStatement(sql).run(schema) }
    try flushTriggers()
    try IndexChange(self).perform()
    report(.finishing, rows.values.reduce(0, +))
    try ReferenceChange(self).perform()
    try finishSequences()
    try objects.putBack()
    return rows
  }

  private func report(_ phase: MigrationProgress.Phase, _ rows: Int) {
    plan.request.progress?(step.progress(phase, rows: rows))
  }

  /// Runs all checks that wait for the end of the transaction: a table with pending checks cannot be changed.
  private func flushTriggers() throws {
    try schema.run("SET CONSTRAINTS ALL IMMEDIATE")
    try schema.run("SET CONSTRAINTS ALL DEFERRED")
  }

  /// Drops references from and to tables that are recreated.
  private func dropReferences(of tables: [String]) throws {
    let all = try schema.texts(ServerReference.query(schema)).map(ServerReference.init)
    for reference in all where tables.contains(reference.table) || tables.contains(reference.target)
    {
      try reference.drop(in: schema)
    }
  }

  /// Gives a filled table its name, and renames everything that was named after the former table.
  private func rename(_ temporary: String, to table: String) throws {
    try schema.run("ALTER TABLE \(name: temporary) RENAME TO \(name: table)")
    let constraints = try schema.texts(
      """
      SELECT conname::text FROM pg_constraint \
      WHERE conrelid = \(.text(schema.qualified(table)))::regclass AND conname LIKE '\\_new\\_%'
      """
    ).map { $0[0] }
    for name in constraints {
      // The name may be in use, or may have been cut.
      _ = try schema.attempt {
        try schema.run(
          """
          ALTER TABLE \(name: table) RENAME CONSTRAINT \(name: name) \
          TO \(name: String(name.dropFirst("_new_".count)))
          """)
      }
    }
  }

  /// Sets the defaults for inserts of other programs that omit a value.
  private func setDefaults(_ script: MigrationScript) throws {
    let (old, new) = (defaults(of: renamed), defaults(of: after))
    for table in script.tables where table.isAltered {
      for (name, value) in (new[table.name] ?? [:]).sorted(by: { $0.key < $1.key }) {
        // A column that was added has it already.
        guard let former = old[table.name]?[name], former != value else { continue }
        let change: SQLFragment = value.map { " SET DEFAULT " + $0 } ?? " DROP DEFAULT"
        try schema.run("ALTER TABLE \(name: table.name) ALTER COLUMN \(name: name)" + change)
      }
    }
  }

  /// By the names of a table and of a column.
  private func defaults(of mapping: SchemaMapping) -> [String: [String: SQLFragment?]] {
    var defaults: [String: [String: SQLFragment?]] = [:]
    for root in mapping.schema.entities where root.parent == nil {
      for definition in NativeTables(mapping: mapping).definitions(of: root) {
        defaults[mapping.entities[root.index].table, default: [:]][definition.leadingName] =
          .some(definition.defaultValue)
      }
    }
    return defaults
  }

  /// Creates the sequences for the keys of new families, starting after all keys that rows get.
  private func makeSequences(_ keys: KeyPlan) throws {
    for root in after.schema.entities where root.parent == nil {
      try schema.run(KeyBlocks.declaration(of: root))
      if let greatest = keys.greatest[root.index], greatest > 0 {
        try reserve(greatest, root)
      }
    }
  }

  /// No key is assigned twice, whatever table the rows have come from.
  private func finishSequences() throws {
    for root in after.schema.entities where root.parent == nil {
      let table = after.entities[root.index]
      let greatest = try schema.count(
        "SELECT coalesce(max(\(name: table.keyColumn)), 0) FROM \(name: table.table)")
      if greatest > 0 { try reserve(Int64(greatest), root) }
    }
    let kept = Set(after.schema.entities.filter { $0.parent == nil }.map(KeyBlocks.sequence))
    for root in before.schema.entities where root.parent == nil {
      let name = KeyBlocks.sequence(of: root)
      if !kept.contains(name) { try schema.run("DROP SEQUENCE IF EXISTS \(name: name)") }
    }
  }

  private func reserve(_ key: Int64, _ root: Entity) throws {
    let name = schema.qualified(KeyBlocks.sequence(of: root))
    _ = try schema.rows(
      """
      SELECT setval(\(.text(name))::regclass, \(.integer(key))) \
      WHERE coalesce(pg_sequence_last_value(\(.text(name))::regclass), 0) < \(.integer(key))
      """)
  }
}

extension MigratedSchema {
  /// Whether native references are checked when a transaction ends.
  var defersReferences: SQLFragment {
    PostgreSQLDialect().constant(capabilities.contains(.deferrableReferences))
  }

  /// The qualified, quoted name of a table of the store.
  func qualified(_ table: String) -> String {
    Quoting.sqlName(name, table)
  }
}
#endif
