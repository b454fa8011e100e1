package import DatastoreCore

extension BatchDatabase {
  /// Sets new values on the stored rows that meet a condition.
  ///
  /// - Parameter assignments: slots of attributes and to-one relationships (as keys) with their values.
  /// - Returns: the rows whose values or relationship members have changed, and the number of rows that met
  ///   the condition.
  /// - Throws: `ValidationError`, `StoreError`; the errors of the engine.
  package func update(
    _ entity: EntityIndex, where predicate: Predicate?,
    assigning assignments: [(slot: Slot, value: Value)]
  ) throws -> (MergedKeys, count: Int) {
    var update = BatchUpdate(self, entity, assignments)
    return try update.run(predicate)
  }
}

/// One `UPDATE` of many rows, with its consequences for the other sides of relationships.
private struct BatchUpdate {
  private let database: any BatchDatabase
  private let entity: Entity
  private let mapped: EntityMapping
  private let assignments: [(slot: Slot, value: Value)]
  private var changed = MergedKeys()
  /// The keys of the rows that meet the condition.
  private var updated: [RowKey] = []

  init(
    _ database: any BatchDatabase, _ entity: EntityIndex,
    _ assignments: [(slot: Slot, value: Value)]
  ) {
    self.database = database
    self.entity = database.schema.entities[entity]
    mapped = database.mapping.entities[entity]
    self.assignments = assignments
  }

  private var mapping: SchemaMapping { database.mapping }

  mutating func run(_ predicate: Predicate?) throws -> (MergedKeys, count: Int) {
    if assignments.isEmpty { return (changed, 0) }
    for (slot, value) in assignments { try requireAssignable(slot, value) }
    try recordFormerDestinations(predicate)
    let builder = database.makeBuilder()
    let scope = builder.makeScope(entity.index)
    var clause = try builder.changeClause(predicate, scope)
    if assignments.contains(where: { isOneToOne($0.slot) && !$0.value.isNull }) {
      guard let key = try onlyKey(predicate) else { return (changed, 0) }
      try separatePartners(of: key)
      clause = isRow(key, of: entity.index, scope.alias)
    }
    // Rows that are new in an ordered relationship come last.
    let orders = assignments.compactMap { orderColumn(of: $0.slot) }
    let keys = try database.update(
      entity.index, as: scope.alias, assigning: assignments, clearing: orders, clause)
    let slots = SlotSet(assignments.map(\.slot))
    for (entity, keys) in keys {
      updated += keys
      changed.record(slots, of: keys, entity)
    }
    try settlePartners()
    try database.validateCounts(changed)
    return (changed, updated.count)
  }

  private func requireAssignable(_ slot: Slot, _ value: Value) throws {
    let name = entity.properties[slot].name
    if mapped.isKeyPart(slot: slot) {
      throw StoreError.refused(
        entity: entity.name, key: nil,
        detail: "“\(name)” is part of the primary key, which a saved object keeps")
    }
    switch mapped.slots[slot] {
    case .attribute(let column) where !column.isGenerated:
      try entity.requireAssignable(value, at: slot)
    case .toOne(let foreign) where foreign.isWritable: break
    case .attribute, .toOne:
      throw StoreError.refused(
        entity: entity.name, key: nil, detail: "“\(name)” follows from other columns")
    case .toManyForeignKey, .toManyJoin:
      throw StoreError.unsupportedPredicate(
        "“\(name)” leads to many objects; assign the other side of the relationship.")
    }
  }

  /// ` WHERE …` for one row.
  private func isRow(_ key: RowKey, of entity: EntityIndex, _ alias: String) -> SQLFragment {
    " WHERE \(database.isMember(QueryBuilder(mapping).key(entity, alias), of: [key], entity))"
  }

  private func inverse(of slot: Slot) -> RelationshipLink? {
    entity.links[slot].flatMap { mapping.schema.entities.inverse(of: $0) }
  }

  private func orderColumn(of slot: Slot) -> String? {
    guard let inverse = inverse(of: slot),
      case .toManyForeignKey(_, let order) = mapping.entities[inverse.entity].slots[inverse.slot]
    else { return nil }
    return order
  }

  /// The other sides of changed relationships: the objects that lose members, and the one that gains them.
  private mutating func recordFormerDestinations(_ predicate: Predicate?) throws {
    for (slot, value) in assignments {
      guard case .toOne(let foreign) = mapped.slots[slot], let inverse = inverse(of: slot) else {
        continue
      }
      let builder = database.makeBuilder()
      let scope = builder.makeScope(entity.index)
      let clause = try builder.whereClause(predicate, in: scope)
      let former = try database.keys(
        "SELECT DISTINCT \(builder.toOneKey(foreign, scope.alias))\(builder.from(scope))\(clause)",
        of: foreign.destination)
      for key in former { changed.record(key, inverse) }
      if let key = value.key { changed.record(key, inverse) }
    }
  }

  private func isOneToOne(_ slot: Slot) -> Bool { inverse(of: slot)?.kind == .toOne }

  /// The key of the only row that meets the condition; nil if there is none.
  ///
  /// - Throws: `StoreError.unsupportedPredicate` for several rows, only one of which could have the partner.
  private func onlyKey(_ predicate: Predicate?) throws -> RowKey? {
    let builder = database.makeBuilder()
    let scope = builder.makeScope(entity.index)
    let clause = try builder.whereClause(predicate, in: scope)
    let keys = try database.keys(
      "SELECT \(builder.key(entity.index, scope.alias))\(builder.from(scope))\(clause)",
      of: entity.index)
    guard keys.count > 1 else { return keys.first }
    let names = assignments.filter { isOneToOne($0.slot) && !$0.value.isNull }
      .map { "“\(entity.properties[$0.slot].name)”" }.joined(separator: ", ")
    throw StoreError.unsupportedPredicate(
      "\(keys.count) objects of \(entity.name) meet the condition, but only one of them can have that "
        + "\(names); choose one.")
  }

  /// Separates a row from its old partners, and its new partners from theirs, before it takes these.
  private mutating func separatePartners(of key: RowKey) throws {
    for (slot, value) in assignments {
      guard let partner = value.key, let link = entity.links[slot],
        let inverse = inverse(of: slot), inverse.kind == .toOne
      else { continue }
      for row in try forget([partner], in: link) { changed.record(row, link) }
      for row in try forget([key], in: inverse) { changed.record(row, inverse) }
    }
  }

  /// Sets a to-one relationship to NULL in all rows where it leads to one of the keys, and returns their
  /// keys.
  @discardableResult
  private func forget(_ keys: [RowKey], in link: RelationshipLink) throws -> [RowKey] {
    guard case .toOne(let foreign) = mapping.entities[link.entity].slots[link.slot],
      foreign.isWritable, !keys.isEmpty
    else { return [] }
    let builder = QueryBuilder(mapping)
    let alias = builder.makeAlias()
    let leads = database.isMember(builder.toOneKey(foreign, alias), of: keys, foreign.destination)
    let rows = try database.update(
      link.entity, as: alias, assigning: [(link.slot, .null)], clearing: [], " WHERE \(leads)")
    return rows.values.flatMap(\.self)
  }

  /// Updates the other sides of one-to-one relationships: former partners lose this side, and a new one gains
  /// it.
  private func settlePartners() throws {
    for (slot, value) in assignments {
      guard let inverse = inverse(of: slot), inverse.kind == .toOne else { continue }
      guard let partner = value.key, let key = updated.first else {
        try forget(updated, in: inverse)
        continue
      }
      guard case .toOne(let foreign) = mapping.entities[inverse.entity].slots[inverse.slot],
        foreign.isWritable
      else { continue }
      let alias = QueryBuilder(mapping).makeAlias()
      _ = try database.update(
        inverse.entity, as: alias, assigning: [(inverse.slot, .key(key))], clearing: [],
        isRow(partner, of: inverse.entity, alias))
    }
  }
}
