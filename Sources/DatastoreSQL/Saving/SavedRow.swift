package import DatastoreCore

/// A row that a save writes.
package struct SavedRow: Hashable, Sendable {
  package let entity: EntityIndex
  package let key: RowKey

  package init(entity: EntityIndex, key: RowKey) {
    self.entity = entity
    self.key = key
  }
}
