#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// The rows of a server that are to be deleted. Their keys are held here, since they are reported in the end,
/// and sent back as one value.
final class ServerDeletionSet: DeletionSet {
  private let batch: ServerBatch
  /// The rows to be deleted of each family.
  private var going: [EntityIndex: Set<RowKey>] = [:]
  /// The newest generation among them, and the one that follows it.
  private var newest: [EntityIndex: [RowKey]] = [:]
  private var next: [EntityIndex: [RowKey]] = [:]
  /// The keys to be deleted of each family as values, one for each column of its key.
  private var lists: [EntityIndex: [String]] = [:]

  init(_ batch: ServerBatch) { self.batch = batch }

  private var mapping: SchemaMapping { batch.mapping }

  func add(_ query: SQLFragment, of family: EntityIndex) throws -> Bool {
    let found = try batch.keys(query, of: family)
    let new = found.filter { going[family, default: []].insert($0).inserted }
    if new.isEmpty { return false }
    next[family, default: []] += new
    lists[family] = nil
    return true
  }

  func advance() {
    newest = next
    next = [:]
  }

  func goes(_ key: SQLFragment, of family: EntityIndex) -> SQLFragment {
    guard let keys = going[family], !keys.isEmpty else { return mapping.dialect.constant(false) }
    let list = lists[family] ?? KeyParameters(mapping, family).arrays(keys.sorted())
    lists[family] = list
    return PostgreSQLDialect().isMember(key, ofColumns: list)
  }

  func isNew(_ key: SQLFragment, of family: EntityIndex) -> SQLFragment {
    guard let keys = newest[family] else { return mapping.dialect.constant(false) }
    return batch.isMember(key, of: keys, family)
  }

  /// - Throws: `StoreError.refused` also if the table keeps one of them.
  func delete(_ family: EntityIndex) throws -> [EntityIndex: [RowKey]] {
    let builder = QueryBuilder(mapping)
    let alias = builder.makeAlias()
    let key = builder.key(family, alias)
    var deleted = try batch.delete(
      family, as: alias, " WHERE \(goes(key, of: family))", returning: []
    ).keys
    let missing = going[family, default: []].subtracting(deleted.values.joined())
    if !missing.isEmpty, !mapping.isNative {
      let kept = try batch.keys(
        """
        SELECT \(key) FROM \(builder.table(family, alias)) \
        WHERE \(batch.isMember(key, of: missing.sorted(), family))
        """, of: family)
      if let first = kept.min() {
        throw StoreError.refused(
          entity: mapping.schema.entities[family].name, key: first, detail: StoreError.keptRow)
      }
      // The server's own foreign keys deleted them with other rows, which no statement returns.
      deleted[family, default: []] += missing
    }
    return deleted
  }

  func end() {}
}
#endif
