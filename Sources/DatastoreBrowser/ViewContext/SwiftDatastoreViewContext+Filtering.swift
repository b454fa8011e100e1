import DatastoreCore
import SwiftDatastore

/// Queries of the filter while the user types. Nothing here blocks the main actor, and cancelling the task
/// interrupts SQLite.
extension SwiftDatastoreViewContext {
  /// The number of objects in a list of the request, with the unsaved changes of its entity.
  ///
  /// - Throws: `StoreError` if the store cannot be read; `RegularExpression.Exhaustion`; `CancellationError`.
  func countMatches(_ request: FetchRequest) async throws -> Int {
    let changed = changedObjects(of: request.entity)
    guard !changed.isEmpty else { return try await store.answer(CountQuestion(request)) }
    let keys = try await store.answer(KeysQuestion(request))
    // The changes may have changed while the store was read.
    let now = changedObjects(of: request.entity)
    let staged = Set(now.map(\.key))
    let matching = try now.count { object in
      try !object.isKnownDeleted && request.predicate?.evaluate(with: object) ?? true
    }
    return keys.count { !staged.contains($0) } + matching
  }

  private func changedObjects(of entity: String) -> [ManagedObject] {
    let graph = core.graph
    return (graph.insertedObjects + graph.updatedObjects + graph.deletedObjects)
      .filter { $0.entity.name == entity }
  }
}

extension SwiftDatastoreViewContext {
  /// The objects of a request as they are stored, read off the main actor. Cancelling the task interrupts the
  /// query. The caller must keep the objects for as long as it needs them.
  ///
  /// - Throws: `StoreError` if the store cannot be read; `CancellationError`.
  func objects(of request: FetchRequest) async throws -> [DynamicObject] {
    guard let entity = core.graph.schema.entity(named: request.entity) else {
      throw UnknownEntityError(
        name: request.entity, known: core.graph.schema.entities.map(\.name))
    }
    let keys = try await answer(KeysQuestion(request))
    return try await load(entity: entity.index, keys: keys)
  }

  /// The object of a reference, read off the main actor; nil if it does not exist.
  ///
  /// - Throws: `StoreError` if the store cannot be read; `CancellationError`.
  func load(_ reference: ObjectReference) async throws -> DynamicObject? {
    try await load(entity: reference.entity, keys: [reference.key]).first
  }
}
