#if PostgreSQL
import DatastoreTestSupport

extension PostgreSQLServer {
  /// How many sessions of a database wait for a lock of another one.
  func lockWaits(in database: String) throws -> Int {
    Int(
      try psql(
        database,
        "SELECT count(*) FROM pg_stat_activity WHERE datname = '\(database)' AND wait_event_type = 'Lock'"
      )) ?? 0
  }

  /// Waits until so many transactions wait for locks, and lets others run meanwhile.
  ///
  /// - Parameter isOver: whether no further transaction will wait.
  func waitForLocks(
    _ count: Int = 1, in database: String, unless isOver: () -> Bool = { false }
  ) async throws {
    while try lockWaits(in: database) < count, !isOver() { await Task.yield() }
  }
}
#endif
