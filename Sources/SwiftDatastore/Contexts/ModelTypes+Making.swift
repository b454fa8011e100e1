import CSlots
import DatastoreCore

extension ModelTypes {
  /// The object of a row, of its entity's class.
  func makeObject(_ logic: ManagedObjectLogic) -> ManagedObject {
    guard let type = types[logic.entityIndex] else { return DynamicObject(managedObject: logic) }
    // The wrappers of the object number themselves from 0.
    cslots_reset()
    return type.init(managedObject: logic)
  }
}
