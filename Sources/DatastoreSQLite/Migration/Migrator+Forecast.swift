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
    return try MigrationPlan.forecast(plans, beginning: first, in: migrated)
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
