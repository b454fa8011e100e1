public import DatastoreCore

extension DatastoreObject {
  /// Calls the closure with the names of the properties that changed, after every change of the object:
  /// assignments (also of an equal value), changes from the other side of a relationship, revert,
  /// refresh, undo, and merges of what other contexts have saved.
  ///
  /// It runs at once, on the queue or actor of the object's context, and ends when the token is
  /// released or cancelled. A deleted object reports all its properties.
  public final func observeChanges(
    _ closure: @escaping (_ changedKeys: Set<String>) -> Void
  ) -> PropertyObservation {
    observe(slot: nil) { object, slots in
      closure(Set(slots.map { object.entity.properties[$0].name }))
    }
  }
}
