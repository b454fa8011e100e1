package import DatastoreCore
import DatastoreSQLite

/// Reading ahead off the main actor, for user interfaces that must never wait for the store.
extension SwiftDatastoreViewContext {
  /// The object of a row if its values are in memory, or nil. Never reads. O(1).
  package func loadedObject(entity: Int, key: Int64) -> DynamicObject? {
    let object = core.graph.registeredObject(entity: entity, key: key)
    guard let object, object.state != .fault else { return nil }
    return object as? DynamicObject
  }

  /// Reads rows off the main actor and returns their objects, in the order of the keys; rows that are
  /// not there are left out. The caller keeps the objects for as long as it needs them.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  package func load(entity: Int, keys: [Int64]) async throws -> [DynamicObject] {
    let graph = core.graph
    let missing = keys.filter { loadedObject(entity: entity, key: $0) == nil }
    if !missing.isEmpty {
      let pages = try await self.read { try $0.rows(entity: entity, keys: missing) }
      let read = graph.objects(entity: entity, pages: pages)
      return try withExtendedLifetime(read) { try loaded(entity: entity, keys: keys) }
    }
    return try loaded(entity: entity, keys: keys)
  }

  private func loaded(entity: Int, keys: [Int64]) throws -> [DynamicObject] {
    keys.compactMap { loadedObject(entity: entity, key: $0) }
  }

  /// The keys a to-many relationship leads to, unsaved changes included, read off the main actor.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  package func loadRelatedKeys(of object: DynamicObject, slot: Int) async throws -> [Int64] {
    if !object.knowsRelatedKeys(at: slot), !object.isInserted, !object.isKnownDeleted {
      let entity = object.entity.index
      let key = object.key
      let keys = try await read { try $0.relatedKeys(entity: entity, slot: slot, key: key) }
      object.adoptRelatedKeys(keys, at: slot)
    }
    return object.relatedKeys(at: slot)
  }

  /// Reads from the store off the main actor what is about to be put into the graph.
  ///
  /// What was read before a save must not enter the graph after the save's merge, which could not
  /// bring it up to date; so it is read again when something was merged meanwhile.
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (any ObjectStore) throws -> Result
  ) async throws -> Result {
    let graph = core.graph
    let store = graph.store
    for _ in 0..<8 {
      let merges = graph.mergeCount
      let result = try await BlockingWork.run { try body(store) }
      try Task.checkCancellation()
      if graph.mergeCount == merges { return result }
    }
    // Somebody saves without a pause: read once where nothing can be merged in between.
    return try body(store)
  }

  /// The first objects of a request, unsaved changes included, read off the main actor. Cancelling the
  /// task interrupts the query. New objects come first.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  package func loadObjects(_ request: FetchRequest) async throws -> [DynamicObject] {
    let graph = core.graph
    let store = core.readStore
    var pages: [RowPage] = []
    for _ in 0..<8 {
      let merges = graph.mergeCount
      pages = try await store.fetch(request)
      try Task.checkCancellation()
      if graph.mergeCount == merges { break }
    }
    guard let entity = graph.schema.entity(named: request.entity) else { return [] }
    let inserted = graph.insertedObjects.filter { object in
      object.entity.isKind(of: entity) && request.predicate?.evaluate(with: object) ?? true
    }
    let stored = graph.objects(entity: entity.index, pages: pages).filter { !$0.isKnownDeleted }
    return (inserted + stored).compactMap { $0 as? DynamicObject }
  }

  /// The keys of a request in the store, unsaved changes not counted, read off the main actor.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  package func loadKeys(_ request: FetchRequest) async throws -> [Int64] {
    try await core.readStore.fetchKeys(request)
  }

  /// Reads the rows of a request off the main actor, like `read(_:)`; cancelling the task interrupts
  /// the query.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  func readPages(of request: FetchRequest) async throws -> [RowPage] {
    let graph = core.graph
    let store = core.readStore
    for _ in 0..<8 {
      let merges = graph.mergeCount
      let pages = try await store.fetch(request)
      try Task.checkCancellation()
      if graph.mergeCount == merges { return pages }
    }
    return try await read { try $0.fetch(request) }
  }

  /// How many rows of an entity are stored, counted off the main actor; cancelling the task interrupts
  /// the query.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  package func countStored(_ request: FetchRequest) async throws -> Int {
    try await core.readStore.count(request)
  }
}
