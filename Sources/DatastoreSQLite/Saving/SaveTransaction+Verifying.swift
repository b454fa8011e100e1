import DatastoreCore
import GRDB
import GRDBSQLite

/// Looking whether the rows of a save are those that were seen, before anything is written: what the save
/// itself and the triggers of the file change in its course cannot be taken for somebody else's then.
extension SaveTransaction {
  /// A row of the save.
  struct RowID: Hashable {
    let entity: Int
    let key: Int64
  }

  /// Rows that are looked at together.
  private static var portion: Int { 4_096 }

  /// Compares every row that is to be deleted with the one that was seen; and where keys may lead to other
  /// rows by now, those that are to be updated, too. What is another one is a conflict, and is left as it
  /// is.
  func verify() throws {
    let isShared = try store.isShared(in: database)
    for change in changes.entities {
      let identity = RowIdentity(mapping, entity: change.entity)
      let mayBeMoved = isShared && store.mayMoveRows(entity: change.entity)
      try verify(change.entity, inKeyOrder(change.deleted) { $0.key }, \.key) { deletion, stored in
        guard let page = deletion.original else { return nil }
        guard let stored else {
          // Gone is as good as deleted, if it is gone.
          guard mayBeMoved else { return nil }
          return Conflict(
            entity: mapping.schema.entities[change.entity].name, key: deletion.key, properties: [],
            isDeleted: true, wasToBeDeleted: true)
        }
        let original = RowReference(page, deletion.originalRow)
        let verdict = identity.verdict(on: stored, readAs: original)
        return conflict(verdict, change.entity, deletion.key, original, stored, mine: nil)
      }
      guard isShared else { continue }
      try verify(change.entity, inKeyOrder(change.updated) { $0.key }, \.key) { update, stored in
        // That a row is gone is found when it is updated.
        guard let stored, !update.overwrites else { return nil }
        let original = RowReference(update.original, update.originalRow)
        var verdict = identity.verdict(on: stored, readAs: original, besides: update.slots)
        if case .changed(let slots) = verdict {
          guard update.isRowGone else { return nil }
          verdict = .another(slots)
        }
        let mine = RowReference(update.page, update.row)
        return conflict(verdict, change.entity, update.key, original, stored, mine: mine)
      }
    }
  }

  private func verify<Change>(
    _ entity: Int, _ changes: [Change], _ key: (Change) -> Int64,
    _ conflict: (Change, RowReference?) -> Conflict?
  ) throws {
    for start in stride(from: 0, to: changes.count, by: Self.portion) {
      let portion = changes[start..<min(start + Self.portion, changes.count)]
      let stored = try storedRows(entity, portion.map(key))
      for change in portion {
        guard let conflict = conflict(change, stored[key(change)]) else { continue }
        conflicts.append(conflict)
        disputed.insert(RowID(entity: entity, key: key(change)))
      }
    }
  }

  private func storedRows(_ entity: Int, _ keys: [Int64]) throws -> [Int64: RowReference] {
    let statement = try RawStatement(
      QueryBuilder(mapping).row(entity), in: database, isCached: true)
    defer { statement.reset() }
    let reader = RowReader(mapping, entity: entity)
    var pages = RowReader.Pages(
      slotCount: mapping.schema.entities[entity].pageSlotCount, expecting: keys.count)
    for key in keys {
      sqlite3_reset(statement.pointer)
      sqlite3_bind_int64(statement.pointer, 1, key)
      if try statement.step() {
        try reader.readAny(statement.pointer, key: key, into: pages.nextUnchecked())
      }
    }
    var rows: [Int64: RowReference] = [:]
    rows.reserveCapacity(keys.count)
    for page in pages.finish() {
      for row in 0..<page.rowCount { rows[page.key(ofRow: row)] = RowReference(page, row) }
    }
    return rows
  }

  /// - Parameter mine: what was to be written; nil for a row that was to be deleted.
  private func conflict(
    _ verdict: RowIdentity.Verdict, _ entity: Int, _ key: Int64, _ original: RowReference,
    _ stored: RowReference, mine: RowReference?
  ) -> Conflict? {
    let slots: [Int]
    var isAnotherRow = false
    switch verdict {
    case .same: return nil
    case .changed(let changed): slots = changed
    case .another(let changed):
      slots = changed
      isAnotherRow = true
    }
    let described = mapping.schema.entities[entity]
    let properties = slots.map { slot in
      Conflict.Property(
        name: described.properties[slot].name, original: original.value(slot),
        mine: (mine ?? original).value(slot), theirs: stored.value(slot))
    }
    return Conflict(
      entity: described.name, key: key, properties: properties, isDeleted: false,
      isAnotherRow: isAnotherRow, wasToBeDeleted: mine == nil)
  }
}

extension RowReference {
  fileprivate func value(_ slot: Int) -> Value { page.value(row: row, slot: slot) }
}
