#if PostgreSQL
package import DatastoreCore
import DatastoreSQL

/// Changes of many rows straight in the store, without objects.
///
/// Each is one transaction, which is made again where it fails because others write at the same time.
extension PostgreSQLStore {
  package func update(
    entity: EntityIndex, where predicate: Predicate?,
    assigning assignments: [(slot: Slot, value: Value)],
    unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> (MergedKeys, count: Int) {
    try requireOwn(entity)
    return try writeTransaction(isRepeatable: true, unless: isCancelled) { transaction in
      var update = BatchUpdate(transaction, entity, assignments)
      return try update.run(predicate)
    }
  }

  package func delete(
    entity: EntityIndex, where predicate: Predicate?, unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> MergedKeys {
    try requireOwn(entity)
    return try writeTransaction(isRepeatable: true, unless: isCancelled) { transaction in
      var deletion = BatchDeletion(transaction, entity)
      return (try deletion.run(predicate), ())
    }.0
  }

  /// - Throws: `StoreError` also for tables of others, whose keys and triggers say what else changes.
  private func requireOwn(_ entity: EntityIndex) throws {
    try requireWritable(entity)
    guard mapping.isNative else {
      throw StoreError.unsupportedPredicate(
        "Many rows of a table of other programs in a server are not changed without objects; change the objects, "
          + "or run SQL. Nothing was written.")
    }
  }

  func requireWritable(_ entity: EntityIndex) throws {
    try requireWritable()
    let described = schema.entities[entity]
    if described.isReadOnly { throw StoreError.readOnlyEntity(described.name) }
  }
}
#endif
