#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// A first connection to a server, with what was found out about it.
struct ServerSession {
  /// As everybody else should connect.
  private(set) var address: PostgreSQLAddress
  let connection: PostgreSQLConnection
  let capabilities: ServerCapabilities

  /// Connects, through a pooler in its way where there is one.
  ///
  /// - Parameter missing: what the server is taken not to be able to, whatever it can.
  /// - Throws: `StoreError`.
  init(_ address: PostgreSQLAddress, without missing: ServerCapabilities) throws {
    var address = address
    if missing.contains(.ownSession) { address.isPooled = true }
    var connection = try Self.connect(&address)
    do {
      var found = try ServerCapabilities.found(on: connection)
      if !address.isPooled, !found.contains(.ownSession) {
        address.isPooled = true
        connection = try PostgreSQLConnection(address)
        found = try ServerCapabilities.found(on: connection)
      }
      capabilities = found.subtracting(missing)
    } catch let failure as PostgreSQLFailure {
      throw StoreError(failure, server: connection.server)
    }
    self.address = address
    self.connection = connection
  }

  /// - Parameter address: says afterwards whether a pooler is in the way.
  private static func connect(
    _ address: inout PostgreSQLAddress
  ) throws -> PostgreSQLConnection {
    do {
      return try PostgreSQLConnection(address)
    } catch let error {
      guard case .unreachable(_, let detail) = error, !address.isPooled,
        detail.contains("unsupported startup parameter")
      else { throw error }
      // It would have to give our settings to whoever is lent the session next.
      address.isPooled = true
      return try PostgreSQLConnection(address)
    }
  }

  /// The same with what the tables of a store of ours are, or will be, declared as.
  ///
  /// - Throws: `PostgreSQLFailure`.
  func capabilities(
    ofStore name: String, isReadOnly: Bool, without missing: ServerCapabilities
  ) throws -> ServerCapabilities {
    let others = capabilities.subtracting(.ofTables)
    if let declared = try declaredCapabilities(ofStore: name) {
      // Transactions can be told apart where the tables note them and the server still has such numbers.
      let usable = capabilities.union([.deferrableUnique, .deferrableReferences, .triggers])
      return others.union(usable.intersection(declared))
    }
    if isReadOnly { return capabilities }
    do {
      let found = try ServerCapabilities.foundOfTables(in: name, on: connection)
      return capabilities.union(found).subtracting(missing)
    } catch let failure as PostgreSQLFailure where ["23505", "42P06"].contains(failure.code) {
      // Another program makes the schema, or has tried it, at this moment. That has ended by now.
      return try capabilities(ofStore: name, isReadOnly: isReadOnly, without: missing)
    }
  }

  /// What the tables of a store were declared as; nil where there is none.
  private func declaredCapabilities(ofStore name: String) throws -> ServerCapabilities? {
    do {
      let result = try connection.run(
        PostgreSQLStatement(
          """
          SELECT max("value") FILTER (WHERE "key" = 'capabilities'), count(*) \
          FROM \(name: name).\(name: "_datastore")
          """))
      // Empty where somebody else makes it just now; stores of the first versions say nothing, and have all.
      if result.integer(0, 1) == 0 { return nil }
      return result.text(0, 0).map { ServerCapabilities(text: $0) } ?? .ofTables
    } catch let failure as PostgreSQLFailure where ["42P01", "3F000"].contains(failure.code) {
      return nil
    }
  }
}
#endif
