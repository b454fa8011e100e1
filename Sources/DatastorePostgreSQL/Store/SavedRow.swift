#if PostgreSQL
import DatastoreCore

/// A row that a save writes.
struct SavedRow: Hashable {
  let entity: EntityIndex
  let key: RowKey
}
#endif
