import DatastoreCore

/// The store of a context whose query generation is pinned: it reads one state of the store, and saves to the
/// store.
final class PinnedStore: LayeredStore {
  private let store: any StoreEngine
  var rootStore: any ObjectStore { store }
  let snapshot: any StoreSnapshot

  init(_ store: any StoreEngine, at snapshot: any StoreSnapshot) {
    self.store = store
    self.snapshot = snapshot
  }

  func rows(entity: EntityIndex, keys: [RowKey]) throws -> [RowPage] {
    try snapshot.rows(entity: entity, keys: keys)
  }

  func relatedKeys(entity: EntityIndex, slot: Slot, key: RowKey) throws -> [RowKey] {
    try snapshot.relatedKeys(entity: entity, slot: slot, key: key)
  }

  func relatedRows(entity: EntityIndex, slot: Slot, keys: [RowKey]) throws -> RelatedRowPages {
    try snapshot.relatedRows(entity: entity, slot: slot, keys: keys)
  }

  func fetch(_ request: FetchRequest) throws -> [RowPage] { try snapshot.fetch(request) }

  func fetchKeys(_ request: FetchRequest) throws -> [RowKey] { try snapshot.fetchKeys(request) }

  func count(_ request: FetchRequest) throws -> Int { try snapshot.count(request) }

  func isSameRow(
    entity: EntityIndex, _ stored: RowReference, as original: RowReference, besides edited: SlotSet
  ) -> Bool {
    store.isSameRow(entity: entity, stored, as: original, besides: edited)
  }

  func mayMoveRows(entity: EntityIndex) -> Bool { store.mayMoveRows(entity: entity) }

  var placement: Int64? { store.placement }

  func findRows(entity: EntityIndex, equalTo rows: [RowReference]) throws -> [Int: RowKey] {
    try store.findRows(entity: entity, equalTo: rows)
  }

  func save(_ changes: ChangeSet) throws -> SaveResult { try store.save(changes) }
}
