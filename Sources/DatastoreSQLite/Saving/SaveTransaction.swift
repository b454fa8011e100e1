import Basics
import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// One save, inside its transaction.
///
/// The order is deletes, updates, inserts, links, orders. Updates come before inserts, since final
/// values are unique among each other: the only value that can be in the way of an update is the old
/// one of a row whose own update is still to come (it then waits), and none is in the way of an
/// insert. References to keys need no order: foreign keys are checked at the end.
final class SaveTransaction {
  let store: SQLiteStore
  let mapping: SchemaMapping
  let changes: ChangeSet
  let database: Database
  /// Old keys to new ones, by root entity: of inserted rows, and of those that were moved. Changes, and the
  /// references in them, name rows by their old keys.
  ///
  /// Exempt from exclusivity checks, as it is asked for each row: nothing that is called while it is changed
  /// looks at it.
  @exclusivity(unchecked) var rekeyed: [EntityIndex: [RowKey: RowKey]] = [:]
  /// The old keys among them that someone else has given to rows since they were made, by root entity.
  var taken: [EntityIndex: [RowKey]] = [:]
  /// Those of them that were moved.
  var moved: [EntityIndex: [RowKey: RowKey]] = [:]
  var conflicts: [Conflict] = []
  /// References to rows that were inserted later than the reference, to columns that are not keys.
  var lateReferences: [LateReference] = []
  /// Saved rows whose stored values may not be the ones written, by entity.
  var stale: [EntityIndex: [RowKey]] = [:]
  /// By entity; made for the entities that are written.
  private var rules: [EntityIndex: StalenessRule] = [:]
  private lazy var foundTriggers = Result { try findTriggers() }
  /// What triggers change in the course of the save, where there are any.
  var sideChanges: SideChanges?
  /// Rows that turned out to be others than those that were seen; each is a conflict, and not written.
  var conflictingRows: Set<RowID> = []
  /// Rows of the entity that is updated whose unique values made room for those of other rows.
  var parked: Set<RowKey> = []

  struct LateReference {
    let entity: EntityIndex
    let slot: Slot
    let key: RowKey
    let destination: RowKey
  }

  init(_ store: SQLiteStore, _ changes: ChangeSet, _ database: Database) {
    self.store = store
    mapping = store.mapping
    self.changes = changes
    self.database = database
  }

  /// Makes sure that tables and rows are still those that the changes were made in, and writes.
  func runVerified() throws -> SaveResult {
    try store.requireKnownTables(
      Set(
        changes.entities.map(\.entity) + changes.links.map(\.entity)
          + changes.orders.map(\.entity)), in: database)
    try verify()
    do {
      try refuseUnknownMembers()
      return try run()
    } catch {
      // Where rows were left out, others may lack what they need. All of it is reported by the conflicts.
      if !conflicts.isEmpty { throw ConflictError(conflicts: conflicts) }
      throw error
    }
  }

  func run() throws -> SaveResult {
    for change in changes.entities { try mapping.schema.requireWritable(change.entity) }
    for change in changes.entities { try delete(change) }
    try assignKeys()
    for change in changes.entities { try update(change) }
    for change in inInsertionOrder() { try insert(change) }
    for reference in lateReferences { try setReference(reference) }
    for links in changes.links { try write(links) }
    for order in changes.orders { try write(order) }
    if !conflicts.isEmpty { throw ConflictError(conflicts: conflicts) }
    var inserted = rekeyed
    for (root, keys) in moved {
      inserted[root] = inserted[root]?.filter { keys[$0.key] == nil }
      if inserted[root]?.isEmpty ?? false { inserted[root] = nil }
    }
    var result = SaveResult(rekeyed: inserted, stale: stale)
    result.taken = taken
    result.moved = moved
    return result
  }

  /// How to find out which rows of an entity have to be read again.
  func stalenessRule(_ entity: EntityIndex) throws -> StalenessRule {
    if let rule = rules[entity] { return rule }
    let key = SaveForms.RuleKey(entity: entity, hasTriggers: try hasTriggers())
    let mapped = mapping.entities[entity]
    let rule = store.saveForms.withLock { forms in
      if let known = forms[key] { return known }
      let rule = StalenessRule(mapped, hasTriggers: key.hasTriggers)
      forms[key] = rule
      return rule
    }
    rules[entity] = rule
    return rule
  }

  /// Whether a table that this save writes has a trigger, which may change any row.
  func hasTriggers() throws -> Bool { try foundTriggers.get() }

  private func findTriggers() throws -> Bool {
    let names = try tablesWithTriggers()
    if names.isEmpty { return false }
    var written = changes.entities.map { mapping.entities[$0.entity].table }
    for links in changes.links {
      if case .toManyJoin(let join) = mapping.entities[links.entity].slots[links.slot] {
        written.append(join.table)
      }
    }
    return written.contains { names.contains($0.caselessKey) }
  }

  /// Remembered as long as the schema has the same version, which a save does not change. In a transaction
  /// that someone else has begun it may be rolled back to a version that comes again with other triggers.
  private func tablesWithTriggers() throws -> Set<String> {
    if store.isBorrowed { return try readTablesWithTriggers() }
    let version = try RawStatement.schemaVersion(database)
    if let known = store.triggers.withLock({ $0 }), known.version == version {
      return known.tables
    }
    let tables = try readTablesWithTriggers()
    if let version { store.triggers.withLock { $0 = (version, tables) } }
    return tables
  }

  private func readTablesWithTriggers() throws -> Set<String> {
    let statement = try RawStatement(
      "SELECT tbl_name, name FROM sqlite_master WHERE type = 'trigger'", in: database,
      isCached: true)
    defer { statement.reset() }
    var names: Set<String> = []
    while try statement.step() {
      // Native triggers change no row.
      if store.wordTriggers.contains(statement.value(at: 1).plainText.caselessKey) { continue }
      names.insert(statement.value(at: 0).plainText.caselessKey)
    }
    return names
  }

  func commit() throws {
    if store.isBorrowed {
      return try RawStatement("RELEASE datastore_save", in: database).run()
    }
    do {
      try database.cachedStatement(sql: "COMMIT").execute()
    } catch let error as DatabaseError
      where error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY
    {
      throw try brokenReference()
    }
  }

  /// The references that would lead nowhere, while the transaction is still open.
  func brokenReference() throws -> StoreError {
    let statement = try RawStatement(
      """
      SELECT DISTINCT broken."table", broken.rowid, broken.parent, \
      (SELECT "from" FROM pragma_foreign_key_list(broken."table") \
      WHERE id = broken.fkid AND seq = 0) FROM pragma_foreign_key_check AS broken LIMIT 5
      """, in: database)
    var found: [String] = []
    var first: (entity: Entity?, property: String?, key: RowKey?)?
    while try statement.step() {
      let table = statement.value(at: 0).plainText
      let entity = mapping.schema.entities.first {
        mapping.entities[$0.index].table.isExactly(table)
      }
      found.append(
        "\(entity?.name ?? table) \(statement.value(at: 1)) to \(statement.value(at: 2).plainText)")
      guard first == nil else { continue }
      let column = statement.value(at: 3).plainText
      let property = entity.flatMap { entity in
        mapping.entities[entity.index].slot(ofColumn: column).map { entity.properties[$0].name }
      }
      var key: RowKey?
      if let entity, case .rowid = mapping.entities[entity.index].key,
        case .integer(let rowid) = statement.value(at: 1)
      {
        key = RowKey(rowid)
      }
      first = (entity, property, key)
    }
    return .brokenReference(
      entity: first?.entity?.name, property: first?.property, key: first?.key,
      detail: found.isEmpty
        ? "a row that others refer to was deleted" : found.joined(separator: ", "))
  }

  /// Changes of rows in the order in which the rows lie in the file: each page of the file is then read
  /// and written once, which is worth several times the sorting when they are many. In files of
  /// others the order they were made in stays, as triggers and immediate constraints can see it.
  func inKeyOrder<Change>(_ changes: [Change], key: (Change) -> RowKey) -> [Change] {
    guard mapping.isNative, changes.count > 1 else { return changes }
    var order = changes.indices.map { (key: key(changes[$0]), index: $0) }
    order.sort { $0.key < $1.key }
    return order.map { changes[$0.index] }
  }

  /// The key that a row of the changes has in the file, or has once it is saved.
  @inline(__always)
  func current(_ entity: EntityIndex, _ key: RowKey) -> RowKey {
    rekeyed.isEmpty ? key : rekeyed[mapping.schema.entities[entity].root]?[key] ?? key
  }

  /// Gives an error of SQLite the object that it is about.
  func naming<T>(_ entity: EntityIndex, _ key: RowKey?, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw StoreError(
        constraint: error, entity: mapping.schema.entities[entity],
        mapping: mapping.entities[entity], key: key, in: database) ?? error
    }
  }
}
