#if PostgreSQL

/// Which transactions of the server have become visible since somebody looked the last time.
///
/// `pg_current_snapshot()` says which ones a statement sees: all below `xmin`, and those below `xmax` that are not
/// in its list of transactions in progress. Costs the server some 40 microseconds, and every user may ask for it.
struct ForeignTransactions {
  /// What the last look saw.
  private var last: Snapshot?
  /// Our own ones that no look has seen yet.
  private var own: Set<UInt64> = []

  struct Snapshot {
    let least: UInt64
    let end: UInt64
    let running: Set<UInt64>

    /// - Parameter text: `xmin:xmax:xip,…`.
    init?(_ text: String) {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 3, let least = UInt64(parts[0]), let end = UInt64(parts[1]) else {
        return nil
      }
      self.least = least
      self.end = end
      running = Set(parts[2].split(separator: ",").compactMap { UInt64($0) })
    }

    func sees(_ transaction: UInt64) -> Bool {
      transaction < end && !running.contains(transaction)
    }
  }

  /// Leaves out a transaction of our own.
  mutating func note(own transaction: UInt64) { own.insert(transaction) }

  /// Whether a transaction of somebody else has become visible since the last look; the first one answers no.
  mutating func look(_ snapshot: Snapshot) -> Bool {
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
#endif
