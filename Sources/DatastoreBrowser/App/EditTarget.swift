import DatastoreCore

/// The target of an edit: a property of an object.
struct EditTarget: Hashable, Sendable {
  let object: ObjectReference
  let slot: Slot
  /// The panel of the editor.
  let panel: Focus
}
