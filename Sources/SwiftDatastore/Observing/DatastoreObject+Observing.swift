public import DatastoreCore

extension DatastoreObject {
  /// Calls the closure with the names of the changed properties after every change of the object: assignments
  /// (also of an equal value), changes from the other side of a relationship, revert, refresh, undo, and
  /// merges of other contexts' saves.
  ///
  /// It runs at once, on the queue or actor of the object's context, for as long as the object lives. A
  /// deleted object reports all its properties. A closure that uses the object keeps it alive, unless it
  /// captures it `weak` or `unowned`.
  public final func observeChanges(_ closure: @escaping (_ changedKeys: Set<String>) -> Void) {
    observe(slot: nil, calling(closure))
  }

  /// Calls the closure until the token is released or cancelled. Chosen when a token is expected:
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
