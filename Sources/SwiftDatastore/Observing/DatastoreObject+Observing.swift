public import DatastoreCore

extension DatastoreObject {
  /// Calls the closure with the names of the properties that changed, after every change of the object:
  /// assignments (also of an equal value), changes from the other side of a relationship, revert,
  /// refresh, undo, and merges of what other contexts have saved.
  ///
  /// It runs at once, on the queue or actor of the object's context, as long as the object lives. A deleted
  /// object reports all its properties. A closure that uses the object keeps it alive, unless it captures it
  /// `weak` or `unowned`.
  public final func observeChanges(_ closure: @escaping (_ changedKeys: Set<String>) -> Void) {
    observe(slot: nil, calling(closure))
  }

  /// The same, until the token is released or cancelled. Taken where a token is asked for:
  ///
  /// ```swift
  /// let token: PropertyObservation = employee.observeChanges { keys in … }
  /// ```
  @_disfavoredOverload
  public final func observeChanges(
    _ closure: @escaping (_ changedKeys: Set<String>) -> Void
  ) -> PropertyObservation {
    observation(slot: nil, calling(closure))
  }

  private func calling(
    _ closure: @escaping (_ changedKeys: Set<String>) -> Void
  ) -> (ManagedObject, SlotSet) -> Void {
    { object, slots in closure(Set(slots.map { object.entity.properties[$0].name })) }
  }
}
