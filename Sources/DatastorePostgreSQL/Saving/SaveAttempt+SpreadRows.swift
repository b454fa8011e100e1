#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// Saves to tables whose rows other servers keep, in partitions that are foreign tables: the server commits at one of
/// them after the other, and each may fail when some have committed.
///
/// Then the save is sent again without what is there already, until all of it is there or the failing server is given
/// up. What is known of a save that was given up stays, so that saving the same again completes it.
extension SaveAttempt {
  /// After a failure at the end: whether servers may have kept their parts. What the rules of the tables refuse is
  /// refused before any commits.
  mutating func noteHalfSaved(_ failure: PostgreSQLFailure) throws {
    guard !failure.code.hasPrefix("23"), let connection, connection.isReusable else { return }
    let spread = try store.spreadEntities(of: changes, on: connection)
    if !spread.isEmpty { noteHalfSaved(failure, spread) }
  }

  /// - Parameter spread: the names of the entities whose rows other servers keep.
  mutating func noteHalfSaved(_ failure: PostgreSQLFailure, _ spread: [String]) {
    halfSaved = .maybeSavedInPart(
      server: store.place, entities: spread, detail: failure.message)
    store.halfSavedRows.withLock { $0.formUnion(changes.rows) }
  }

  /// Whether rows are in the way that an earlier message of the same edits may have inserted.
  func isInsertedTwice(_ failure: PostgreSQLFailure) -> Bool {
    failure.code == "23505"
      && store.halfSavedRows.withLock { !$0.isEmpty && !$0.isDisjoint(with: changes.rows) }
  }
}

extension ChangeSet {
  /// The rows that it writes.
  var rows: Set<SavedRow> {
    var rows: Set<SavedRow> = []
    for change in entities {
      let keys =
        change.insertedRows.map(\.key) + change.updated.map(\.key) + change.deleted.map(\.key)
      rows.formUnion(keys.map { .init(entity: change.entity, key: $0) })
    }
    return rows
  }
}

extension EntityChanges {
  var insertedRows: [RowReference] {
    inserted.flatMap { page in (0..<page.rowCount).map { RowReference(page, $0) } }
  }
}
#endif
