#if PostgreSQL
import Basics
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
    if let lent { return try save(changes, within: lent) }
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

  /// Writes all changes inside of a transaction that others have begun.
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

/// A save, from its first message to its end.
struct SaveAttempt {
  let store: PostgreSQLStore
  let changes: ChangeSet
  var connection: PostgreSQLConnection?
  let record: SaveRecord
  /// Which rows it changes, for the log and for those who listen.
  private var changed: MergedKeys
  private var settled: Set<SavedRow> = []
  private var keys: KeyAssignment
  /// The transaction that was begun last, as the server numbers it.
  private var number: String?
  /// What is told where the rest of a save cannot be added of which some servers have kept their part.
  var halfSaved: StoreError?

  init(_ store: PostgreSQLStore, _ changes: ChangeSet) {
    self.store = store
    self.changes = changes
    record = SaveRecord(store)
    changed = MergedKeys(changes)
    keys = KeyAssignment(store, changes)
  }

  /// Times that a save is sent which fails because of others.
  static let limit = 8

  mutating func run() throws -> SaveResult {
    try assignKeys()
    var failures = 0
    var isReconnected = false
    while true {
      let message = try SaveMessage(
        changes, store.mapping, tables: store.tables, rekeyed: keys.rekeyed, settled: settled,
        defersConstraints: store.capabilities.defersConstraints,
        trustsVersions: failures == 0 && store.marksRows)
      do {
        try send(message)
        store.halfSavedRows.withLock { if !$0.isEmpty { $0.subtract(changes.rows) } }
        return result(of: message)
      } catch let failure as PostgreSQLFailure {
        if failure.isOfConnection {
          connection = nil
          // Sent again, it meets its own record where it was committed: nothing has to be guessed.
          if isReconnected { throw StoreError.outcomeUnknown(server: store.place) }
          isReconnected = true
          do {
            let other = try reconnect()
            connection = other
            // Tables of others have no record of it, but the server knows what became of a transaction.
            if !store.mapping.isNative, try wasCommitted(failure, other) {
              return result(of: message)
            }
            let spread = try store.spreadEntities(of: changes, on: other)
            if !spread.isEmpty {
              if store.mapping.isNative, try record.isThere(on: other) {
                return result(of: message)
              }
              // The other servers need not know that it was not to be.
              noteHalfSaved(failure, spread)
            }
          } catch {
            throw StoreError.outcomeUnknown(server: store.place)
          }
          continue
        }
        if record.isThere(failure) { return result(of: message) }
        if let place = failure.statement, place >= Self.stepsBefore + message.steps.count {
          try noteHalfSaved(failure)
        }
        failures += 1
        if failures < Self.limit,
          failure.mayBeRetried || failure.isOfServerBehind && halfSaved != nil
        {
          Self.pause(failures)
          continue
        }
        let step = failure.statement.flatMap { place in
          message.steps.indices.contains(place - Self.stepsBefore)
            ? message.steps[place - Self.stepsBefore] : nil
        }
        var isRefused = isInsertedTwice(failure)
        if let step, let assertion = step.assertion, failure.code == "22012" {
          guard case .unchanged = assertion else { throw try refusal(of: step, assertion) }
          isRefused = true
        }
        if isRefused {
          if failures >= Self.limit { throw halfSaved ?? .locked(path: store.place) }
          do {
            try settle()
            if message.usesVersions { store.doubtVersions() }
          } catch let failure as PostgreSQLFailure where failure.mayBeRetried {
            Self.pause(failures)
          } catch let failure as PostgreSQLFailure
            where failure.isOfServerBehind && halfSaved != nil
          {
            Self.pause(failures)
          } catch let failure as PostgreSQLFailure {
            // Nothing was written: the save was refused before.
            connection = nil
            throw store.storeError(failure)
          }
          continue
        }
        if let halfSaved { throw halfSaved }
        throw StoreError(failure, of: step?.entity, in: store)
          .naming(rowOf: changes, in: store.schema, failure)
      }
    }
  }

  /// `BEGIN`, the times that it waits for others, and the record of the save.
  static let stepsBefore = 3

  /// Asks the server what became of the transaction whose answer was lost.
  ///
  /// - Throws: `StoreError.outcomeUnknown` where it does not know either.
  private func wasCommitted(
    _ failure: PostgreSQLFailure, _ connection: PostgreSQLConnection
  ) throws -> Bool {
    // A server that says itself that it ends the connection has not come to the commit.
    if !failure.code.isEmpty, failure.statement != nil { return false }
    guard let number else {
      throw StoreError.outcomeUnknown(server: store.place)
    }
    let question = PostgreSQLStatement(
      "SELECT pg_xact_status($1::text::xid8)", [.text(number)], isKept: true)
    for round in 1...10 {
      switch try connection.run(question).text(0, 0) {
      case "committed": return true
      case "aborted": return false
      case "in progress": Self.pause(round)
      default: throw StoreError.outcomeUnknown(server: store.place)
      }
    }
    throw StoreError.outcomeUnknown(server: store.place)
  }

  private mutating func assignKeys() throws {
    do {
      try keys.run()
    } catch let failure as PostgreSQLFailure {
      throw StoreError(failure, of: nil, in: store)
    }
    for (entity, assigned) in keys.rekeyed {
      changed.inserted[entity] = changed.inserted[entity]?.map { assigned[$0] ?? $0 }
      for (key, other) in assigned {
        guard let slots = changed.updated[entity]?.removeValue(forKey: key) else { continue }
        changed.updated[entity, default: [:]][other] = slots
      }
    }
  }

  private func result(of message: SaveMessage) -> SaveResult {
    var result = SaveResult(rekeyed: keys.rekeyed, stale: message.stale)
    // Triggers may have written any row.
    let written = changes.entities.map(\.entity) + changes.links.map(\.entity)
    if written.contains(where: { store.tables[$0]?.hasTriggers ?? false }) {
      result.sideChanges = .everything
    }
    return result
  }

  /// Why a save was given up whose rows are what they were.
  private mutating func refusal(
    of step: SaveStep, _ assertion: SaveStep.Assertion
  ) throws -> StoreError {
    guard let entity = step.entity.map({ store.schema.entities[$0] }) else {
      trap("what is asserted is said of an entity")
    }
    switch assertion {
    case .unchanged: trap("rows that have changed are conflicts")
    case .inserted:
      return .refused(
        entity: entity.name, key: nil, detail: "a trigger or rule of the table left out a new row")
    case .gone:
      return .refused(entity: entity.name, key: nil, detail: StoreError.keptRow)
    case .noOthers(let slot, let counting, let keys):
      guard let link = entity.links[slot] else {
        trap("members are those of a relationship")
      }
      let result = try store.read { try $0.run(counting) }
      let place = Int(result.rowCount > 0 ? result.integer(0, 0) ?? 1 : 1) - 1
      return .unknownMembers(
        entity: entity.name, key: keys[place],
        count: result.rowCount > 0 ? Int(result.integer(0, 1) ?? 1) : 1,
        of: link.description.destination, isDeleted: link.description.deleteRule == .cascade)
    }
  }

  private mutating func open() throws -> PostgreSQLConnection {
    if let connection, connection.isReusable, !connection.wasEnded { return connection }
    let connection = try PostgreSQLConnection(store.address)
    self.connection = connection
    return connection
  }

  private mutating func send(_ message: SaveMessage) throws {
    let connection = try open()
    let before = [
      PostgreSQLStatement("BEGIN", isKept: true),
      PostgreSQLStatement("SET LOCAL lock_timeout = '5s'", isKept: true),
      record.statement(changed),
    ]
    do {
      number = nil
      let results = try connection.run(
        before + message.steps.map(\.statement) + record.ending(changed),
        early: Self.stepsBefore - 1
      ) { number = $0.text(0, 0) }
      record.note(results[Self.stepsBefore - 1], results[results.count - 1])
    } catch {
      if connection.isInTransaction { _ = try? connection.run(PostgreSQLStatement("ROLLBACK")) }
      throw error
    }
  }

  /// Another connection: to the same server when it has started again, or to the standby that has taken its place.
  private func reconnect() throws -> PostgreSQLConnection {
    let end = ContinuousClock.now + .seconds(10)
    var failures = 0
    while true {
      do {
        return try PostgreSQLConnection(store.address)
      } catch let error {
        guard case .unreachable = error, ContinuousClock.now < end else { throw error }
        failures += 1
        Self.pause(failures + 3)
      }
    }
  }

  /// Waits longer each time, and never as long as another program that does the same.
  static func pause(_ failures: Int) {
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
    let halfSaved = store.halfSavedRows.withLock { $0.isEmpty ? [] : $0.intersection(changes.rows) }
    var examination = SaveExamination(store, changes, connection, halfSaved: halfSaved)
    try examination.run()
    if !examination.conflicts.isEmpty { throw ConflictError(conflicts: examination.conflicts) }
    settled = examination.settled
  }
}
#endif
