#if PostgreSQL
import Basics

/// Which transactions of the server have become visible since somebody looked the last time.
///
/// `pg_current_snapshot()` says which ones a statement sees: all below `xmin`, and those below `xmax` that
/// are not in its list of transactions in progress. Costs the server some 40 microseconds, and every user may
/// ask for it.
struct ForeignTransactions {
  /// What the last look saw.
  private var last: Snapshot?
  /// Our own ones that no look has seen yet.
  private var own: Set<UInt64> = []
  /// How far a server that follows another one had come.
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

  /// What a look has found.
  enum Finding {
    case nothing
    /// Someone else's transactions have ended.
    case transactions
    /// Something was written somewhere, and nothing says where.
    case unknown
  }

  /// Leaves out a transaction of our own.
  mutating func record(own transaction: UInt64) { own.insert(transaction) }

  /// The first look finds nothing.
  mutating func look(_ look: ForeignLook) -> Finding {
    defer { position = look.replayed }
    guard let snapshot = look.snapshot else { return .unknown }
    let isForeign = isForeign(snapshot)
    if let replayed = look.replayed {
      return replayed == position ?? replayed ? .nothing : .unknown
    }
    return isForeign ? .transactions : .nothing
  }

  /// Whether a transaction of somebody else has become visible since the last look.
  private mutating func isForeign(_ snapshot: Snapshot) -> Bool {
    defer {
      last = snapshot
      own = own.filter { !snapshot.sees($0) }
    }
    guard let last else { return false }
    // Who has written ten thousand times since then is not looked at one by one.
    guard snapshot.end - min(last.least, snapshot.end) < 10_000 else { return true }
    return (last.least..<max(last.least, snapshot.end)).contains {
      snapshot.sees($0) && !last.sees($0) && !own.contains($0)
    }
  }
}

/// What the server says of its transactions.
struct ForeignLook {
  let snapshot: ForeignTransactions.Snapshot?
  /// How far a server has come that follows another one; nil for those that follow none. It counts nothing
  /// that is written to tables, and its snapshots do not list who is still running.
  let replayed: String?

  /// What `init(_:)` reads, of a row `looked` with a `snapshot`.
  static let columns = """
    looked.snapshot::text, \
    CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()::text END
    """

  /// From the first two columns of an answer.
  init(_ result: PostgreSQLResult) {
    snapshot = result.text(0, 0).flatMap { ForeignTransactions.Snapshot($0) }
    replayed = result.text(0, 1)
  }
}
#endif
