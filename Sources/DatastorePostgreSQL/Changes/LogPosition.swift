#if PostgreSQL

/// Up to where a store has seen the log of changes.
struct LogPosition {
  /// The server's snapshot, which says what transactions were visible.
  let snapshot: String
  /// The transactions of the log that were visible and are not older than every one that was running; nil
  /// where the snapshot says that itself.
  ///
  /// A server that follows another one lists no running transactions in its snapshots, though they are not
  /// visible: its snapshot alone would lose them (tried with PostgreSQL 15).
  let seen: String?

  /// What `init(_:)` reads, of a row `looked` with a `snapshot`.
  static let columns = """
    looked.snapshot::text, CASE WHEN pg_is_in_recovery() THEN \
    (SELECT coalesce(array_agg(visible."xid"), '{}')::text FROM "_datastore_changes" AS visible \
    WHERE visible."xid" >= pg_snapshot_xmin(looked.snapshot)) END
    """

  /// From the first two columns of an answer.
  init?(_ result: PostgreSQLResult) {
    guard let snapshot = result.text(0, 0) else { return nil }
    self.snapshot = snapshot
    seen = result.text(0, 1)
  }

  /// `$1` and `$2` of a question from here on.
  var parameters: [PostgreSQLParameter] {
    [
      PostgreSQLParameter(written: snapshot),
      seen.map { PostgreSQLParameter(written: $0) } ?? .null(.unknown),
    ]
  }
}
#endif
