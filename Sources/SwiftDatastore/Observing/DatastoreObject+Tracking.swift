import DatastoreCore
public import Observation
import Synchronization

/// `withObservationTracking` of objects of the view context: it hears of the next change of a property that
/// was read in it.
///
/// Swift does not say whether something is tracked, and a registrar for each object would take more memory
/// than the object. So each read asks: it hands a key path to a registrar without an owner. That registrar
/// looks at the path only while something is tracked, and calls its `hash(into:)` then. Only an object that
/// is read then gets a registrar.
extension DatastoreObject: Observable {
  /// Called before a property is read that may be tracked.
  final func trackReading(_ slot: Slot) {
    guard TrackingProbe.isTracking(self) else { return }
    registrar.access(self, keyPath: \DatastoreObject[tracked: slot])
  }

  private var registrar: ObservationRegistrar {
    if let readTracker = readTracker as? ReadTracker { return readTracker.registrar }
    let tracker = ReadTracker()
    readTracker = tracker
    observe(slot: nil) { object, slots in
      guard let object = object as? DatastoreObject else { return }
      for slot in slots {
        tracker.registrar.withMutation(of: object, keyPath: \DatastoreObject[tracked: slot]) {}
      }
    }
    return tracker.registrar
  }

  /// What distinguishes properties for a registrar.
  private subscript(tracked slot: Slot) -> Slot { slot }

  fileprivate subscript(probed probe: TrackingProbe) -> TrackingProbe { probe }
}

/// The registrar of one object.
private final class ReadTracker {
  let registrar = ObservationRegistrar()
}

/// Finds out whether `withObservationTracking` runs.
private struct TrackingProbe: Hashable {
  private static let registrar = ObservationRegistrar()
  private static let path: any KeyPath<DatastoreObject, TrackingProbe> & Sendable =
    \DatastoreObject[probed: TrackingProbe()]
  /// How often a registrar has looked at the path, on any thread.
  private static let looks = Atomic<Int>(0)

  /// Whether it runs on this thread, or somewhere else at this very moment.
  static func isTracking(_ object: DatastoreObject) -> Bool {
    let before = looks.load(ordering: .relaxed)
    registrar.access(object, keyPath: path)
    return looks.load(ordering: .relaxed) != before
  }

  func hash(into hasher: inout Hasher) { Self.looks.add(1, ordering: .relaxed) }
}
