import Foundation
import GRDBSQLite

/// The loaded SQLite library.
package enum SQLiteLibrary {
  package static var version: String { String(cString: sqlite3_libversion()) }

  /// The version as a number: 3040001 for 3.40.1.
  package static var versionNumber: Int32 { sqlite3_libversion_number() }

  /// The written form of a version number: 3.40.1 for 3040001.
  package static func text(of version: Int32) -> String {
    "\(version / 1_000_000).\(version / 1_000 % 1_000).\(version % 1_000)"
  }

  /// Whether a version has the WAL-reset bug, by which a checkpoint during a commit loses the next commit.
  ///
  /// From 3.7.0, the first with WAL, to 3.51.2; fixed in 3.51.3, and in 3.44.6 and 3.50.7 of older branches:
  /// <https://sqlite.org/wal.html#walresetbug>. A system with only the fix in an older version counts as
  /// affected.
  package static func hasWALResetBug(_ version: Int32) -> Bool {
    switch version {
    case ..<3_007_000, 3_044_006..<3_045_000, 3_050_007..<3_051_000: false
    default: version < 3_051_003
    }
  }
}

/// The memory limit of SQLite in this process.
package enum SQLiteMemory {
  /// The most that anyone needs: a value of 1 GB while it is saved.
  private static let most: UInt64 = 2 << 30

  /// A quarter of the available memory, and 2 GB at most.
  static let budget = min(most, available / 4)

  /// Makes SQLite refuse to use more than its share, for the whole process. For programs to call, not for a
  /// library in another program.
  package static func limit() {
    sqlite3_hard_heap_limit64(Int64(budget))
  }

  /// The memory of the machine, or the process's share of it.
  private static var available: UInt64 {
    var limit = rlimit()
    let physical = ProcessInfo.processInfo.physicalMemory
    guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { return physical }
    return min(physical, UInt64(limit.rlim_cur))
  }
}
