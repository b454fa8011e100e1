import DatastoreCore

/// Laying what is staged in the context over a list that was read from the store.
extension FetchedObjectsController {
  /// When unsaved changes behind a relationship decide about more objects than this, their places are those
  /// of the store until the changes are saved: each would be put into its place by itself, on the main actor.
  private static var ownerLimit: Int { 2_000 }

  /// What finds the objects in the store that the request sees an unsaved change behind: a list by the
  /// names of departments looks different as soon as one has another name.
  var ownerRequests: [FetchRequest] {
    let graph = viewContext.core.graph
    guard !dependencies.steps.isEmpty, graph.hasChanges else { return [] }
    // Who leads to a new object has changed itself.
    let changed = graph.updatedObjects + graph.deletedObjects
    return dependencies.steps.compactMap { step in
      let entity = graph.schema.entities[step.entity]
      let keys = changed.filter { $0.entity.isKind(of: entity) }
        .map { Predicate.Operand.value(.key($0.key)) }
      guard !keys.isEmpty else { return nil }
      return FetchRequest(
        entity: request.entity,
        predicate: .comparison(
          .init(
            .keyPath(step.path), .in, .list(keys),
            quantifier: step.isThroughToMany ? .any : .direct)))
    }
  }

  /// The keys of those objects, read off the main actor.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  func readOwners() async throws -> [RowKey] {
    let store = viewContext.core.readStore
    var keys: [RowKey] = []
    for request in ownerRequests { keys += try await store.answer(KeysQuestion(request)) }
    return keys
  }

  /// A list read from the store, with what is staged in the context put into its place.
  ///
  /// What was saved or told since the list was read is in it as it was. Among such rows nothing can be
  /// placed for good, so that everything is placed again, together with them.
  ///
  /// - Parameter owners: the objects that see an unsaved change behind a relationship.
  func withUnsavedChanges(_ read: KeyList, owners: [RowKey]) -> ReadList {
    let graph = viewContext.core.graph
    let deleted = keepsDeletedObjects ? [] : graph.deletedObjects
    var objects = (graph.insertedObjects + graph.updatedObjects + deleted)
      .filter { $0.entity.isKind(of: entity) }
    if owners.count <= Self.ownerLimit {
      let others = Set(owners).subtracting(objects.map(\.key)).sorted()
      objects += graph.objects(entity: entity.index, keys: others).filter { !$0.isKnownDeleted }
    }
    let saved = Affected(
      savedMeanwhile, entity: entity, dependencies: dependencies, keepsDeleted: keepsDeletedObjects)
    savedMeanwhile = MergedKeys()
    var list = read
    if !objects.isEmpty {
      var editor = KeyListEditor(
        read, of: entity, order: order, predicate: request.predicate, graph: graph)
      editor.place(objects)
      list = editor.list
    }
    // Asked when they were placed: a save that has begun since then has put nothing ahead.
    let isBehind = viewContext.mayReadAhead || deferred?.isEmpty == false || !saved.isEmpty
    return ReadList(
      list: list, doubted: saved.keys.union(isBehind ? objects.map(\.key) : []),
      awaitsSave: owners.count > Self.ownerLimit, isOutdated: saved.needsRefetch)
  }

  /// Whether a save has stored what objects were left in their places for.
  func movesMany(_ saved: MergedKeys) -> Bool {
    awaitsSave
      && Affected(
        saved, entity: entity, dependencies: dependencies, keepsDeleted: keepsDeletedObjects
      )
      .needsRefetch
  }
}

/// A list that was read, until a controller takes it over.
struct ReadList {
  /// With what is staged.
  var list: KeyList
  /// Keys that are to be placed again, as in the controller.
  let doubted: Set<RowKey>
  /// Whether many objects stand where the store has them, as in the controller.
  let awaitsSave: Bool
  /// Whether it has to be read again, since something was saved meanwhile.
  let isOutdated: Bool
}
