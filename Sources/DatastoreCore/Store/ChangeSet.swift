/// Everything one save writes, packed for binding: no object and no dictionary on the path of a row.
package struct ChangeSet: Sendable {
  package var entities: [EntityChanges] = []
  package var links: [LinkChanges] = []
  package var orders: [OrderChange] = []
  /// To-many relationships whose members change by the rest: nothing to be written, but to be reported to
  /// others.
  package var changedRelationships: Set<ChangedRelationship> = []
  /// Rows of tables without keys that changed relationships lead to.
  package var referred: [ReferredRow] = []
  /// The `placement` of the store when the first of these changes began: rows that were not moved since are
  /// under their keys, or gone. nil where it is not known.
  package var placement: Int64?

  package init() {}

  package var isEmpty: Bool { entities.isEmpty && links.isEmpty && orders.isEmpty }
}

/// The inserted, updated and deleted rows of one entity.
package struct EntityChanges: Sendable {
  package let entity: EntityIndex
  /// New rows, complete; the page's keys are the objects' keys.
  package var inserted: [RowPage] = []
  package var updated: [RowUpdate] = []
  package var deleted: [RowDeletion] = []

  package init(entity: EntityIndex) {
    self.entity = entity
  }
}

/// One changed row.
package struct RowUpdate: Sendable {
  package let key: RowKey
  /// The new values of the slots that changed, at `row` of `page`.
  package let page: RowPage
  package let row: Int
  /// The values the edit began from; compared, slot by changed slot, with what the store holds now.
  package let original: RowPage
  package let originalRow: Int
  /// The slots that changed, ascending.
  package let slots: SlotSet
  /// Write even if the stored values are not the original ones any more.
  package var overwrites = false
  /// Whether the row was seen to be gone: whatever has its key by now is the same row only if it holds
  /// all that the edit began from.
  package var isRowGone = false

  package init(
    key: RowKey, page: RowPage, row: Int, original: RowPage, originalRow: Int, slots: SlotSet
  ) {
    self.key = key
    self.page = page
    self.row = row
    self.original = original
    self.originalRow = originalRow
    self.slots = slots
  }
}

/// One deleted row.
package struct RowDeletion: Sendable {
  package let key: RowKey
  /// The row that was to be deleted, at `originalRow`: the store must still hold just that. nil for an
  /// object whose row was never read, of which nothing but the key is known.
  package let original: RowPage?
  package let originalRow: Int

  package init(key: RowKey, original: RowPage? = nil, originalRow: Int = 0) {
    self.key = key
    self.original = original
    self.originalRow = originalRow
  }
}

/// A row that a changed relationship leads to, where its key is a mere number: the store must still hold the
/// one that was chosen.
package struct ReferredRow: Sendable {
  package let entity: EntityIndex
  package let key: RowKey
  /// What it held when it was chosen.
  package let original: RowReference
  /// The object whose relationship it is.
  package let owner: (entity: EntityIndex, key: RowKey)

  package init(
    entity: EntityIndex, key: RowKey, original: RowReference,
    owner: (entity: EntityIndex, key: RowKey)
  ) {
    self.entity = entity
    self.key = key
    self.original = original
    self.owner = owner
  }
}

/// Pairs of a many-to-many (or one-way to-many) relationship that appeared or vanished.
package struct LinkChanges: Sendable {
  /// The owning entity and slot of the relationship, seen from the side whose (entity, slot) is lower.
  package let entity: EntityIndex
  package let slot: Slot
  package var added: [(source: RowKey, destination: RowKey)] = []
  package var removed: [(source: RowKey, destination: RowKey)] = []

  package init(entity: EntityIndex, slot: Slot) {
    self.entity = entity
    self.slot = slot
  }
}

/// The new order of one object's ordered to-many relationship, written after all rows and links.
package struct OrderChange: Sendable {
  package let entity: EntityIndex
  package let slot: Slot
  package let key: RowKey
  /// All members, in order.
  package let members: [RowKey]

  package init(entity: EntityIndex, slot: Slot, key: RowKey, members: [RowKey]) {
    self.entity = entity
    self.slot = slot
    self.key = key
    self.members = members
  }
}

/// A to-many relationship of one row whose members changed.
package struct ChangedRelationship: Sendable, Hashable {
  package let entity: EntityIndex
  package let slot: Slot
  package let key: RowKey

  package init(entity: EntityIndex, slot: Slot, key: RowKey) {
    self.entity = entity
    self.slot = slot
    self.key = key
  }
}

extension RowPage {
  /// One sealed row: an old one with the slots of an update laid over it.
  package convenience init(merging update: RowUpdate, into old: RowPage, row oldRow: Int) {
    self.init(columnCount: old.columnCount, rowCapacity: 1)
    let row = appendRow(key: update.key)
    for column in 0..<columnCount {
      if update.slots.contains(Slot(column)) {
        copyCell(from: update.page, row: update.row, to: row, column: column)
      } else {
        copyCell(from: old, row: oldRow, to: row, column: column)
      }
    }
    seal()
  }
}
