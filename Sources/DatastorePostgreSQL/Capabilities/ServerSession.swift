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

  /// The same with what the tables of a native store are, or will be, declared as.
  ///
  /// - Parameter distributes: whether tables are to be distributed, where they are not there.
  /// - Throws: `PostgreSQLFailure`.
  func declaration(
    ofStore name: String, isReadOnly: Bool, distributes: Bool, without missing: ServerCapabilities
  ) throws -> StoreDeclaration {
    let others = capabilities.subtracting(.ofTables)
    if var declared = try declaration(ofStore: name) {
      // Transactions can be told apart where the tables record them and the server still has such numbers.
      let usable = capabilities.union([
        .deferrableUnique, .deferrableReferences, .triggers, .distributedTables,
      ])
      declared.capabilities = others.union(usable.intersection(declared.capabilities))
      return declared
    }
    if isReadOnly { return StoreDeclaration(capabilities: capabilities) }
    do {
      let found = try ServerCapabilities.foundOfTables(
        in: name, distributes: distributes, on: connection)
      var all = capabilities.union(found).subtracting(missing)
      // Each machine would look at it when it commits, and tell that it has failed, not at what.
      if all.contains(.distributedTables) { all.remove(.deferrableUnique) }
      return StoreDeclaration(capabilities: all)
    } catch let failure as PostgreSQLFailure where ["23505", "42P06"].contains(failure.code) {
      // Another program makes the schema, or has tried it, at this moment. That has ended by now.
      return try declaration(
        ofStore: name, isReadOnly: isReadOnly, distributes: distributes, without: missing)
    }
  }

  /// What the tables of a store were declared as; nil where there is none.
  private func declaration(ofStore name: String) throws -> StoreDeclaration? {
    do {
      let result = try connection.run(
        PostgreSQLStatement(
          """
          SELECT max("value") FILTER (WHERE "key" = 'capabilities'), count(*), \
          max("value") FILTER (WHERE "key" = \(literal: Distribution.key)) \
          FROM \(name: name).\(name: "_datastore")
          """))
      // Empty where somebody else makes it just now; stores of the first versions say nothing, and have all.
      if result.integer(0, 1) == 0 { return nil }
      return StoreDeclaration(
        capabilities: result.text(0, 0).map { ServerCapabilities(text: $0) } ?? .ofTables,
        isThere: true,
        distribution: result.text(0, 2).map { Distribution(text: $0) } ?? Distribution())
    } catch let failure as PostgreSQLFailure where ["42P01", "3F000"].contains(failure.code) {
      return nil
    }
  }
}

/// What the tables of a native store are declared as.
struct StoreDeclaration {
  var capabilities: ServerCapabilities
  /// Whether the store is there.
  var isThere = false
  /// By what its tables are distributed.
  var distribution = Distribution()
}
#endif
