import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

extension SaveTransaction {
  func delete(_ change: EntityChanges) throws {
    if change.deleted.isEmpty { return }
    let builder = QueryBuilder(mapping)
    let alias = builder.makeAlias()
    let statement = try RawStatement(
      """
      DELETE FROM \(builder.table(change.entity, alias)) \
      WHERE \(builder.isRow(change.entity, alias, key: "?1"))
      """, in: database, isCached: true)
    defer { statement.reset() }
    for deletion in inKeyOrder(change.deleted, key: { $0.key }) {
      if isInConflict(change.entity, deletion.key) { continue }
      statement.bind(current(change.entity, deletion.key), at: 1)
      try mapping.naming(change.entity, deletion.key, in: database) { try statement.run() }
      if sqlite3_changes(database.sqliteConnection) == 0 {
        try requireGone(change.entity, deletion.key)
      }
    }
  }

  /// Accepts a row that was already deleted, or was deleted with another one; a row that still exists was
  /// kept by a trigger with `RAISE(IGNORE)`.
  private func requireGone(_ entity: EntityIndex, _ key: RowKey) throws {
    let builder = QueryBuilder(mapping)
    let alias = builder.makeAlias()
    let statement = try RawStatement(
      """
      SELECT 1 FROM \(builder.table(entity, alias)) \
      WHERE \(builder.isRow(entity, alias, key: "?1"))
      """, in: database, isCached: true)
    statement.bind(current(entity, key), at: 1)
    guard try statement.firstInteger() != nil else { return }
    throw StoreError.refused(
      entity: mapping.schema.entities[entity].name, key: key,
      detail: "it was to be deleted, and a trigger of the file kept it")
  }

  /// Checks that SQLite deletes or changes no row itself (`ON DELETE CASCADE`, `SET NULL`) that the save does
  /// not know of: such a row was added, or began to refer to the deleted one, after the deletion was staged.
  ///
  /// Only in third-party files: in native ones, references to deleted rows are refused.
  func refuseUnknownMembers() throws {
    if mapping.isNative { return }
    for change in changes.entities where !change.deleted.isEmpty {
      for (link, _, known) in mapping.knownMembers(of: change.entity, in: changes) {
        try refuseUnknownMembers(change, link, Set(known.map { current(link.destination, $0) }))
      }
    }
  }

  private func refuseUnknownMembers(
    _ change: EntityChanges, _ link: RelationshipLink, _ known: Set<RowKey>
  ) throws {
    let statement = try RawStatement(
      QueryBuilder(mapping).relatedKeys(change.entity, link.slot), in: database, isCached: true)
    defer { statement.reset() }
    for deletion in change.deleted where !isInConflict(change.entity, deletion.key) {
      sqlite3_reset(statement.pointer)
      statement.bind(current(change.entity, deletion.key), at: 1)
      var unknown = 0
      while try statement.step() {
        if !known.contains(statement.key(at: 0)) { unknown += 1 }
      }
      guard unknown > 0 else { continue }
      throw StoreError.unknownMembers(
        entity: mapping.schema.entities[change.entity].name, key: deletion.key, count: unknown,
        of: link.description.destination,
        isDeleted: link.deleteRule.deletesDestinations)
    }
  }

  /// Whether a row of the save is no longer the one that was seen.
  func isInConflict(_ entity: EntityIndex, _ key: RowKey) -> Bool {
    !conflictingRows.isEmpty && conflictingRows.contains(RowID(entity: entity, key: key))
  }
}
