#if PostgreSQL

extension PostgreSQLStore {
  /// By which the database is known, whatever its address is: the number of its cluster and its own; the address, where
  /// the server does not tell. Waits for the server.
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
