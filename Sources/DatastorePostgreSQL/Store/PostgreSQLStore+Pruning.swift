#if PostgreSQL
import DatastoreCore
import DatastoreSQL
import Dispatch

/// The schedule for removing old rows of the log of changes.
struct Pruning {
  /// When it last began.
  var last: ContinuousClock.Instant?
  /// Called when that fails.
  var failed: (@Sendable (any Error) -> Void)?
}

extension PostgreSQLStore {
  /// - Parameter failed: called on a background queue when work fails that nothing waits for.
  package func whenBackgroundWorkFails(_ failed: @escaping @Sendable (any Error) -> Void) {
    pruning.withLock { $0.failed = failed }
  }

  /// Removes some of the changes that are older than a day from the log, without waiting for that; most calls
  /// do nothing.
  func pruneLog() {
    guard mapping.isNative, !isReadOnly else { return }
    let now = ContinuousClock.now
    let isDue = pruning.withLock { pruning in
      if let last = pruning.last, now - last < .seconds(600) { return false }
      pruning.last = now
      return true
    }
    guard isDue else { return }
    DispatchQueue.global(qos: .utility).async { [weak self] in
      guard let self else { return }
      do {
        try pruneLogNow()
      } catch {
        pruning.withLock { $0.failed }?(error)
      }
    }
  }

  /// Removes 10,000 rows at most, and records how far the log was cut, for programs whose last check was
  /// before that.
  ///
  /// Only of transactions that ended before every one that is running, so that all checks from now on see
  /// them as ended.
  ///
  /// - Throws: `StoreError`.
  package func pruneLogNow() throws {
    try requireOpen()
    do {
      // Neither a connection that something waits for, nor one that is kept.
      let connection = try PostgreSQLConnection(address)
      guard capabilities.contains(.snapshots) else {
        // Such rows only say whether a save was committed, which no one asks a day later.
        _ = try connection.run(
          PostgreSQLStatement(
            """
            DELETE FROM "_datastore_changes" WHERE "save" IN (SELECT "save" \
            FROM "_datastore_changes" WHERE "at" < now() - interval '1 day' LIMIT 10000)
            """))
        return
      }
      _ = try connection.run(
        PostgreSQLStatement(
          """
          WITH oldest AS (SELECT "save", "at" FROM "_datastore_changes" \
          WHERE "xid" < pg_snapshot_xmin(pg_current_snapshot()) \
          AND (SELECT "at" FROM "_datastore_changes" ORDER BY "xid" LIMIT 1) \
          < now() - interval '1 day' ORDER BY "xid" LIMIT 10000), \
          old AS (SELECT "save" FROM "_datastore_changes" WHERE "save" IN \
          (SELECT "save" FROM oldest WHERE "at" < now() - interval '1 day') FOR UPDATE SKIP LOCKED), \
          gone AS (DELETE FROM "_datastore_changes" AS log USING old \
          WHERE log."save" = old."save" RETURNING log."xid") \
          INSERT INTO "_datastore" ("key", "value") \
          SELECT 'pruned', "xid"::text FROM gone ORDER BY gone."xid" DESC LIMIT 1 \
          ON CONFLICT ("key") DO UPDATE \
          SET "value" = greatest("_datastore"."value"::xid8, excluded."value"::xid8)::text
          """))
    } catch let failure as PostgreSQLFailure {
      throw storeError(failure)
    }
  }
}
#endif
