import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// A `DELETE` of many rows with what their delete rules ask for, inside its transaction.
struct BatchDeletion {
  private let store: SQLiteStore
  private let mapping: SchemaMapping
  private let database: Database
  private let entity: EntityIndex

  init(_ store: SQLiteStore, _ database: Database, _ entity: EntityIndex) {
    self.store = store
    mapping = store.mapping
    self.database = database
    self.entity = entity
  }

  func run(_ predicate: Predicate?) throws -> MergedKeys {
    try store.requireWritable(entity)
    let changed: MergedKeys
    if let plain = try runPlain(predicate) {
      changed = plain
    } else {
      let builder = QueryBuilder(mapping)
      let scope = builder.makeScope(entity)
      let clause = try builder.whereClause(predicate, in: scope)
      let deletionSet = FileDeletionSet(store, database)
      defer { deletionSet.end() }
      var plan = DeletionPlan(deletionSet)
      changed = try plan.run(
        "SELECT \(builder.key(entity, scope.alias))\(builder.from(scope))\(clause)", of: entity)
    }
    try RelationshipCounts(store: store, database: database).validate(changed)
    return changed
  }

  /// One statement, where nothing but the rows themselves has to change; nil where there is more.
  private func runPlain(_ predicate: Predicate?) throws -> MergedKeys? {
    guard case .rowid(let key) = mapping.entities[entity].key,
      let returned = mapping.returnedByPlainDeletion(of: entity)
    else { return nil }
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
    var changed = MergedKeys()
    var keys = ReturnedKeys(of: entity)
    while try statement.step() {
      keys.append(
        statement.key(at: 0),
        try entities.entity(statement, at: Int32(names.count)))
      for (index, item) in returned.enumerated()
      where sqlite3_column_type(statement.pointer, Int32(index + 1)) == SQLITE_INTEGER {
        changed.updated[item.inverse.entity, default: [:]][
          statement.key(at: Int32(index + 1)), default: SlotSet()
        ].insert(item.inverse.slot)
      }
    }
    changed.deleted = keys.byEntity
    return changed
  }
}

/// The rows of a file that go. Their keys are in temporary tables, one for each family.
private final class FileDeletionSet: DeletionDatabase {
  private let store: SQLiteStore
  private let database: Database
  private(set) var families: [EntityIndex] = []
  /// The number of the newest generation.
  private var generation: Int64 = -1
  /// Whether there are rows of the one that follows it.
  private var hasNext = false

  init(_ store: SQLiteStore, _ database: Database) {
    self.store = store
    self.database = database
  }

  var mapping: SchemaMapping { store.mapping }
  /// Constraints of other programs may be `RESTRICT`, which never waits.
  var looksAtReferencesAtOnce: Bool { !mapping.isNative }

  private func table(_ family: EntityIndex) -> SQLFragment {
    "temp.\(name: "datastore_doomed_\(family)")"
  }

  private func drop(_ family: EntityIndex) throws {
    try RawStatement("DROP TABLE IF EXISTS \(table(family))", in: database).run()
  }

  /// Drops the tables.
  func end() {
    for family in families { try? drop(family) }
  }

  private func begin(_ family: EntityIndex) throws {
    guard !families.contains(family) else { return }
    try drop(family)
    try RawStatement(
      "CREATE TABLE \(table(family)) (key INTEGER PRIMARY KEY, generation INTEGER NOT NULL)",
      in: database
    ).run()
    let index: SQLFragment = "temp.\(name: "datastore_doomed_\(family)_index")"
    try RawStatement(
      "CREATE INDEX \(index) ON \(name: "datastore_doomed_\(family)") (generation)", in: database
    ).run()
    families.append(family)
  }

  func add(_ query: SQLFragment, of family: EntityIndex) throws {
    try begin(family)
    // Kept, since each generation asks the same.
    let statement = try RawStatement(
      """
      INSERT OR IGNORE INTO \(table(family)) \
      SELECT found.*, \(.integer(generation + 1)) FROM (\(query)) AS found
      """, in: database, isCached: true)
    try statement.run()
    if sqlite3_changes(database.sqliteConnection) > 0 { hasNext = true }
  }

  func advance() -> Bool {
    defer { hasNext = false }
    generation += 1
    return hasNext
  }

  func goes(_ key: SQLFragment, of family: EntityIndex) -> SQLFragment {
    families.contains(family)
      ? "\(key) IN (SELECT key FROM \(table(family)))" : mapping.dialect.constant(false)
  }

  func isNew(_ key: SQLFragment, of family: EntityIndex) -> SQLFragment {
    "\(key) IN (SELECT key FROM \(table(family)) WHERE generation = \(.integer(generation)))"
  }

  func keys(_ query: SQLFragment) throws -> [RowKey] {
    let statement = try RawStatement(query, in: database)
    var keys: [RowKey] = []
    while try statement.step() { keys.append(statement.key(at: 0)) }
    return keys
  }

  func counts(_ query: SQLFragment) throws -> [(key: RowKey, count: Int)] {
    let statement = try RawStatement(query, in: database)
    var counts: [(key: RowKey, count: Int)] = []
    while try statement.step() {
      counts.append(
        (statement.key(at: 0), Int(sqlite3_column_int64(statement.pointer, 1))))
    }
    return counts
  }

  func run(_ statement: SQLFragment, of entity: EntityIndex) throws {
    do {
      try RawStatement(statement, in: database).run()
    } catch let error as DatabaseError {
      throw StoreError(
        constraint: error, entity: mapping.schema.entities[entity],
        mapping: mapping.entities[entity], key: nil, in: database) ?? error
    }
  }

  func delete(_ family: EntityIndex) throws -> [EntityIndex: [RowKey]] {
    let keys = try entities(of: family)
    if keys.all.isEmpty { return [:] }
    let builder = QueryBuilder(mapping)
    let alias = builder.makeAlias()
    if case .rowid(let column) = mapping.entities[family].key {
      try RawStatement(
        """
        DELETE FROM \(builder.table(family, alias)) \
        WHERE \(goes(builder.column(alias, column), of: family))
        """, in: database
      ).run()
      return keys.byEntity
    }
    let statement = try RawStatement(
      """
      DELETE FROM \(builder.table(family, alias)) WHERE \(builder.isRow(family, alias, key: "?1"))
      """, in: database)
    for key in keys.all {
      statement.bind(key, at: 1)
      try statement.run()
    }
    return keys.byEntity
  }

  /// The keys of the rows of a family that go, by the entities that they are of.
  private func entities(of family: EntityIndex) throws -> ReturnedKeys {
    let entities = ReturnedEntity(mapping.entities[family])
    var query: SQLFragment = "SELECT key FROM \(table(family))"
    if case .rowid(let key) = mapping.entities[family].key, entities.columnCount > 0 {
      query = """
        SELECT \(name: key)\(entities.column) FROM \(name: mapping.entities[family].table) \
        WHERE \(goes("\(name: key)", of: family))
        """
    }
    let all = try RawStatement(query, in: database)
    var keys = ReturnedKeys(of: family)
    while try all.step() {
      keys.append(all.key(at: 0), try entities.entity(all, at: 1))
    }
    return keys
  }
}
