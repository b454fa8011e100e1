import CSlots
import DatastoreCore

extension ModelTypes {
  /// A closure that makes the object of a row as an instance of its entity's class.
  var objectMaker: (consuming ManagedObjectLogic) -> ManagedObject {
    // Decided once, so that making objects of a model without inheritance costs no further check.
    let isInheriting = slotBlocks.contains { $0 != nil }
    if isInheriting { return { logic in makeInheritingObject(logic) } }
    return { logic in makeObject(logic) }
  }

  private func makeObject(_ logic: consuming ManagedObjectLogic) -> ManagedObject {
    guard let type = types[logic.entityIndex] else { return DynamicObject(managedObject: logic) }
    // The wrappers of the object take their numbers from 0.
    cslots_reset()
    return type.init(managedObject: logic)
  }

  private func makeInheritingObject(_ logic: consuming ManagedObjectLogic) -> ManagedObject {
    guard let type = types[logic.entityIndex] else { return DynamicObject(managedObject: logic) }
    SlotBlocks.begin(slotBlocks[logic.entityIndex])
    return type.init(managedObject: logic)
  }
}
