import DatastoreCore
import SwiftDatastore

/// What a user interface that edits asks about what is staged.
extension SwiftDatastoreViewContext {
  /// Everything that is staged, as values. O(changed objects); reads nothing.
  func stagedObjects() -> [StagedObject] { core.graph.stagedObjects() }

  /// Discards what is staged for one property of an object.
  func revertChanges(of object: DatastoreObject, slot: Slot) {
    core.graph.revert(object, slot: slot)
  }

  /// Adds a member to a to-many relationship, or takes it out, without reading the others.
  func setMember(
    _ member: DynamicObject, of object: DynamicObject, slot: Slot, isMember: Bool
  ) {
    if isMember {
      object.addRelated(member, at: slot)
    } else {
      object.removeRelated(member, at: slot)
    }
  }

  /// Whether the slot distinguishes the rows of its entity, so that only new objects can be given a
  /// value for it.
  func isKeyPart(_ slot: Slot, of entity: Entity) -> Bool {
    core.graph.store.isKeyPart(entity: entity.index, slot: slot)
  }

  /// Settles one conflict, property by property; the row is read off the main actor.
  ///
  /// Where the store holds something else by now than the conflict says, nothing is settled, and the next
  /// save reports it.
  ///
  /// - Parameter mine: the names of the properties whose staged values are kept; any name keeps an
  ///   object whose row is gone, which is then created again, and has done to a row that is another one
  ///   now what is staged.
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  func settle(_ conflict: Conflict, keeping mine: Set<String>) async throws {
    guard let entity = schema.entity(named: conflict.entity)?.index else { return }
    let key = conflict.key
    let pages = try await read { try $0.rows(entity: entity, keys: [key]) }
    core.graph.settle(conflict, stored: pages.first { $0.rowCount > 0 }, keeping: mine)
  }

  private var schema: Schema { core.graph.schema }

  /// The object of a row as if those values had been read, so that edits begin from them: what the
  /// store holds instead shows as a conflict when they are saved. Objects with staged changes stay as
  /// they are; the row need not exist.
  ///
  /// - Parameter isRowGone: whether the row that had them is gone, or has lost its key to another one.
  func object(
    entity: EntityIndex, key: RowKey, beginningFrom values: BySlot<Value>, isRowGone: Bool = false
  ) -> DynamicObject? {
    // It is not known what has happened to the file since.
    store.markShared()
    return core.graph.object(
      entity: entity, key: key, beginningFrom: values, isRowGone: isRowGone) as? DynamicObject
  }

  /// What identifies a row in its table, for entities whose keys are not integers of the file; nil
  /// for those whose keys are, and for objects that were never saved.
  func keyValues(entity: EntityIndex, key: RowKey) -> [Value]? {
    store.keyValues(entity: entity, key: key)
  }

  /// The key with those values while the store is open; nil where keys are integers of
  /// the file.
  func key(entity: EntityIndex, values: [Value]) -> RowKey? {
    store.key(entity: entity, values: values)
  }

  /// The values that the file itself allows for a column: those of a `CHECK (column IN (…))`.
  func allowedValues(of slot: Slot, in entity: Entity) -> [Value]? {
    store.allowedValues(of: slot, in: entity)
  }

  /// The slots that a CHECK constraint is about, by its name or its condition.
  func slots(ofCheck constraint: String, in entity: Entity) -> [Slot] {
    store.slots(ofCheck: constraint, in: entity)
  }
}
