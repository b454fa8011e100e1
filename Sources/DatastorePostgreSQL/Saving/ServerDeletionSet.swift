#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// The rows of a server that go. Their keys are held here, since they are told in the end, and sent back as
/// one value.
final class ServerDeletionSet: DeletionSet {
  private let batch: ServerBatch
  /// What goes of each family.
  private var going: [EntityIndex: Set<RowKey>] = [:]
  /// Of them, the newest generation, and the one that follows it.
  private var newest: [EntityIndex: [RowKey]] = [:]
  private var next: [EntityIndex: [RowKey]] = [:]
  /// What goes of each family as values, one for each column of its key.
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

  /// - Throws: `StoreError.refused` also where the table keeps one of them.
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
      // They went with other rows by the server's own foreign keys, which no statement returns.
      deleted[family, default: []] += missing
    }
    return deleted
  }

  func end() {}
}
#endif
