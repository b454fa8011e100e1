#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// One `UPDATE` of many rows, inside its transaction.
struct BatchUpdate {
  private let transaction: WriteTransaction
  private let entity: Entity
  private let mapped: EntityMapping
  private let assignments: [(slot: Slot, value: Value)]
  private var changed = MergedKeys()
  /// The keys of the rows that meet the condition.
  private var updated: [RowKey] = []

  init(
    _ transaction: WriteTransaction, _ entity: EntityIndex,
    _ assignments: [(slot: Slot, value: Value)]
  ) {
    self.transaction = transaction
    self.entity = transaction.schema.entities[entity]
    mapped = transaction.mapping.entities[entity]
    self.assignments = assignments
  }

  private var mapping: SchemaMapping { transaction.mapping }

  mutating func run(_ predicate: Predicate?) throws -> (MergedKeys, Int) {
    if assignments.isEmpty { return (changed, 0) }
    var parameters: [PostgreSQLParameter] = []
    var columns: [SQLFragment] = []
    for (slot, value) in assignments { columns += try assignment(slot, value, &parameters) }
    try noteFormerDestinations(predicate)
    let builder = transaction.makeBuilder()
    let scope = builder.makeScope(entity.index)
    var clause = try builder.changeClause(predicate, scope)
    if assignments.contains(where: { isOneToOne($0.slot) && !$0.value.isNull }) {
      guard let key = try onlyKey(predicate) else { return (changed, 0) }
      try separatePartners(of: key)
      clause = " WHERE \(builder.isRow(entity.index, scope.alias, key: "\(.key(key))"))"
    }
    let rows = ReturnedRows(mapping, entity.index)
    let result = try transaction.run(
      """
      UPDATE \(builder.table(entity.index, scope.alias)) SET \(columns.joined(by: ", "))\(clause) \
      RETURNING \(rows.columns(of: scope.alias, builder))
      """, parameters, of: entity.index)
    let slots = SlotSet(assignments.map(\.slot))
    for (entity, keys) in try rows.keys(in: result) {
      updated += keys
      note(slots, of: keys, entity)
    }
    try settlePartners()
    try RelationshipCounts(transaction).validate(changed)
    return (changed, updated.count)
  }

  /// Tells that the rows have other values in those slots.
  private mutating func note(_ slots: SlotSet, of keys: [RowKey], _ entity: EntityIndex) {
    // Members of relationships may have been noted of some of them.
    var noted = changed.updated[entity] ?? [:]
    changed.updated[entity] = nil
    noted.reserveCapacity(noted.count + keys.count)
    for key in keys { noted[key, default: SlotSet()].formUnion(slots) }
    changed.updated[entity] = noted
  }

  /// What is set, with the value as an array of one: the column's own type, which a number or text alone need not
  /// be converted to.
  private func assignment(
    _ slot: Slot, _ value: Value, _ parameters: inout [PostgreSQLParameter]
  ) throws -> [SQLFragment] {
    let name = entity.properties[slot].name
    guard let column = ServerColumn(mapping, entity.index, slot) else {
      if entity.links[slot]?.kind.isToMany ?? false {
        throw StoreError.unsupportedPredicate(
          "“\(name)” leads to many objects; assign the other side of the relationship.")
      }
      throw StoreError.refused(
        entity: entity.name, key: nil, detail: "“\(name)” follows from other columns")
    }
    if entity.links[slot] == nil { try entity.requireAssignable(value, at: slot) }
    let page = RowPage(columnCount: slot.rawValue + 1, rowCapacity: 1)
    page.appendRow(key: 0)
    page.setValue(value, row: 0, slot: slot)
    page.seal()
    var array = PostgreSQLArray(of: column.type)
    do {
      _ = try column.append(page, 0, to: &array)
    } catch {
      throw StoreError.refused(
        entity: entity.name, key: nil, detail: "“\(name)” \(error.detail)")
    }
    parameters.append(array.parameter)
    // Those that come new into an ordered relationship come last.
    let order = orderColumn(of: slot).map { ["\(name: $0) = NULL" as SQLFragment] } ?? []
    return ["\(name: column.name) = (\(parameter: parameters.count))[1]"] + order
  }

  private func inverse(of slot: Slot) -> RelationshipLink? {
    entity.links[slot].flatMap { mapping.schema.inverse(of: $0) }
  }

  private func orderColumn(of slot: Slot) -> String? {
    guard let inverse = inverse(of: slot),
      case .toManyForeignKey(_, let order) = mapping.entities[inverse.entity].slots[inverse.slot]
    else { return nil }
    return order
  }

  /// The keys that a query finds.
  private func keys(_ sql: SQLFragment) throws -> [RowKey] {
    let result = try transaction.run(sql)
    return (0..<result.rowCount).compactMap { result.integer($0, 0).map { RowKey($0) } }
  }

  /// The other sides of relationships that change: those that lose members, and the one that gains.
  private mutating func noteFormerDestinations(_ predicate: Predicate?) throws {
    for (slot, value) in assignments {
      guard case .toOne(let foreign) = mapped.slots[slot], let inverse = inverse(of: slot) else {
        continue
      }
      let builder = transaction.makeBuilder()
      let scope = builder.makeScope(entity.index)
      let clause = try builder.whereClause(predicate, in: scope)
      for key in try keys(
        "SELECT DISTINCT \(builder.toOneKey(foreign, scope.alias))\(builder.from(scope))\(clause)")
      {
        noteMember(key, inverse)
      }
      if let key = value.key { noteMember(key, inverse) }
    }
  }

  private mutating func noteMember(_ key: RowKey, _ inverse: RelationshipLink) {
    changed.updated[inverse.entity, default: [:]][key, default: SlotSet()].insert(inverse.slot)
  }

  private func isOneToOne(_ slot: Slot) -> Bool { inverse(of: slot)?.kind == .toOne }

  /// The key of the one row that meets the condition; nil without one.
  ///
  /// - Throws: `StoreError.unsupportedPredicate` for several, of which only one could have the partner.
  private func onlyKey(_ predicate: Predicate?) throws -> RowKey? {
    let builder = transaction.makeBuilder()
    let scope = builder.makeScope(entity.index)
    let clause = try builder.whereClause(predicate, in: scope)
    let keys = try keys(
      "SELECT \(builder.key(entity.index, scope.alias))\(builder.from(scope))\(clause)")
    guard keys.count > 1 else { return keys.first }
    let names = assignments.filter { isOneToOne($0.slot) && !$0.value.isNull }
      .map { "“\(entity.properties[$0.slot].name)”" }.joined(separator: ", ")
    throw StoreError.unsupportedPredicate(
      "\(keys.count) objects of \(entity.name) meet the condition, but only one of them can have that "
        + "\(names); choose one.")
  }

  /// Before a row takes new partners: they leave the ones they have, and the row leaves its own.
  private mutating func separatePartners(of key: RowKey) throws {
    for (slot, value) in assignments {
      guard let partner = value.key, let link = entity.links[slot],
        let inverse = inverse(of: slot), inverse.kind == .toOne
      else { continue }
      for row in try transaction.forget([partner], in: link) { noteMember(row, link) }
      for row in try transaction.forget([key], in: inverse) { noteMember(row, inverse) }
    }
  }

  /// The other sides of one-to-one relationships follow: former partners forget this side, and a new
  /// one knows it.
  private func settlePartners() throws {
    for (slot, value) in assignments {
      guard let inverse = inverse(of: slot), inverse.kind == .toOne else { continue }
      guard let partner = value.key, let key = updated.first else {
        try transaction.forget(updated, in: inverse)
        continue
      }
      guard case .toOne(let foreign) = mapping.entities[inverse.entity].slots[inverse.slot] else {
        continue
      }
      let builder = QueryBuilder(mapping)
      let alias = builder.makeAlias()
      _ = try transaction.run(
        """
        UPDATE \(builder.table(inverse.entity, alias)) \
        SET \(name: foreign.names[0]) = \(.key(key)) \
        WHERE \(builder.isRow(inverse.entity, alias, key: "\(.key(partner))"))
        """, of: inverse.entity)
    }
  }
}
#endif
