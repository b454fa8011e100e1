#if PostgreSQL
import DatastoreCore

/// Asking a server where its history stands.
extension ReadMark {
  /// What `init(_:)` reads: the run of the server, and the first transaction that it sees running. One that follows another
  /// server does not see those.
  static let columns = """
    (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::int8::text, \
    CASE WHEN NOT pg_is_in_recovery() THEN pg_snapshot_xmin(pg_current_snapshot())::text END
    """

  static let question = PostgreSQLStatement("SELECT \(columns)", isKept: true)

  /// From the answer to the question, asked before rows are read.
  init?(_ result: PostgreSQLResult) {
    guard result.rowCount == 1, let run = result.text(0, 0).flatMap({ Int64($0) }),
      let transaction = result.text(0, 1).flatMap({ UInt64($0) })
    else { return nil }
    self.init(run: run, transaction: transaction)
  }

  /// So few rows are cheaper to compare than to ask for.
  static let leastRows = 256
}
#endif
