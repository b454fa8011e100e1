import DatastoreCore
import DatastoreSQL
import GRDB

/// Checking whether the rows of a save are those that were seen, before anything is written, so that changes
/// by the save itself and the file's triggers are not mistaken for someone else's.
extension SaveTransaction {
  /// A row of the save.
  struct RowID: Hashable {
    let entity: EntityIndex
    let key: RowKey
  }

  /// The number of rows checked together.
  private static var portion: Int { 4_096 }

  /// The result for a row of the changes.
  private enum Finding {
    /// It exists, or the rest of the save handles it.
    case asSeen
    case conflict(Conflict)
    /// Its key is only a row number, by which it is no longer found. A conflict, unless it is found
    /// elsewhere.
    case lost(RowReference, Conflict)
  }

  /// Compares every row to be deleted with the one that was seen; and if keys may lead to other rows now,
  /// those to be updated, too. Moved rows get their new keys (`rekeyed`). A row that is another one is a
  /// conflict, and is left unchanged.
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
          // A row that is already deleted is fine, if it really is.
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
            // For other rows the update detects it.
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

  /// Checks that changed relationships lead to the chosen rows, if their keys are only row numbers.
  private func verifyReferred() throws {
    for (entity, all) in Dictionary(grouping: changes.referred, by: \.entity) {
      let identity = RowIdentity(mapping, entity: entity)
      let root = mapping.schema.entities[entity].root
      // Rows that are changed themselves were already found.
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

  /// The state of checking the rows of one entity.
  private struct Verification {
    let entity: EntityIndex
    /// Whether rows may have other keys than those they were read with.
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
      // Changes staged for a row twice, before and after it was moved, are not merged.
      guard let key = found[index], !verification.present.contains(key) else {
        recordConflict(row.conflict, entity)
        continue
      }
      rekeyed[root, default: [:]][row.key] = key
      moved[root, default: [:]][row.key] = key
    }
  }

  /// Whether anything may have renumbered rows since the changes began. Otherwise, a number that leads to no
  /// row means that the row was deleted, even if there are equal ones.
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
    var rows: [RowKey: RowReference] = [:]
    rows.reserveCapacity(keys.count)
    let pages = try mapping.rowsOneByOne(entity, keys, isCancellable: false, in: database)
    for page in pages {
      for row in 0..<page.rowCount { rows[page.key(ofRow: row)] = RowReference(page, row) }
    }
    return rows
  }

  /// - Parameter mine: the values to write; nil for a row to be deleted.
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
        slot, of: described, original: original, mine: mine ?? original, theirs: stored)
    }
    let conflict = Conflict(
      entity: described.name, key: key, properties: properties, isDeleted: false,
      isAnotherRow: isAnotherRow, wasToBeDeleted: mine == nil)
    return isAnotherRow && mayBeMoved ? .lost(original, conflict) : .conflict(conflict)
  }
}
