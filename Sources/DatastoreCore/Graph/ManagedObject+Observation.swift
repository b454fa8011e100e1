/// A closure that wants to know when a property of an object changes.
struct PropertyObserver {
  let id: Int
  /// nil observes every property.
  let slot: Int?
  let closure: (ManagedObject, SlotSet) -> Void
}

extension ManagedObject {
  /// Calls `closure` after every assignment to the slot (every slot when nil), also with an equal
  /// value, and after changes that arrive by the inverse, revert, refresh or a merge.
  ///
  /// It runs at once, where the change is made. The object stays alive while it is observed.
  package final func observe(
    slot: Int?, _ closure: @escaping (ManagedObject, SlotSet) -> Void
  ) -> PropertyObservation {
    let id = graph.makeObserverID()
    madeExtras.observers.append(PropertyObserver(id: id, slot: slot, closure: closure))
    return PropertyObservation(object: self, id: id)
  }

  final func removeObserver(_ id: Int) {
    extras?.observers.removeAll { $0.id == id }
  }

  final func notify(_ slot: Int) {
    guard let observers = extras?.observers, !observers.isEmpty else { return }
    notify(SlotSet([slot]), observers)
  }

  final func notify(_ slots: SlotSet) {
    guard let observers = extras?.observers, !observers.isEmpty, !slots.isEmpty else { return }
    notify(slots, observers)
  }

  private func notify(_ slots: SlotSet, _ observers: [PropertyObserver]) {
    for observer in observers {
      if let slot = observer.slot, !slots.contains(slot) { continue }
      // A closure that ran before may have cancelled this one.
      guard extras?.observers.contains(where: { $0.id == observer.id }) ?? false else { continue }
      observer.closure(self, slots)
    }
  }
}

/// A token that keeps an observation alive; it ends when the token is released or cancelled.
///
/// Belongs to the queue or actor of its object's context.
public final class PropertyObservation {
  private var object: ManagedObject?
  private let id: Int

  init(object: ManagedObject, id: Int) {
    self.object = object
    self.id = id
  }

  deinit { cancel() }

  /// Ends the observation. Does nothing the second time.
  public func cancel() {
    object?.removeObserver(id)
    object = nil
  }
}
