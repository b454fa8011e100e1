#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// A `DELETE` of many rows with what their delete rules ask for, inside its transaction.
///
/// The keys of the rows that go are held here, since they are told in the end, and sent back as one value: every rule is
/// a few statements, however many rows there are.
struct BatchDeletion {
  private let transaction: WriteTransaction
  private let entity: EntityIndex
  private var changed = MergedKeys()
  /// Root entities of which rows go, in the order in which they were found.
  private var families: [EntityIndex] = []
  /// What goes of each of them.
  private var doomed: [EntityIndex: Set<RowKey>] = [:]

  init(_ transaction: WriteTransaction, _ entity: EntityIndex) {
    self.transaction = transaction
    self.entity = entity
  }

  private var mapping: SchemaMapping { transaction.mapping }
  private var schema: Schema { transaction.schema }

  mutating func run(_ predicate: Predicate?) throws -> MergedKeys {
    if try !runPlain(predicate) {
      let builder = QueryBuilder(mapping)
      let scope = builder.makeScope(entity)
      let clause = try builder.whereClause(predicate, in: scope)
      let found = try keys(
        transaction.run("SELECT \(builder.key(entity, scope.alias))\(builder.from(scope))\(clause)")
      )
      try cascade(from: add(found, of: entity))
      try requirePermission()
      for family in families { try leaveRelationships(of: family) }
      for family in families { try noteOneWayOwners(of: family) }
      // What was found by a row refers to it as a rule, so it goes first.
      for family in families.reversed() { try deleteRows(of: family) }
    }
    try RelationshipCounts(transaction).validate(changed)
    return changed
  }

  /// One statement, where nothing but the rows themselves has to change.
  private mutating func runPlain(_ predicate: Predicate?) throws -> Bool {
    guard schema.oneWayLinks(toMembersOf: entity).isEmpty else { return false }
    var returned: [(column: String, inverse: RelationshipLink)] = []
    for link in schema.links(ofMembersOf: entity) {
      guard case .toOne(let foreign) = mapping.entities[link.entity].slots[link.slot],
        link.description.deleteRule == .nullify || link.description.deleteRule == .noAction
      else { return false }
      guard let inverse = schema.inverse(of: link) else { continue }
      guard inverse.kind != .toOne else { return false }
      returned.append((foreign.names[0], inverse))
    }
    let builder = QueryBuilder(mapping)
    let scope = builder.makeScope(entity)
    let clause = try builder.changeClause(predicate, scope)
    let rows = ReturnedRows(mapping, entity)
    let columns =
      [rows.columns(of: scope.alias, builder)]
      + returned.map { builder.column(scope.alias, $0.column) }
    let result = try transaction.run(
      """
      DELETE FROM \(builder.table(entity, scope.alias))\(clause) \
      RETURNING \(columns.joined(by: ", "))
      """, of: entity)
    changed.deleted = try rows.keys(in: result)
    for (index, item) in returned.enumerated() {
      for key in keys(result, column: rows.columnCount + index) { note(key, item.inverse) }
    }
    return true
  }

  /// The keys in a column, without NULL.
  private func keys(_ result: PostgreSQLResult, column: Int = 0) -> [RowKey] {
    (0..<result.rowCount).compactMap { result.integer($0, column).map { RowKey($0) } }
  }

  private mutating func note(_ key: RowKey, _ link: RelationshipLink) {
    changed.updated[link.entity, default: [:]][key, default: SlotSet()].insert(link.slot)
  }

  private func root(_ entity: EntityIndex) -> EntityIndex { schema.entities[entity].root }

  private func isDoomed(_ key: RowKey, _ entity: EntityIndex) -> Bool {
    doomed[root(entity)]?.contains(key) ?? false
  }

  /// Adds rows to those that go, and answers with those that are new among them.
  private mutating func add(_ keys: [RowKey], of entity: EntityIndex) -> [EntityIndex: [RowKey]] {
    let root = root(entity)
    if doomed[root] == nil {
      families.append(root)
      doomed[root] = []
    }
    let new = keys.filter { doomed[root, default: []].insert($0).inserted }
    return new.isEmpty ? [:] : [root: new]
  }

  /// Keys of a family in their order, as one value.
  private func list(_ family: EntityIndex) -> PostgreSQLParameter {
    .int8Array(doomed[family, default: []].sorted().lazy.map(\.rawValue))
  }

  /// One of the two sides of a relationship.
  private enum Side {
    case owner, destination
  }

  /// Where owners stand beside what a relationship leads them to, for those of which one side is in the list that is the
  /// first parameter.
  private func pairs(
    _ link: RelationshipLink, listing side: Side = .owner
  ) -> (from: SQLFragment, owner: SQLFragment, key: SQLFragment) {
    let builder = QueryBuilder(mapping)
    let owner = builder.makeScope(link.entity)
    let ownerKey = builder.key(link.entity, owner.alias)
    func isListed(_ key: SQLFragment) -> SQLFragment {
      mapping.dialect.isMember(side == .owner ? ownerKey : key, of: "\(parameter: 1)")
    }
    let from = builder.from(owner)
    if case .toOne(let foreign) = mapping.entities[link.entity].slots[link.slot] {
      let key = builder.toOneKey(foreign, owner.alias)
      return ("\(from) WHERE \(isListed(key)) AND \(key) IS NOT NULL", ownerKey, key)
    }
    let target = builder.makeScope(link.destination)
    let joinAlias = builder.makeAlias()
    var source = from
    if case .toManyJoin(let join) = mapping.entities[link.entity].slots[link.slot] {
      source += mapping.dialect.plainJoin + builder.pairs(join, joinAlias)
    }
    source += mapping.dialect.plainJoin + builder.table(link.destination, target.alias)
    let related = builder.isRelated(
      link, owner: .row(alias: owner.alias), destination: target.alias, joinAlias: joinAlias)
    let key = builder.key(link.destination, target.alias)
    return ("\(source) WHERE \(isListed(key)) AND \(related)", ownerKey, key)
  }

  /// Adds what cascades, generation by generation, until there is no other: each row is looked at once.
  private mutating func cascade(from first: [EntityIndex: [RowKey]]) throws {
    var generation = first
    while !generation.isEmpty {
      var next: [EntityIndex: [RowKey]] = [:]
      for (family, members) in generation.sorted(by: { $0.key < $1.key }) {
        for link in schema.links(ofMembersOf: family)
        where link.description.deleteRule == .cascade {
          let pairs = pairs(link)
          let found = try transaction.run(
            "SELECT DISTINCT \(pairs.key)\(pairs.from)",
            [.int8Array(members.lazy.map(\.rawValue))])
          next.merge(add(keys(found), of: link.destination)) { $0 + $1 }
        }
      }
      generation = next
    }
  }

  /// - Throws: `ValidationError` where an owner that is to go still leads to objects that stay.
  private func requirePermission() throws {
    var faults: [ValidationError.Fault] = []
    for family in families {
      for link in schema.links(ofMembersOf: family) where link.description.deleteRule == .deny {
        let pairs = pairs(link)
        // What goes as well is counted out by the server, since what stays may be all there is.
        let other = doomed[root(link.destination)] == nil ? nil : list(root(link.destination))
        let survives: SQLFragment =
          other == nil ? "" : " AND \(pairs.key) <> ALL(\(parameter: 2))"
        let result = try transaction.run(
          """
          SELECT \(pairs.owner), count(*)\(pairs.from)\(survives) GROUP BY 1 ORDER BY 1 LIMIT 100
          """, [list(family)] + (other.map { [$0] } ?? []))
        for row in 0..<result.rowCount {
          faults.append(
            ValidationError.Fault(
              entity: schema.entities[link.entity].name, key: RowKey(result.integer(row, 0) ?? 0),
              property: link.description.name,
              reason: .deletionDenied(related: Int(result.integer(row, 1) ?? 0))))
        }
      }
    }
    if !faults.isEmpty { throw ValidationError(faults: faults) }
  }

  /// The other sides of relationships forget the rows that go.
  private mutating func leaveRelationships(of family: EntityIndex) throws {
    for link in schema.links(ofMembersOf: family) where link.description.deleteRule != .noAction {
      if let inverse = schema.inverse(of: link) {
        let pairs = pairs(link)
        let others = try transaction.run(
          "SELECT DISTINCT \(pairs.key)\(pairs.from)", [list(family)])
        for key in keys(others) where !isDoomed(key, link.destination) { note(key, inverse) }
        if inverse.kind == .toOne {
          _ = try transaction.forget(doomed[family, default: []].sorted(), in: inverse)
        }
      }
      if case .toManyJoin(let join) = mapping.entities[link.entity].slots[link.slot] {
        try deletePairs(join, family)
      }
    }
  }

  private func deletePairs(_ join: JoinTable, _ family: EntityIndex) throws {
    var condition: SQLFragment = "\(name: join.ownColumns[0]) = ANY(\(parameter: 1))"
    if join.isSymmetric { condition += " OR \(name: join.otherColumns[0]) = ANY(\(parameter: 1))" }
    _ = try transaction.run(
      "DELETE FROM \(join.qualifiedTable) WHERE \(condition)", [list(family)])
  }

  /// What leads to rows that go and has no inverse is emptied by the server; here it is reported.
  private mutating func noteOneWayOwners(of family: EntityIndex) throws {
    for link in schema.oneWayLinks(toMembersOf: family) {
      let pairs = pairs(link, listing: .destination)
      let owners = try transaction.run(
        "SELECT DISTINCT \(pairs.owner)\(pairs.from)", [list(family)])
      for key in keys(owners) where !isDoomed(key, link.entity) { note(key, link) }
    }
  }

  private mutating func deleteRows(of family: EntityIndex) throws {
    let builder = QueryBuilder(mapping)
    let alias = builder.makeAlias()
    let rows = ReturnedRows(mapping, family)
    let key = builder.key(family, alias)
    let result = try transaction.run(
      """
      DELETE FROM \(builder.table(family, alias)) \
      WHERE \(mapping.dialect.isMember(key, of: "\(parameter: 1)")) \
      RETURNING \(rows.columns(of: alias, builder))
      """, [list(family)], of: family)
    changed.deleted.merge(try rows.keys(in: result)) { $0 + $1 }
    for member in schema.entities[family].members where changed.updated[member] != nil {
      changed.updated[member] = changed.updated[member]?.filter { !isDoomed($0.key, family) }
    }
  }
}
#endif
