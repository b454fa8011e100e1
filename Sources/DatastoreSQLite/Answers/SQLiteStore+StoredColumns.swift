package import DatastoreCore
import DatastoreSQL

/// How the properties of an entity are stored, for those who write rows elsewhere.
extension SQLiteStore {
  package func storedColumns(of slot: Slot, in entity: Entity) -> [AnswerColumn] {
    mapping.storedColumns(of: slot, in: entity)
  }

  package func keyColumn(of entity: Entity) -> AnswerColumn? {
    mapping.keyColumn(of: entity)
  }

  /// What the columns of a to-one relationship hold for the rows with those keys, by key; nil when
  /// that is the key itself. Keys of rows that are not there stand for what is stored.
  ///
  /// - Throws: `StoreError`.
  package func referenceValues(
    of slot: Slot, in entity: Entity, keys: [RowKey]
  ) throws -> [RowKey: [Value]]? {
    var dangling: [RowKey: [Value]] = [:]
    for key in keys where DanglingKey.isOne(key) {
      dangling[key] = mapping.keyTables.dangling.values(of: key)
    }
    let keys = keys.filter { !DanglingKey.isOne($0) }
    let values = try mapping.referenceValues(of: slot, in: entity, keys: keys, from: self)
    if dangling.isEmpty { return values }
    // Beside references that lead nowhere, keys are said, too.
    let stored = values ?? Dictionary(uniqueKeysWithValues: Set(keys).map { ($0, [.key($0)]) })
    return stored.merging(dangling) { stored, _ in stored }
  }
}
