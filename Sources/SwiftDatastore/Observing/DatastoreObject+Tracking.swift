import DatastoreCore
public import Observation
import Synchronization

/// `withObservationTracking` for objects of the view context: it is notified of the next change of a property
/// that was read in it.
///
/// Swift does not tell whether something is tracked, and a registrar for each object would take more memory
/// than the object. So each read checks: it passes a key path to a registrar without an owner. That registrar
/// looks at the path only while something is tracked, and then calls its `hash(into:)`. Only an object that
/// is read then gets its own registrar.
extension DatastoreObject: Observable {
  /// Called before a read of a property that may be tracked.
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

  /// Makes a distinct key path for each property.
  private subscript(tracked slot: Slot) -> Slot { slot }

  fileprivate subscript(probed probe: TrackingProbe) -> TrackingProbe { probe }
}

/// The registrar of one object.
private final class ReadTracker {
  let registrar = ObservationRegistrar()
}

/// Detects whether `withObservationTracking` is running.
private struct TrackingProbe: Hashable {
  private static let registrar = ObservationRegistrar()
  private static let path: any KeyPath<DatastoreObject, TrackingProbe> & Sendable =
    \DatastoreObject[probed: TrackingProbe()]
  /// The number of times that a registrar has looked at the path, on any thread.
  private static let looks = Atomic<Int>(0)

  /// Whether tracking runs on this thread, or elsewhere at this very moment.
  static func isTracking(_ object: DatastoreObject) -> Bool {
    let before = looks.load(ordering: .relaxed)
    registrar.access(object, keyPath: path)
    return looks.load(ordering: .relaxed) != before
  }

  func hash(into hasher: inout Hasher) { Self.looks.add(1, ordering: .relaxed) }
}
