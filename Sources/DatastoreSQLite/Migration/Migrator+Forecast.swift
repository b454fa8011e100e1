import DatastoreCore
import DatastoreSQL
import GRDB

extension Migrator {
  /// What would be done. The first leg is looked at in the file; of legs after it only what the schemas say is known,
  /// with the rows that there are now.
  ///
  /// - Throws: `StoreError`; what SQLite reports.
  func forecast(in database: Database) throws -> MigrationForecast {
    let old = try NativeFile.schema(in: database, path: path)
    let plans: [MigrationPlan]
    do {
      plans = try self.plans(from: old, database)
    } catch let error as MigrationError {
      return MigrationForecast(
        kind: .loss, entities: [], losses: [], obstacles: error.obstacles)
    }
    let first = try plans[0].forecast(
      in: database, of: file,
      stepCount: max(1, plans.count { $0.script.touchesRows || $0.custom != nil }))
    if plans.count == 1 { return first }
    var entities = first.entities
    var composed = plans[0].difference
    for plan in plans.dropFirst() {
      composed = composed.followed(by: plan.difference)
      let names = plan.changes.map(\.entity)
      var seen = Set<String>()
      for name in names where seen.insert(name).inserted {
        let changes = plan.changes.filter { $0.entity == name }
        let rows = try composed.new.entity(named: name).flatMap(composed.former).map {
          try Self.count(of: $0, in: plans[0].before, database)
        }
        entities.append(
          MigrationForecast.EntityForecast(
            entity: name, kind: changes.map(\.kind).max() ?? .lossless, changes: changes,
            rows: rows ?? 0,
            rowsToWrite: plan.script.writes(name, of: plan.after) ? rows ?? 0 : 0))
      }
    }
    var forecast = MigrationForecast(
      kind: max(first.kind, plans.dropFirst().map(\.kind).max() ?? .none), entities: entities,
      losses: first.losses, obstacles: first.obstacles, stepCount: plans.count)
    forecast.space = first.space
    return forecast
  }

  private static func count(
    of entity: Entity, in mapping: SchemaMapping, _ database: Database
  ) throws -> Int {
    let table = mapping.entities[entity.index]
    var statement: SQLFragment = "SELECT count(*) FROM \(name: table.table)"
    if let family = table.family {
      statement += " WHERE \(name: family.discriminator) = \(literal: entity.name)"
    }
    return Int(try RawStatement(statement, in: database).firstInteger() ?? 0)
  }
}

extension MigrationScript {
  /// Whether rows of an entity are written.
  fileprivate func writes(_ name: String, of mapping: SchemaMapping) -> Bool {
    guard let root = mapping.schema.entity(named: name)?.root else { return false }
    let table = mapping.entities[root].table
    return tables.contains { $0.name == table && $0.writesRows }
  }
}
