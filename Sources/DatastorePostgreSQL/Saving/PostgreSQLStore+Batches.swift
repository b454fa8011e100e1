#if PostgreSQL
package import DatastoreCore

/// What is written without objects, which is not possible yet: a sentence, and nothing is written.
extension PostgreSQLStore {
  private func unwritten(_ what: String) -> StoreError {
    .unsupportedPredicate(
      "\(what) is not possible with a database in a server yet; nothing was written.")
  }

  package func update(
    entity: EntityIndex, where predicate: Predicate?,
    assigning assignments: [(slot: Slot, value: Value)],
    unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> (MergedKeys, count: Int) {
    throw unwritten("Changing rows without objects")
  }

  package func delete(
    entity: EntityIndex, where predicate: Predicate?, unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> MergedKeys {
    throw unwritten("Deleting rows without objects")
  }

  package func writeRows(
    entity: EntityIndex, key slot: Slot?, _ body: (any RowTransaction) throws -> Void
  ) throws -> (MergedKeys, Int) {
    throw unwritten("Loading rows")
  }

  package func execute(
    _ sql: String, _ arguments: [Value], unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> SQLExecution {
    throw unwritten("Running SQL that writes")
  }
}
#endif
