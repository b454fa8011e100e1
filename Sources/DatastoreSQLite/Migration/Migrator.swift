import DatastoreCore
import DatastoreSQL
import Foundation
import GRDB

/// Brings a file of ours to a newer schema, in one transaction.
///
/// After `kill -9`, a full disk, an error or a cancellation the file is the old one, complete. Order of work: tables are
/// compared and values looked at; what was not allowed is refused with everything that is in the way; views and triggers
/// are put aside; tables are renamed; new tables are filled under other names, and take the places of the old ones;
/// columns are added and dropped; indexes, views and triggers are made; references and counts are checked; the file
/// says what it is now.
struct Migrator {
  /// Rows that are copied by one statement: the time until a cancellation is noticed, and progress is told.
  static let rangeSize = 50_000

  let path: String
  /// The file; nil in memory.
  let file: String?
  let after: SchemaMapping
  let request: MigrationRequest

  /// What was done.
  struct Outcome {
    var kind = MigrationKind.none
    /// By the name of a table: how many rows were written.
    var rows: [String: Int] = [:]
  }

  /// Migrates on a connection that does not enforce foreign keys and is in no transaction.
  ///
  /// - Throws: `MigrationError` with every obstacle; `StoreError`; `CancellationError`. Nothing is changed then.
  func run(_ database: Database) throws -> Outcome {
    try SQLFunctions.registerMigration(request.initialValues, in: database)
    do {
      let outcome = try ProgressHandler.watch(database.sqliteConnection, request.isCancelled) {
        try database.beginTransaction(.immediate)
        return try migrate(database)
      }
      // No longer watched: a cancellation that is told has changed nothing.
      try database.commit()
      return outcome
    } catch {
      // SQLite may have rolled back by itself already.
      if database.isInsideTransaction { try? database.rollback() }
      throw error
    }
  }

  /// Inside of the transaction, in which nobody else can change the file.
  private func migrate(_ database: Database) throws -> Outcome {
    // Another process may have done it meanwhile.
    let old = try NativeFile.schema(in: database, path: path)
    let plan = MigrationPlan(from: old, to: after, request)
    if plan.kind == .none {
      // Classes may be listed in another order.
      try FileMetadata.describe(
        after.schema.entities.map(\.description), version: after.schema.version, in: database)
      return Outcome()
    }
    try plan.requireAllowed(path: path)
    let start = ContinuousClock.now
    request.progress?(
      MigrationProgress(phase: .checking, entity: nil, rowsDone: 0, rowsTotal: 0))
    let findings = try plan.checks.run(database)
    try refuse(findings, plan, database)
    var outcome = Outcome(kind: plan.kind)
    let losesMisfits = findings.losses.contains(where: \.isOfMisfits)
    if plan.script.changesTables || plan.changesIndexes || losesMisfits {
      let run = MigrationRun(
        path: path, file: self.file, plan: plan, database: database,
        losesMisfits: losesMisfits)
      outcome.rows = try run.perform()
    }
    try FileMetadata.describe(
      after.schema.entities.map(\.description), version: after.schema.version, in: database)
    // Classes that are listed in another order are no migration.
    if !plan.changes.isEmpty {
      try MigrationRecord(
        from: old, rows: outcome.rows, duration: ContinuousClock.now - start
      ).write(to: database)
    }
    return outcome
  }

  /// Refuses what was found, all at once; and copies the file where something in it is to be lost.
  private func refuse(
    _ findings: MigrationChecks.Findings, _ plan: MigrationPlan, _ database: Database
  ) throws {
    var obstacles = findings.obstacles
    var isLosing = false
    for loss in findings.losses {
      if case .declared(let declared) = request.policy, declared.contains(loss) {
        isLosing = true
      } else {
        obstacles.append(.loss(loss))
      }
    }
    obstacles += try plan.obstaclesInTheWay(database)
    guard obstacles.isEmpty else {
      obstacles += try plan.duplicates(database)
      throw MigrationError(path: path, obstacles: obstacles)
    }
    if isLosing, let file, let backupPath = request.backupPath {
      request.progress?(
        MigrationProgress(phase: .backup, entity: nil, rowsDone: 0, rowsTotal: 0))
      try backUp(file, to: backupPath)
    }
  }

  /// Copies the file as it is before the first write of the transaction, which others cannot change.
  private func backUp(_ file: String, to target: String) throws {
    if FileManager.default.fileExists(atPath: target) { throw StoreError.fileExists(path: target) }
    let partial = "\(target).\(UUID().uuidString).partial"
    do {
      let source = try DatabaseQueue(path: file, configuration: Connections.probing())
      let copy = try DatabaseQueue(path: partial)
      try source.backup(to: copy)
      try copy.writeWithoutTransaction { database in
        let mode = try RawStatement("PRAGMA journal_mode = DELETE", in: database)
        while try mode.step() {}
      }
      try copy.close()
      try source.close()
      try FileManager.default.moveItem(atPath: partial, toPath: target)
    } catch {
      for suffix in ["", "-wal", "-shm", "-journal"] {
        try? FileManager.default.removeItem(atPath: partial + suffix)
      }
      guard let error = error as? DatabaseError else { throw error }
      throw StoreError(error, path: target)
    }
  }
}

extension MigrationLoss {
  /// Whether it is about values that do not fit a new type.
  fileprivate var isOfMisfits: Bool {
    if case .typeChanged = reason { return true }
    return false
  }
}
