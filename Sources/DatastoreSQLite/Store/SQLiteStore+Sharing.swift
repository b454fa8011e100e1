package import DatastoreCore
import DatastoreSQL
import GRDB
import Synchronization

/// Whether keys still lead to the rows that they led to.
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

  /// `PRAGMA schema_version`, as last seen. `VACUUM` raises it, which gives the rows of tables without keys
  /// and indexes other rowids, and so does what makes a table again.
  package var placement: Int64? { lastPlacement.withLock { $0 } }

  /// Remembers where rows lie now, before any context reads them again.
  func recordPlacement(in database: Database) {
    // Where it cannot be read, any row may have been moved.
    let version = try? RawStatement.schemaVersion(database)
    lastPlacement.withLock { $0 = version }
  }

  /// Whether keys may lead to other rows than they led to when this store began to read: someone else has
  /// written the file since, or a statement of the user's own, or what is staged began before.
  var isShared: Bool { sharing.load(ordering: .sequentiallyConsistent) }

  package func markShared() { sharing.store(true, ordering: .sequentiallyConsistent) }

  /// Whether keys may lead to other rows, asked inside of the transaction that is about to write.
  func isShared(in database: Database) throws -> Bool {
    guard url != nil, !isShared else { return isShared }
    let version = try RawStatement("PRAGMA data_version", in: database, isCached: true)
      .firstInteger()
    // What this connection commits itself does not count.
    if version == nil || version != ownVersion.withLock({ $0 }) { markShared() }
    return isShared
  }

  /// Begins to watch who else writes, with the connection that saves.
  func beginSharing(_ database: Database) throws {
    let version = try RawStatement("PRAGMA data_version", in: database).firstInteger()
    ownVersion.withLock { $0 = version }
  }
}
