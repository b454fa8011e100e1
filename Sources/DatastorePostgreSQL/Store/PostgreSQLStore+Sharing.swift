#if PostgreSQL
import DatastoreCore

/// Work that others do in the database.
extension PostgreSQLStore {
  package func listen(_ told: @escaping @Sendable () -> Void) -> (any Sendable & AnyObject)? {
    guard capabilities.contains(.notifications) else { return nil }
    return ChangeListener(address, channels: channels) { [weak self] in
      self?.take($0) ?? false
    } told: {
      told()
    }
  }

  package var snapshotRefusal: String {
    "No context can keep reading one state of \(place), because a transaction that stays open keeps the "
      + "server from tidying up after everybody; read what belongs together with one query."
  }
}

extension PostgreSQLStore {
  /// Identifies the database, whatever its address is: the identifier of its cluster and its own; the
  /// address, if the server does not report them. Waits for the server.
  package var databaseIdentity: String {
    let number = try? read { connection in
      try connection.run(
        PostgreSQLStatement(
          """
          SELECT system_identifier::text || '/' || (SELECT oid::text FROM pg_database \
          WHERE datname = current_database()) FROM pg_control_system()
          """)
      ).text(0, 0)
    }
    return "postgresql:"
      + (number.flatMap(\.self) ?? "\(server.host):\(server.port)/\(server.database)")
  }
}
#endif
