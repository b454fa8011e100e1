import DatastoreCore
import DatastoreSQL
import GRDB

extension Migrator {
  /// What would be done.
  ///
  /// - Throws: `StoreError`; what SQLite reports.
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

  /// What the first step would do, and the room that all steps need.
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
