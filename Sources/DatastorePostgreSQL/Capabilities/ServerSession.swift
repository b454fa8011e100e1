#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// A first connection to a server, with the capabilities found on it.
struct ServerSession {
  /// The address that all further connections should use.
  private(set) var address: PostgreSQLAddress
  let connection: PostgreSQLConnection
  let capabilities: ServerCapabilities

  /// Connects, through a pooler if the address leads to one.
  ///
  /// - Parameter missing: capabilities that the server is assumed to lack, whatever it can do.
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

  /// - Parameter address: says afterwards whether a pooler is in between.
  private static func connect(
    _ address: inout PostgreSQLAddress
  ) throws -> PostgreSQLConnection {
    do {
      return try PostgreSQLConnection(address)
    } catch let error {
      guard case .unreachable(_, let detail) = error, !address.isPooled,
        detail.contains("unsupported startup parameter")
      else { throw error }
      // The pooler would have to apply these settings to whichever session it lends next.
      address.isPooled = true
      return try PostgreSQLConnection(address)
    }
  }

  /// The session's capabilities together with those that the tables of a native store are, or will be,
  /// declared with.
  ///
  /// - Parameter distributes: whether tables are to be distributed if they do not exist yet.
  /// - Throws: `PostgreSQLFailure`.
  func declaration(
    ofStore name: String, isReadOnly: Bool, distributes: Bool, without missing: ServerCapabilities
  ) throws -> StoreDeclaration {
    let others = capabilities.subtracting(.ofTables)
    if var declared = try declaration(ofStore: name) {
      // Transactions can be told apart if the tables record them and the server still has such numbers.
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
      // Each machine would check it when it commits, and report that the check has failed, but not for which
      // row.
      if all.contains(.distributedTables) { all.remove(.deferrableUnique) }
      return StoreDeclaration(capabilities: all)
    } catch let failure as PostgreSQLFailure where ["23505", "42P06"].contains(failure.code) {
      // Another program is creating the schema, or has tried to, at this moment. It has finished by now.
      return try declaration(
        ofStore: name, isReadOnly: isReadOnly, distributes: distributes, without: missing)
    }
  }

  /// The declaration of the tables of a store; nil if the store does not exist.
  private func declaration(ofStore name: String) throws -> StoreDeclaration? {
    do {
      let result = try connection.run(
        PostgreSQLStatement(
          """
          SELECT max("value") FILTER (WHERE "key" = 'capabilities'), count(*), \
          max("value") FILTER (WHERE "key" = \(literal: Distribution.key)) \
          FROM \(name: name).\(name: "_datastore")
          """))
      // Empty if another program is creating it at this moment; stores of the first versions record no
      // capabilities, and have all.
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

/// How the tables of a native store are declared.
struct StoreDeclaration {
  var capabilities: ServerCapabilities
  /// Whether the store exists.
  var isThere = false
  /// The properties by which its tables are distributed.
  var distribution = Distribution()
}
#endif
