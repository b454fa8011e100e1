/// Everything that one save writes, packed for binding: writing a row needs no object and no dictionary.
package struct ChangeSet: Sendable {
  package var entities: [EntityChanges] = []
  package var links: [LinkChanges] = []
  package var orders: [OrderChange] = []
  /// To-many relationships whose members change because of the other changes: nothing to write, but to report
  /// to others.
  package var changedRelationships: Set<ChangedRelationship> = []
  /// Rows of tables without keys that are destinations of changed relationships.
  package var referred: [ReferredRow] = []
  /// The `placement` of the store when the first of these changes began: rows that were not moved since are
  /// under their keys, or deleted. nil if it is not known.
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

package struct RowUpdate: Sendable {
  package let key: RowKey
  /// The new values of the slots that changed, at `row` of `page`.
  package let page: RowPage
  package let row: Int
  /// The values before the edit; compared, slot by changed slot, with those in the store now.
  package let original: RowPage
  package let originalRow: Int
  /// The slots that changed, ascending.
  package let slots: SlotSet
  /// Whether to write even if the stored values have changed since.
  package var overwrites = false
  /// Whether the row was found deleted: a row that has its key now is the same row only if it holds
  /// everything from before the edit.
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

package struct RowDeletion: Sendable {
  package let key: RowKey
  /// The row to delete, at `originalRow`: the store must still hold exactly that. nil for an object whose row
  /// was never read, so that only its key is known.
  package let original: RowPage?
  package let originalRow: Int

  package init(key: RowKey, original: RowPage? = nil, originalRow: Int = 0) {
    self.key = key
    self.original = original
    self.originalRow = originalRow
  }
}

/// A destination of a changed relationship whose key is only a row number: the store must still hold the
/// chosen row.
package struct ReferredRow: Sendable {
  package let entity: EntityIndex
  package let key: RowKey
  /// Its content when it was chosen.
  package let original: RowReference
  /// The owner of the relationship.
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

/// Pairs added to or removed from a many-to-many (or one-way to-many) relationship.
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
package struct OrderChange: Sendable, Codable {
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
package struct ChangedRelationship: Sendable, Hashable, Codable {
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
