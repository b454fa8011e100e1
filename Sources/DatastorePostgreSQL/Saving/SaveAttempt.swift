#if PostgreSQL
import Basics
import DatastoreCore
import DatastoreSQL

/// A save, from its first message to its end.
struct SaveAttempt {
  /// The progress of a save.
  private enum State {
    /// The message has to be made from what is known so far.
    case fresh
    /// The message is on its way.
    case sent(SaveMessage)
    /// The connection was lost before the answer arrived: the server may have committed the save.
    case doubtful(SaveMessage, PostgreSQLFailure)
    /// The server has refused it, and nothing of it is written.
    case refused(SaveMessage, PostgreSQLFailure)
    case done(SaveMessage)
  }

  private let store: PostgreSQLStore
  private let changes: ChangeSet
  private let record: SaveRecord
  private var writer: WriterConnection
  /// The rows it changes, for the log and for listeners.
  private var changed: MergedKeys
  private var settled: Set<SavedRow> = []
  private var keys: KeyAssignment
  /// The server's number of the transaction that was begun last.
  private var number: String?

  init(_ store: PostgreSQLStore, _ changes: ChangeSet, _ connection: PostgreSQLConnection?) {
    self.store = store
    self.changes = changes
    record = SaveRecord(store)
    writer = WriterConnection(store, connection)
    changed = MergedKeys(changes)
    keys = KeyAssignment(store, changes)
  }

  /// The connection for the next save.
  var connection: PostgreSQLConnection? { writer.connection }

  mutating func run() throws -> SaveResult {
    try assignKeys()
    var state = State.fresh
    while true {
      switch state {
      case .fresh: state = .sent(try message())
      case .sent(let message): state = try send(message)
      case .doubtful(let message, let failure):
        state = try wasCommitted(failure) ? .done(message) : .fresh
      case .refused(let message, let failure): state = try judge(message, failure)
      case .done(let message): return result(of: message)
      }
    }
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

  // MARK: fresh

  private func message() throws -> SaveMessage {
    try SaveMessage(
      changes, store.mapping, tables: store.tables, rekeyed: keys.rekeyed, settled: settled,
      defersConstraints: store.capabilities.defersConstraints)
  }

  // MARK: sent

  /// `BEGIN`, the timeouts for locks, and the record of the save.
  private static let stepsBefore = 3

  /// Sends a message, and waits for the answer.
  ///
  /// - Throws: `StoreError` if the server cannot be reached.
  private mutating func send(_ message: SaveMessage) throws -> State {
    let connection = try writer.open()
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
      record.apply(results[Self.stepsBefore - 1], results[results.count - 1])
      return .done(message)
    } catch {
      if connection.isInTransaction { _ = try? connection.run(PostgreSQLStatement("ROLLBACK")) }
      guard let failure = error as? PostgreSQLFailure else { throw error }
      return failure.isOfConnection ? .doubtful(message, failure) : .refused(message, failure)
    }
  }

  // MARK: doubtful

  /// Whether a message whose answer was lost was committed. Reconnects once. A save that is sent again meets
  /// its own record if it was committed: nothing has to be guessed. Third-party tables have no such record,
  /// but the server knows the outcome of a transaction.
  ///
  /// - Throws: `StoreError.outcomeUnknown`.
  private mutating func wasCommitted(_ failure: PostgreSQLFailure) throws -> Bool {
    do {
      guard writer.lost() else { throw StoreError.outcomeUnknown(server: store.place) }
      _ = try writer.reconnect()
      // A server that itself announces the end of the connection has not reached the commit.
      let isToldNot = !failure.code.isEmpty && failure.statement != nil
      return try !store.mapping.isNative && !isToldNot && writer.wasCommitted(number)
    } catch {
      throw StoreError.outcomeUnknown(server: store.place)
    }
  }

  // MARK: refused

  /// Decides how to continue after a refusal.
  ///
  /// - Throws: the reason why the changes cannot be saved.
  private mutating func judge(
    _ message: SaveMessage, _ failure: PostgreSQLFailure
  ) throws -> State {
    if record.isThere(failure) { return .done(message) }
    let mayTryAgain = writer.failed()
    if failure.mayBeRetried, mayTryAgain {
      writer.pause()
      return .fresh
    }
    let place = failure.statement.map { $0 - Self.stepsBefore } ?? -1
    let step = message.steps.indices.contains(place) ? message.steps[place] : nil
    if let step, let assertion = step.assertion, failure.code == PostgreSQLFailure.divisionByZero {
      guard case .unchanged = assertion else { throw try refusal(of: step, assertion) }
      if !mayTryAgain { throw unwritable(step) }
      try settle()
      return .fresh
    }
    // One of several servers behind that one, which commit one after the other.
    if place >= message.steps.count,
      failure.isOfServerBehind || store.isSpread && failure.isOfCommitBehind
    {
      throw StoreError.outcomeUnknown(server: "a server behind \(store.place)")
    }
    throw StoreError(failure, of: step?.entity, in: store)
      .naming(rowOf: changes, in: store.schema, failure)
  }

  /// The reason why rows could not be written, although each time they were as this save knows them: other
  /// writers overtook it, or in tables of other programs something there keeps them.
  private func unwritable(_ step: SaveStep) -> StoreError {
    guard !store.mapping.isNative, let entity = step.entity else {
      return .locked(path: store.place)
    }
    return .refused(
      entity: store.schema.entities[entity].name, key: nil,
      detail: "a trigger or rule of the table kept a row as it was, or others write it all the time"
    )
  }

  /// The reason why a save was given up although its rows have not changed.
  private func refusal(of step: SaveStep, _ assertion: SaveStep.Assertion) throws -> StoreError {
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
        of: link.description.destination, isDeleted: link.deleteRule.deletesDestinations)
    }
  }

  /// Finds out which rows have changed since the edits began.
  ///
  /// - Throws: `ConflictError` if there are some.
  private mutating func settle() throws {
    do {
      let connection = try writer.open()
      _ = try connection.run(PostgreSQLStatement("BEGIN"))
      defer { _ = try? connection.run(PostgreSQLStatement("ROLLBACK")) }
      var examination = SaveExamination(store, changes, connection)
      try examination.run()
      if !examination.conflicts.isEmpty { throw ConflictError(conflicts: examination.conflicts) }
      settled = examination.settled
    } catch let failure as PostgreSQLFailure where failure.mayBeRetried {
      writer.pause()
    } catch let failure as PostgreSQLFailure {
      // Nothing was written: the save was refused before.
      writer.drop()
      throw store.storeError(failure)
    }
  }

  // MARK: done

  private func result(of message: SaveMessage) -> SaveResult {
    var result = SaveResult(rekeyed: keys.rekeyed, stale: message.stale)
    // Triggers may have written any row.
    let written = changes.entities.map(\.entity) + changes.links.map(\.entity)
    if written.contains(where: { store.tables[$0]?.hasTriggers ?? false })
      || store.mapping.setsDefaults(in: changes)
    {
      result.sideChanges = .everything
    }
    return result
  }
}
#endif
