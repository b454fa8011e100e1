import DatastoreCore

/// What is to be edited: a property of an object.
struct EditTarget: Hashable, Sendable {
  let object: ObjectReference
  let slot: Slot
  /// The panel in which it is edited.
  let panel: Focus
}
