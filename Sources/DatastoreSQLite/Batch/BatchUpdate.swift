import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// One `UPDATE` of many rows, inside its transaction.
struct BatchUpdate {
  private let store: SQLiteStore
  private let database: Database
  private let entity: Entity
  private let mapped: EntityMapping
  private let assignments: [(slot: Slot, value: Value)]
  private let hasTriggers: Bool
  private var changed = MergedKeys()
  /// The keys of the rows that meet the condition.
  private var updated: ReturnedKeys

  init(
    _ store: SQLiteStore, _ database: Database, _ entity: EntityIndex,
    _ assignments: [(slot: Slot, value: Value)], hasTriggers: Bool
  ) {
    self.hasTriggers = hasTriggers
    self.store = store
    self.database = database
    self.entity = store.schema.entities[entity]
    mapped = store.mapping.entities[entity]
    updated = ReturnedKeys(of: entity)
    self.assignments = assignments
  }

  mutating func run(_ predicate: Predicate?) throws -> (MergedKeys, count: Int) {
    if assignments.isEmpty { return (changed, 0) }
    try store.requireWritable(entity.index)
    try noteFormerDestinations(predicate)
    let builder = QueryBuilder(store.mapping)
    let scope = builder.makeScope(entity.index)
    var columns: [SQLFragment] = []
    for (slot, value) in assignments { columns += try assignment(slot, value, builder) }
    var clause = try builder.changeClause(predicate, scope)
    if assignments.contains(where: { isOneToOne($0.slot) && !$0.value.isNull }) {
      guard let key = try onlyKey(predicate) else { return (changed, 0) }
      try separatePartners(of: key)
      clause = " WHERE \(builder.isRow(entity.index, scope.alias, key: "\(.key(key))"))"
    }
    let table = builder.table(entity.index, scope.alias)
    let slots = SlotSet(assignments.map(\.slot))
    do {
      let returned = ReturnedEntity(mapped)
      // Those that keep indexes of words write rows of other tables.
      let isAlone = !hasTriggers && store.wordTriggers.isEmpty
      if store.mapping.isNative, isAlone, returned.columnCount == 0 {
        updated.setAll(
          try WrittenKeys.updated(
            by: "UPDATE \(table) SET \(columns.joined(by: ", "))\(clause)", in: database))
      } else if case .rowid(let key) = mapped.key {
        let statement = try RawStatement(
          """
          UPDATE \(table) SET \(columns.joined(by: ", "))\(clause) \
          RETURNING \(name: key)\(returned.column)
          """, in: database)
        defer { statement.reset() }
        while try statement.step() {
          updated.append(
            statement.key(at: 0), try returned.entity(statement, at: 1))
        }
      } else {
        let keys = try RawStatement(
          "SELECT \(builder.key(entity.index, scope.alias)) FROM \(table)\(clause)", in: database)
        while try keys.step() { updated.append(keys.key(at: 0), nil) }
        try RawStatement(
          "UPDATE \(table) SET \(columns.joined(by: ", "))\(clause)", in: database
        ).run()
      }
    } catch let error as DatabaseError {
      throw StoreError(
        constraint: error, entity: entity, mapping: mapped, key: nil, in: database) ?? error
    }
    for (entity, keys) in updated.byEntity { note(slots, of: keys, entity) }
    try settlePartners()
    try RelationshipCounts(store: store, database: database).validate(changed)
    return (changed, updated.all.count)
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

  private func assignment(
    _ slot: Slot, _ value: Value, _ builder: QueryBuilder
  ) throws -> [SQLFragment] {
    let name = entity.properties[slot].name
    if store.isKeyPart(entity: entity.index, slot: slot) {
      throw StoreError.refused(
        entity: entity.name, key: nil,
        detail: "“\(name)” is part of the primary key, which a saved object keeps")
    }
    switch mapped.slots[slot] {
    case .attribute(let column) where !column.isGenerated:
      try entity.requireAssignable(value, at: slot)
      return ["\(name: column.name) = \(value)"]
    case .toOne(let foreign) where foreign.isWritable:
      let values = builder.storedValues(foreign, key: "\(value)")
      // Those that come new into an ordered relationship come last.
      let order = orderColumn(of: slot).map { ["\(name: $0) = NULL" as SQLFragment] } ?? []
      return zip(foreign.names, values).map { "\(name: $0) = \($1)" } + order
    case .attribute, .toOne:
      throw StoreError.refused(
        entity: entity.name, key: nil, detail: "“\(name)” follows from other columns")
    case .toManyForeignKey, .toManyJoin:
      throw StoreError.unsupportedPredicate(
        "“\(name)” leads to many objects; assign the other side of the relationship.")
    }
  }

  private func inverse(of slot: Slot) -> RelationshipLink? {
    entity.links[slot].flatMap { store.schema.inverse(of: $0) }
  }

  private func orderColumn(of slot: Slot) -> String? {
    guard let inverse = inverse(of: slot),
      case .toManyForeignKey(_, let order) = store.mapping.entities[inverse.entity].slots[
        inverse.slot]
    else { return nil }
    return order
  }

  /// The other sides of relationships that change: those that lose members, and the one that gains.
  private mutating func noteFormerDestinations(_ predicate: Predicate?) throws {
    for (slot, value) in assignments {
      guard case .toOne(let foreign) = mapped.slots[slot], let inverse = inverse(of: slot) else {
        continue
      }
      let builder = QueryBuilder(store.mapping)
      let scope = builder.makeScope(entity.index)
      let clause = try builder.whereClause(predicate, in: scope)
      let statement = try RawStatement(
        "SELECT DISTINCT \(builder.toOneKey(foreign, scope.alias))\(builder.from(scope))\(clause)",
        in: database)
      while try statement.step() {
        if sqlite3_column_type(statement.pointer, 0) == SQLITE_INTEGER {
          noteMember(statement.key(at: 0), inverse)
        }
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
    let builder = QueryBuilder(store.mapping)
    let scope = builder.makeScope(entity.index)
    let clause = try builder.whereClause(predicate, in: scope)
    let statement = try RawStatement(
      "SELECT \(builder.key(entity.index, scope.alias))\(builder.from(scope))\(clause)",
      in: database)
    var keys: [RowKey] = []
    while try statement.step() { keys.append(statement.key(at: 0)) }
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
      try noteRows(leadingTo: partner, link)
      try forget([partner], in: link)
      try noteRows(leadingTo: key, inverse)
      try forget([key], in: inverse)
    }
  }

  /// Sets a to-one relationship to NULL in all rows where it leads to one of the keys.
  private func forget(_ keys: [RowKey], in link: RelationshipLink) throws {
    guard case .toOne(let foreign) = store.mapping.entities[link.entity].slots[link.slot],
      foreign.isWritable
    else { return }
    let builder = QueryBuilder(store.mapping)
    let alias = builder.makeAlias()
    let columns = foreign.names.map { "\(name: $0) = NULL" as SQLFragment }
    let list = store.mapping.dialect.keyList(keys.map(\.rawValue))
    do {
      try RawStatement(
        """
        UPDATE \(builder.table(link.entity, alias)) SET \(columns.joined(by: ", ")) \
        WHERE \(store.mapping.dialect.isMember(builder.toOneKey(foreign, alias), of: "\(list)"))
        """, in: database
      ).run()
    } catch let error as DatabaseError {
      throw StoreError(
        constraint: error, entity: store.schema.entities[link.entity],
        mapping: store.mapping.entities[link.entity], key: nil, in: database) ?? error
    }
  }

  private mutating func noteRows(leadingTo key: RowKey, _ link: RelationshipLink) throws {
    guard case .toOne(let foreign) = store.mapping.entities[link.entity].slots[link.slot] else {
      return
    }
    let builder = QueryBuilder(store.mapping)
    let alias = builder.makeAlias()
    let statement = try RawStatement(
      """
      SELECT \(builder.key(link.entity, alias)) FROM \(builder.table(link.entity, alias)) \
      WHERE \(builder.toOneKey(foreign, alias)) = \(.key(key))
      """, in: database)
    while try statement.step() { noteMember(statement.key(at: 0), link) }
  }

  /// The other sides of one-to-one relationships follow: former partners forget this side, and a new
  /// one knows it.
  private func settlePartners() throws {
    for (slot, value) in assignments {
      guard let inverse = inverse(of: slot), inverse.kind == .toOne else { continue }
      guard case .integer(let partner) = value, let key = updated.all.first else {
        try forget(updated.all, in: inverse)
        continue
      }
      guard case .toOne(let foreign) = store.mapping.entities[inverse.entity].slots[inverse.slot],
        foreign.isWritable
      else { continue }
      let builder = QueryBuilder(store.mapping)
      let alias = builder.makeAlias()
      let values = builder.referencedValues(
        foreign.destination, foreign.reference, key: "\(.key(key))")
      let columns = zip(foreign.names, values).map { "\(name: $0) = \($1)" as SQLFragment }
      try RawStatement(
        """
        UPDATE \(builder.table(inverse.entity, alias)) SET \(columns.joined(by: ", ")) \
        WHERE \(builder.isRow(inverse.entity, alias, key: "\(.integer(partner))"))
        """, in: database
      ).run()
    }
  }
}
