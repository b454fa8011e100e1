package import DatastoreCore
import DatastoreSQL
import GRDB
import Synchronization

/// Whether keys still lead to the same rows.
extension SQLiteStore {
  package func isSameRow(
    entity: EntityIndex, _ stored: RowReference, as original: RowReference, besides edited: SlotSet
  ) -> Bool {
    guard isShared else { return true }
    let verdict = RowIdentity(mapping, entity: entity)
      .verdict(on: stored, readAs: original, besides: edited)
    if case .another = verdict { return false }
    return true
  }

  package func mayMoveRows(entity: EntityIndex) -> Bool { complete.entities[entity].isMereNumber }

  package func findRows(
    entity: EntityIndex, equalTo rows: [RowReference]
  ) throws -> [Int: RowKey] {
    try read { try RowSearch(self.mapping, entity: entity).keys(of: rows, in: $0) }
  }

  /// `PRAGMA schema_version`, as last seen. `VACUUM`, which assigns new rowids in tables without keys and
  /// indexes, raises it, and so does recreating a table.
  package var placement: Int64? { lastPlacement.withLock { $0 } }

  /// Remembers the present placement of rows, before any context reads them again.
  func recordPlacement(in database: Database) {
    // If it cannot be read, any row may have been moved.
    let version = try? RawStatement.schemaVersion(database)
    lastPlacement.withLock { $0 = version }
  }

  /// Whether keys may lead to other rows than when this store began to read: someone else has written the
  /// file since, or the user has run a statement, or the staged changes began earlier.
  var isShared: Bool { sharing.load(ordering: .sequentiallyConsistent) }

  package func markShared() { sharing.store(true, ordering: .sequentiallyConsistent) }

  /// Whether keys may lead to other rows, checked inside the transaction that is about to write.
  func isShared(in database: Database) throws -> Bool {
    guard url != nil, !isShared else { return isShared }
    let version = try RawStatement("PRAGMA data_version", in: database, isCached: true)
      .firstInteger()
    // This connection's own commits do not count.
    if version == nil || version != ownVersion.withLock({ $0 }) { markShared() }
    return isShared
  }

  /// Starts watching for other writers, with the saving connection.
  func beginSharing(_ database: Database) throws {
    let version = try RawStatement("PRAGMA data_version", in: database).firstInteger()
    ownVersion.withLock { $0 = version }
  }
}
