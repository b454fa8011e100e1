#if PostgreSQL
package import DatastoreCore
import DatastoreSQL

/// One state of a database, on a connection that reads it.
///
/// The transaction begins in the message of the first statement, so that it costs no wait, and nothing waits
/// for its end.
final class PostgreSQLReadTransaction: SQLSession, ServerKeyReader {
  let store: PostgreSQLStore
  let connection: PostgreSQLConnection
  private var isBegun: Bool
  /// Whether it is inside another transaction, whose owner ends it.
  private let isInner: Bool
  /// Whether one of its statements was answered.
  private var isAnswered = false
  /// Whether it has a savepoint.
  private var isMarked = false

  init(_ store: PostgreSQLStore, _ connection: PostgreSQLConnection) {
    self.store = store
    self.connection = connection
    isInner = store.lent != nil
    isBegun = isInner
  }

  /// The state that a writing transaction sees, on its connection.
  init(inside store: PostgreSQLStore, on connection: PostgreSQLConnection) {
    self.store = store
    self.connection = connection
    isInner = true
    isBegun = true
  }

  var mapping: SchemaMapping { store.mapping }

  func answer<Question: StoreQuestion>(basic question: Question) throws -> Question.Answer {
    guard let own = question as? any ServerQuestion<Question.Answer> else {
      return try answer(rendered: question)
    }
    return try own.answer(in: self)
  }

  func reading<Result>(_ entity: Entity, _ body: () throws -> Result) throws -> Result {
    try store.reading(entity, body)
  }

  func prepare(_ sql: SQLFragment) throws -> PostgreSQLStatement { try PostgreSQLStatement(sql) }

  func rows(_ sql: SQLFragment) throws -> [[Value]] { try run(sql).rows() }

  func forEachPage(of entity: Entity, _ take: (RowPage) throws -> Void) throws {
    let rows = try QueryBuilder(mapping).rows(FetchRequest(entity: entity.name))
    var reader = ServerRowReader(mapping, entity: entity.index)
    var pages = reader.makePages(expecting: RowPage.fullCount)
    mark()
    do {
      try stoppingAlone {
        try receive(PostgreSQLStatement(rows)) {
          try reader.read($0, into: &pages)
          if pages.fullCount > 0 { try pages.takeFull().forEach(take) }
        }
      }
    } catch {
      // The first error says what ended the connection.
      _ = try? beginAgain()
      throw error
    }
    try pages.finish().forEach(take)
  }

  /// Runs a statement that the receiver of its rows may stop, without stopping those that follow it.
  private func stoppingAlone(_ body: () throws -> Void) rethrows {
    let (outer, isUnwanted) = (connection.stopSignal, connection.isUnwanted)
    connection.stopSignal = StopSignal()
    connection.isUnwanted = { outer?.isStopped ?? false || isUnwanted?() ?? false }
    defer { (connection.stopSignal, connection.isUnwanted) = (outer, isUnwanted) }
    try body()
  }

  func result(of query: SQLFragment, about entity: EntityIndex) throws -> PostgreSQLResult {
    try run(query)
  }

  /// All statements see one state from the first on, and write nothing.
  private static let begin = PostgreSQLStatement(
    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", isKept: true)

  private func begun(_ statement: PostgreSQLStatement) -> [PostgreSQLStatement] {
    defer { isBegun = true }
    return isBegun ? [statement] : [Self.begin, statement]
  }

  /// The answer to a statement, all of it at once.
  func run(_ statement: PostgreSQLStatement) throws -> PostgreSQLResult {
    try fencing(statement) { statement in
      let statements = begun(statement)
      let result = try connection.run(statements)[statements.count - 1]
      isAnswered = true
      return result
    }
  }

  private func fencing<Result>(
    _ statement: PostgreSQLStatement, _ body: (PostgreSQLStatement) throws -> Result
  ) throws -> Result {
    try store.fencing(
      statement, preparing: { if isAnswered || isInner { mark() } }, recovering: beginAgain, body)
  }

  /// The answers to statements that are sent together.
  func run(_ statements: [PostgreSQLStatement]) throws -> [PostgreSQLResult] {
    if statements.isEmpty { return [] }
    let first = begun(statements[0])
    let results = try connection.run(first + statements.dropFirst())
    isAnswered = true
    return Array(results.suffix(statements.count))
  }

  /// Passes on the rows of a statement as they arrive.
  func receive(
    _ statement: PostgreSQLStatement, _ take: (PostgreSQLResult) throws -> Void
  ) throws {
    try fencing(statement) { statement in
      try connection.stream(begun(statement)) {
        isAnswered = true
        try take($0)
      }
    }
  }

  /// Sets a savepoint, from which a transaction continues after a statement that fails. Nothing waits for it.
  func mark() {
    connection.post([PostgreSQLStatement("SAVEPOINT found", isKept: true)])
    isMarked = true
  }

  /// Continues after a statement that has failed: from the savepoint, or from the beginning.
  ///
  /// - Returns: false if earlier statements were answered from a state that would be lost.
  func beginAgain() throws -> Bool {
    if isMarked {
      try connection.run(PostgreSQLStatement("ROLLBACK TO SAVEPOINT found", isKept: true))
      return true
    }
    if isAnswered || isInner { return false }
    if connection.isInTransaction { try connection.run(PostgreSQLStatement("ROLLBACK")) }
    isBegun = false
    return true
  }

  /// Ends the transaction.
  func end() {
    if isBegun, !isInner { connection.post([PostgreSQLStatement("COMMIT", isKept: true)]) }
  }

  /// The answer to a fragment of SQL.
  func run(_ fragment: SQLFragment) throws -> PostgreSQLResult {
    try run(PostgreSQLStatement(fragment))
  }
}

extension PostgreSQLStore {
  package func readTransaction<Result>(
    _ body: (any ReadTransaction) throws -> Result
  ) throws -> Result {
    try read { try self.inTransaction($0, body) }
  }

  package func readTransaction<Result: Sendable>(
    reporting _: ReadProgress?,
    _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
  ) async throws -> Result {
    let signal = StopSignal()
    return try await withTaskCancellationHandler {
      try await BlockingWork.run {
        try self.read(stoppedBy: signal) { try self.inTransaction($0, body) }
      }
    } onCancel: {
      signal.stop()
    }
  }

  private func inTransaction<Result>(
    _ connection: PostgreSQLConnection, _ body: (any ReadTransaction) throws -> Result
  ) throws -> Result {
    let transaction = PostgreSQLReadTransaction(self, connection)
    defer { transaction.end() }
    return try body(transaction)
  }

  /// Runs `body`, and names the table or view in the error if the server cannot read it.
  func reading<Result>(_ entity: Entity, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let failure as PostgreSQLFailure
      where ["22P02", "22012", "22003", "42P01", "42703", "55000"].contains(failure.code)
    {
      throw StoreError.unreadable(entity: entity.name, detail: failure.message)
    } catch let error as TooManyRows {
      throw StoreError.unreadable(entity: entity.name, detail: error.description)
    }
  }
}

/// A question that only servers answer, or that they answer in their own way.
protocol ServerQuestion<Answer>: StoreQuestion {
  func answer(in transaction: PostgreSQLReadTransaction) throws -> Answer
}

/// Finds the keys of rows in a server.
protocol ServerKeyReader: KeyReader {
  /// The answer to a fragment of SQL about the rows of an entity.
  func result(of query: SQLFragment, about entity: EntityIndex) throws -> PostgreSQLResult
}

extension ServerKeyReader {
  func isMember(_ key: SQLFragment, of keys: [RowKey], _ entity: EntityIndex) -> SQLFragment {
    PostgreSQLDialect().isMember(key, ofColumns: KeyParameters(mapping, entity).arrays(keys))
  }

  func keys(_ query: SQLFragment, of entity: EntityIndex) throws -> [RowKey] {
    try ServerKey(mapping, entity).numbers(result(of: query, about: entity), 0)
  }

  func counts(
    _ query: SQLFragment, of entity: EntityIndex
  ) throws -> [(key: RowKey, count: Int)] {
    let result = try result(of: query, about: entity)
    let keys = try ServerKey(mapping, entity).numbers(result, 0)
    return zip(keys, 0...).map { ($0, Int(result.integer($1, 1) ?? 0)) }
  }
}
#endif
