#if PostgreSQL
import DatastoreCore
import DatastoreSQL
import Dispatch

/// A native store during its migration: one connection, which is in the migration's transaction.
///
/// Belongs to one thread. Stores over the tables of the transaction use the same connection in turn.
final class MigratedSchema: MigrationDatabase {
  let name: String
  let address: PostgreSQLAddress
  let server: ServerName
  let capabilities: ServerCapabilities
  private let connection: Lock<PostgreSQLConnection>
  private let isCancelled: (@Sendable () -> Bool)?
  /// Existing tables of computed values.
  private var made: Set<String> = []

  /// - Parameter address: with the schema as its search path.
  /// - Throws: `StoreError` if there is no connection.
  init(
    _ name: String, at address: PostgreSQLAddress, _ capabilities: ServerCapabilities,
    isCancelled: (@Sendable () -> Bool)?
  ) throws {
    let connection = try PostgreSQLConnection(address)
    self.name = name
    self.address = address
    self.capabilities = capabilities
    server = connection.server
    self.isCancelled = isCancelled
    self.connection = Lock(connection)
  }

  /// A description of the store for messages.
  var place: String { Self.place(server, name) }

  static func place(_ server: ServerName, _ name: String) -> String {
    "\(server), schema “\(name)”"
  }

  /// Runs `body`, asking the server to stop as soon as the task is cancelled, then ends the transaction:
  /// commits it if `committing`, and otherwise, or if `body` throws, rolls it back.
  ///
  /// - Throws: the errors of `body`; `PostgreSQLFailure`; `CancellationError`.
  func transaction<Result>(
    committing: Bool, _ body: () throws -> Result
  ) throws -> Result {
    let signal = StopSignal()
    let watch = isCancelled.map { isCancelled in
      Repetition(every: 0.05, on: .global()) { if isCancelled() { signal.stop() } }
    }
    connection.withLock { $0.stopSignal = signal }
    do {
      defer {
        watch?.cancel()
        connection.withLock { $0.stopSignal = nil }
      }
      try run("BEGIN")
      let result = try body()
      if !committing {
        try run("ROLLBACK")
        return result
      }
      // From here on nothing stops it: a cancellation that is reported has changed nothing.
      connection.withLock { $0.stopSignal = nil }
      _ = try connection.withLock { try $0.run(PostgreSQLStatement("COMMIT")) }
      return result
    } catch {
      connection.withLock { connection in
        if connection.isInTransaction {
          _ = try? connection.run(PostgreSQLStatement("ROLLBACK"))
        }
      }
      throw error
    }
  }

  private func requireWanted() throws {
    if isCancelled?() ?? false { throw CancellationError() }
  }

  /// - Throws: `PostgreSQLFailure`, `CancellationError`.
  @discardableResult
  func run(_ sql: SQLFragment, _ parameters: [PostgreSQLParameter]) throws -> Int {
    try requireWanted()
    let statement = try PostgreSQLStatement(sql, parameters)
    return try connection.withLock { try $0.run(statement).affectedCount }
  }

  @discardableResult func run(_ sql: SQLFragment) throws -> Int { try run(sql, []) }

  /// Custom SQL.
  ///
  /// - Throws: `PostgreSQLFailure`, `CancellationError`.
  func run(text: String) throws {
    try requireWanted()
    _ = try connection.withLock { try $0.run(PostgreSQLStatement(text)) }
  }

  func rows(_ sql: SQLFragment) throws -> [[Value]] { try rows(sql, []) }

  func rows(_ sql: SQLFragment, _ parameters: [PostgreSQLParameter]) throws -> [[Value]] {
    try requireWanted()
    let statement = try PostgreSQLStatement(sql, parameters)
    return try connection.withLock { try $0.run(statement).rows() }
  }

  /// The texts of an answer; NULL becomes an empty text.
  func texts(_ sql: SQLFragment, _ parameters: [PostgreSQLParameter] = []) throws -> [[String]] {
    try requireWanted()
    let statement = try PostgreSQLStatement(sql, parameters)
    return try connection.withLock { try $0.run(statement).texts() }
  }

  /// Runs `body`, and rolls it back if the server refuses it.
  ///
  /// - Throws: the errors of `body` that do not come from the server.
  func attempt(_ body: () throws -> Void) throws -> PostgreSQLFailure? {
    try run("SAVEPOINT \(name: "_datastore_attempt")")
    do {
      try body()
      try run("RELEASE SAVEPOINT \(name: "_datastore_attempt")")
      return nil
    } catch let failure as PostgreSQLFailure where !failure.isOfConnection {
      try run("ROLLBACK TO SAVEPOINT \(name: "_datastore_attempt")")
      return failure
    }
  }

  func prepare(_ values: MigratedValues) throws {
    for destination in values.after.schema.entities {
      guard let source = values.difference.former(destination), !source.isAbstract,
        let values = MadeValues(values, source, destination),
        made.insert(values.tableName).inserted
      else { continue }
      try values.make(in: self)
    }
  }

  /// Drops prepared statements between two steps, in which tables of the same names have other columns.
  func forgetStep() throws {
    connection.withLock { $0.forgetPlans() }
    for table in made { try run("DROP TABLE \(name: "pg_temp").\(name: table)") }
    made = []
  }

  func namedObjects() throws -> [(kind: String, name: String)] {
    try texts(
      """
      SELECT CASE c.relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' \
      WHEN 'S' THEN 'sequence' WHEN 'i' THEN 'index' WHEN 'c' THEN 'type' ELSE 'table' END, \
      c.relname::text FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
      WHERE n.nspname = \(.text(name)) AND c.relkind <> 't' ORDER BY c.relname
      """
    ).map { ($0[0], $0[1]) }
  }

  func namesBesideTables(of mapping: SchemaMapping) -> Set<String> {
    Set(
      mapping.schema.entities.filter { $0.parent == nil }
        .map { KeyBlocks.sequence(of: $0).lowercased() })
  }

  func store(_ mapping: SchemaMapping) -> any StoreEngine {
    PostgreSQLStore(
      lent: connection, mapping: mapping, address: address, server: server,
      capabilities: capabilities)
  }
}
#endif
