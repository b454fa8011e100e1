#if PostgreSQL
package import DatastoreCore

/// What others do in the database.
extension PostgreSQLStore {
  /// Whether a transaction of someone else has ended anywhere in the server's cluster, which need not have changed
  /// these tables.
  package func checkForExternalChanges() throws -> Bool {
    let text = try read { connection in
      try connection.run(PostgreSQLStatement("SELECT pg_current_snapshot()::text", isKept: true))
        .text(0, 0)
    }
    guard let snapshot = text.flatMap({ ForeignTransactions.Snapshot($0) }) else { return true }
    return foreignTransactions.withLock { $0.look(snapshot) }
  }

  /// Never known: the server has no number that changes with its tables, and statements fail that no longer fit.
  package func haveTablesChanged() throws -> Bool { false }

  /// Rows are always compared as if somebody else wrote them, too.
  package func noteSharing() {}

  /// None: a transaction that stays open keeps the server from tidying up after everybody.
  package func snapshot() throws -> (any StoreSnapshot)? { nil }
}
#endif
