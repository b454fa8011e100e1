#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// A `DELETE` of many rows with what their delete rules ask for, inside its transaction.
struct BatchDeletion {
  private let transaction: WriteTransaction
  private let entity: EntityIndex

  init(_ transaction: WriteTransaction, _ entity: EntityIndex) {
    self.transaction = transaction
    self.entity = entity
  }

  private var mapping: SchemaMapping { transaction.mapping }

  func run(_ predicate: Predicate?) throws -> MergedKeys {
    let changed: MergedKeys
    if let plain = try runPlain(predicate) {
      changed = plain
    } else {
      let builder = transaction.makeBuilder()
      let scope = builder.makeScope(entity)
      let clause = try builder.whereClause(predicate, in: scope)
      var plan = DeletionPlan(ServerDeletionSet(transaction))
      changed = try plan.run(
        "SELECT \(builder.key(entity, scope.alias))\(builder.from(scope))\(clause)", of: entity)
    }
    try RelationshipCounts(transaction).validate(changed)
    return changed
  }

  /// One statement, where nothing but the rows themselves has to change; nil where there is more.
  private func runPlain(_ predicate: Predicate?) throws -> MergedKeys? {
    guard let returned = mapping.returnedByPlainDeletion(of: entity) else { return nil }
    let builder = transaction.makeBuilder()
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
    var changed = MergedKeys()
    changed.deleted = try rows.keys(in: result)
    for (index, item) in returned.enumerated() {
      for key in result.keys(rows.columnCount + index) {
        changed.updated[item.inverse.entity, default: [:]][key, default: SlotSet()]
          .insert(item.inverse.slot)
      }
    }
    return changed
  }
}

/// The rows of a server that go. Their keys are held here, since they are told in the end, and sent back as one value.
private final class ServerDeletionSet: DeletionDatabase {
  private let transaction: WriteTransaction
  private(set) var families: [EntityIndex] = []
  /// What goes of each family.
  private var going: [EntityIndex: Set<RowKey>] = [:]
  /// Of them, the newest generation, and the one that follows it.
  private var newest: [EntityIndex: [RowKey]] = [:]
  private var next: [EntityIndex: [RowKey]] = [:]
  /// What goes of each family as a value.
  private var lists: [EntityIndex: Value] = [:]

  init(_ transaction: WriteTransaction) {
    self.transaction = transaction
  }

  var mapping: SchemaMapping { transaction.mapping }
  var looksAtReferencesAtOnce: Bool { !transaction.store.capabilities.defersConstraints }

  func add(_ query: SQLFragment, of family: EntityIndex) throws {
    let found = try keys(query)
    if going[family] == nil {
      families.append(family)
      going[family] = []
    }
    let new = found.filter { going[family, default: []].insert($0).inserted }
    if new.isEmpty { return }
    next[family, default: []] += new
    lists[family] = nil
  }

  func advance() -> Bool {
    newest = next
    next = [:]
    return !newest.isEmpty
  }

  func goes(_ key: SQLFragment, of family: EntityIndex) -> SQLFragment {
    guard let keys = going[family], !keys.isEmpty else { return mapping.dialect.constant(false) }
    let list = lists[family] ?? mapping.dialect.keyList(keys.sorted().map(\.rawValue))
    lists[family] = list
    return mapping.dialect.isMember(key, of: "\(list)")
  }

  func isNew(_ key: SQLFragment, of family: EntityIndex) -> SQLFragment {
    guard let keys = newest[family] else { return mapping.dialect.constant(false) }
    return mapping.dialect.isMember(
      key, of: "\(mapping.dialect.keyList(keys.map(\.rawValue)))")
  }

  func keys(_ query: SQLFragment) throws -> [RowKey] { try transaction.run(query).keys(0) }

  func counts(_ query: SQLFragment) throws -> [(key: RowKey, count: Int)] {
    let result = try transaction.run(query)
    return (0..<result.rowCount).map {
      (RowKey(result.integer($0, 0) ?? 0), Int(result.integer($0, 1) ?? 0))
    }
  }

  func run(_ statement: SQLFragment, of entity: EntityIndex) throws {
    _ = try transaction.run(statement, of: entity)
  }

  func delete(_ family: EntityIndex) throws -> [EntityIndex: [RowKey]] {
    let builder = QueryBuilder(mapping)
    let alias = builder.makeAlias()
    let rows = ReturnedRows(mapping, family)
    let result = try transaction.run(
      """
      DELETE FROM \(builder.table(family, alias)) WHERE \(goes(builder.key(family, alias), of: family)) \
      RETURNING \(rows.columns(of: alias, builder))
      """, of: family)
    return try rows.keys(in: result)
  }
}

extension PostgreSQLResult {
  /// The keys in a column, without NULL.
  fileprivate func keys(_ column: Int) -> [RowKey] {
    (0..<rowCount).compactMap { integer($0, column).map { RowKey($0) } }
  }
}
#endif
