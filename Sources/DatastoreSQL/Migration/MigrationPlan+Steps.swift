package import DatastoreCore

/// All steps of a path.
extension MigrationPlan {
  /// The plans for the legs from a store's schema to that of a model.
  ///
  /// - Parameters:
  ///   - records: the migrations recorded in the store.
  ///   - path: the name of the store.
  /// - Returns: at least one.
  /// - Throws: `MigrationError` if no path is allowed; `StoreError.migrated` if the store no longer has the
  ///   schema that a user has edited.
  package static func steps(
    from old: Schema, to after: SchemaMapping, _ request: MigrationRequest,
    records: () throws -> [MigrationRecord], path: String, dialect: any MigrationDialect
  ) throws -> [MigrationPlan] {
    func tables(_ schema: Schema) -> [String: Fingerprint] {
      EntityHash.all(schema.entities.map(\.description)).mapValues(\.tables)
    }
    if let base = request.base,
      EntityHash.all(base) != EntityHash.all(old.entities.map(\.description))
    {
      throw StoreError.migrated(path: path, version: old.version)
    }
    // A store that a newer program migrated to another version is never brought back by an older one.
    if !request.mayGoBack, tables(old) != tables(after.schema),
      try request.isNewer(old, than: after.schema, after: records())
    {
      throw MigrationError(
        path: path,
        obstacles: [.newerVersion(version: old.version, current: after.schema.version)])
    }
    let legs: [MigrationLeg]
    do {
      legs = try request.legs(from: old, to: after.schema)
    } catch {
      throw MigrationError(path: path, obstacles: [error])
    }
    var former = old
    return legs.enumerated().map { index, leg in
      let mapping =
        index == legs.count - 1 ? after : .native(leg.schema, dialect: after.dialect)
      defer { former = leg.schema }
      return MigrationPlan(from: former, to: mapping, over: leg, request, dialect: dialect)
    }
  }

  /// The forecast of all steps. The first one is checked in the database; for later ones only the schemas are
  /// known, with the present numbers of rows.
  ///
  /// - Parameter first: the forecast of the first one.
  /// - Throws: the errors of the engine.
  package static func forecast(
    _ plans: [MigrationPlan], beginning first: MigrationForecast,
    in database: any MigrationDatabase
  ) throws -> MigrationForecast {
    if plans.count == 1 { return first }
    var entities = first.entities
    var composed = plans[0].difference
    for plan in plans.dropFirst() {
      composed = composed.followed(by: plan.difference)
      var seen = Set<String>()
      for name in plan.changes.map(\.entity) where seen.insert(name).inserted {
        let changes = plan.changes.filter { $0.entity == name }
        let rows = try composed.new.entity(named: name).flatMap(composed.former).map {
          try database.count(plans[0].before.rowCount(of: $0))
        }
        entities.append(
          MigrationForecast.EntityForecast(
            entity: name, kind: changes.map(\.kind).max() ?? .lossless, changes: changes,
            rows: rows ?? 0, rowsToWrite: plan.writes(name) ? rows ?? 0 : 0))
      }
    }
    var forecast = MigrationForecast(
      kind: max(first.kind, plans.dropFirst().map(\.kind).max() ?? .none), entities: entities,
      losses: first.losses, obstacles: first.obstacles, stepCount: plans.count)
    forecast.space = first.space
    return forecast
  }

  /// Whether rows of an entity are written.
  private func writes(_ name: String) -> Bool {
    guard let root = after.schema.entity(named: name)?.root else { return false }
    let table = after.entities[root].table
    return script.tables.contains { $0.name == table && script.writesRows($0) }
  }

  /// Checks the data, once for all steps that write.
  ///
  /// - Returns: the results, and whether data is to be lost.
  /// - Throws: the errors of the engine.
  package func findings(
    in database: any MigrationDatabase
  ) throws -> (found: MigrationChecks.Findings, obstacles: [MigrationObstacle]) {
    let declared = checks.declared
    let findings = try checks.run(database) { loss in
      if case .declared(let losses) = request.policy, losses.contains(loss) { return true }
      return declared.contains(loss)
    }
    var obstacles = findings.obstacles
    for loss in findings.losses where !loss.isDeclared {
      if case .declared(let declared) = request.policy, declared.contains(loss) { continue }
      obstacles.append(.loss(loss))
    }
    return (findings, try obstacles + obstaclesInTheWay(database))
  }
}

extension SchemaMapping {
  /// The number of objects of an entity itself.
  fileprivate func rowCount(of entity: Entity) -> SQLFragment {
    let table = entities[entity.index]
    var statement: SQLFragment = "SELECT count(*) FROM \(name: table.table)"
    if let family = table.family {
      statement += " WHERE \(name: family.discriminator) = \(literal: entity.name)"
    }
    return statement
  }
}

extension MigrationLoss {
  /// Whether the loss consists of values that do not fit a new type.
  package var isOfMisfits: Bool {
    if case .typeChanged = reason { true } else { false }
  }
}

/// The number of a step among several.
package struct StepNumber: Sendable {
  package let number: Int
  package let count: Int

  package init(number: Int, of count: Int) {
    self.number = number
    self.count = count
  }

  /// The progress when all rows are written.
  package func progress(_ phase: MigrationProgress.Phase, rows: Int) -> MigrationProgress {
    MigrationProgress(
      phase: phase, step: number, stepCount: count, entity: nil, rowsDone: rows, rowsTotal: rows)
  }
}
