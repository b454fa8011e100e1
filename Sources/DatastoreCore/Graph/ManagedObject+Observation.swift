import Synchronization

/// A closure that is called when a property of an object changes.
struct PropertyObserver {
  let id: Int
  let ending: ObservationEnding
  /// nil observes every property.
  let slot: Slot?
  let closure: (ManagedObject, SlotSet) -> Void
}

extension ManagedObject {
  /// Calls `closure` after every assignment to the slot (any slot when nil), also with an equal value, and
  /// after changes from the inverse, revert, refresh or a merge.
  ///
  /// It runs at once, where the change is made.
  ///
  /// - Returns: a token that ends the observation. It keeps the object alive.
  package final func observation(
    slot: Slot?, _ closure: @escaping (ManagedObject, SlotSet) -> Void
  ) -> PropertyObservation {
    let (id, ending) = addObserver(slot, closure)
    return PropertyObservation(object: self, id: id, ending: ending)
  }

  /// Calls `closure` for as long as the object lives.
  package final func observe(
    slot: Slot?, _ closure: @escaping (ManagedObject, SlotSet) -> Void
  ) {
    _ = addObserver(slot, closure)
  }

  /// The tracker of reads of the object. The tracker also observes the object, which keeps the object in the
  /// graph.
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
      // A closure called before may have cancelled this one, or another thread may have.
      if observer.ending.isEnded { continue }
      observer.closure(self, slots)
    }
  }
}

/// A token that keeps an observation alive. The observation ends when the token is released or cancelled.
///
/// A token may be released or cancelled on any thread. On the queue or actor of the object's context nothing
/// is called afterwards; elsewhere, a call that has already begun runs to its end.
///
/// Unchecked: the object is only released, and only by the one caller who has ended the observation; work
/// that belongs to its context happens on the context's queue.
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

  /// Ends the observation, under the name that key-value observations use.
  public func invalidate() { cancel() }

  /// Carries an object to the queue of its context, the only place where it is touched.
  private struct Removal: @unchecked Sendable {
    let object: ManagedObject
    let id: Int
  }
}

/// Whether an observation has ended: visible at once on every thread.
final class ObservationEnding: Sendable {
  private let flag = Atomic<Bool>(false)

  var isEnded: Bool { flag.load(ordering: .acquiring) }

  /// - Returns: whether this call has ended it.
  func end() -> Bool { !flag.exchange(true, ordering: .acquiringAndReleasing) }
}

/// The queue or actor that a graph belongs to.
package protocol GraphExecutor: Sendable {
  /// Whether the current code runs there.
  var isCurrent: Bool { get }

  /// Runs the work there, later.
  func enqueue(_ work: @escaping @Sendable () -> Void)
}
