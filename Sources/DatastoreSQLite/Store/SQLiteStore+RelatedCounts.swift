import DatastoreCore
import GRDB
import GRDBSQLite

/// How many objects to-many relationships lead to, for lists that show numbers and not members.
extension SQLiteStore {
  /// The number of saved members of a to-many relationship by owner, for many owners with one
  /// statement; owners without members are left out. Interrupted when the task is cancelled.
  ///
  /// - Throws: `StoreError`; `CancellationError`.
  package func relatedCounts(
    entity: Int, slot: Int, keys: [Int64]
  ) async throws -> [Int64: Int] {
    guard let link = schema.entities[entity].links[slot], link.kind.isToMany else {
      preconditionFailure("only to-many relationships lead to many objects")
    }
    return try await readAsync { database in
      let statement = try RawStatement(
        QueryBuilder(self.mapping).relatedCounts(
          link, isIndexed: self.countsQuickly(entity: entity, slot: slot)),
        in: database, isCached: true)
      defer { statement.reset() }
      try statement.bind(.text(keys.jsonText), at: 1)
      var counts: [Int64: Int] = [:]
      while try statement.step() {
        counts[sqlite3_column_int64(statement.pointer, 0)] = Int(
          sqlite3_column_int64(statement.pointer, 1))
      }
      return counts
    }
  }

  /// Whether the members of an owner are found by an index, so that counting them does not read a
  /// whole table. False for slots that are no to-many relationship. O(1).
  package func countsQuickly(entity: Int, slot: Int) -> Bool {
    guard let link = schema.entities[entity].links[slot] else { return false }
    switch mapping.entities[entity].slots[slot] {
    case .toManyForeignKey(let inverse, _):
      guard case .toOne(let foreign) = mapping.entities[link.destination].slots[inverse] else {
        return false
      }
      return foreign.isIndexed
    case .toManyJoin(let join): return join.isIndexed
    case .attribute, .toOne: return false
    }
  }
}

extension QueryBuilder {
  /// The owner's key and the number of its members, for the owners whose keys are the JSON array `?1`.
  fileprivate func relatedCounts(_ link: RelationshipLink, isIndexed: Bool) -> SQLFragment {
    let owner = makeScope(link.entity)
    let destination = makeScope(link.destination)
    let joinAlias = makeAlias()
    let ownerKey = key(link.entity, owner.alias)
    // With an index the owners must come first; without one SQLite knows better.
    let join: SQLFragment = isIndexed ? " CROSS JOIN " : " JOIN "
    var source = from(owner) + join
    var counted: SQLFragment = "count(*)"
    if case .toManyJoin(let pairs) = mapping.entities[link.entity].slots[link.slot] {
      source += self.pairs(pairs, joinAlias) + join
      if pairs.mayRepeat {
        counted = "count(DISTINCT \(key(link.destination, destination.alias)))"
      }
    }
    source += table(link.destination, destination.alias)
    let related = isRelated(
      link, owner: .row(alias: owner.alias), destination: destination.alias, joinAlias: joinAlias)
    return """
      SELECT \(ownerKey), \(counted)\(source) \
      WHERE \(ownerKey) IN (SELECT value FROM json_each(?1)) AND \(related) GROUP BY \(ownerKey)
      """
  }
}
