#if PostgreSQL

/// The position up to which a store has read the log of changes.
struct LogPosition {
  /// The server's snapshot, which says which transactions were visible.
  let snapshot: String
  /// The visible transactions of the log that are not older than every running one; nil if the snapshot
  /// itself says that.
  ///
  /// The snapshots of a standby list no running transactions, although those are not visible: the snapshot
  /// alone would lose them (tried with PostgreSQL 15).
  let seen: String?

  /// The columns that `init(_:)` reads, of a row `looked` with a `snapshot`.
  static let columns = """
    looked.snapshot::text, CASE WHEN pg_is_in_recovery() THEN \
    (SELECT coalesce(array_agg(visible."xid"), '{}')::text FROM "_datastore_changes" AS visible \
    WHERE visible."xid" >= pg_snapshot_xmin(looked.snapshot)) END
    """

  /// Reads the first two columns of an answer.
  init?(_ result: PostgreSQLResult) {
    guard let snapshot = result.text(0, 0) else { return nil }
    self.snapshot = snapshot
    seen = result.text(0, 1)
  }

  /// `$1` and `$2` of a question that continues from this position.
  var parameters: [PostgreSQLParameter] {
    [
      PostgreSQLParameter(written: snapshot),
      seen.map { PostgreSQLParameter(written: $0) } ?? .null(.unknown),
    ]
  }
}
#endif
