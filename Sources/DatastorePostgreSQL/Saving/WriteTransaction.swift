#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// A transaction that writes step by step, since what it writes depends on what it finds.
///
/// All of its statements see the state of its beginning, and its own writes. If another program has changed
/// one of the same rows since then, it fails (40001) rather than lose a change.
final class WriteTransaction {
  let store: PostgreSQLStore
  let record: SaveRecord
  let connection: PostgreSQLConnection
  /// Steps that travel with the next statement that is waited for.
  private var pending: [SaveStep]
  /// Whether its end was sent, so that a lost connection leaves open whether it was committed.
  private(set) var isEnding = false
  /// A condition that the server cannot decide, and the one that lists its rows instead.
  private var replacement: (predicate: Predicate, condition: (QueryScope) -> SQLFragment)?

  /// A server's refusal, with the entity whose rows the statement was about.
  struct Failure: FailureOfServer {
    let failure: PostgreSQLFailure
    var entity: EntityIndex?
    var key: RowKey?
  }

  init(_ store: PostgreSQLStore, _ connection: PostgreSQLConnection) {
    self.store = store
    self.connection = connection
    record = SaveRecord(store)
    pending = [
      "BEGIN ISOLATION LEVEL REPEATABLE READ", "SET LOCAL lock_timeout = '5s'",
    ].map { SaveStep(statement: PostgreSQLStatement($0, isKept: true)) }
  }

  var mapping: SchemaMapping { store.mapping }
  var schema: Schema { store.schema }

  /// A builder of SQL. One instance makes one statement.
  func makeBuilder() -> QueryBuilder {
    let builder = QueryBuilder(mapping)
    builder.replacement = replacement
    return builder
  }

  /// Finds the rows of a condition in memory if the server cannot decide it: statements of `makeBuilder()`
  /// list them.
  ///
  /// - Parameter isCareful: whether the server has failed at something that the condition computes.
  /// - Throws: `StoreError` for a meaningless condition; `Failure`.
  func find(_ predicate: Predicate?, of entity: Entity, isCareful: Bool) throws {
    guard let predicate else { return }
    do {
      let request = FetchRequest(entity: entity.name, predicate: predicate)
      _ = try PostgreSQLStatement(QueryBuilder(mapping).keys(request))
      if !isCareful { return }
    } catch let error as StoreError where error.isUnsupported {}
    try flush()
    do {
      replacement = try PostgreSQLReadTransaction(inside: store, on: connection)
        .replacement(of: predicate, entity, isCareful: isCareful)
    } catch let failure as PostgreSQLFailure {
      throw Failure(failure: failure, entity: entity.index)
    }
  }

  /// Adds steps to be sent before the next answer is waited for.
  func add(_ steps: [SaveStep]) { pending += steps }

  /// Allows rows to precede those that they refer to, in tables whose constraints may be checked with each
  /// statement.
  func deferConstraints() {
    if mapping.isNative { return }
    add([
      SaveStep(statement: PostgreSQLStatement("SET CONSTRAINTS ALL DEFERRED", isKept: true))
    ])
  }

  /// Sends the added steps, and waits.
  func flush() throws {
    if !pending.isEmpty { _ = try send() }
  }

  /// The answer to a statement about the rows of an entity.
  func run(
    _ statement: PostgreSQLStatement, of entity: EntityIndex? = nil
  ) throws -> PostgreSQLResult {
    func prepare() throws {
      try flush()
      pending.append(SaveStep(statement: PostgreSQLStatement("SAVEPOINT found", isKept: true)))
    }
    func recover() throws -> Bool {
      try connection.run(PostgreSQLStatement("ROLLBACK TO SAVEPOINT found", isKept: true))
      return true
    }
    return try store.fencing(statement, preparing: prepare, recovering: recover) { statement in
      pending.append(SaveStep(statement: statement, entity: entity))
      let results = try send()
      return results[results.count - 1]
    }
  }

  /// The answer to a fragment of SQL about the rows of an entity.
  ///
  /// - Throws: `StoreError.unsupportedPredicate` for a condition that PostgreSQL cannot express.
  func run(
    _ fragment: SQLFragment, _ parameters: [PostgreSQLParameter] = [],
    of entity: EntityIndex? = nil,
    isKept: Bool = false
  ) throws -> PostgreSQLResult {
    try run(PostgreSQLStatement(fragment, parameters, isKept: isKept), of: entity)
  }

  private func send() throws -> [PostgreSQLResult] {
    let steps = pending
    pending = []
    do {
      return try connection.run(steps.map(\.statement))
    } catch let failure as PostgreSQLFailure {
      let step = failure.statement.flatMap { steps.indices.contains($0) ? steps[$0] : nil }
      throw Failure(failure: failure, entity: step?.entity)
    }
  }

  /// Writes new rows.
  func copy(_ rows: CopiedRows) throws {
    try flush()
    var rest: [UInt8]? = rows.message
    do {
      _ = try connection.copyIn(rows.statement) {
        defer { rest = nil }
        return rest
      }
    } catch let failure as PostgreSQLFailure {
      throw Failure(failure: failure, entity: rows.entity, key: rows.key(in: failure))
    }
  }

  /// Commits, and leaves its record.
  func commit(_ changed: MergedKeys) throws {
    // Deferred constraints are checked now: this may take long, and can still be cancelled.
    if store.capabilities.defersConstraints {
      add([SaveStep(statement: PostgreSQLStatement("SET CONSTRAINTS ALL IMMEDIATE", isKept: true))])
    }
    try flush()
    connection.stopSignal = nil
    connection.isUnwanted = nil
    isEnding = true
    do {
      let results = try connection.run([record.statement(changed)] + record.ending(changed))
      record.apply(results[0], results[results.count - 1])
    } catch let failure as PostgreSQLFailure {
      throw Failure(failure: failure)
    }
  }

  func rollBack() {
    connection.stopSignal = nil
    connection.isUnwanted = nil
    if connection.isInTransaction { _ = try? connection.run(PostgreSQLStatement("ROLLBACK")) }
  }
}
#endif
