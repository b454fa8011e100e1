import Synchronization

/// A closure that wants to know when a property of an object changes.
struct PropertyObserver {
  let id: Int
  let ending: ObservationEnding
  /// nil observes every property.
  let slot: Slot?
  let closure: (ManagedObject, SlotSet) -> Void
}

extension ManagedObject {
  /// Calls `closure` after every assignment to the slot (every slot when nil), also with an equal
  /// value, and after changes that arrive by the inverse, revert, refresh or a merge.
  ///
  /// It runs at once, where the change is made.
  ///
  /// - Returns: what ends the observation. The object stays alive as long as that is there.
  package final func observation(
    slot: Slot?, _ closure: @escaping (ManagedObject, SlotSet) -> Void
  ) -> PropertyObservation {
    let (id, ending) = addObserver(slot, closure)
    return PropertyObservation(object: self, id: id, ending: ending)
  }

  /// The same, as long as the object lives.
  package final func observe(
    slot: Slot?, _ closure: @escaping (ManagedObject, SlotSet) -> Void
  ) {
    _ = addObserver(slot, closure)
  }

  /// Who tracks what is read of the object. The tracker observes it, too: that keeps it here.
  package final var readTracker: AnyObject? {
    get { extras?.readTracker }
    set { lazyExtras.readTracker = newValue }
  }

  private func addObserver(
    _ slot: Slot?, _ closure: @escaping (ManagedObject, SlotSet) -> Void
  ) -> (id: Int, ending: ObservationEnding) {
    requireAccess()
    let id = graph.makeObserverID()
    let ending = ObservationEnding()
    lazyExtras.observers.append(
      PropertyObserver(id: id, ending: ending, slot: slot, closure: closure))
    return (id, ending)
  }

  fileprivate final func removeObserver(_ id: Int) {
    extras?.observers.removeAll { $0.id == id }
  }

  final func notify(_ slot: Slot) {
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
      // A closure that ran before may have cancelled this one, or another thread.
      if observer.ending.isEnded { continue }
      observer.closure(self, slots)
    }
  }
}

/// A token that keeps an observation alive; it ends when the token is released or cancelled.
///
/// A token may be released or cancelled on any thread. On the queue or actor of the object's context
/// nothing is called after that; a call that has begun on another thread runs to its end.
///
/// Unchecked: the object is only let go of, and only by the one caller who has ended the observation; what
/// belongs to its context happens on the context's queue.
public final class PropertyObservation: @unchecked Sendable {
  private var object: ManagedObject?
  private let id: Int
  private let ending: ObservationEnding
  private let executor: (any GraphExecutor)?

  init(object: ManagedObject, id: Int, ending: ObservationEnding) {
    self.object = object
    self.id = id
    self.ending = ending
    executor = object.graph.executor
  }

  deinit { cancel() }

  /// Ends the observation. Does nothing the second time. From any thread.
  public func cancel() {
    guard ending.end(), let object else { return }
    self.object = nil
    guard let executor, !executor.isCurrent else { return object.removeObserver(id) }
    let removal = Removal(object: object, id: id)
    executor.enqueue { removal.object.removeObserver(removal.id) }
  }

  /// The same under the name that key-value observations have for it.
  public func invalidate() { cancel() }

  /// Carries an object to the queue of its context, where alone it is touched.
  private struct Removal: @unchecked Sendable {
    let object: ManagedObject
    let id: Int
  }
}

/// Whether an observation has ended: known at once on every thread.
final class ObservationEnding: Sendable {
  private let flag = Atomic<Bool>(false)

  var isEnded: Bool { flag.load(ordering: .acquiring) }

  /// - Returns: whether it was this call that has ended it.
  func end() -> Bool { !flag.exchange(true, ordering: .acquiringAndReleasing) }
}

/// The queue or actor that a graph belongs to.
package protocol GraphExecutor: Sendable {
  /// Whether this is it.
  var isCurrent: Bool { get }

  /// Runs the work there, later.
  func enqueue(_ work: @escaping @Sendable () -> Void)
}
