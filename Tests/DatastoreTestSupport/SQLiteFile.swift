package import Foundation
import GRDB

/// Makes SQLite files that are not ours.
package enum SQLiteFile {
  /// Runs statements in a new or existing file, with SQLite's own settings, and waits for whoever reads or
  /// writes it just now.
  ///
  /// - Throws: what SQLite reports.
  package static func make(at url: URL, _ sql: String) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(30)
    let queue = try DatabaseQueue(path: url.path, configuration: configuration)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// The texts that a query finds in a file, on a connection of its own.
  ///
  /// - Throws: what SQLite reports.
  package static func values(_ sql: String, in url: URL) throws -> [String] {
    var configuration = Configuration()
    configuration.busyMode = .timeout(30)
    let queue = try DatabaseQueue(path: url.path, configuration: configuration)
    let found = try queue.read { try String.fetchAll($0, sql: sql) }
    try queue.close()
    return found
  }
}

/// Holds a lock of a SQLite file, as another process would, until it is released.
package final class SQLiteLock {
  private let queue: DatabaseQueue

  /// The exclusive lock, or with `forWriting` the one of someone who writes: in WAL mode, others may read
  /// meanwhile.
  ///
  /// - Throws: what SQLite reports.
  package init(_ url: URL, forWriting: Bool = false) throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    queue = try DatabaseQueue(path: url.path, configuration: configuration)
    if forWriting {
      try queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      return
    }
    try queue.inDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
    try queue.inTransaction(.exclusive) { _ in .commit }
  }

  /// - Throws: what SQLite reports.
  package func release() throws {
    try queue.close()
  }
}
