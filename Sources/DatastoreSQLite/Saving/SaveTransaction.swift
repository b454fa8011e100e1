import Basics
import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// One save, inside its transaction.
///
/// The order is removed links, deletes, updates, inserts, added links, orders. Updates come before inserts,
/// because final values are unique among each other: the only value that can block an update is the old one
/// of a row whose own update is still to come (it then waits), and none can block an insert. References to
/// keys need no order: foreign keys are checked at the end.
final class SaveTransaction {
  let store: SQLiteStore
  let mapping: SchemaMapping
  let changes: ChangeSet
  let database: Database
  /// Old keys to new ones, by root entity: of inserted rows, and of moved ones. Changes, and the references
  /// in them, use the old keys.
  ///
  /// Exempt from exclusivity checks, because it is read for each row: nothing called while it is changed
  /// reads it.
  @exclusivity(unchecked) var rekeyed: [EntityIndex: [RowKey: RowKey]] = [:]
  /// Those of the old keys that someone else has assigned to rows since they were made, by root entity.
  var taken: [EntityIndex: [RowKey]] = [:]
  /// Those of them that belong to moved rows.
  var moved: [EntityIndex: [RowKey: RowKey]] = [:]
  var conflicts: [Conflict] = []
  /// References to columns other than keys, of rows that were inserted after the reference.
  var lateReferences: [LateReference] = []
  /// Saved rows whose stored values may differ from the written ones, by entity.
  var stale: [EntityIndex: [RowKey]] = [:]
  /// By entity; made for the entities that are written.
  private var rules: [EntityIndex: StalenessRule] = [:]
  private lazy var foundTriggers = Result { try findTriggers() }
  /// The changes made by triggers during the save, if there are any.
  var sideChanges: SideChanges?
  /// Rows that are no longer those that were seen; each is a conflict, and not written.
  var conflictingRows: Set<RowID> = []
  /// Rows of the entity being updated whose unique values made room for those of other rows.
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

  /// Checks that tables and rows are still those that the changes were made for, and writes.
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
      // If rows were left out, others may lack what they need. The conflicts report all of it.
      if !conflicts.isEmpty { throw ConflictError(conflicts: conflicts) }
      throw error
    }
  }

  func run() throws -> SaveResult {
    for change in changes.entities { try mapping.schema.requireWritable(change.entity) }
    for links in changes.links { try remove(links) }
    for change in changes.entities { try delete(change) }
    try assignKeys()
    for change in changes.entities { try update(change) }
    for change in inInsertionOrder() { try insert(change) }
    for reference in lateReferences { try setReference(reference) }
    for links in changes.links { try add(links) }
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

  /// The rule that decides which rows of an entity have to be read again.
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

  /// Whether a table written by this save has a trigger, which may change any row.
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

  /// Cached for the version of the schema, which a save does not change. Not in a borrowed transaction, which
  /// may be rolled back to a version that recurs with other triggers.
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

  /// The dangling references, while the transaction is still open.
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

  /// Changes of rows in the order of the rows in the file: each page of the file is then read and written
  /// once, which saves several times the cost of sorting when they are many. In third-party files the
  /// original order is kept, because triggers and immediate constraints can see it.
  func inKeyOrder<Change>(_ changes: [Change], key: (Change) -> RowKey) -> [Change] {
    guard mapping.isNative, changes.count > 1 else { return changes }
    var order = changes.indices.map { (key: key(changes[$0]), index: $0) }
    order.sort { $0.key < $1.key }
    return order.map { changes[$0.index] }
  }

  /// The key of a row of the changes in the file, or once it is saved.
  @inline(__always)
  func current(_ entity: EntityIndex, _ key: RowKey) -> RowKey {
    rekeyed.isEmpty ? key : rekeyed[mapping.schema.entities[entity].root]?[key] ?? key
  }
}
