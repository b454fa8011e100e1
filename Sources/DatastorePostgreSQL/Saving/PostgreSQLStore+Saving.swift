#if PostgreSQL
package import DatastoreCore
import DatastoreSQL
import Foundation

extension PostgreSQLStore {
  package func save(_ changes: ChangeSet) throws -> SaveResult {
    try save(changes, unless: nil)
  }

  /// Writes all changes in one transaction, or none.
  ///
  /// It is one message, and one wait. Where rows are no longer what the edits began from, another transaction finds out
  /// which. What fails only because others write at the same time is tried again.
  package func save(
    _ changes: ChangeSet, unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> SaveResult {
    if changes.isEmpty { return SaveResult() }
    try requireWritable()
    if isCancelled?() ?? false { throw CancellationError() }
    return try writer.withLock { connection in
      var attempt = SaveAttempt(self, changes)
      defer {
        connection = attempt.connection
        attempt.connection = nil
      }
      attempt.connection = connection
      return try attempt.run()
    }
  }
}

/// A save, from its first message to its end.
struct SaveAttempt {
  let store: PostgreSQLStore
  let changes: ChangeSet
  var connection: PostgreSQLConnection?
  /// By which the record of the save is found, however often it is sent.
  private let id = UUID()
  private var settled: Set<SaveMessage.SettledRow> = []

  init(_ store: PostgreSQLStore, _ changes: ChangeSet) {
    self.store = store
    self.changes = changes
  }

  /// Times that a save is sent which fails because of others.
  private static let limit = 8

  mutating func run() throws -> SaveResult {
    var failures = 0
    var isReconnected = false
    while true {
      let message = try SaveMessage(changes, store.mapping, settled: settled)
      do {
        try send(message)
        return SaveResult(stale: message.stale)
      } catch let failure as PostgreSQLFailure {
        if failure.isOfConnection {
          connection = nil
          // Sent again, it meets its own record where it was committed: nothing has to be guessed.
          if isReconnected { throw StoreError.outcomeUnknown(server: store.place) }
          isReconnected = true
          do {
            connection = try PostgreSQLConnection(store.address)
          } catch {
            throw StoreError.outcomeUnknown(server: store.place)
          }
          continue
        }
        if isRecorded(failure) { return SaveResult(stale: message.stale) }
        failures += 1
        if failures < Self.limit, failure.mayBeRetried {
          Self.pause(failures)
          continue
        }
        let step = failure.statement.flatMap { place in
          message.steps.indices.contains(place - Self.stepsBefore)
            ? message.steps[place - Self.stepsBefore] : nil
        }
        if let step, step.isAssertion, failure.code == "22012" {
          if failures >= Self.limit { throw StoreError.locked(path: store.place) }
          do {
            try settle()
          } catch let failure as PostgreSQLFailure where failure.mayBeRetried {
            Self.pause(failures)
          } catch let failure as PostgreSQLFailure {
            // Nothing was written: the save was refused before.
            connection = nil
            throw store.storeError(failure)
          }
          continue
        }
        throw StoreError(failure, of: step?.entity, in: store)
      }
    }
  }

  /// `BEGIN`, the times that it waits for others, and the record of the save.
  private static let stepsBefore = 3

  private mutating func open() throws -> PostgreSQLConnection {
    if let connection, connection.isReusable { return connection }
    let connection = try PostgreSQLConnection(store.address)
    self.connection = connection
    return connection
  }

  private mutating func send(_ message: SaveMessage) throws {
    let connection = try open()
    let before = [
      PostgreSQLStatement("BEGIN", isKept: true),
      PostgreSQLStatement("SET LOCAL lock_timeout = '5s'", isKept: true),
      PostgreSQLStatement(
        """
        INSERT INTO "_datastore_changes" ("save", "session") VALUES ($1, $2) \
        RETURNING "xid"::text
        """, [.uuid(id), .uuid(store.session)], isKept: true),
    ]
    let behind = [
      PostgreSQLStatement("COMMIT", isKept: true),
      // Behind the commit: inside it, the transactions of all programs would have to end one after the other.
      PostgreSQLStatement(
        "SELECT pg_notify('datastore', $1), pg_current_xact_id()::text",
        [.text(store.session.uuidString)], isKept: true),
    ]
    do {
      let results = try connection.run(before + message.steps.map(\.statement) + behind)
      // A notification is a transaction, too.
      let own = [results[Self.stepsBefore - 1].text(0, 0), results[results.count - 1].text(0, 1)]
      store.foreignTransactions.withLock { transactions in
        for number in own {
          if let number = number.flatMap({ UInt64($0) }) { transactions.note(own: number) }
        }
      }
    } catch {
      if connection.isInTransaction { _ = try? connection.run(PostgreSQLStatement("ROLLBACK")) }
      throw error
    }
  }

  /// Whether it is the record of this very save that is in the way: an earlier message of it was committed.
  private func isRecorded(_ failure: PostgreSQLFailure) -> Bool {
    failure.code == "23505" && failure.table == "_datastore_changes"
      && failure.statement == Self.stepsBefore - 1
  }

  /// Waits longer each time, and never as long as another program that does the same.
  private static func pause(_ failures: Int) {
    let most = 0.005 * Double(1 << min(failures - 1, 7))
    Thread.sleep(forTimeInterval: .random(in: most / 2...most))
  }

  /// Finds out which rows are not what the edits began from.
  ///
  /// - Throws: `ConflictError` where there are some.
  private mutating func settle() throws {
    let connection = try open()
    _ = try connection.run(PostgreSQLStatement("BEGIN"))
    defer { _ = try? connection.run(PostgreSQLStatement("ROLLBACK")) }
    var examination = SaveExamination(store, changes, connection)
    try examination.run()
    if !examination.conflicts.isEmpty { throw ConflictError(conflicts: examination.conflicts) }
    settled = examination.settled
  }
}
#endif
