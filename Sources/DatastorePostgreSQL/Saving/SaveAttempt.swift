#if PostgreSQL
import Basics
import DatastoreCore
import DatastoreSQL
import Foundation

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
  private var failures = 0
  private var isReconnected = false

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
    while true {
      let message = try SaveMessage(
        changes, store.mapping, tables: store.tables, rekeyed: keys.rekeyed, settled: settled,
        defersConstraints: store.capabilities.defersConstraints)
      do {
        try send(message)
        return result(of: message)
      } catch let failure as PostgreSQLFailure {
        if try isSaved(message, after: failure) { return result(of: message) }
      }
    }
  }

  /// Finds out what has become of a message that failed.
  ///
  /// - Returns: whether it was saved nevertheless; if not, it is to be sent again.
  /// - Throws: why it cannot be saved.
  private mutating func isSaved(
    _ message: SaveMessage, after failure: PostgreSQLFailure
  ) throws -> Bool {
    if failure.isOfConnection { return try isSavedAfterReconnecting(failure) }
    if record.isThere(failure) { return true }
    failures += 1
    if failure.mayBeRetried, failures < Self.limit {
      Self.pause(failures)
      return false
    }
    let place = failure.statement.map { $0 - Self.stepsBefore } ?? -1
    let step = message.steps.indices.contains(place) ? message.steps[place] : nil
    if let step, let assertion = step.assertion, failure.code == PostgreSQLFailure.divisionByZero {
      guard case .unchanged = assertion else { throw try refusal(of: step, assertion) }
      if failures >= Self.limit { throw StoreError.locked(path: store.place) }
      try settle()
      return false
    }
    // One of several servers behind that one, which commit one after the other.
    if place >= message.steps.count, failure.isOfServerBehind {
      throw StoreError.outcomeUnknown(server: "a server behind \(store.place)")
    }
    throw StoreError(failure, of: step?.entity, in: store)
      .naming(rowOf: changes, in: store.schema, failure)
  }

  /// Connects again, once. A save that is sent again meets its own record where it was committed: nothing has to be
  /// guessed. Tables of others have no record of it, but the server knows what became of a transaction.
  ///
  /// - Throws: `StoreError.outcomeUnknown`.
  private mutating func isSavedAfterReconnecting(_ failure: PostgreSQLFailure) throws -> Bool {
    connection = nil
    if isReconnected { throw StoreError.outcomeUnknown(server: store.place) }
    isReconnected = true
    do {
      let other = try reconnect()
      connection = other
      return try !store.mapping.isNative && wasCommitted(failure, other)
    } catch {
      throw StoreError.outcomeUnknown(server: store.place)
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
    do {
      let connection = try open()
      _ = try connection.run(PostgreSQLStatement("BEGIN"))
      defer { _ = try? connection.run(PostgreSQLStatement("ROLLBACK")) }
      var examination = SaveExamination(store, changes, connection)
      try examination.run()
      if !examination.conflicts.isEmpty { throw ConflictError(conflicts: examination.conflicts) }
      settled = examination.settled
    } catch let failure as PostgreSQLFailure where failure.mayBeRetried {
      Self.pause(failures)
    } catch let failure as PostgreSQLFailure {
      // Nothing was written: the save was refused before.
      connection = nil
      throw store.storeError(failure)
    }
  }
}
#endif
