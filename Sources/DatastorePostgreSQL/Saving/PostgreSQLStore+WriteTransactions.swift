#if PostgreSQL
import DatastoreCore
import DatastoreSQL

extension PostgreSQLStore {
  /// Runs `body` in a transaction of the connection that saves, and rolls everything back when it throws.
  ///
  /// - Parameters:
  ///   - isRepeatable: whether `body` can run again if it fails only because others write at the same time,
  ///     or because the connection was lost.
  ///   - isCancelled: called repeatedly meanwhile.
  ///   - body: returns the changes it has made, and a result to pass on.
  func writeTransaction<Result>(
    isRepeatable: Bool, unless isCancelled: (@Sendable () -> Bool)? = nil,
    _ body: (WriteTransaction) throws -> (MergedKeys, Result)
  ) throws -> (MergedKeys, Result) {
    try requireWritable()
    return try writer.withLock { connection in
      var attempt = WriteAttempt(
        self, connection: connection, isRepeatable: isRepeatable, isCancelled)
      connection = nil
      defer { connection = attempt.writer.connection }
      return try attempt.run(body)
    }
  }
}

/// A transaction of several steps, from its first attempt to its end.
private struct WriteAttempt {
  let store: PostgreSQLStore
  private(set) var writer: WriterConnection
  let isRepeatable: Bool
  let isCancelled: (@Sendable () -> Bool)?

  init(
    _ store: PostgreSQLStore, connection: PostgreSQLConnection?, isRepeatable: Bool,
    _ isCancelled: (@Sendable () -> Bool)?
  ) {
    self.store = store
    writer = WriterConnection(store, connection)
    self.isRepeatable = isRepeatable
    self.isCancelled = isCancelled
  }

  mutating func run<Result>(
    _ body: (WriteTransaction) throws -> (MergedKeys, Result)
  ) throws -> (MergedKeys, Result) {
    while true {
      if isCancelled?() ?? false { throw CancellationError() }
      let transaction = WriteTransaction(store, try writer.open())
      watch(transaction.connection)
      var isBegun = isRepeatable
      var answer: (MergedKeys, Result)?
      do {
        // A connection that was lost while idle is detected before work that can run only once.
        if !isRepeatable { try transaction.flush() }
        isBegun = true
        let made = try body(transaction)
        answer = made
        try transaction.commit(made.0)
        return made
      } catch let refused as WriteTransaction.Failure {
        transaction.rollBack()
        if refused.failure.isOfConnection, transaction.isEnding, let answer {
          writer.drop()
          if try wasCommitted(transaction.record) { return answer }
        }
        // Another machine may have committed.
        if transaction.isEnding, store.isSpread, refused.failure.isOfCommitBehind {
          throw StoreError.outcomeUnknown(server: store.place)
        }
        try settle(refused, mayRepeat: isRepeatable || !isBegun)
      } catch {
        transaction.rollBack()
        throw error
      }
    }
  }

  private func watch(_ connection: PostgreSQLConnection) {
    guard let isCancelled else { return }
    connection.stopSignal = StopSignal()
    connection.isUnwanted = isCancelled
  }

  /// Returns if another attempt is worthwhile.
  ///
  /// - Throws: the reason why it is not.
  private mutating func settle(
    _ refused: WriteTransaction.Failure, mayRepeat: Bool
  ) throws {
    let failure = refused.failure
    if failure.isOfConnection {
      if writer.lost(), mayRepeat { return }
    } else if mayRepeat, failure.mayBeRetried, writer.failed() {
      writer.pause()
      return
    }
    throw StoreError(failure, of: refused.entity, refused.key, in: store)
  }

  /// Whether a transaction was committed although the connection was lost before the confirmation arrived.
  ///
  /// If it was not, it never will be: its record exists now, which makes a message that may still be on its
  /// way fail.
  ///
  /// - Throws: `StoreError.outcomeUnknown`.
  private mutating func wasCommitted(_ record: SaveRecord) throws -> Bool {
    // Third-party tables have no record of it.
    guard store.mapping.isNative else { throw StoreError.outcomeUnknown(server: store.place) }
    do {
      let connection = try writer.open()
      do {
        _ = try connection.run([
          PostgreSQLStatement("BEGIN"), PostgreSQLStatement("SET LOCAL lock_timeout = '5s'"),
          record.statement(nil), PostgreSQLStatement("COMMIT"),
        ])
        return false
      } catch let failure as PostgreSQLFailure where record.isThere(failure) {
        if connection.isInTransaction { _ = try connection.run(PostgreSQLStatement("ROLLBACK")) }
        return true
      }
    } catch {
      writer.drop()
      throw StoreError.outcomeUnknown(server: store.place)
    }
  }
}
#endif
