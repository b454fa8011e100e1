import DatastoreCore
import SwiftDatastore

/// Reading ahead off the main actor: a terminal must never wait for the store.
extension SwiftDatastoreViewContext {
  /// Reads rows off the main actor and returns their objects, in the order of the keys; rows that are
  /// not there are left out. The caller keeps the objects for as long as it needs them.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  func load(entity: Int, keys: [Int64]) async throws -> [DynamicObject] {
    try await readObjects(entity: entity, keys: keys).compactMap { $0 as? DynamicObject }
  }

  /// The keys a to-many relationship leads to, unsaved changes included, read off the main actor.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  func loadRelatedKeys(of object: DynamicObject, slot: Int) async throws -> [Int64] {
    if !object.knowsRelatedKeys(at: slot), !object.isInserted, !object.isKnownDeleted {
      let entity = object.entity.index
      let key = object.key
      let keys = try await read { try $0.relatedKeys(entity: entity, slot: slot, key: key) }
      object.adoptRelatedKeys(keys, at: slot)
    }
    return object.relatedKeys(at: slot)
  }

  /// The first objects of a request, unsaved changes included, read off the main actor. Cancelling the
  /// task interrupts the query. New objects come first.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  func loadObjects(_ request: FetchRequest) async throws -> [DynamicObject] {
    let pages = try await readPages(of: request)
    let graph = core.graph
    guard let entity = graph.schema.entity(named: request.entity) else { return [] }
    let inserted = try graph.insertedObjects.filter { object in
      try object.entity.isKind(of: entity) && request.predicate?.evaluate(with: object) ?? true
    }
    let stored = graph.objects(entity: entity.index, pages: pages).filter { !$0.isKnownDeleted }
    return (inserted + stored).compactMap { $0 as? DynamicObject }
  }
}
