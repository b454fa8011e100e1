package import DatastoreCore

/// The rows that go in a deletion of many, as their keys, by the root entities of their families.
package protocol DeletionSet: AnyObject {
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
  /// Deletes the rows of a family that go, and answers with their keys.
  func delete(_ family: EntityIndex) throws -> [EntityIndex: [RowKey]]
  /// Lets go of what the engine keeps for it.
  func end()
}

/// What goes with rows that are deleted without objects, and who forgets them: the delete rules of their
/// relationships, for every engine. Each rule is a few statements, however many rows there are.
struct DeletionPlan {
  private let database: any BatchDatabase
  private let set: any DeletionSet
  private var changed = MergedKeys()

  init(_ database: any BatchDatabase, _ set: any DeletionSet) {
    self.database = database
    self.set = set
  }

  private var mapping: SchemaMapping { database.mapping }
  private var schema: Schema { mapping.schema }

  /// Deletes rows of an entity.
  ///
  /// - Parameter query: selects their keys.
  /// - Throws: `ValidationError` where a rule denies it; what the engine throws.
  mutating func run(_ query: SQLFragment, of entity: EntityIndex) throws -> MergedKeys {
    try set.add(query, of: root(entity))
    try cascade()
    try requirePermission()
    for family in set.families { try leaveRelationships(of: family) }
    for family in set.families { try noteOneWayOwners(of: family) }
    // What was found by a row refers to it as a rule, so it goes first.
    for family in set.families.reversed() { try delete(family) }
    return changed
  }

  private func root(_ entity: EntityIndex) -> EntityIndex { schema.entities[entity].root }

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
    let pairs = QueryBuilder(mapping).relatedPairs(link)
    let isMeant =
      switch side {
      case .owner: set.goes(pairs.owner, of: root(link.entity))
      case .newOwner: set.isNew(pairs.owner, of: root(link.entity))
      case .destination: set.goes(pairs.member, of: root(link.destination))
      }
    return (pairs.rows(where: isMeant), pairs.owner, pairs.member)
  }

  private func stays(_ key: SQLFragment, _ entity: EntityIndex) -> SQLFragment {
    "NOT (\(set.goes(key, of: root(entity))))"
  }

  /// Adds what cascades, generation by generation, until there is no other: each row is looked at once.
  private func cascade() throws {
    while try set.advance() {
      for family in set.families {
        for link in schema.links(ofMembersOf: family) where link.description.deleteRule == .cascade
        {
          let pairs = pairs(link, of: .newOwner)
          try set.add("SELECT DISTINCT \(pairs.key)\(pairs.from)", of: root(link.destination))
        }
      }
    }
  }

  /// - Throws: `ValidationError` where an owner that is to go still leads to objects that stay.
  private func requirePermission() throws {
    var faults: [ValidationError.Fault] = []
    for family in set.families {
      for link in schema.links(ofMembersOf: family) where link.description.deleteRule == .deny {
        let pairs = pairs(link)
        let left = try database.counts(
          """
          SELECT \(pairs.owner), count(*)\(pairs.from) AND \(stays(pairs.key, link.destination)) \
          GROUP BY 1 ORDER BY 1 LIMIT 100
          """, of: link.entity)
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
          "SELECT DISTINCT \(pairs.key)\(pairs.from) AND \(stays(pairs.key, link.destination))",
          of: link.destination)
        for key in others { changed.note(key, inverse) }
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
    let clearsAll =
      database.looksAtReferencesAtOnce && !mapping.isMandatory(link.entity, link.slot)
    let isTold: SQLFragment =
      clearsAll ? "" : " AND \(stays(builder.key(link.entity, alias), link.entity))"
    try database.run(
      """
      UPDATE \(builder.table(link.entity, alias)) SET \(columns.joined(by: ", ")) \
      WHERE \(set.goes(builder.toOneKey(foreign, alias), of: family))\(isTold)
      """, of: link.entity)
  }

  private func deletePairs(_ join: JoinTable, of entity: EntityIndex) throws {
    let builder = QueryBuilder(mapping)
    let pair = builder.makeAlias()
    func holds(_ columns: [String]) -> SQLFragment {
      // In tables of ours it is the key itself.
      if mapping.isNative {
        return set.goes(builder.column(pair, columns[0]).typed(.key), of: root(entity))
      }
      let owner = builder.makeAlias()
      let isOwner = builder.refers(
        columns.map { builder.column(pair, $0) }, to: entity, join.ownReference,
        owner: .row(alias: owner))
      return """
        EXISTS (SELECT 1 FROM \(builder.table(entity, owner)) WHERE \(isOwner) \
        AND \(set.goes(builder.key(entity, owner), of: root(entity))))
        """
    }
    var condition = holds(join.ownColumns)
    if join.isSymmetric { condition += " OR " + holds(join.otherColumns) }
    try database.run(
      "DELETE FROM \(join.qualifiedTable) AS \(name: pair) WHERE \(condition)", of: entity)
  }

  /// What leads to rows that go and has no inverse is emptied by the database; here it is reported.
  private mutating func noteOneWayOwners(of family: EntityIndex) throws {
    for link in schema.oneWayLinks(toMembersOf: family) {
      let pairs = pairs(link, of: .destination)
      let owners = try database.keys(
        "SELECT DISTINCT \(pairs.owner)\(pairs.from) AND \(stays(pairs.owner, link.entity))",
        of: link.entity)
      for key in owners { changed.note(key, link) }
    }
  }

  private mutating func delete(_ family: EntityIndex) throws {
    let deleted = try set.delete(family)
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
