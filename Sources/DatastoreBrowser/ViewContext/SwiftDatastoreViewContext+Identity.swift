import DatastoreCore
import SwiftDatastore

/// The identity of rows, for a user interface that keeps their keys for a while.
extension SwiftDatastoreViewContext {
  /// Whether the rows of an entity may get other keys.
  func mayMoveRows(_ entity: Entity) -> Bool {
    core.graph.store.mayMoveRows(entity: entity.index)
  }

  /// The last seen value of `ObjectStore.placement`.
  var placement: Int64? { core.graph.placement }

  /// Finds rows that have got other keys, off the main actor: see `ObjectStore.findRows`.
  ///
  /// - Throws: `StoreError` if the store cannot be read; `CancellationError`.
  func findRows(
    of entity: Entity, equalTo rows: [RowReference]
  ) async throws -> [Int: RowKey] {
    try await answer(MovedRowsQuestion(entity: entity.index, equalTo: rows))
  }

  /// The number of times that everything was read again after someone else had written the store. While it is
  /// the same, a key leads to the same object.
  var reloadCount: Int { core.graph.reloadCount }

  /// The stored row of an object, as far as it was read; nil for new objects.
  func storedRow(of object: DynamicObject) -> RowReference? {
    guard !object.isInserted, let page = object.loadedPage() else { return nil }
    return RowReference(page, Int(object.row))
  }

  /// Whether the stored row of an object is the row that was read under its key before.
  func isSameRow(_ object: DynamicObject, as original: RowReference) -> Bool {
    guard let stored = storedRow(of: object) else { return false }
    return core.graph.store.isSameRow(
      entity: object.entity.index, stored, as: original, besides: SlotSet())
  }

  /// The key that a new object with these values gets on saving; nil if the values do not determine it.
  func key(of entity: Entity, values: (_ slot: Slot) -> Value) -> RowKey? {
    store.key(ofNew: entity.index, values: values)
  }

  /// Reserves the keys of rows that may be gone, so that no new object gets one of them.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  func reserve(_ keys: [RowKey], of entity: Entity) async throws {
    let store = store
    try await BlockingWork.run { try store.reserve(keys, entity: entity.index) }
  }

  /// Compares the stored row of an object, which was just read, with values that were read under its key in
  /// an earlier session.
  ///
  /// - Parameter edited: slots that do not count for the identity of the row.
  /// - Returns: the slots with other values, except computed ones, and whether it is another row.
  func difference(
    of object: DynamicObject, from values: BySlot<Value>, besides edited: SlotSet = SlotSet()
  ) -> (slots: [Slot], isAnotherRow: Bool) {
    // The file may have been changed since.
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
