import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// Looking whether the rows of a save are those that were seen, before anything is written: what the save
/// itself and the triggers of the file change in its course cannot be taken for someone else's then.
extension SaveTransaction {
  /// A row of the save.
  struct RowID: Hashable {
    let entity: EntityIndex
    let key: RowKey
  }

  /// Rows that are looked at together.
  private static var portion: Int { 4_096 }

  /// What was found of a row of the changes.
  private enum Finding {
    /// It is there, or the rest of the save sees to it.
    case asSeen
    case conflict(Conflict)
    /// Its key is a mere number, by which it is found no longer. A conflict, unless it is found elsewhere.
    case lost(RowReference, Conflict)
  }

  /// Compares every row that is to be deleted with the one that was seen; and where keys may lead to other
  /// rows by now, those that are to be updated, too. Rows that were moved get their new keys (`rekeyed`).
  /// What is another one is a conflict, and is left as it is.
  func verify() throws {
    let isShared = try store.isShared(in: database)
    for change in changes.entities {
      let comparesUpdates = isShared || change.updated.contains(where: \.isRowGone)
      guard comparesUpdates || !change.deleted.isEmpty else { continue }
      let identity = RowIdentity(mapping, entity: change.entity)
      let name = mapping.schema.entities[change.entity].name
      let mayBeMoved = isShared && store.mayMoveRows(entity: change.entity)
      var verification = Verification(entity: change.entity, mayBeMoved: mayBeMoved)
      try verify(&verification, inKeyOrder(change.deleted) { $0.key }, \.key) { deletion, stored in
        guard let page = deletion.original else { return .asSeen }
        let original = RowReference(page, deletion.originalRow)
        guard let stored else {
          // Gone is as good as deleted, if it is gone.
          guard mayBeMoved else { return .asSeen }
          return .lost(
            original,
            Conflict(
              entity: name, key: deletion.key, properties: [], isDeleted: true,
              wasToBeDeleted: true, mayBeElsewhere: true))
        }
        let verdict = identity.verdict(on: stored, readAs: original)
        return finding(
          verdict, of: change.entity, deletion.key, original, stored, mine: nil,
          mayBeMoved: mayBeMoved)
      }
      if comparesUpdates {
        try verify(&verification, inKeyOrder(change.updated) { $0.key }, \.key) { update, stored in
          if update.overwrites { return .asSeen }
          let original = RowReference(update.original, update.originalRow)
          guard let stored else {
            // Of other rows it is found when they are updated.
            guard mayBeMoved else { return .asSeen }
            return .lost(
              original,
              Conflict(
                entity: name, key: update.key, properties: [], isDeleted: true,
                mayBeElsewhere: true))
          }
          var verdict = identity.verdict(on: stored, readAs: original, besides: update.slots)
          if case .changed(let slots) = verdict {
            guard update.isRowGone else { return .asSeen }
            verdict = .another(slots)
          }
          let mine = RowReference(update.page, update.row)
          return finding(
            verdict, of: change.entity, update.key, original, stored, mine: mine,
            mayBeMoved: mayBeMoved)
        }
      }
      try findMoved(verification)
    }
    if isShared { try verifyReferred() }
  }

  /// Makes sure that changed relationships lead to the rows that were chosen, where their keys are mere
  /// numbers.
  private func verifyReferred() throws {
    for (entity, all) in Dictionary(grouping: changes.referred, by: \.entity) {
      let identity = RowIdentity(mapping, entity: entity)
      let root = mapping.schema.entities[entity].root
      // Rows that are changed themselves were found already.
      let rows = all.filter { rekeyed[root]?[$0.key] == nil }
      let stored = try storedRows(entity, Array(Set(rows.map(\.key))))
      let lost = rows.filter { referred in
        guard let row = stored[referred.key] else { return true }
        if case .another = identity.verdict(on: row, readAs: referred.original) { return true }
        return false
      }
      if lost.isEmpty { continue }
      let byKey = Dictionary(lost.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
      let sought = Array(byKey.values)
      var found: [Int: RowKey] = [:]
      if try mayHaveMovedRows() {
        found = try RowSearch(mapping, entity: entity)
          .keys(of: sought.map(\.original), in: database)
      }
      for (index, referred) in sought.enumerated() {
        guard let key = found[index] else {
          let name = mapping.schema.entities[entity].name
          throw StoreError.refused(
            entity: mapping.schema.entities[referred.owner.entity].name, key: referred.owner.key,
            detail:
              "the \(name) that was chosen for it, number \(referred.key), is a different row "
              + "now, or someone else has changed it; choose it again")
        }
        rekeyed[root, default: [:]][referred.key] = key
        moved[root, default: [:]][referred.key] = key
      }
    }
  }

  /// What is known of the rows of one entity.
  private struct Verification {
    let entity: EntityIndex
    /// Whether rows may be under other keys than those they were read by.
    let mayBeMoved: Bool
    /// The keys of the changes that lead to their rows.
    var present: Set<RowKey> = []
    var lost: [(key: RowKey, original: RowReference, conflict: Conflict)] = []
  }

  private func verify<Change>(
    _ verification: inout Verification, _ changes: [Change], _ key: (Change) -> RowKey,
    _ finding: (Change, RowReference?) -> Finding
  ) throws {
    let entity = verification.entity
    for start in stride(from: 0, to: changes.count, by: Self.portion) {
      let portion = changes[start..<min(start + Self.portion, changes.count)]
      let stored = try storedRows(entity, portion.map(key))
      for change in portion {
        let key = key(change)
        switch finding(change, stored[key]) {
        case .asSeen: if verification.mayBeMoved { verification.present.insert(key) }
        case .conflict(let conflict): recordConflict(conflict, entity)
        case .lost(let original, let conflict):
          verification.lost.append((key, original, conflict))
        }
      }
    }
  }

  private func recordConflict(_ conflict: Conflict, _ entity: EntityIndex) {
    conflicts.append(conflict)
    conflictingRows.insert(RowID(entity: entity, key: conflict.key))
  }

  /// Looks for the rows that are no longer under their numbers.
  private func findMoved(_ verification: Verification) throws {
    let lost = verification.lost
    if lost.isEmpty { return }
    let entity = verification.entity
    var found: [Int: RowKey] = [:]
    if try mayHaveMovedRows() {
      found = try RowSearch(mapping, entity: entity).keys(of: lost.map(\.original), in: database)
    }
    let root = mapping.schema.entities[entity].root
    for (index, row) in lost.enumerated() {
      // What is staged for a row twice, before and after it was moved, is not put together.
      guard let key = found[index], !verification.present.contains(key) else {
        recordConflict(row.conflict, entity)
        continue
      }
      rekeyed[root, default: [:]][row.key] = key
      moved[root, default: [:]][row.key] = key
    }
  }

  /// Whether anything can have given rows other numbers since the changes began. While nothing has, a number
  /// that leads to no row says that the row was deleted, whatever equal ones there are.
  private func mayHaveMovedRows() throws -> Bool {
    guard let placement = changes.placement else { return true }
    return try RawStatement.schemaVersion(database) != placement
  }

  /// Whether a row that is not under its key may be under another one.
  func mayBeElsewhere(_ entity: EntityIndex) -> Bool {
    store.isShared && store.mayMoveRows(entity: entity)
  }

  private func storedRows(_ entity: EntityIndex, _ keys: [RowKey]) throws -> [RowKey: RowReference]
  {
    let statement = try RawStatement(
      QueryBuilder(mapping).row(entity), in: database, isCached: true)
    defer { statement.reset() }
    let reader = RowReader(mapping, entity: entity)
    var pages = RowReader.Pages(
      columnCount: mapping.schema.entities[entity].pageColumnCount, expecting: keys.count)
    for key in keys {
      sqlite3_reset(statement.pointer)
      statement.bind(key, at: 1)
      if try statement.step() {
        try reader.readAny(statement.pointer, key: key, into: pages.nextUnchecked())
      }
    }
    var rows: [RowKey: RowReference] = [:]
    rows.reserveCapacity(keys.count)
    for page in pages.finish() {
      for row in 0..<page.rowCount { rows[page.key(ofRow: row)] = RowReference(page, row) }
    }
    return rows
  }

  /// - Parameter mine: what was to be written; nil for a row that was to be deleted.
  private func finding(
    _ verdict: RowIdentity.Verdict, of entity: EntityIndex, _ key: RowKey, _ original: RowReference,
    _ stored: RowReference, mine: RowReference?, mayBeMoved: Bool
  ) -> Finding {
    let slots: [Slot]
    var isAnotherRow = false
    switch verdict {
    case .same: return .asSeen
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
    let conflict = Conflict(
      entity: described.name, key: key, properties: properties, isDeleted: false,
      isAnotherRow: isAnotherRow, wasToBeDeleted: mine == nil)
    return isAnotherRow && mayBeMoved ? .lost(original, conflict) : .conflict(conflict)
  }
}

extension RowReference {
  fileprivate func value(_ slot: Slot) -> Value { page.value(row: row, slot: slot) }
}
