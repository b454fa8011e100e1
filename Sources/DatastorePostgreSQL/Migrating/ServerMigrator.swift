#if PostgreSQL
import DatastoreCore
import DatastoreSQL
import Foundation

/// Migrates a native store in a server to a newer schema, in one transaction.
///
/// Tables are changed in a transaction just as rows are, so that after a lost connection, a killed server, an
/// error or a cancellation the store is the old one, complete. A program that opens it meanwhile waits, and
/// finds it migrated. The order of work: a migration that is not allowed is refused with all obstacles;
/// tables are locked, renamed, filled under other names, and replace the old ones; columns are added and
/// dropped; constraints, indexes, and objects that users have created on the tables are recreated; the store
/// records its new schema.
struct ServerMigrator {
  /// How long and how often another migration is waited for: two minutes in all, in parts after which a
  /// cancellation is noticed.
  private static let attemptMilliseconds = 250
  private static let mostAttempts = 480

  /// The name of the schema.
  let name: String
  /// With the schema as its search path.
  let address: PostgreSQLAddress
  let after: SchemaMapping
  let request: MigrationRequest
  /// The declarations of the store's tables.
  let dialect: PostgreSQLDialect
  private var capabilities: ServerCapabilities { dialect.capabilities }

  /// Migrates on a connection of its own.
  ///
  /// - Throws: `MigrationError` with every obstacle; `StoreError`; `CancellationError`. Nothing is changed
  ///   then.
  func migrate() throws {
    var attempts = 0
    while true {
      let schema = try MigratedSchema(
        name, at: address, capabilities, isCancelled: request.isCancelled)
      do {
        return try schema.transaction(committing: true) {
          try begin(schema)
          try migrate(schema)
        }
      } catch is Waiting {
        if attempts == 0 {
          request.progress?(StepNumber(number: 1, of: 1).progress(.waiting, rows: 0))
        }
        attempts += 1
        if attempts == Self.mostAttempts { throw StoreError.locked(path: schema.place) }
      } catch let failure as PostgreSQLFailure {
        throw StoreError(failure, server: schema.server)
      }
    }
  }

  /// The effect of the migration, found without migrating: in a transaction that is rolled back.
  ///
  /// - Throws: `StoreError`.
  func forecast() throws -> MigrationForecast {
    let schema = try MigratedSchema(
      name, at: address, capabilities, isCancelled: request.isCancelled)
    do {
      return try schema.transaction(committing: false) {
        let plans: [MigrationPlan]
        do {
          plans = try self.plans(try description(schema), schema)
          try requireMovable(plans, schema)
        } catch let error as MigrationError {
          return MigrationForecast(refusedWith: error)
        }
        let first = try plans[0].forecast(in: schema).forecast
        return try MigrationPlan.forecast(plans, beginning: first, in: schema)
      }
    } catch let failure as PostgreSQLFailure {
      throw StoreError(failure, server: schema.server)
    }
  }

  /// Another program creates or migrates the store.
  private struct Waiting: Error {}

  private func begin(_ schema: MigratedSchema) throws {
    if capabilities.contains(.advisoryLocks) {
      try schema.run("SET LOCAL lock_timeout = \(number: Self.attemptMilliseconds)")
      do {
        _ = try schema.rows(NativeSchema.lock(name))
      } catch let failure as PostgreSQLFailure where failure.code == "55P03" {
        throw Waiting()
      }
    }
    // Closures take as long as they need.
    try schema.run("SET LOCAL statement_timeout = 0")
    try schema.run("SET LOCAL idle_in_transaction_session_timeout = 0")
  }

  private func description(_ schema: MigratedSchema) throws -> NativeDescription {
    let description = NativeDescription(try schema.texts(NativeDescription.query))
    try description.requireFormat(place: schema.place)
    return description
  }

  private func plans(
    _ description: NativeDescription, _ schema: MigratedSchema
  ) throws -> [MigrationPlan] {
    try MigrationPlan.steps(
      from: try description.schema(place: schema.place), to: after, request,
      records: { description.history }, path: schema.place, dialect: PostgreSQLDialect())
  }

  /// - Throws: `MigrationError` if tables would change whose rows are on several machines: what the server
  ///   can do with such tables differs from version to version.
  private func requireMovable(_ plans: [MigrationPlan], _ schema: MigratedSchema) throws {
    guard dialect.spreadsTables, plans.contains(where: { $0.kind != .none }) else { return }
    let spread = plans.lazy.flatMap(\.before.entities).first { $0.distribution != nil }
    guard let spread else { return }
    throw MigrationError(
      path: schema.place,
      obstacles: [
        .inTheWay(
          kind: "distributed table", name: spread.table,
          detail:
            "its rows are on several machines, where tables are not changed; copy the objects into a new "
            + "store of the new version")
      ])
  }

  private func migrate(_ schema: MigratedSchema) throws {
    // Another program may have migrated it meanwhile.
    let description = try self.description(schema)
    let old = try description.schema(place: schema.place)
    if request.policy == .recreating { return try recreate(old, schema) }
    let plans = try self.plans(description, schema)
    let start = ContinuousClock.now
    var rows: [String: Int] = [:]
    if plans.contains(where: { $0.kind != .none }) {
      try requireMovable(plans, schema)
      for plan in plans { try plan.requireAllowed(path: schema.place) }
      if plans.contains(where: { $0.kind > .metadata }) {
        try TableLocks(schema).take(plans[0].before)
      }
      for (index, plan) in plans.enumerated() where plan.kind != .none {
        let step = StepNumber(number: index + 1, of: plans.count)
        rows.merge(try perform(plan, step, schema)) { $0 + $1 }
      }
    }
    for statement in ChangeLog(mapping: after, capabilities: capabilities).triggers {
      try schema.run(statement)
    }
    for statement in try NativeDescription.statements(describing: after.schema)
      + NativeDescription.statements(describing: dialect.distribution.present(in: after.schema))
    {
      try schema.run(statement)
    }
    // Classes that are listed in another order need no migration.
    if plans.contains(where: { !$0.changes.isEmpty }) {
      let record = MigrationRecord(
        from: old, to: after.schema, passing: request.versionsPassed(from: old), rows: rows,
        duration: ContinuousClock.now - start)
      try schema.run(description.statement(adding: record))
      request.recorded?(record)
    }
  }

  /// - Returns: the number of rows written, by the name of the table.
  private func perform(
    _ plan: MigrationPlan, _ step: StepNumber, _ schema: MigratedSchema
  ) throws -> [String: Int] {
    request.progress?(step.progress(.checking, rows: 0))
    for sql in plan.custom?.statementsBefore ?? [] { try WrittenStatement(sql).run(schema) }
    let (findings, obstacles) = try plan.findings(in: schema)
    guard obstacles.isEmpty else {
      throw MigrationError(path: schema.place, obstacles: try obstacles + plan.duplicates(schema))
    }
    let losesMisfits = findings.losses.contains(where: \.isOfMisfits)
    guard plan.script.changesTables || plan.changesIndexes || losesMisfits || plan.custom != nil
    else { return [:] }
    let run = ServerMigrationRun(
      plan: plan, schema: schema, losesMisfits: losesMisfits, step: step)
    let rows = try run.perform()
    try schema.forgetStep()
    return rows
  }

  /// Drops the tables with everything in them, and creates those of the model.
  private func recreate(_ old: Schema, _ schema: MigratedSchema) throws {
    let before = SchemaMapping.native(old, dialect: after.dialect)
    let plan = MigrationPlan(from: old, to: after, request, dialect: PostgreSQLDialect())
    guard plan.kind > .metadata else {
      for statement in try NativeDescription.statements(describing: after.schema) {
        try schema.run(statement)
      }
      return
    }
    try TableLocks(schema).take(before)
    let tables =
      Set(before.entities.map(\.table)).sorted()
      + NativeTables(mapping: before).joinTables.map(\.join.table)
      + ["_datastore", "_datastore_changes"]
    for table in tables { try schema.run("DROP TABLE IF EXISTS \(name: table) CASCADE") }
    for root in old.entities where root.parent == nil {
      try schema.run("DROP SEQUENCE IF EXISTS \(name: KeyBlocks.sequence(of: root))")
    }
    try schema.run("DROP FUNCTION IF EXISTS \(name: ChangeLog.trigger)()")
    for statement in try NativeSchema.statements(
      making: after, named: name, dialect)
    {
      try schema.run(statement)
    }
  }
}

/// A custom SQL statement that a step of a migration runs inside its transaction, which the statement may not
/// end.
struct WrittenStatement {
  private let sql: String

  init(_ sql: String) { self.sql = sql }

  /// - Throws: `MigrationError` with the statement that failed.
  func run(_ schema: MigratedSchema) throws {
    let word = sql.drop { $0.isWhitespace }.prefix { $0.isLetter }.uppercased()
    guard
      !["BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "PREPARE", "SAVEPOINT", "RELEASE"]
        .contains(word)
    else { throw failure("it would end the transaction of the migration", schema) }
    do {
      try schema.run(text: sql)
    } catch let failure as PostgreSQLFailure where !failure.isOfConnection {
      throw self.failure(failure.message, schema)
    }
  }

  private func failure(_ reason: String, _ schema: MigratedSchema) -> MigrationError {
    MigrationError(
      path: schema.place, obstacles: [.statementFailed(sql: sql, reason: reason)])
  }
}
#endif
