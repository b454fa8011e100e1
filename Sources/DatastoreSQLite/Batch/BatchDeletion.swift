import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// A `DELETE` of many rows with what their delete rules ask for, inside its transaction.
///
/// The keys of the rows that go are in temporary tables, one for a family of entities, so that every
/// rule is a few statements, however many rows there are.
struct BatchDeletion {
  private let store: SQLiteStore
  private let mapping: SchemaMapping
  private let schema: Schema
  private let database: Database
  private let entity: EntityIndex
  private var changed = MergedKeys()
  /// Root entities that have a temporary table of keys.
  private var deletionSets: [EntityIndex] = []

  init(_ store: SQLiteStore, _ database: Database, _ entity: EntityIndex) {
    self.store = store
    mapping = store.mapping
    schema = store.schema
    self.database = database
    self.entity = entity
  }

  mutating func run(_ predicate: Predicate?) throws -> MergedKeys {
    try store.requireWritable(entity)
    let counts = RelationshipCounts(store: store, database: database)
    if try runPlain(predicate) {
      try counts.validate(changed)
      return changed
    }
    defer { for entity in deletionSets { try? drop(entity) } }
    try beginDeletionSet(entity)
    let builder = QueryBuilder(mapping)
    let scope = builder.makeScope(entity)
    let clause = try builder.whereClause(predicate, in: scope)
    try RawStatement(
      """
      INSERT OR IGNORE INTO \(table(entity)) \
      SELECT \(builder.key(entity, scope.alias)), 0\(builder.from(scope))\(clause)
      """, in: database
    ).run()
    try cascade()
    try requirePermission()
    for entity in deletionSets { try leaveRelationships(of: entity) }
    for entity in deletionSets { try noteOneWayOwners(of: entity) }
    for entity in deletionSets { try deleteRows(of: entity) }
    try counts.validate(changed)
    return changed
  }

  /// One statement, where nothing but the rows themselves has to change.
  private mutating func runPlain(_ predicate: Predicate?) throws -> Bool {
    guard case .rowid(let key) = mapping.entities[entity].key,
      schema.oneWayLinks(toMembersOf: entity).isEmpty
    else { return false }
    var returned: [(column: String, inverse: RelationshipLink)] = []
    for link in schema.links(ofMembersOf: entity) {
      guard case .toOne(let foreign) = mapping.entities[link.entity].slots[link.slot],
        link.description.deleteRule == .nullify || link.description.deleteRule == .noAction
      else { return false }
      guard let inverse = schema.inverse(of: link) else { continue }
      guard inverse.kind != .toOne, foreign.reference == .rowid else { return false }
      returned.append((foreign.names[0], inverse))
    }
    let builder = QueryBuilder(mapping)
    let scope = builder.makeScope(entity)
    let clause = try builder.changeClause(predicate, scope)
    let names = ([key] + returned.map(\.column)).map { "\(name: $0)" as SQLFragment }
    let entities = ReturnedEntity(mapping.entities[entity])
    let statement = try RawStatement(
      """
      DELETE FROM \(builder.table(entity, scope.alias))\(clause) RETURNING \(names.joined(by: ", "))\
      \(entities.column)
      """, in: database)
    defer { statement.reset() }
    var keys = ReturnedKeys(of: entity)
    while try statement.step() {
      keys.append(
        statement.key(at: 0),
        try entities.entity(statement, at: Int32(names.count)))
      for (index, item) in returned.enumerated()
      where sqlite3_column_type(statement.pointer, Int32(index + 1)) == SQLITE_INTEGER {
        note(statement.key(at: Int32(index + 1)), item.inverse)
      }
    }
    changed.deleted = keys.byEntity
    return true
  }

  private mutating func note(_ key: RowKey, _ link: RelationshipLink) {
    changed.updated[link.entity, default: [:]][key, default: SlotSet()].insert(link.slot)
  }

  private func root(_ entity: EntityIndex) -> EntityIndex { schema.entities[entity].root }

  private func table(_ entity: EntityIndex) -> SQLFragment {
    "temp.\(name: "datastore_doomed_\(root(entity))")"
  }

  private func drop(_ entity: EntityIndex) throws {
    try RawStatement("DROP TABLE IF EXISTS \(table(entity))", in: database).run()
  }

  private mutating func beginDeletionSet(_ entity: EntityIndex) throws {
    let entity = root(entity)
    guard !deletionSets.contains(entity) else { return }
    try drop(entity)
    try RawStatement(
      "CREATE TABLE \(table(entity)) (key INTEGER PRIMARY KEY, generation INTEGER NOT NULL)",
      in: database
    ).run()
    let index: SQLFragment = "temp.\(name: "datastore_doomed_\(entity)_index")"
    try RawStatement(
      "CREATE INDEX \(index) ON \(name: "datastore_doomed_\(entity)") (generation)", in: database
    ).run()
    deletionSets.append(entity)
  }

  /// One of the two sides of a relationship.
  private enum Side {
    case owner, destination
    /// Owners that came into the deletion set in the generation `?1`.
    case ownerOfGeneration
  }

  /// `SELECT`s owners and what a relationship leads them to, where one of the two is in the deletion set.
  private func pairs(
    _ link: RelationshipLink, deleting side: Side = .owner
  ) -> (from: SQLFragment, owner: SQLFragment, key: SQLFragment) {
    let builder = QueryBuilder(mapping)
    let owner = builder.makeScope(link.entity)
    let ownerKey = builder.key(link.entity, owner.alias)
    func isInDeletionSet(_ key: SQLFragment) -> SQLFragment {
      switch side {
      case .owner: "\(ownerKey) IN (SELECT key FROM \(table(link.entity)))"
      case .ownerOfGeneration:
        "\(ownerKey) IN (SELECT key FROM \(table(link.entity)) WHERE generation = ?1)"
      case .destination: "\(key) IN (SELECT key FROM \(table(link.destination)))"
      }
    }
    let from = builder.from(owner)
    if case .toOne(let foreign) = mapping.entities[link.entity].slots[link.slot] {
      let key = builder.toOneKey(foreign, owner.alias)
      return ("\(from) WHERE \(isInDeletionSet(key)) AND typeof(\(key)) = 'integer'", ownerKey, key)
    }
    let target = builder.makeScope(link.destination)
    let joinAlias = builder.makeAlias()
    var source = from
    if case .toManyJoin(let join) = mapping.entities[link.entity].slots[link.slot] {
      source += " JOIN " + builder.pairs(join, joinAlias)
    }
    source += " JOIN " + builder.table(link.destination, target.alias)
    let related = builder.isRelated(
      link, owner: .row(alias: owner.alias), destination: target.alias, joinAlias: joinAlias)
    let key = builder.key(link.destination, target.alias)
    return ("\(source) WHERE \(isInDeletionSet(key)) AND \(related)", ownerKey, key)
  }

  /// Adds what cascades, generation by generation, until there is no other: each row is looked at once.
  private mutating func cascade() throws {
    var statements: [RelationshipLink: RawStatement] = [:]
    var generation: Int64 = 0
    var isComplete = false
    while !isComplete {
      isComplete = true
      for entity in deletionSets {
        for link in schema.links(ofMembersOf: entity) where link.description.deleteRule == .cascade
        {
          let statement = try statements[link] ?? cascading(link)
          statements[link] = statement
          sqlite3_reset(statement.pointer)
          sqlite3_bind_int64(statement.pointer, 1, generation)
          try statement.run()
          if sqlite3_changes(database.sqliteConnection) > 0 { isComplete = false }
        }
      }
      generation += 1
    }
  }

  private mutating func cascading(_ link: RelationshipLink) throws -> RawStatement {
    try beginDeletionSet(link.destination)
    let pairs = pairs(link, deleting: .ownerOfGeneration)
    return try RawStatement(
      """
      INSERT OR IGNORE INTO \(table(link.destination)) SELECT DISTINCT \(pairs.key), ?1 + 1\(pairs.from)
      """, in: database)
  }

  private func survives(_ key: SQLFragment, _ entity: EntityIndex) -> SQLFragment {
    deletionSets.contains(root(entity)) ? "\(key) NOT IN (SELECT key FROM \(table(entity)))" : "1"
  }

  /// - Throws: `ValidationError` where an owner that is to go still leads to objects that stay.
  private func requirePermission() throws {
    var faults: [ValidationError.Fault] = []
    for entity in deletionSets {
      for link in schema.links(ofMembersOf: entity) where link.description.deleteRule == .deny {
        let pairs = pairs(link)
        let statement = try RawStatement(
          """
          SELECT \(pairs.owner), count(*)\(pairs.from) AND \(survives(pairs.key, link.destination)) \
          GROUP BY 1 ORDER BY 1 LIMIT 100
          """, in: database)
        while try statement.step() {
          faults.append(
            ValidationError.Fault(
              entity: schema.entities[link.entity].name,
              key: statement.key(at: 0), property: link.description.name,
              reason: .deletionDenied(related: Int(sqlite3_column_int64(statement.pointer, 1)))))
        }
      }
    }
    if !faults.isEmpty { throw ValidationError(faults: faults) }
  }

  /// The other sides of relationships forget the rows that go.
  private mutating func leaveRelationships(of entity: EntityIndex) throws {
    for link in schema.links(ofMembersOf: entity) where link.description.deleteRule != .noAction {
      let pairs = pairs(link)
      var others: [RowKey] = []
      let statement = try RawStatement(
        "SELECT DISTINCT \(pairs.key)\(pairs.from) AND \(survives(pairs.key, link.destination))",
        in: database)
      while try statement.step() { others.append(statement.key(at: 0)) }
      if let inverse = schema.inverse(of: link) {
        for key in others { note(key, inverse) }
        if inverse.kind == .toOne {
          try Self.forget(
            from: "SELECT key FROM \(table(entity))", in: inverse, store, database)
        }
      }
      if case .toManyJoin(let join) = mapping.entities[link.entity].slots[link.slot] {
        try deletePairs(join, link.entity)
      }
    }
  }

  /// What leads to rows that go and has no inverse is emptied by the file; here it is reported.
  private mutating func noteOneWayOwners(of entity: EntityIndex) throws {
    for link in schema.oneWayLinks(toMembersOf: entity) {
      let pairs = pairs(link, deleting: .destination)
      let statement = try RawStatement(
        "SELECT DISTINCT \(pairs.owner)\(pairs.from) AND \(survives(pairs.owner, link.entity))",
        in: database)
      while try statement.step() { note(statement.key(at: 0), link) }
    }
  }

  private func deletePairs(_ join: JoinTable, _ entity: EntityIndex) throws {
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
    try RawStatement(
      """
      DELETE FROM \(name: join.table) AS \(name: pair) WHERE EXISTS (\
      SELECT 1 FROM \(builder.table(entity, owner)) WHERE \(condition) \
      AND \(builder.key(entity, owner)) IN (SELECT key FROM \(table(entity))))
      """, in: database
    ).run()
  }

  /// Sets a to-one relationship to NULL in all rows where it leads to one of the keys.
  static func forget(
    _ keys: [RowKey], in link: RelationshipLink, _ store: SQLiteStore, _ database: Database
  ) throws {
    try forget(
      from: "SELECT value FROM json_each(\(.text(keys.jsonText)))", in: link, store, database)
  }

  private static func forget(
    from keys: SQLFragment, in link: RelationshipLink, _ store: SQLiteStore, _ database: Database
  ) throws {
    guard case .toOne(let foreign) = store.mapping.entities[link.entity].slots[link.slot],
      foreign.isWritable
    else { return }
    let builder = QueryBuilder(store.mapping)
    let alias = builder.makeAlias()
    let columns = foreign.names.map { "\(name: $0) = NULL" as SQLFragment }
    do {
      try RawStatement(
        """
        UPDATE \(builder.table(link.entity, alias)) SET \(columns.joined(by: ", ")) \
        WHERE \(builder.toOneKey(foreign, alias)) IN (\(keys))
        """, in: database
      ).run()
    } catch let error as DatabaseError {
      throw StoreError(
        constraint: error, entity: store.schema.entities[link.entity],
        mapping: store.mapping.entities[link.entity], key: nil, in: database) ?? error
    }
  }

  /// Notes the rows of the deletion set of a family as deleted.
  private mutating func noteDeletionSet(_ entity: EntityIndex) throws -> [RowKey] {
    let entities = ReturnedEntity(mapping.entities[entity])
    var query: SQLFragment = "SELECT key FROM \(table(entity))"
    if case .rowid(let key) = mapping.entities[entity].key, entities.columnCount > 0 {
      query = """
        SELECT \(name: key)\(entities.column) FROM \(name: mapping.entities[entity].table) \
        WHERE \(name: key) IN (SELECT key FROM \(table(entity)))
        """
    }
    let all = try RawStatement(query, in: database)
    var keys = ReturnedKeys(of: entity)
    while try all.step() {
      keys.append(all.key(at: 0), try entities.entity(all, at: 1))
    }
    changed.deleted.merge(keys.byEntity) { $0 + $1 }
    let updated = schema.entities[entity].members.filter { changed.updated[$0] != nil }
    if !updated.isEmpty {
      let gone = Set(keys.all)
      for member in updated {
        changed.updated[member] = changed.updated[member]?.filter { !gone.contains($0.key) }
      }
    }
    return keys.all
  }

  private mutating func deleteRows(of entity: EntityIndex) throws {
    let keys = try noteDeletionSet(entity)
    if keys.isEmpty { return }
    let builder = QueryBuilder(mapping)
    let alias = builder.makeAlias()
    if case .rowid(let column) = mapping.entities[entity].key {
      try RawStatement(
        """
        DELETE FROM \(builder.table(entity, alias)) \
        WHERE \(builder.column(alias, column)) IN (SELECT key FROM \(table(entity)))
        """, in: database
      ).run()
      return
    }
    let statement = try RawStatement(
      """
      DELETE FROM \(builder.table(entity, alias)) WHERE \(builder.isRow(entity, alias, key: "?1"))
      """, in: database)
    for key in keys {
      statement.bind(key, at: 1)
      try statement.run()
    }
  }
}
