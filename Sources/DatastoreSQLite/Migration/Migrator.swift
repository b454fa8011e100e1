import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// Brings a native file to a newer schema, in one transaction.
///
/// After `kill -9`, a full disk, an error or a cancellation the file is the old one, complete. Order of work:
/// tables are compared and values checked; changes that are not allowed are refused, with every obstacle;
/// views and triggers are set aside; tables are renamed; new tables are filled under other names, and replace
/// the old ones; columns are added and dropped; indexes, views and triggers are created; references and
/// counts are checked; the file's description is rewritten.
struct Migrator {
  /// The duration and number of waits for a migration of another process: two minutes in all, in parts after
  /// which a cancellation is noticed.
  private static let attemptMilliseconds: Int32 = 250
  private static let mostAttempts = 480

  let path: String
  /// The file; nil in memory.
  let file: String?
  let after: SchemaMapping
  let request: MigrationRequest

  struct Outcome {
    var kind = MigrationKind.none
    /// The number of rows written, by the name of a table.
    var rows: [String: Int] = [:]
    /// Views and triggers that are set aside until all steps are done.
    var userMade = UserMadeObjects()
    /// Whether the old file has been copied.
    var isBackedUp = false
    /// The notice beside the file for processes that wait.
    var notice: MigrationNotice?
  }

  /// Migrates on a connection that does not enforce foreign keys and has no open transaction.
  ///
  /// - Throws: `MigrationError` with every obstacle; `StoreError`; `CancellationError`. Nothing is changed
  ///   then.
  func run(_ database: Database, of connection: any DatabaseWriter) throws -> Outcome {
    do {
      let outcome = try ProgressHandler.watch(database.sqliteConnection, request.isCancelled) {
        try begin(database)
        return try migrate(database, connection)
      }
      // No longer checked for cancellation: a reported cancellation has changed nothing.
      try withExtendedLifetime(outcome.notice) { try database.commit() }
      return outcome
    } catch {
      // SQLite may already have rolled back itself.
      if database.isInsideTransaction { try? database.rollback() }
      throw error
    }
  }

  /// Begins the transaction, after a migration that another process has begun.
  private func begin(_ database: Database) throws {
    var attempts = 0
    while let file, let holder = MigrationNotice.holder(of: file) {
      if attempts == 0 {
        request.progress?(StepNumber(number: 1, of: 1).progress(.waiting, rows: 0))
      }
      attempts += 1
      sqlite3_busy_timeout(database.sqliteConnection, Self.attemptMilliseconds)
      defer { Connections.waitForSaving(database) }
      do {
        return try database.beginTransaction(.immediate)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
        if request.isCancelled?() ?? false { throw CancellationError() }
        guard attempts < Self.mostAttempts else {
          throw StoreError.beingMigrated(
            path: path, process: holder.process, percent: holder.percent)
        }
      }
    }
    try database.beginTransaction(.immediate)
  }

  /// Inside the transaction, during which no one else can change the file.
  private func migrate(
    _ database: Database, _ connection: any DatabaseWriter
  ) throws -> Outcome {
    if let file { PartialCopies(of: file, for: request.backupPath)?.remove() }
    // Another process may have migrated it meanwhile.
    let old = try NativeFile.schema(in: database, path: path)
    let plans = try self.plans(from: old, database)
    var outcome = Outcome(kind: plans.map(\.kind).max() ?? .none)
    let start = ContinuousClock.now
    if outcome.kind != .none {
      for plan in plans { try plan.requireAllowed(path: path) }
      // An instant migration is done before anyone could read the notice.
      let notice = plans.contains { !$0.isInstant } ? file.flatMap { MigrationNotice(of: $0) } : nil
      // Until it is committed.
      outcome.notice = notice
      try perform(plans, from: old, &outcome, database, connection)
    }
    try FileMetadata.describe(
      after.schema.entities.map(\.description), version: after.schema.version, in: database)
    // Classes listed in another order are not a migration.
    if plans.contains(where: { !$0.changes.isEmpty }) {
      let record = MigrationRecord(
        from: old, to: after.schema, passing: request.versionsPassed(from: old),
        rows: outcome.rows, duration: ContinuousClock.now - start)
      try record.write(to: database)
      request.recorded?(record)
    }
    return outcome
  }

  /// One plan for each leg of the path.
  ///
  /// - Throws: `MigrationError` if no path is allowed.
  func plans(from old: Schema, _ database: Database) throws -> [MigrationPlan] {
    try MigrationPlan.steps(
      from: old, to: after, request, records: { try MigrationRecord.all(in: database) },
      path: path, dialect: SQLiteDialect())
  }

  /// All steps, with what users have made set aside meanwhile.
  ///
  /// - Throws: `MigrationError` with every obstacle; the errors of SQLite.
  func perform(
    _ plans: [MigrationPlan], from old: Schema, _ outcome: inout Outcome, _ database: Database,
    _ connection: any DatabaseWriter
  ) throws {
    // Even if only searchable properties differ.
    try WordTables(.native(old)).drop(besides: WordTables(after), in: database)
    for (index, plan) in plans.enumerated() {
      let step = StepNumber(number: index + 1, of: plans.count)
      try perform(plan, step, &outcome, database, connection)
    }
    try WordTables(after).make(in: database)
    try outcome.userMade.putBack(in: database, path: path)
  }

  private func perform(
    _ plan: MigrationPlan, _ step: StepNumber, _ outcome: inout Outcome, _ database: Database,
    _ connection: any DatabaseWriter
  ) throws {
    if plan.kind == .none { return }
    request.progress?(step.progress(.checking, rows: 0))
    if let custom = plan.custom {
      // Faults of a closure cannot be undone.
      try backUpOnce(&outcome, step, database)
      try CustomStatements(custom.statementsBefore, path: path).run(database)
    }
    let file = MigratedFile(database: database, connection: connection, path: path)
    let (findings, obstacles) = try plan.findings(in: file)
    try refuse(findings, obstacles, plan, file, &outcome, step)
    let losesMisfits = findings.losses.contains(where: \.isOfMisfits)
    if plan.script.changesTables || plan.changesIndexes || losesMisfits || plan.custom != nil {
      let run = MigrationRun(
        path: path, file: step.number == 1 ? self.file : nil, plan: plan, migrated: file,
        losesMisfits: losesMisfits, step: step, notice: outcome.notice)
      let rows = try run.perform(&outcome.userMade)
      outcome.rows.merge(rows) { $0 + $1 }
    }
  }

  /// Refuses all obstacles at once; and copies the file if data in it is to be lost.
  private func refuse(
    _ findings: MigrationChecks.Findings, _ found: [MigrationObstacle], _ plan: MigrationPlan,
    _ file: MigratedFile, _ outcome: inout Outcome, _ step: StepNumber
  ) throws {
    var obstacles = found
    let isLosing = !findings.losses.isEmpty
    if let room = room(copying: isLosing && !outcome.isBackedUp) {
      obstacles += try room.obstacles(
        for: plan.writing(findings, file), in: file.database)
    }
    guard obstacles.isEmpty else {
      obstacles += try plan.duplicates(file)
      throw MigrationError(path: path, obstacles: obstacles)
    }
    if isLosing { try backUpOnce(&outcome, step, file.database) }
  }

  /// nil in memory.
  private func room(copying: Bool) -> MigrationRoom? {
    file.map { MigrationRoom(file: $0, copy: copying ? request.backupPath : nil, request: request) }
  }

  private func backUpOnce(
    _ outcome: inout Outcome, _ step: StepNumber, _ database: Database
  ) throws {
    guard !outcome.isBackedUp, let file, let backupPath = request.backupPath else { return }
    let obstacles = try room(copying: true)?.obstacles(for: .init(), in: database) ?? []
    if !obstacles.isEmpty { throw MigrationError(path: path, obstacles: obstacles) }
    request.progress?(step.progress(.backup, rows: 0))
    try backUp(file, to: backupPath)
    outcome.isBackedUp = true
  }

  /// Copies the file as it was before the transaction; others cannot change it meanwhile.
  private func backUp(_ file: String, to target: String) throws {
    let source = try DatabaseQueue(path: file, configuration: Connections.probing())
    try DatabaseCopy.make(
      of: source, like: file, at: target, through: PartialCopies(of: file, for: target)?.newPath)
    try source.close()
  }
}
