package import DatastoreCore

/// Reading off the main actor.
extension SwiftDatastoreViewContext {
  /// The context's store. Its methods block: call them off the main actor.
  package var store: any StoreEngine { core.coordinator.store }

  /// The object of a row if its values are in memory, otherwise nil. Never reads. O(1).
  package func loadedObject(entity: EntityIndex, key: RowKey) -> DynamicObject? {
    let object = core.graph.registeredObject(entity: entity, key: key)
    guard let object, object.state != .fault else { return nil }
    return object as? DynamicObject
  }

  /// Reads rows off the main actor and returns their objects, in the order of the keys, without rows that do
  /// not exist. The caller keeps the objects for as long as it needs them.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  package func load(entity: EntityIndex, keys: [RowKey]) async throws -> [DynamicObject] {
    try await readObjects(entity: entity, keys: keys).compactMap { $0 as? DynamicObject }
  }

  /// The objects of rows, in the order of the keys. Values that are not in memory are read off the main
  /// actor; rows that do not exist are left out.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  package func readObjects(entity: EntityIndex, keys: [RowKey]) async throws -> [ManagedObject] {
    let graph = core.graph
    func known() -> [ManagedObject] {
      keys.compactMap { key in
        let object = graph.registeredObject(entity: entity, key: key)
        return object?.state == .fault ? nil : object
      }
    }
    // Checked before each read: a merge turns known objects into faults. Objects that are known must not be
    // released while the others are read.
    var before: [ManagedObject] = []
    func missing() -> [RowKey] {
      before = known()
      if before.count == keys.count { return [] }
      let there = Set(before.map(\.key))
      return keys.filter { !there.contains($0) }
    }
    let pages = try await readCurrent {
      let missing = missing()
      if missing.isEmpty { return [] }
      let store = graph.store
      return try await BlockingWork.run { try store.rows(entity: entity, keys: missing) }
    } onMain: {
      try graph.store.rows(entity: entity, keys: missing())
    }
    let read = graph.objects(entity: entity, pages: pages)
    return withExtendedLifetime((before, read)) { known() }
  }

  /// Reads values for the graph from the store, off the main actor.
  package func read<Result: Sendable>(
    _ body: @escaping @Sendable (any ObjectStore) throws -> Result
  ) async throws -> Result {
    let graph = core.graph
    return try await readCurrent {
      let store = graph.store
      return try await BlockingWork.run { try body(store) }
    } onMain: {
      try body(graph.store)
    }
  }

  /// Reads the rows of a request off the main actor, like `read(_:)`; cancelling the task interrupts
  /// the query.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  package func readPages(of request: FetchRequest) async throws -> [RowPage] {
    let core = core
    return try await readCurrent {
      try await core.readStore.fetch(request)
    } onMain: {
      try core.readStore.fetch(request)
    }
  }

  /// Reads again until nothing was merged or saved here in the meantime.
  ///
  /// Values read before a merge or a save must not enter the graph after it: nothing would bring them up to
  /// date, and a deleted row would have an object again.
  ///
  /// - Parameter readOnMain: reads on the main actor, where nothing can intervene: for when someone saves
  ///   without a pause.
  private func readCurrent<Result: Sendable>(
    _ read: @MainActor () async throws -> Result, onMain readOnMain: @MainActor () throws -> Result
  ) async throws -> Result {
    let graph = core.graph
    for _ in 0..<8 {
      let version = graph.storedVersion
      let result = try await read()
      try Task.checkCancellation()
      if graph.storedVersion == version { return result }
    }
    return try readOnMain()
  }

  /// Answers a question about saved data, off the main actor; unsaved changes do not count. Cancelling the
  /// task interrupts the store.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  package func answer<Question: StoreQuestion>(
    _ question: Question, reporting progress: ReadProgress? = nil
  ) async throws -> Question.Answer {
    try await core.readStore.answer(question, reporting: progress)
  }

  /// The keys of a to-many relationship, unsaved changes included, read off the main actor.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  package func loadRelatedKeys(of object: ManagedObject, slot: Slot) async throws -> [RowKey] {
    if !object.knowsRelatedKeys(at: slot), !object.isKnownDeleted {
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
  package func loadObjects(_ request: FetchRequest) async throws -> [DynamicObject] {
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
