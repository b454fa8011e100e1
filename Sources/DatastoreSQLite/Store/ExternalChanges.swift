import DatastoreSQL
import Foundation
import GRDB
import GRDBSQLite

/// Whether someone else has written the file, as `PRAGMA data_version` shows: on one connection it
/// changes when another connection has committed, and not for what the connection itself commits.
struct ExternalChanges: Sendable {
  /// As last seen by the connection that saves.
  private var writerVersion: Int64?
  /// As last seen by the connection that watches while there is none that saves.
  private var watcherVersion: Int64?
  /// Whether a change of someone else was seen that was not reported yet.
  private var isUnreported = false

  /// Looks, and remembers what it has seen. The first look sees nothing.
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
      // The connection is new. What it has saved since the last look counts as foreign: refreshing
      // once too often does no harm.
    }
    return try check(watcher)
  }

  /// Makes a connection that saves, and has not saved yet, watch from now on, so that what it saves itself is
  /// not taken for foreign.
  ///
  /// - Returns: whether someone else has written before.
  mutating func begin(
    _ writer: any DatabaseWriter, watcher: any DatabaseWriter
  ) throws -> Bool {
    // In this order, what is committed in between is seen twice and not missed.
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
