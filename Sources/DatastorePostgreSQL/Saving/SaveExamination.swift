#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// Which rows of a save have changed since its edits began.
///
/// Runs in a transaction of its own, which locks the rows, after the save was refused.
struct SaveExamination {
  private let store: PostgreSQLStore
  private let changes: ChangeSet
  private let connection: PostgreSQLConnection
  private(set) var conflicts: [Conflict] = []
  /// Rows that only the server finds different from the values that were read, such as dates with more digits
  /// than a `Double` has, or whose references this save's own deletions have emptied; and rows that are as
  /// good as deleted, since they are missing.
  private(set) var settled: Set<SavedRow> = []

  init(_ store: PostgreSQLStore, _ changes: ChangeSet, _ connection: PostgreSQLConnection) {
    self.store = store
    self.changes = changes
    self.connection = connection
  }

  private static let portion = 10_000

  mutating func run() throws {
    for change in changes.entities {
      let keys = (change.updated.map(\.key) + change.deleted.map(\.key)).sorted()
      var stored: [RowKey: RowReference] = [:]
      for start in stride(from: 0, to: keys.count, by: Self.portion) {
        let portion = Array(keys[start..<min(start + Self.portion, keys.count)])
        let pages = try store.rows(change.entity, portion, on: connection, locking: true)
        for page in pages {
          for row in 0..<page.rowCount { stored[page.key(ofRow: row)] = RowReference(page, row) }
        }
      }
      for update in change.updated { try examine(update, stored[update.key], change.entity) }
      for deletion in change.deleted { examine(deletion, stored[deletion.key], change.entity) }
    }
  }

  private mutating func examine(
    _ update: RowUpdate, _ stored: RowReference?, _ entity: EntityIndex
  ) throws {
    let described = store.schema.entities[entity]
    guard let stored else {
      if !store.mapping.isNative, try !store.rows(entity, [update.key], on: connection).isEmpty {
        throw StoreError.refused(
          entity: described.name, key: update.key,
          detail:
            "row security of the table shows this user the row, and does not let it be changed")
      }
      conflicts.append(
        Conflict(entity: described.name, key: update.key, properties: [], isDeleted: true))
      return
    }
    if update.overwrites { return }
    let original = RowReference(update.original, update.originalRow)
    let slots = update.isRowGone ? SlotSet(storedSlots(entity)) : update.slots
    let changed = try slots.filter { slot in
      try isStored(slot, entity) && !stored.isSame(as: original, slot: slot)
        && !isEmptied(stored, update, slot, entity)
    }
    if changed.isEmpty {
      settled.insert(.init(entity: entity, key: update.key))
      return
    }
    let mine = RowReference(update.page, update.row)
    conflicts.append(
      Conflict(
        entity: described.name, key: update.key,
        properties: properties(changed, of: described, original, mine, stored), isDeleted: false,
        isAnotherRow: update.isRowGone))
  }

  private mutating func examine(
    _ deletion: RowDeletion, _ stored: RowReference?, _ entity: EntityIndex
  ) {
    guard let page = deletion.original else { return }
    guard let stored else {
      settled.insert(.init(entity: entity, key: deletion.key))
      return
    }
    let described = store.schema.entities[entity]
    let original = RowReference(page, deletion.originalRow)
    let changed = storedSlots(entity).filter { !stored.isSame(as: original, slot: $0) }
    if changed.isEmpty {
      settled.insert(.init(entity: entity, key: deletion.key))
      return
    }
    conflicts.append(
      Conflict(
        entity: described.name, key: deletion.key,
        properties: properties(changed, of: described, original, original, stored),
        isDeleted: false, wasToBeDeleted: true))
  }

  private func properties(
    _ slots: [Slot], of entity: Entity, _ original: RowReference, _ mine: RowReference,
    _ stored: RowReference
  ) -> [Conflict.Property] {
    slots.map { slot in
      Conflict.Property(slot, of: entity, original: original, mine: mine, theirs: stored)
    }
  }

  private func isStored(_ slot: Slot, _ entity: EntityIndex) -> Bool {
    ServerColumn.isStored(store.mapping, entity, slot)
  }

  private func storedSlots(_ entity: EntityIndex) -> [Slot] {
    store.mapping.entities[entity].slots.indices.filter { isStored($0, entity) }
  }

  /// Whether a reference leads nowhere now because another program has deleted the row it led to, if it was
  /// to lead nowhere anyway.
  private func isEmptied(
    _ stored: RowReference, _ update: RowUpdate, _ slot: Slot, _ entity: EntityIndex
  ) throws -> Bool {
    guard case .toOne(let foreign) = store.mapping.entities[entity].slots[slot],
      stored.page.tag(row: stored.row, slot: slot) == .null,
      update.page.tag(row: update.row, slot: slot) == .null,
      let key = update.original.value(row: update.originalRow, slot: slot).key
    else { return false }
    return try store.rows(foreign.destination, [key], on: connection).isEmpty
  }
}
#endif
