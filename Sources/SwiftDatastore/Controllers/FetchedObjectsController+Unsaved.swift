import DatastoreCore

/// Applying the context's staged changes to a list that was read from the store.
extension FetchedObjectsController {
  /// If unsaved changes behind a relationship affect more objects than this, these keep their places in the
  /// store until the changes are saved: each would have to be placed separately, on the main actor.
  private static var ownerLimit: Int { 2_000 }

  /// Requests for the stored objects that are affected by an unsaved change behind a relationship: a list
  /// sorted by the names of departments changes as soon as one of them is renamed.
  var ownerRequests: [FetchRequest] {
    let graph = viewContext.core.graph
    guard !query.dependencies.steps.isEmpty, graph.hasChanges else { return [] }
    // An object whose relationship leads to a new object has changed itself.
    let changed = graph.updatedObjects + graph.deletedObjects
    return query.dependencies.steps.compactMap { step in
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

  /// Whether the list is a part of the matching objects: additions and removals move other objects across its
  /// ends.
  var isWindow: Bool { request.limit > 0 || request.offset > 0 }

  /// The request for the store. For a part of a list it includes all rows before it, and as many more rows as
  /// may leave it when staged objects are placed.
  ///
  /// - Parameter owners: the objects affected by an unsaved change behind a relationship.
  func storedRequest(owners: [RowKey]) -> FetchRequest {
    guard isWindow else { return request }
    var stored = request
    stored.offset = 0
    if request.limit > 0 {
      let graph = viewContext.core.graph
      let staged = graph.hasChanges ? graph.updatedObjects.count + graph.deletedObjects.count : 0
      stored.limit = request.offset + request.limit + staged + owners.count
    }
    return stored
  }

  /// A list read from the store, with the context's staged objects placed in it.
  ///
  /// Changes saved or reported since the list was read are not in it. Among such rows no place is final, so
  /// all objects are placed again together with them.
  ///
  /// - Parameter owners: the objects affected by an unsaved change behind a relationship.
  func withUnsavedChanges(_ read: KeyList, owners: [RowKey]) -> ReadList {
    let graph = viewContext.core.graph
    let isLong = !read.keys.isRead
    let deleted = keepsDeletedObjects ? [] : graph.deletedObjects
    let others = isLong ? [] : graph.updatedObjects + deleted
    var objects = (graph.insertedObjects + others).filter { $0.entity.isKind(of: entity) }
    if !isLong, owners.count <= Self.ownerLimit {
      let others = Set(owners).subtracting(objects.map(\.key)).sorted()
      objects += graph.objects(entity: entity.index, keys: others).filter { !$0.isKnownDeleted }
    }
    let saved = affected(by: reading?.saved ?? MergedKeys())
    reading?.saved = MergedKeys()
    var list = read
    if !objects.isEmpty {
      var editor = KeyListEditor(
        read, of: entity, order: order, predicate: request.predicate, graph: graph, isLong: isLong)
      editor.place(objects)
      list = editor.list
    }
    if isWindow {
      let end = request.limit > 0 ? request.offset + request.limit : list.keys.count
      list = list.part(request.offset..<max(request.offset, end))
    }
    // Checked right after placing: a save that begins later has not affected the comparisons.
    let isBehind = viewContext.mayReadAhead || reading?.changes.isEmpty == false || !saved.isEmpty
    return ReadList(
      list: list,
      extent: isLong
        ? .windows(pendingInsertions: Set(objects.map(\.key)))
        : .whole(awaitsSave: owners.count > Self.ownerLimit),
      uncertainKeys: saved.keys.union(isBehind ? objects.map(\.key) : []),
      outdated: saved.needsRefetch || (order.isRanked || isLong) && !saved.moving.isEmpty
        ? .init() : nil)
  }

  /// Whether a save has stored changes whose objects kept their places, or has changed ranks, which the store
  /// computes from saved data.
  func movesMany(_ saved: @autoclosure () -> MergedKeys) -> Bool {
    if order.isRanked || isLong { return isMoved(by: saved()) }
    guard case .whole(awaitsSave: true) = content.extent else { return false }
    return affected(by: saved()).needsRefetch
  }

  /// Whether rows were added or removed, or have changed in properties that affect the list.
  func isMoved(by saved: MergedKeys) -> Bool {
    let affected = affected(by: saved)
    return affected.needsRefetch || !affected.moving.isEmpty
  }

  private func affected(by merged: MergedKeys) -> Affected {
    var changes = GraphChanges()
    changes.merged = merged
    return affected(by: changes)
  }

  /// The effect of changes on this list.
  func affected(by changes: GraphChanges) -> Affected {
    Affected(
      changes, entity: entity, dependencies: query.dependencies,
      keepsDeleted: keepsDeletedObjects)
  }
}
