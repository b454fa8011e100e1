#if PostgreSQL
import Basics

/// Which transactions of the server have become visible since the last check.
///
/// `pg_current_snapshot()` says which ones a statement sees: all below `xmin`, and those below `xmax` that
/// are not in its list of transactions in progress. It costs the server some 40 microseconds, and every user
/// may call it.
struct ForeignTransactions {
  /// The snapshot of the last check.
  private var last: Snapshot?
  /// Own transactions that no check has seen yet.
  private var own: Set<UInt64> = []
  /// The position up to which a standby had replayed.
  private var position: String?

  struct Snapshot {
    let least: UInt64
    let end: UInt64
    let running: Set<UInt64>

    /// - Parameter text: `xmin:xmax:xip,…`.
    init?(_ text: String) {
      let parts = text.parts(at: ":")
      guard parts.count == 3, let least = UInt64(parts[0]), let end = UInt64(parts[1]) else {
        return nil
      }
      self.least = least
      self.end = end
      running = Set(parts[2].words(at: ",").compactMap { UInt64($0) })
    }

    func sees(_ transaction: UInt64) -> Bool {
      transaction < end && !running.contains(transaction)
    }
  }

  /// The result of a check.
  enum Finding {
    case nothing
    /// Transactions of others have ended.
    case transactions
    /// Something was written somewhere, and nothing says where.
    case unknown
  }

  /// Excludes a transaction of this store.
  mutating func record(own transaction: UInt64) { own.insert(transaction) }

  /// The first check finds nothing.
  mutating func look(_ look: ForeignLook) -> Finding {
    defer { position = look.replayed }
    guard let snapshot = look.snapshot else { return .unknown }
    let isForeign = isForeign(snapshot)
    if let replayed = look.replayed {
      return replayed == position ?? replayed ? .nothing : .unknown
    }
    return isForeign ? .transactions : .nothing
  }

  /// Whether a transaction of another program has become visible since the last check.
  private mutating func isForeign(_ snapshot: Snapshot) -> Bool {
    defer {
      last = snapshot
      own = own.filter { !snapshot.sees($0) }
    }
    guard let last else { return false }
    // After ten thousand further transactions they are no longer checked one by one.
    guard snapshot.end - min(last.least, snapshot.end) < 10_000 else { return true }
    return (last.least..<max(last.least, snapshot.end)).contains {
      snapshot.sees($0) && !last.sees($0) && !own.contains($0)
    }
  }
}

/// The server's report of its transactions.
struct ForeignLook {
  let snapshot: ForeignTransactions.Snapshot?
  /// The position up to which a standby has replayed; nil for a primary. A standby does not count writes to
  /// tables, and its snapshots do not list the transactions that are still running.
  let replayed: String?

  /// The columns that `init(_:)` reads, of a row `looked` with a `snapshot`.
  static let columns = """
    looked.snapshot::text, \
    CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()::text END
    """

  /// Reads the first two columns of an answer.
  init(_ result: PostgreSQLResult) {
    snapshot = result.text(0, 0).flatMap { ForeignTransactions.Snapshot($0) }
    replayed = result.text(0, 1)
  }
}
#endif
