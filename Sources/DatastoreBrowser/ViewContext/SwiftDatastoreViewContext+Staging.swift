import DatastoreCore
import SwiftDatastore

/// The staged changes, for a user interface that edits.
extension SwiftDatastoreViewContext {
  /// All staged changes as values. O(changed objects); reads nothing.
  func stagedObjects() -> [StagedObject] { core.graph.stagedObjects() }

  /// Discards the staged changes of one property of an object.
  func revertChanges(of object: DatastoreObject, slot: Slot) {
    core.graph.revert(object, slot: slot)
  }

  /// Adds a member to a to-many relationship, or removes it, without reading the others.
  func setMember(
    _ member: DynamicObject, of object: DynamicObject, slot: Slot, isMember: Bool
  ) {
    if isMember {
      object.addRelated(member, at: slot)
    } else {
      object.removeRelated(member, at: slot)
    }
  }

  /// Whether the slot is part of the key of its entity, so that only new objects can get a value for it.
  func isKeyPart(_ slot: Slot, of entity: Entity) -> Bool {
    core.graph.store.isKeyPart(entity: entity.index, slot: slot)
  }

  /// Settles one conflict, property by property; the row is read off the main actor.
  ///
  /// If the store has changed again since the conflict was found, nothing is settled, and the next save
  /// reports the new conflict.
  ///
  /// - Parameter mine: the names of the properties that keep their staged values. For an object whose row is
  ///   gone, any name creates the row again; for one whose row is now another row, any name applies the
  ///   staged change to that row.
  /// - Throws: `StoreError` if the store cannot be read; `CancellationError`.
  func settle(_ conflict: Conflict, keeping mine: Set<String>) async throws {
    guard let entity = schema.entity(named: conflict.entity)?.index else { return }
    let key = conflict.key
    let pages = try await read { try $0.rows(entity: entity, keys: [key]) }
    core.graph.settle(conflict, stored: pages.first { $0.rowCount > 0 }, keeping: mine)
  }

  private var schema: Schema { core.graph.schema }

  /// The object of a row as if these values had been read, so that edits begin from them: other values in the
  /// store become a conflict on saving. Objects with staged changes are unchanged; the row need not exist.
  ///
  /// - Parameter isRowGone: whether the row is gone, or another row has its key now.
  func object(
    entity: EntityIndex, key: RowKey, beginningFrom values: BySlot<Value>, isRowGone: Bool = false
  ) -> DynamicObject? {
    // The file may have been changed since.
    store.markShared()
    return core.graph.object(
      entity: entity, key: key, beginningFrom: values, isRowGone: isRowGone) as? DynamicObject
  }

  /// Makes changes that were just staged begin from a row as it was seen: see `ObjectGraph.antedate`.
  func antedate(_ object: DynamicObject, _ slots: SlotSet = SlotSet(), to seen: RowReference) {
    core.graph.antedate(object, slots, to: seen)
  }

  /// The key values of a row, for entities whose keys are not integers in the file; nil for integer keys, and
  /// for objects that were never saved.
  func keyValues(entity: EntityIndex, key: RowKey) -> [Value]? {
    store.keyValues(entity: entity, key: key)
  }

  /// The key for these values while the store is open; nil if keys are integers in the file.
  func key(entity: EntityIndex, values: [Value]) -> RowKey? {
    store.key(entity: entity, values: values)
  }

  /// The values that the file allows for a column: those of a `CHECK (column IN (…))`.
  func allowedValues(of slot: Slot, in entity: Entity) -> [Value]? {
    store.allowedValues(of: slot, in: entity)
  }

  /// The slots in a CHECK constraint, by its name or its condition.
  func slots(ofCheck constraint: String, in entity: Entity) -> [Slot] {
    store.slots(ofCheck: constraint, in: entity)
  }
}
