#if PostgreSQL
package import DatastoreCore
package import DatastoreSQL

/// Changes of many rows directly in the store, without objects.
///
/// Each is one transaction, which is repeated if it fails because others write at the same time.
extension PostgreSQLStore {
  /// The server has failed at something that a condition computes.
  private struct FailedComputing: Error {}

  /// Runs `body` in a transaction that has found the rows of the condition if the server cannot decide it.
  package func changing(
    _ entity: EntityIndex, _ predicate: Predicate?, unless isCancelled: (@Sendable () -> Bool)?,
    _ body: (any BatchDatabase) throws -> (MergedKeys, count: Int)
  ) throws -> (MergedKeys, count: Int) {
    try requireWritable()
    try schema.requireWritable(entity)
    func attempt(isCareful: Bool) throws -> (MergedKeys, count: Int) {
      try writeTransaction(isRepeatable: true, unless: isCancelled) { transaction in
        transaction.deferConstraints()
        do {
          try transaction.find(predicate, of: schema.entities[entity], isCareful: isCareful)
          let batch = ServerBatch(transaction)
          var (changed, count) = try body(batch)
          if batch.mayHaveChangedAnything { changed.isEverything = true }
          return (changed, count)
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
}
#endif
