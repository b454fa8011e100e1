import DatastoreCore

/// The transformations of a step: old tables still exist under temporary names, and new ones have their
/// inferred rows.
struct CustomRun {
  private let filling: MigrationFilling
  private let transformations: [CustomMigration.Transformation]
  /// The new tables, by the names under which they are filled.
  private let filled: SchemaMapping

  /// - Parameter temporary: the name under which a new table is filled, by its final name.
  init?(_ filling: MigrationFilling, _ temporary: [String: String]) {
    let plan = filling.plan
    guard let custom = plan.custom else { return nil }
    transformations = custom.transformations(besides: plan.difference)
    if transformations.isEmpty { return nil }
    self.filling = filling
    var names = NameChanges()
    names.tables = temporary
    filled = plan.after.renaming(names)
  }

  private var plan: MigrationPlan { filling.plan }
  private var keys: KeyPlan { filling.keys }
  private var renamed: SchemaMapping { plan.former.renamed }
  private var old: Schema { plan.before.schema }
  private var new: Schema { plan.after.schema }
  private var database: any MigrationDatabase { filling.database }

  var sourceCount: Int {
    get throws {
      try transformations.reduce(0) { count, transformation in
        guard let source = transformation.source.flatMap(old.entity(named:)) else { return count }
        return count
          + (try database.count(
            "SELECT count(*) FROM \(name: renamed.entities[source.root].table)"))
      }
    }
  }

  /// - Throws: `MigrationError`; the errors of the engine.
  func perform(_ meter: MigrationFilling.Meter, _ rows: inout [String: Int]) throws {
    let oldStore = database.store(renamed)
    let newStore = database.store(filled.withoutWordIndexes)
    for (root, key) in keys.greatest { try newStore.reserve([RowKey(key)], entity: root) }
    var droppedCount = 0
    for (index, transformation) in transformations.enumerated() {
      guard let transform = transformation.run else {
        try copy(transformation, by: keys.transformations[index], meter)
        continue
      }
      let stage = MigrationStage(
        old: oldStore, new: newStore, difference: plan.difference,
        keyOffset: keys.transformations[index], offsets: offsets,
        report: { seen, dropped in
          meter.add(seen, transformation.destination)
          droppedCount += dropped
        },
        isCancelled: plan.request.isCancelled)
      do {
        try transform(stage)
      } catch let obstacle as MigrationObstacle {
        throw MigrationError(path: filling.path, obstacles: [obstacle])
      }
    }
    for root in roots {
      let table = filled.entities[root].table
      rows[plan.after.entities[root].table] = try database.count(
        "SELECT count(*) FROM \(name: table)")
    }
    try carryOrders()
    if droppedCount > 0 { try clearReferences() }
  }

  /// Copies the objects of an entity that also becomes another one, as an inferred step would if it became
  /// only that.
  private func copy(
    _ transformation: CustomMigration.Transformation, by offset: Int64,
    _ meter: MigrationFilling.Meter
  ) throws {
    guard let source = transformation.source.flatMap(old.entity(named:)),
      let destination = new.entity(named: transformation.destination)
    else { return }
    let difference = SchemaDifference(from: old, to: new, matching: source, with: destination)
    var request = plan.request
    // Values that do not fit are obstacles here.
    request.policy = .lossless
    let checks = MigrationChecks(
      difference: difference, before: renamed, after: plan.after, request: request, custom: nil,
      dialect: plan.dialect)
    var findings = MigrationChecks.Findings()
    try database.prepare(checks.values)
    try checks.look(at: source, becoming: destination, isCopy: true, database, &findings)
    let obstacles = findings.obstacles + findings.losses.map { .loss($0) }
    guard obstacles.isEmpty else { throw MigrationError(path: filling.path, obstacles: obstacles) }
    var offsets = keys.offsets
    offsets[source.root, destination.root] = offset
    let values = MigratedValues(
      difference: difference, mapping: renamed, after: plan.after, request: request,
      dialect: plan.dialect, offsets: offsets)
    let rows = values.copy(
      FormerTables.Feed(
        oldRoot: source.root, newRoot: destination.root,
        members: [(source.index, destination.index)]))
    _ = try filling.copy(
      rows, into: filled.entities[destination.root].table, findings.rows[source.index] ?? 0, meter)
  }

  /// The families of the created objects.
  private var roots: [EntityIndex] {
    Set(transformations.compactMap { new.entity(named: $0.destination)?.root }).sorted()
  }

  private var offsets: [MigrationStage.KeyOffset] {
    old.entities.filter { $0.parent == nil }.flatMap { source in
      new.entities.filter { $0.parent == nil }.map { destination in
        .init(
          source: source.index, destination: destination.index,
          offset: keys.offsets[source.index, destination.index])
      }
    }
  }

  /// Keeps the places of objects in ordered relationships to them: a closure does not change the place of the
  /// object it makes.
  private func carryOrders() throws {
    let values = MigratedValues(
      difference: plan.difference, mapping: renamed, after: plan.after,
      request: plan.request, dialect: plan.dialect,
      offsets: keys.offsets)
    for owner in new.entities {
      for link in owner.links.compactMap(\.self)
      where link.entity == owner.index && roots.contains(new.entities[link.destination].root) {
        guard
          case .toManyForeignKey(let inverse, let order?) = filled.entities[owner.index].slots[
            link.slot],
          case .toOne(let key) = filled.entities[link.destination].slots[inverse]
        else { continue }
        let table = filled.entities[link.destination]
        for (index, transformation) in transformations.enumerated() {
          guard let source = transformation.source.flatMap(old.entity(named:)),
            let destination = new.entity(named: transformation.destination),
            destination.root == new.entities[link.destination].root
          else { continue }
          let place = values.order(of: link, inRowsOf: source.root)
          if place == "NULL" { continue }
          let waiting = renamed.entities[source.root]
          let order = "\(name: order)" as SQLFragment
          // Members that a closure has ordered keep that order; others were appended, object by object.
          let isOrdered = roots.contains(owner.root)
          try database.run(
            """
            UPDATE \(name: table.table) SET \(order) = coalesce((SELECT \(place) \
            FROM \(name: waiting.table) AS s WHERE s.\(name: waiting.keyColumn) = \
            \(name: table.table).\(name: table.keyColumn) - \(.integer(keys.transformations[index]))), \
            \(order)) WHERE \(name: key.names[0]) IS NOT NULL\
            \(isOrdered ? " AND \(order) IS NULL" : "" as SQLFragment)
            """)
        }
      }
    }
  }

  /// Clears references to objects that were not made, and removes pairs with them.
  private func clearReferences() throws {
    for owner in new.entities {
      for link in owner.links.compactMap(\.self) where link.entity == owner.index {
        let target = filled.entities[new.entities[link.destination].root]
        let isFilled = roots.contains(new.entities[link.destination].root)
        switch filled.entities[owner.index].slots[link.slot] {
        case .toOne(let key) where isFilled:
          let column = key.names[0]
          try database.run(
            """
            UPDATE \(name: filled.entities[owner.index].table) SET \(name: column) = NULL \
            WHERE \(name: column) NOT IN (SELECT \(name: target.keyColumn) FROM \(name: target.table))
            """)
        case .toManyJoin(let join):
          let source = filled.entities[owner.root]
          for (column, end, isFilled) in [
            (join.ownColumns[0], source, roots.contains(owner.root)),
            (join.otherColumns[0], target, isFilled),
          ] where isFilled {
            try database.run(
              """
              DELETE FROM \(name: join.table) WHERE \(name: column) NOT IN \
              (SELECT \(name: end.keyColumn) FROM \(name: end.table))
              """)
          }
        case .attribute, .toOne, .toManyForeignKey: continue
        }
      }
    }
  }
}
