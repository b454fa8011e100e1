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
    try changing(entity, predicate, unless: isCancelled) { transaction in
      var update = BatchUpdate(transaction, entity, assignments)
      return try update.run(predicate)
    }
  }

  package func delete(
    entity: EntityIndex, where predicate: Predicate?, unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> MergedKeys {
    try changing(entity, predicate, unless: isCancelled) { transaction in
      (try BatchDeletion(transaction, entity).run(predicate), 0)
    }.0
  }

  /// That the server has failed at something that a condition computes.
  private struct FailedComputing: Error {}

  /// Runs `body` in a transaction that has found the rows of the condition where the server cannot decide it.
  private func changing(
    _ entity: EntityIndex, _ predicate: Predicate?, unless isCancelled: (@Sendable () -> Bool)?,
    _ body: (WriteTransaction) throws -> (MergedKeys, Int)
  ) throws -> (MergedKeys, count: Int) {
    try requireOwn(entity)
    func attempt(isCareful: Bool) throws -> (MergedKeys, count: Int) {
      try writeTransaction(isRepeatable: true, unless: isCancelled) { transaction in
        do {
          try transaction.find(predicate, of: schema.entities[entity], isCareful: isCareful)
          return try body(transaction)
        } catch let refused as WriteTransaction.Failure
          where refused.failure.isOfComputing && !isCareful && predicate != nil
        {
          throw FailedComputing()
        }
      }
    }
    do {
      return try attempt(isCareful: false)
    } catch is FailedComputing {
      return try attempt(isCareful: true)
    }
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
