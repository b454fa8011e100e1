import Foundation
import GRDBSQLite

/// The SQLite that is loaded.
package enum SQLiteLibrary {
  package static var version: String { String(cString: sqlite3_libversion()) }
}

/// The memory that SQLite may take in this process.
package enum SQLiteMemory {
  /// The most that anyone needs: a value of 1 GB while it is saved.
  private static let most: UInt64 = 2 << 30

  /// A quarter of what there is, and 2 GB at most.
  static let budget = min(most, available / 4)

  /// Has SQLite refuse to take more than its share, for the whole process. To be called by a program,
  /// not by a library in someone else's.
  package static func limit() {
    sqlite3_hard_heap_limit64(Int64(budget))
  }

  /// The memory of the machine, or the share of it that the process may have.
  private static var available: UInt64 {
    var limit = rlimit()
    let physical = ProcessInfo.processInfo.physicalMemory
    guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { return physical }
    return min(physical, UInt64(limit.rlim_cur))
  }
}
