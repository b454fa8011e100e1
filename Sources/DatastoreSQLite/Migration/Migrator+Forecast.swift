import DatastoreCore
import DatastoreSQL
import GRDB

extension Migrator {
  /// The forecast.
  ///
  /// - Throws: `StoreError`; the errors of SQLite.
  func forecast(in database: Database) throws -> MigrationForecast {
    let old = try NativeFile.schema(in: database, path: path)
    let plans: [MigrationPlan]
    do {
      plans = try self.plans(from: old, database)
    } catch let error as MigrationError {
      return MigrationForecast(refusedWith: error)
    }
    let migrated = MigratedFile(database: database, path: path)
    let stepCount = max(1, plans.count { $0.script.touchesRows || $0.custom != nil })
    let first = try forecast(of: plans[0], stepCount: stepCount, in: migrated)
    var forecast = try MigrationPlan.forecast(plans, beginning: first, in: migrated)
    let known = forecast.obstacles
    forecast.obstacles += try obstaclesOfUsers(plans, from: old, in: database)
      .filter { !known.contains($0) }
    return forecast
  }

  /// What keeps the file from being migrated because users have made views, triggers or indexes in
  /// it: found by migrating its tables in memory, without rows.
  private func obstaclesOfUsers(
    _ plans: [MigrationPlan], from old: Schema, in database: Database
  ) throws -> [MigrationObstacle] {
    // Closures and statements of mappings are run by the migration only.
    guard request.policy != .recreating, plans.allSatisfy({ $0.custom == nil }),
      plans.contains(where: { $0.kind > .metadata }),
      try UserMadeObjects.areAny(in: database, besides: plans[0].before)
    else { return [] }
    var silent = request
    silent.progress = nil
    let rehearsal = Migrator(path: path, file: nil, after: after, request: silent)
    let steps = try rehearsal.plans(from: old, database)
    let declarations = try Self.declarations(in: database)
    var configuration = Connections.configuration(keyTables: after.keyTables, isReadOnly: false)
    configuration.foreignKeysEnabled = false
    let copy = try DatabaseQueue(configuration: configuration)
    defer { try? copy.close() }
    return try copy.writeWithoutTransaction { tables in
      for declaration in declarations {
        // A virtual table has made its parts already, and what this SQLite cannot make is left out.
        try? RawStatement(SQLFragment(stringLiteral: declaration), in: tables).run()
      }
      var outcome = Outcome()
      do {
        try rehearsal.perform(steps, from: old, &outcome, tables, copy)
        return []
      } catch let error as MigrationError {
        return error.obstacles
      }
    }
  }

  /// The statements that make everything in a file, tables first.
  private static func declarations(in database: Database) throws -> [String] {
    let list = try RawStatement(
      """
      SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
      ORDER BY type <> 'table', type = 'trigger', rowid
      """, in: database)
    var declarations: [String] = []
    while try list.step() { declarations.append(list.value(at: 0).plainText) }
    return declarations
  }

  /// The forecast of the first step, and the space for all steps.
  private func forecast(
    of plan: MigrationPlan, stepCount: Int, in migrated: MigratedFile
  ) throws -> MigrationForecast {
    let found = try plan.forecast(in: migrated)
    var forecast = found.forecast
    guard let file, forecast.hasMigration else { return forecast }
    let room = MigrationRoom(
      file: file, copy: found.isLosing ? request.backupPath : nil, request: request)
    let obstacles = try room.obstacles(for: found.writing, in: migrated.database)
    forecast.obstacles += obstacles
    if room.copy != nil || !found.writing.rows.isEmpty {
      forecast.space = try room.space(
        for: found.writing, stepCount: stepCount, in: migrated.database)
    }
    return forecast
  }
}
