#if PostgreSQL
import Basics
package import DatastoreCore
import DatastoreSQL
import Foundation

extension PostgreSQLStore {
  /// Writes all changes in one transaction, or none.
  ///
  /// It is one message, and one wait. If rows have changed since the edits began, another transaction finds
  /// out which. A save that fails only because others write at the same time is tried again.
  package func save(
    _ changes: ChangeSet, unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> SaveResult {
    if changes.isEmpty { return SaveResult() }
    try requireWritable()
    if isCancelled?() ?? false { throw CancellationError() }
    if let lent { return try save(changes, within: lent) }
    return try writer.withLock { connection in
      var attempt = SaveAttempt(self, changes, connection)
      connection = nil
      defer { connection = attempt.connection }
      return try attempt.run()
    }
  }

  /// Writes all changes inside a transaction that another owner has begun.
  private func save(
    _ changes: ChangeSet, within lent: Lock<PostgreSQLConnection>
  ) throws -> SaveResult {
    let message = try SaveMessage(changes, mapping, tables: tables, settled: [])
    do {
      _ = try lent.withLock { try $0.run(message.steps.map(\.statement)) }
      return SaveResult(stale: message.stale)
    } catch let failure as PostgreSQLFailure {
      let step = failure.statement.flatMap {
        message.steps.indices.contains($0) ? message.steps[$0] : nil
      }
      throw StoreError(failure, of: step?.entity, in: self)
        .naming(rowOf: changes, in: schema, failure)
    }
  }
}
#endif
