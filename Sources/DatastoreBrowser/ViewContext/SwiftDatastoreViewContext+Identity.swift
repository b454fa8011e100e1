import DatastoreCore
import SwiftDatastore

/// Which row is it? What a user interface asks that keeps rows by their keys for a while.
extension SwiftDatastoreViewContext {
  /// Whether rows may come to have other keys.
  func mayMoveRows(_ entity: Entity) -> Bool {
    core.graph.store.mayMoveRows(entity: entity.index)
  }

  /// What `ObjectStore.placement` is by now, as far as has been seen.
  var placement: Int64? { core.graph.placement }

  /// Looks off the main actor for rows that have come to have other keys: see `ObjectStore.findRows`.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  func findRows(
    of entity: Entity, equalTo rows: [RowReference]
  ) async throws -> [Int: RowKey] {
    try await answer(MovedRowsQuestion(entity: entity.index, equalTo: rows))
  }

  /// How often everything was read again since someone else had written the store. While it is the same, a
  /// key leads to the object that it led to.
  var reloadCount: Int { core.graph.reloadCount }

  /// What an object holds in the store, as far as it was read; nil for new objects.
  func storedRow(of object: DynamicObject) -> RowReference? {
    guard !object.isInserted, let page = object.loadedPage() else { return nil }
    return RowReference(page, Int(object.row))
  }

  /// Whether the stored row of an object is the one that was read under its key before.
  func isSameRow(_ object: DynamicObject, as original: RowReference) -> Bool {
    guard let stored = storedRow(of: object) else { return false }
    return core.graph.store.isSameRow(
      entity: object.entity.index, stored, as: original, besides: SlotSet())
  }

  /// The key that a new object with those values gets when it is saved; nil where the values do not say.
  func key(of entity: Entity, values: (_ slot: Slot) -> Value) -> RowKey? {
    store.key(ofNew: entity.index, values: values)
  }

  /// Lets no new object get one of those keys, which rows had that may be gone by now.
  ///
  /// - Throws: `StoreError` when the store cannot be read.
  func reserve(_ keys: [RowKey], of entity: Entity) async throws {
    let store = store
    try await BlockingWork.run { try store.reserve(keys, entity: entity.index) }
  }

  /// How the stored row of an object, which was just read, differs from those values, which were read under
  /// its key in an earlier session.
  ///
  /// - Parameter edited: slots by which the row is not distinguished.
  /// - Returns: the slots with other values, without what the file computes; and whether it is another row.
  func difference(
    of object: DynamicObject, from values: BySlot<Value>, besides edited: SlotSet = SlotSet()
  ) -> (slots: [Slot], isAnotherRow: Bool) {
    // It is not known what has happened to the file since.
    store.markShared()
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
