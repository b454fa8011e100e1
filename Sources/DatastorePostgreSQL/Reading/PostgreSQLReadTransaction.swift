#if PostgreSQL
package import DatastoreCore
import DatastoreSQL

/// One state of a database, on a connection that reads it.
///
/// The transaction begins in the message of the first statement, so that it costs no wait, and nobody waits for its
/// end.
final class PostgreSQLReadTransaction: ReadTransaction {
  let store: PostgreSQLStore
  private let connection: PostgreSQLConnection
  private var isBegun = false

  init(_ store: PostgreSQLStore, _ connection: PostgreSQLConnection) {
    self.store = store
    self.connection = connection
  }

  var mapping: SchemaMapping { store.mapping }
  var schema: Schema { store.schema }

  /// Statements see one state from the first on, and write nothing.
  private static let begin = PostgreSQLStatement(
    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", isKept: true)

  private func begun(_ statement: PostgreSQLStatement) -> [PostgreSQLStatement] {
    defer { isBegun = true }
    return isBegun ? [statement] : [Self.begin, statement]
  }

  /// The answer to a statement, all of it at once.
  func run(_ statement: PostgreSQLStatement) throws -> PostgreSQLResult {
    let statements = begun(statement)
    return try connection.run(statements)[statements.count - 1]
  }

  /// Hands on the rows of a statement as they come.
  func stream(
    _ statement: PostgreSQLStatement, _ take: (PostgreSQLResult) throws -> Void
  ) throws {
    try connection.stream(begun(statement), take)
  }

  /// Ends it.
  func end() {
    if isBegun { connection.post([PostgreSQLStatement("COMMIT", isKept: true)]) }
  }

  /// Runs `body` for what is asked about an entity, with a builder of its SQL.
  ///
  /// - Throws: what `body` throws; `StoreError`, also where the server cannot read that entity.
  func asking<Result>(
    _ request: FetchRequest, _ body: (QueryBuilder, Entity) throws -> Result
  ) throws -> Result {
    let builder = QueryBuilder(mapping)
    let entity = try builder.entity(named: request.entity)
    return try store.reading(entity) { try body(builder, entity) }
  }

  /// The answer to a piece of SQL.
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

  /// Says which table or view it was that the server could not read.
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
#endif
