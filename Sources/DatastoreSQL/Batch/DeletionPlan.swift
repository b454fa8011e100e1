package import DatastoreCore

/// What a deletion of many rows runs on: one connection, inside of its transaction, which keeps the keys of the rows
/// that go, by the root entities of their families.
package protocol DeletionDatabase: AnyObject {
  var mapping: SchemaMapping { get }
  /// Whether references are looked at before the transaction ends, so that rows that go cannot keep all of theirs.
  var looksAtReferencesAtOnce: Bool { get }
  /// The families of which rows go, in the order in which they were found.
  var families: [EntityIndex] { get }

  /// Adds the rows whose keys a query selects to those that go. Those that are new among them are of the next generation.
  func add(_ query: SQLFragment, of family: EntityIndex) throws
  /// Makes the next generation the newest one; false where nothing is in it.
  func advance() throws -> Bool
  /// That the row with a key goes.
  func goes(_ key: SQLFragment, of family: EntityIndex) -> SQLFragment
  /// That it goes, and is of the newest generation.
  func isNew(_ key: SQLFragment, of family: EntityIndex) -> SQLFragment

  /// The keys that a query selects.
  func keys(_ query: SQLFragment) throws -> [RowKey]
  /// The keys that a query selects, each with a number.
  func counts(_ query: SQLFragment) throws -> [(key: RowKey, count: Int)]
  /// Runs a statement about the rows of an entity.
  func run(_ statement: SQLFragment, of entity: EntityIndex) throws
  /// Deletes the rows of a family that go, and answers with their keys.
  func delete(_ family: EntityIndex) throws -> [EntityIndex: [RowKey]]
}

/// What goes with rows that are deleted without objects, and who forgets them: the delete rules of their
/// relationships, for every engine. Each rule is a few statements, however many rows there are.
package struct DeletionPlan<Database: DeletionDatabase> {
  private let database: Database
  private var changed = MergedKeys()

  package init(_ database: Database) {
    self.database = database
  }

  private var mapping: SchemaMapping { database.mapping }
  private var schema: Schema { mapping.schema }

  /// Deletes rows of an entity.
  ///
  /// - Parameter query: selects their keys.
  /// - Throws: `ValidationError` where a rule denies it; what the engine throws.
  package mutating func run(_ query: SQLFragment, of entity: EntityIndex) throws -> MergedKeys {
    try database.add(query, of: root(entity))
    try cascade()
    try requirePermission()
    for family in database.families { try leaveRelationships(of: family) }
    for family in database.families { try noteOneWayOwners(of: family) }
    // What was found by a row refers to it as a rule, so it goes first.
    for family in database.families.reversed() { try delete(family) }
    return changed
  }

  private func root(_ entity: EntityIndex) -> EntityIndex { schema.entities[entity].root }

  private mutating func note(_ key: RowKey, _ link: RelationshipLink) {
    changed.updated[link.entity, default: [:]][key, default: SlotSet()].insert(link.slot)
  }

  /// Which rows of a relationship are looked for.
  private enum Side {
    /// Those whose owner goes, or is of the newest generation.
    case owner, newOwner
    /// Those who lead to what goes.
    case destination
  }

  /// Where owners stand beside what a relationship leads them to.
  private func pairs(
    _ link: RelationshipLink, of side: Side = .owner
  ) -> (from: SQLFragment, owner: SQLFragment, key: SQLFragment) {
    let builder = QueryBuilder(mapping)
    let owner = builder.makeScope(link.entity)
    let ownerKey = builder.key(link.entity, owner.alias)
    func isMeant(_ key: SQLFragment) -> SQLFragment {
      switch side {
      case .owner: database.goes(ownerKey, of: root(link.entity))
      case .newOwner: database.isNew(ownerKey, of: root(link.entity))
      case .destination: database.goes(key, of: root(link.destination))
      }
    }
    let from = builder.from(owner)
    if case .toOne(let foreign) = mapping.entities[link.entity].slots[link.slot] {
      let key = builder.toOneKey(foreign, owner.alias)
      return (
        "\(from) WHERE \(isMeant(key)) AND \(mapping.dialect.isWhole(key))", ownerKey, key
      )
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
    return ("\(source) WHERE \(isMeant(key)) AND \(related)", ownerKey, key)
  }

  private func stays(_ key: SQLFragment, _ entity: EntityIndex) -> SQLFragment {
    "NOT (\(database.goes(key, of: root(entity))))"
  }

  /// Adds what cascades, generation by generation, until there is no other: each row is looked at once.
  private func cascade() throws {
    while try database.advance() {
      for family in database.families {
        for link in schema.links(ofMembersOf: family) where link.description.deleteRule == .cascade
        {
          let pairs = pairs(link, of: .newOwner)
          try database.add("SELECT DISTINCT \(pairs.key)\(pairs.from)", of: root(link.destination))
        }
      }
    }
  }

  /// - Throws: `ValidationError` where an owner that is to go still leads to objects that stay.
  private func requirePermission() throws {
    var faults: [ValidationError.Fault] = []
    for family in database.families {
      for link in schema.links(ofMembersOf: family) where link.description.deleteRule == .deny {
        let pairs = pairs(link)
        let left = try database.counts(
          """
          SELECT \(pairs.owner), count(*)\(pairs.from) AND \(stays(pairs.key, link.destination)) \
          GROUP BY 1 ORDER BY 1 LIMIT 100
          """)
        for (key, count) in left {
          faults.append(
            ValidationError.Fault(
              entity: schema.entities[link.entity].name, key: key, property: link.description.name,
              reason: .deletionDenied(related: count)))
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
        let others = try database.keys(
          "SELECT DISTINCT \(pairs.key)\(pairs.from) AND \(stays(pairs.key, link.destination))")
        for key in others { note(key, inverse) }
        if inverse.kind == .toOne { try forget(family, in: inverse) }
      }
      if case .toManyJoin(let join) = mapping.entities[link.entity].slots[link.slot] {
        try deletePairs(join, of: link.entity)
      }
    }
  }

  /// Sets a to-one relationship to NULL where it leads to rows that go.
  ///
  /// What goes itself keeps what it refers to, which it may have to; where references are looked at before the end, it
  /// forgets what it can.
  private func forget(_ family: EntityIndex, in link: RelationshipLink) throws {
    guard case .toOne(let foreign) = mapping.entities[link.entity].slots[link.slot],
      foreign.isWritable
    else { return }
    let builder = QueryBuilder(mapping)
    let alias = builder.makeAlias()
    let columns = foreign.names.map { "\(name: $0) = NULL" as SQLFragment }
    let clearsAll = database.looksAtReferencesAtOnce && link.description.isOptional
    let isTold: SQLFragment =
      clearsAll ? "" : " AND \(stays(builder.key(link.entity, alias), link.entity))"
    try database.run(
      """
      UPDATE \(builder.table(link.entity, alias)) SET \(columns.joined(by: ", ")) \
      WHERE \(database.goes(builder.toOneKey(foreign, alias), of: family))\(isTold)
      """, of: link.entity)
  }

  private func deletePairs(_ join: JoinTable, of entity: EntityIndex) throws {
    let builder = QueryBuilder(mapping)
    let owner = builder.makeAlias()
    let pair = builder.makeAlias()
    func holds(_ columns: [String]) -> SQLFragment {
      builder.refers(
        columns.map { builder.column(pair, $0) }, to: entity, join.ownReference,
        owner: .row(alias: owner))
    }
    var condition = holds(join.ownColumns)
    if join.isSymmetric { condition = "(\(condition) OR \(holds(join.otherColumns)))" }
    try database.run(
      """
      DELETE FROM \(join.qualifiedTable) AS \(name: pair) WHERE EXISTS (\
      SELECT 1 FROM \(builder.table(entity, owner)) WHERE \(condition) \
      AND \(database.goes(builder.key(entity, owner), of: root(entity))))
      """, of: entity)
  }

  /// What leads to rows that go and has no inverse is emptied by the database; here it is reported.
  private mutating func noteOneWayOwners(of family: EntityIndex) throws {
    for link in schema.oneWayLinks(toMembersOf: family) {
      let pairs = pairs(link, of: .destination)
      let owners = try database.keys(
        "SELECT DISTINCT \(pairs.owner)\(pairs.from) AND \(stays(pairs.owner, link.entity))")
      for key in owners { note(key, link) }
    }
  }

  private mutating func delete(_ family: EntityIndex) throws {
    let deleted = try database.delete(family)
    let members = schema.entities[family].members.filter { changed.updated[$0] != nil }
    if !members.isEmpty {
      let gone = Set(deleted.values.joined())
      for member in members {
        changed.updated[member] = changed.updated[member]?.filter { !gone.contains($0.key) }
      }
    }
    changed.deleted.merge(deleted) { $0 + $1 }
  }
}

extension SchemaMapping {
  /// What one statement has to return that deletes rows of an entity, where nothing but the rows themselves has to change:
  /// columns, and the relationships that lose them by what these hold. Nil where more has to change.
  ///
  package func returnedByPlainDeletion(
    of entity: EntityIndex
  ) -> [(column: String, inverse: RelationshipLink)]? {
    guard case .rowid = entities[entity].key, schema.oneWayLinks(toMembersOf: entity).isEmpty else {
      return nil
    }
    var returned: [(column: String, inverse: RelationshipLink)] = []
    for link in schema.links(ofMembersOf: entity) {
      guard case .toOne(let foreign) = entities[link.entity].slots[link.slot],
        link.description.deleteRule == .nullify || link.description.deleteRule == .noAction
      else { return nil }
      guard let inverse = schema.inverse(of: link) else { continue }
      guard inverse.kind != .toOne, foreign.reference == .rowid else { return nil }
      returned.append((foreign.names[0], inverse))
    }
    return returned
  }
}
