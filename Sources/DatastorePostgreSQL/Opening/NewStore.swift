#if PostgreSQL
package import DatastoreCore
import DatastoreSQL

/// A newly created store, for callers that may be unable to fill it.
package struct NewStore: Sendable {
  private let address: PostgreSQLAddress
  private let name: String
  private let mapping: SchemaMapping
  /// Whether a schema of that name had existed before.
  private let hadSchema: Bool

  fileprivate init(
    _ address: PostgreSQLAddress, _ name: String, _ mapping: SchemaMapping, hadSchema: Bool
  ) {
    self.address = address
    self.name = name
    self.mapping = mapping
    self.hadSchema = hadSchema
  }

  /// Removes its tables, and its schema if that was created for it, in one transaction. Does nothing if the
  /// schema has come to contain other objects.
  ///
  /// - Parameter withRows: whether to remove tables that have rows, too.
  /// - Throws: `StoreError`; nothing is removed then.
  package func remove(withRows: Bool) throws {
    var address = address
    address.searchPath = [name]
    let connection = try ServerSession(address, without: []).connection
    do {
      try remove(on: connection, withRows: withRows, attempts: 3)
    } catch let failure as PostgreSQLFailure {
      throw StoreError(failure, server: connection.server)
    }
  }

  /// A session that was left just now may still lock tables in another order.
  private func remove(
    on connection: PostgreSQLConnection, withRows: Bool, attempts: Int
  ) throws {
    do {
      try remove(on: connection, withRows: withRows)
    } catch let failure as PostgreSQLFailure where failure.mayBeRetried && attempts > 1 {
      _ = try connection.run(PostgreSQLStatement("ROLLBACK"))
      try remove(on: connection, withRows: withRows, attempts: attempts - 1)
    }
  }

  private func remove(on connection: PostgreSQLConnection, withRows: Bool) throws {
    let roots = mapping.schema.entities.filter { $0.parent == nil }
    let tables =
      roots.map { mapping.entities[$0.index].table }
      + NativeTables(mapping: mapping).joinTables.map(\.join.table)
    // In the order in which pruning the log locks them.
    let all = (tables + ["_datastore_changes", "_datastore"]).map { "\(name: $0)" as SQLFragment }
      .joined(by: ", ")
    let isFilled = tables.map { "EXISTS (SELECT FROM \(name: $0))" as SQLFragment }
      .joined(by: " OR ")
    func run(_ statement: SQLFragment) throws -> PostgreSQLResult {
      try connection.run(PostgreSQLStatement(statement))
    }
    _ = try run("BEGIN")
    // Other writers are waited for, and their rows are then visible.
    _ = try run("LOCK TABLE \(all) IN ACCESS EXCLUSIVE MODE")
    if !withRows, !tables.isEmpty, try run("SELECT \(isFilled)").bool(0, 0) {
      _ = try run("ROLLBACK")
      return
    }
    _ = try run("DROP TABLE \(all)")
    _ = try run("DROP FUNCTION IF EXISTS \(name: ChangeLog.trigger)()")
    for root in roots {
      _ = try run("DROP SEQUENCE IF EXISTS \(name: KeyBlocks.sequence(of: root))")
    }
    if !hadSchema { _ = try run("DROP SCHEMA \(name: name)") }
    _ = try run("COMMIT")
  }
}

extension PostgreSQLStore {
  /// Creates a store without rows. Waits for the server.
  ///
  /// - Throws: `StoreError`.
  package static func make(
    _ schema: Schema, at address: PostgreSQLAddress, named name: String
  ) throws -> NewStore {
    let connection = try ServerSession(address, without: []).connection
    let hadSchema: Bool
    do {
      hadSchema =
        try connection.run(
          PostgreSQLStatement("SELECT FROM pg_namespace WHERE nspname = $1::text", [.text(name)])
        ).rowCount > 0
    } catch let failure as PostgreSQLFailure {
      throw StoreError(failure, server: connection.server)
    }
    let store = try PostgreSQLStore(schema, at: address, named: name)
    try store.close()
    return NewStore(address, name, store.mapping, hadSchema: hadSchema)
  }

  /// The name of a database as shown to people. Connects to it.
  ///
  /// - Throws: `StoreError`.
  package static func server(at address: PostgreSQLAddress) throws -> ServerName {
    try ServerSession(address, without: []).connection.server
  }
}
#endif
