package import DatastoreCore

extension BatchDatabase {
  /// Deletes the stored rows that meet a condition, and applies the delete rules of their relationships.
  ///
  /// - Returns: the deleted rows, and the rows whose relationship members have changed.
  /// - Throws: `ValidationError` if a rule denies it; the errors of the engine.
  package func delete(_ entity: EntityIndex, where predicate: Predicate?) throws -> MergedKeys {
    let builder = makeBuilder()
    let scope = builder.makeScope(entity)
    let changed: MergedKeys
    if let returned = mapping.returnedByPlainDeletion(of: entity) {
      changed = try delete(
        entity, scope.alias, builder.changeClause(predicate, scope), returning: returned)
    } else {
      let clause = try builder.whereClause(predicate, in: scope)
      var deletion = BatchDeletion(self)
      defer { deletion.end() }
      changed = try deletion.run(
        "SELECT \(builder.key(entity, scope.alias))\(builder.from(scope))\(clause)", of: entity)
    }
    try validateCounts(changed)
    return changed
  }

  /// Deletes with one statement, if only the rows themselves have to change.
  private func delete(
    _ entity: EntityIndex, _ alias: String, _ clause: SQLFragment,
    returning returned: [(column: String, inverse: RelationshipLink)]
  ) throws -> MergedKeys {
    let deleted = try delete(entity, as: alias, clause, returning: returned.map(\.column))
    var changed = MergedKeys()
    changed.deleted = deleted.keys
    for (item, owners) in zip(returned, deleted.references) {
      for key in owners { changed.record(key, item.inverse) }
    }
    return changed
  }
}

extension SchemaMapping {
  /// The values that a single statement deleting rows of an entity has to return, if only the rows themselves
  /// have to change: columns, and the relationships that lose the rows by the columns' values. nil if more
  /// has to change.
  fileprivate func returnedByPlainDeletion(
    of entity: EntityIndex
  ) -> [(column: String, inverse: RelationshipLink)]? {
    let rules = schema.deleteRules(of: entity)
    guard case .rowid = entities[entity].key, rules.oneWay.isEmpty else { return nil }
    var returned: [(column: String, inverse: RelationshipLink)] = []
    for link in schema.entities.links(ofMembersOf: entity) {
      guard case .toOne(let foreign) = entities[link.entity].slots[link.slot],
        !rules.spreading.contains(link), !rules.denying.contains(link)
      else { return nil }
      guard let inverse = schema.entities.inverse(of: link) else { continue }
      guard inverse.kind != .toOne, foreign.reference == .rowid else { return nil }
      returned.append((foreign.names[0], inverse))
    }
    return returned
  }
}

/// The keys of the rows to delete in a deletion of many, by the root entities of their families.
package protocol DeletionSet: AnyObject {
  /// Adds the rows whose keys a query selects. New ones among them belong to the next generation; returns
  /// false if there are none.
  func add(_ query: SQLFragment, of family: EntityIndex) throws -> Bool
  /// Makes the next generation the newest one.
  func advance()
  /// The condition that the row with a key is to be deleted.
  func goes(_ key: SQLFragment, of family: EntityIndex) -> SQLFragment
  /// The condition that the row with a key is to be deleted, and is of the newest generation.
  func isNew(_ key: SQLFragment, of family: EntityIndex) -> SQLFragment
  /// Deletes the rows of a family in the set, and returns their keys.
  func delete(_ family: EntityIndex) throws -> [EntityIndex: [RowKey]]
  /// Releases the engine's resources for it.
  func end()
}

/// Applies the delete rules of rows that are deleted without objects, for every engine. Each rule takes a few
/// statements, however many rows there are.
private struct BatchDeletion {
  private let database: any BatchDatabase
  private let set: any DeletionSet
  private var plan: DeletePlan
  private var changed = MergedKeys()

  init(_ database: any BatchDatabase) {
    self.database = database
    set = database.makeDeletionSet()
    plan = DeletePlan(database.schema)
  }

  func end() { set.end() }

  private var mapping: SchemaMapping { database.mapping }
  private var schema: Schema { mapping.schema }

  /// Deletes rows of an entity.
  ///
  /// - Parameter query: selects their keys.
  /// - Throws: `ValidationError` if a rule denies it; the errors of the engine.
  mutating func run(_ query: SQLFragment, of entity: EntityIndex) throws -> MergedKeys {
    try add(query, of: entity)
    while let links = plan.nextGeneration() {
      set.advance()
      for link in links {
        let pairs = pairs(link)
        let isNew = set.isNew(pairs.owner, of: root(link.entity))
        try add("SELECT DISTINCT \(pairs.member)\(pairs.rows(where: isNew))", of: link.destination)
      }
    }
    try requirePermission()
    for rules in plan.rules {
      for link in rules.leaving + rules.denying { try leave(link) }
    }
    for link in plan.rules.flatMap(\.oneWay) { try recordOwners(link) }
    for family in plan.families.reversed() {
      changed.deleted.merge(try set.delete(family)) { $0 + $1 }
    }
    if plan.families.contains(where: mapping.setsDefaults(deleting:)) {
      changed.isEverything = true
    }
    return changed
  }

  private mutating func add(_ query: SQLFragment, of entity: EntityIndex) throws {
    if try set.add(query, of: root(entity)) { plan.found(entity) }
  }

  private func root(_ entity: EntityIndex) -> EntityIndex { schema.entities[entity].root }

  /// The owners and members of a relationship, as pairs.
  private func pairs(_ link: RelationshipLink) -> RelatedPairs {
    QueryBuilder(mapping).relatedPairs(link)
  }

  private func goes(_ key: SQLFragment, _ entity: EntityIndex) -> SQLFragment {
    set.goes(key, of: root(entity))
  }

  private func stays(_ key: SQLFragment, _ entity: EntityIndex) -> SQLFragment {
    "NOT (\(goes(key, entity)))"
  }

  /// - Throws: `ValidationError` if an owner to be deleted still leads to objects that stay.
  private func requirePermission() throws {
    var faults: [ValidationError.Fault] = []
    for link in plan.rules.flatMap(\.denying) {
      let pairs = pairs(link)
      let builder = QueryBuilder(mapping)
      let member = builder.makeScope(link.destination)
      // The reference may lead nowhere.
      let isThere: SQLFragment =
        " AND \(pairs.member) IN (SELECT \(builder.key(link.destination, member.alias))\(builder.from(member)))"
      let left = try database.counts(
        """
        SELECT \(pairs.owner), count(*)\(pairs.rows(where: goes(pairs.owner, link.entity))) \
        AND \(stays(pairs.member, link.destination))\(link.kind == .toOne ? isThere : "") \
        GROUP BY 1 ORDER BY 1 LIMIT 100
        """, of: link.entity)
      for (key, count) in left {
        faults.append(
          ValidationError.Fault(
            entity: schema.entities[link.entity].name, key: key, property: link.description.name,
            reason: .deletionDenied(related: count)))
      }
    }
    if !faults.isEmpty { throw ValidationError(faults: faults) }
  }

  /// Removes the deleted rows from the other side of a relationship.
  private mutating func leave(_ link: RelationshipLink) throws {
    if let inverse = schema.entities.inverse(of: link) {
      let pairs = pairs(link)
      let others = try database.keys(
        """
        SELECT DISTINCT \(pairs.member)\(pairs.rows(where: goes(pairs.owner, link.entity))) \
        AND \(stays(pairs.member, link.destination))
        """, of: link.destination)
      for key in others { changed.record(key, inverse) }
      if inverse.kind == .toOne { try forget(root(link.entity), in: inverse) }
    }
    if case .toManyJoin(let join) = mapping.entities[link.entity].slots[link.slot] {
      try deletePairs(join, of: link.entity)
    }
  }

  /// Sets a to-one relationship to NULL where it leads to rows to be deleted.
  ///
  /// A row that is itself to be deleted keeps its references, which may be required; if references are
  /// checked before the end, it clears those it can.
  private func forget(_ family: EntityIndex, in link: RelationshipLink) throws {
    guard case .toOne(let foreign) = mapping.entities[link.entity].slots[link.slot],
      foreign.isWritable
    else { return }
    let builder = QueryBuilder(mapping)
    let alias = builder.makeAlias()
    let columns = foreign.names.map { "\(name: $0) = NULL" as SQLFragment }
    let clearsAll =
      database.looksAtReferencesAtOnce && !mapping.isMandatory(link.entity, link.slot)
    if mapping.entities[link.entity].isPlace(foreign.names) {
      return try requireNone(family, in: link, builder, alias, foreign)
    }
    let isTold: SQLFragment =
      clearsAll ? "" : " AND \(stays(builder.key(link.entity, alias), link.entity))"
    try database.run(
      """
      UPDATE \(builder.table(link.entity, alias)) SET \(columns.joined(by: ", ")) \
      WHERE \(set.goes(builder.toOneKey(foreign, alias), of: family))\(isTold)
      """, of: link.entity)
  }

  /// If a reference determines the machine of its row, it can never be NULL, not even for a moment.
  ///
  /// - Throws: `StoreError.missingValue` if a remaining row refers to rows to be deleted.
  private func requireNone(
    _ family: EntityIndex, in link: RelationshipLink, _ builder: QueryBuilder, _ alias: String,
    _ foreign: ForeignKey
  ) throws {
    let key = builder.key(link.entity, alias)
    let left = try database.keys(
      """
      SELECT \(key) FROM \(builder.table(link.entity, alias)) \
      WHERE \(set.goes(builder.toOneKey(foreign, alias), of: family)) AND \(stays(key, link.entity)) LIMIT 1
      """, of: link.entity)
    if let first = left.first {
      throw StoreError.missingValue(
        entity: schema.entities[link.entity].name, property: link.description.name, key: first)
    }
  }

  private func deletePairs(_ join: JoinTable, of entity: EntityIndex) throws {
    let builder = QueryBuilder(mapping)
    let pair = builder.makeAlias()
    func holds(_ columns: [String]) -> SQLFragment {
      // In native tables it is the key itself.
      if mapping.isNative {
        return goes(builder.column(pair, columns[0]).typed(.key), entity)
      }
      let owner = builder.makeAlias()
      let isOwner = builder.refers(
        columns.map { builder.column(pair, $0) }, to: entity, join.ownReference,
        owner: .row(alias: owner))
      return """
        EXISTS (SELECT 1 FROM \(builder.table(entity, owner)) WHERE \(isOwner) \
        AND \(goes(builder.key(entity, owner), entity)))
        """
    }
    var condition = holds(join.ownColumns)
    if join.isSymmetric { condition += " OR " + holds(join.otherColumns) }
    try database.run(
      "DELETE FROM \(join.qualifiedTable) AS \(name: pair) WHERE \(condition)", of: entity)
  }

  /// The database clears one-way references to deleted rows; this reports them.
  private mutating func recordOwners(_ link: RelationshipLink) throws {
    let pairs = pairs(link)
    let owners = try database.keys(
      """
      SELECT DISTINCT \(pairs.owner)\(pairs.rows(where: goes(pairs.member, link.destination))) \
      AND \(stays(pairs.owner, link.entity))
      """, of: link.entity)
    for key in owners { changed.record(key, link) }
  }
}
