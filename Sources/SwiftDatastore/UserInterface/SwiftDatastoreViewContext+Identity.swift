package import DatastoreCore

/// Which row is it? What a user interface asks that keeps rows by their keys for a while.
extension SwiftDatastoreViewContext {
  /// Whether rows may come to have other keys.
  package func mayMoveRows(_ entity: Entity) -> Bool {
    core.graph.store.mayMoveRows(entity: entity.index)
  }

  /// What `ObjectStore.placement` is by now, as far as has been seen.
  package var placement: Int64? { core.graph.placement }

  /// Looks off the main actor for rows that have come to have other keys: see `ObjectStore.findRows`.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  package func findRows(
    of entity: Entity, equalTo rows: [RowReference]
  ) async throws -> [Int: Int64] {
    try await answer(MovedRowsQuestion(entity: entity.index, equalTo: rows))
  }

  /// How often everything was read again since someone else had written the store. While it is the same, a
  /// key leads to the object that it led to.
  package var reloadCount: Int { core.graph.reloadCount }

  /// What an object holds in the store, as far as it was read; nil for new objects.
  package func storedRow(of object: DynamicObject) -> RowReference? {
    guard !object.isInserted, let page = object.loadedPage() else { return nil }
    return RowReference(page, Int(object.row))
  }

  /// Whether the stored row of an object is the one that was read under its key before.
  package func isSameRow(_ object: DynamicObject, as original: RowReference) -> Bool {
    guard let stored = storedRow(of: object) else { return false }
    return core.graph.store.isSameRow(
      entity: object.entity.index, stored, as: original, besides: SlotSet())
  }

  /// Whether something is staged for rows that are not under their keys and have not been looked for elsewhere.
  package var hasStrayObjects: Bool {
    let graph = core.graph
    if let placement = graph.placement,
      placement == graph.stagedPlacement || placement == graph.followedPlacement
    {
      return false
    }
    return !graph.strayObjects().isEmpty
  }

  /// Makes staged objects whose rows were given other keys continue with these; looks for the rows off the main
  /// actor. Where none is found, or several are, the save reports it.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  package func followMovedRows() async throws {
    let graph = core.graph
    let placement = graph.placement
    guard hasStrayObjects else { return }
    var found: [(object: ManagedObject, key: Int64)] = []
    let merges = graph.mergeCount
    for (entity, objects) in graph.strayObjects() {
      let rows = objects.compactMap { object in
        object.loadedPage().map { RowReference($0, Int(object.row)) }
      }
      let keys = try await answer(MovedRowsQuestion(entity: entity, equalTo: rows))
      found += keys.map { (objects[$0.key], $0.value) }
    }
    // What was found before something else was taken in may be elsewhere again; it is looked for again then.
    guard graph.mergeCount == merges else { return }
    graph.followedPlacement = placement
    if !found.isEmpty { graph.follow(found) }
  }

  /// The key that a new object with those values gets when it is saved; nil where the values do not say.
  package func key(of entity: Entity, values: (_ slot: Slot) -> Value) -> Int64? {
    core.coordinator.store.key(ofNew: entity.index, values: values)
  }

  /// Lets no new object get one of those keys, which rows had that may be gone by now.
  ///
  /// - Throws: `StoreError` when the store cannot be read.
  package func reserve(_ keys: [Int64], of entity: Entity) async throws {
    let store = core.coordinator.store
    try await BlockingWork.run { try store.reserve(keys, entity: entity.index) }
  }

  /// How the stored row of an object, which was just read, differs from those values, which were read under
  /// its key in an earlier session.
  ///
  /// - Parameter edited: slots by which the row is not distinguished.
  /// - Returns: the slots with other values, without what the file computes; and whether it is another row.
  package func difference(
    of object: DynamicObject, from values: BySlot<Value>, besides edited: SlotSet = SlotSet()
  ) -> (slots: [Slot], isAnotherRow: Bool) {
    // Nobody knows what has happened to the file since.
    core.coordinator.store.noteSharing()
    guard let page = object.loadedPage() else { return ([], false) }
    let before = RowReference(
      values, key: object.key, columnCount: object.entity.slotCount)
    let stored = RowReference(page, Int(object.row))
    let slots = object.entity.slots.prefix(values.count).filter { slot in
      let property = object.entity.properties[slot]
      let isComputed = property.attribute?.isReadOnly ?? property.relationship?.isReadOnly ?? false
      return !isComputed && !stored.isSame(as: before, slot: slot)
    }
    let isSame = core.graph.store.isSameRow(
      entity: object.entity.index, stored, as: before, besides: edited)
    return (slots, !isSame)
  }
}
