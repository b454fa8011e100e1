import DatastoreCore

/// The store of a context whose query generation is pinned: it reads one state of the store, and saves to the
/// store.
final class PinnedStore: ObjectStore {
  private let store: any StoreEngine
  let snapshot: any StoreSnapshot

  init(_ store: any StoreEngine, at snapshot: any StoreSnapshot) {
    self.store = store
    self.snapshot = snapshot
  }

  var schema: Schema { store.schema }
  var identity: ObjectIdentifier { store.identity }

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

  func makeKey(entity: EntityIndex) throws -> RowKey { try store.makeKey(entity: entity) }

  func makeKey(entity: EntityIndex, in stores: StoreSelection) throws -> RowKey {
    try store.makeKey(entity: entity, in: stores)
  }

  func makeKey(entity: EntityIndex, besides key: RowKey) throws -> RowKey {
    try store.makeKey(entity: entity, besides: key)
  }

  var hasSharedEntities: Bool { store.hasSharedEntities }

  func areTogether(
    _ entity: EntityIndex, _ key: RowKey, _ other: EntityIndex, _ otherKey: RowKey
  ) -> Bool { store.areTogether(entity, key, other, otherKey) }

  func isKeyPart(entity: EntityIndex, slot: Slot) -> Bool {
    store.isKeyPart(entity: entity, slot: slot)
  }

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
