import DatastoreSQL
import Foundation
import GRDB
import GRDBSQLite

/// Whether someone else has written the file, according to `PRAGMA data_version`: on one connection it
/// changes when another connection has committed, but not for the connection's own commits.
struct ExternalChanges: Sendable {
  /// The version last seen by the saving connection.
  private var writerVersion: Int64?
  /// The version last seen by the watching connection while there is no saving one.
  private var watcherVersion: Int64?
  /// Whether a change of someone else was seen but not reported yet.
  private var isUnreported = false

  /// Checks, and remembers the versions. The first check sees nothing.
  ///
  /// - Parameter watcher: a connection that writes nothing.
  mutating func check(
    writer: (any DatabaseWriter)?, watcher: any DatabaseWriter
  ) throws -> Bool {
    if let writer {
      let version = try writer.writeWithoutTransaction { try Self.version($0) }
      defer { writerVersion = version }
      if let writerVersion {
        defer { isUnreported = false }
        return isUnreported || writerVersion != version
      }
      // The connection is new. Its own saves since the last check count as foreign: refreshing once too often
      // does no harm.
    }
    return try check(watcher)
  }

  /// Starts watching on a saving connection that has not saved yet, so that its own saves do not count as
  /// foreign.
  ///
  /// - Returns: whether someone else has written before.
  mutating func begin(
    _ writer: any DatabaseWriter, watcher: any DatabaseWriter
  ) throws -> Bool {
    // In this order, a commit in between is seen twice and not missed.
    writerVersion = try writer.writeWithoutTransaction { try Self.version($0) }
    isUnreported = try check(watcher) || isUnreported
    return isUnreported
  }

  private mutating func check(_ watcher: any DatabaseWriter) throws -> Bool {
    let version = try watcher.writeWithoutTransaction { try Self.version($0) }
    defer { watcherVersion = version }
    return watcherVersion.map { $0 != version } ?? false
  }

  private static func version(_ database: Database) throws -> Int64 {
    try RawStatement("PRAGMA data_version", in: database).firstInteger() ?? 0
  }
}
