import CSlots
import DatastoreCore

extension ModelTypes {
  /// What makes the object of a row, of its entity's class.
  var objectMaker: (consuming ManagedObjectLogic) -> ManagedObject {
    // Decided once, so that making an object of a model without inheritance asks nothing more.
    let isInheriting = slotBlocks.contains { $0 != nil }
    if isInheriting { return { logic in makeInheritingObject(logic) } }
    return { logic in makeObject(logic) }
  }

  private func makeObject(_ logic: consuming ManagedObjectLogic) -> ManagedObject {
    guard let type = types[logic.entityIndex] else { return DynamicObject(managedObject: logic) }
    // The wrappers of the object number themselves from 0.
    cslots_reset()
    return type.init(managedObject: logic)
  }

  private func makeInheritingObject(_ logic: consuming ManagedObjectLogic) -> ManagedObject {
    guard let type = types[logic.entityIndex] else { return DynamicObject(managedObject: logic) }
    SlotBlocks.begin(slotBlocks[logic.entityIndex])
    return type.init(managedObject: logic)
  }
}
