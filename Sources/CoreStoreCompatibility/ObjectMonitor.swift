public import SwiftDatastore

/// The name of a property, as observers are told of it.
public typealias KeyPathString = String

/// Is told what happens to the object of an `ObjectMonitor`. The object has its new values already, as in CoreStore.
///
/// Each function is there with and without `sourceIdentifier`, as in a `ListObserver`.
@MainActor
public protocol ObjectObserver: AnyObject {
  /// The class of the object.
  associatedtype ObjectEntityType: DatastoreObject
  /// What tells it.
  typealias Monitor = ObjectMonitor<ObjectEntityType>
  /// The object has changed; comes before the next one.
  func objectMonitor(_ monitor: Monitor, willUpdateObject: ObjectEntityType, sourceIdentifier: Any?)
  /// The object has changed; comes before the next one.
  func objectMonitor(_ monitor: Monitor, willUpdateObject: ObjectEntityType)
  /// These properties of the object have other values.
  func objectMonitor(
    _ monitor: Monitor, didUpdateObject: ObjectEntityType,
    changedPersistentKeys: Set<KeyPathString>, sourceIdentifier: Any?)
  /// These properties of the object have other values.
  func objectMonitor(
    _ monitor: Monitor, didUpdateObject: ObjectEntityType, changedPersistentKeys: Set<KeyPathString>
  )
  /// The object was deleted.
  func objectMonitor(_ monitor: Monitor, didDeleteObject: ObjectEntityType, sourceIdentifier: Any?)
  /// The object was deleted.
  func objectMonitor(_ monitor: Monitor, didDeleteObject: ObjectEntityType)
}

extension ObjectObserver {
  public func objectMonitor(
    _ monitor: Monitor, willUpdateObject object: ObjectEntityType, sourceIdentifier: Any?
  ) { objectMonitor(monitor, willUpdateObject: object) }
  public func objectMonitor(_ monitor: Monitor, willUpdateObject: ObjectEntityType) {}
  public func objectMonitor(
    _ monitor: Monitor, didUpdateObject object: ObjectEntityType,
    changedPersistentKeys keys: Set<KeyPathString>, sourceIdentifier: Any?
  ) { objectMonitor(monitor, didUpdateObject: object, changedPersistentKeys: keys) }
  public func objectMonitor(
    _ monitor: Monitor, didUpdateObject: ObjectEntityType, changedPersistentKeys: Set<KeyPathString>
  ) {}
  public func objectMonitor(
    _ monitor: Monitor, didDeleteObject object: ObjectEntityType, sourceIdentifier: Any?
  ) { objectMonitor(monitor, didDeleteObject: object) }
  public func objectMonitor(_ monitor: Monitor, didDeleteObject: ObjectEntityType) {}
}

/// An object that tells its observers what happens to it: an `ObjectPublisher`.
@preconcurrency @MainActor
public final class ObjectMonitor<O: DatastoreObject> {
  /// The class of the object.
  public typealias ObjectType = O
  /// What follows the object.
  public let publisher: ObjectPublisher<O>
  /// Who made the change that observers are being told of.
  public private(set) var changeSource: ChangeSource?
  /// What programs keep with the monitor.
  public let userInfo = UserInfo()
  private var observers = ObserverList<ObjectChange<O>>()
  private var token: ObserverToken?

  init(_ publisher: ObjectPublisher<O>) {
    self.publisher = publisher
    token = publisher.observe { [weak self] change in
      self?.changeSource = change.source
      self?.observers.notify(change)
    }
  }

  /// The object; nil when it is deleted.
  public var object: O? { publisher.object }

  /// Whether the object is deleted.
  public var isObjectDeleted: Bool { object == nil }

  /// Tells an observer of the object, as long as both are there: it is not kept alive. One that is added again is told once.
  public func addObserver<U: ObjectObserver>(_ observer: U) where U.ObjectEntityType == O {
    observers.add(owner: observer) { [weak observer, weak self] change in
      guard let observer, let self, let object = publisher.lastObject else { return }
      let source = change.source.identifier
      if change.snapshot == nil {
        observer.objectMonitor(self, didDeleteObject: object, sourceIdentifier: source)
      } else {
        observer.objectMonitor(self, willUpdateObject: object, sourceIdentifier: source)
        observer.objectMonitor(
          self, didUpdateObject: object, changedPersistentKeys: change.changedKeys,
          sourceIdentifier: source)
      }
    }
  }

  /// Tells an observer nothing more.
  public func removeObserver(_ observer: some ObjectObserver) { observers.remove(owner: observer) }
}

extension ObjectMonitor {
  /// What identifies the object.
  public func objectID() -> DatastoreObjectID { publisher.objectID }
}

/// Monitors are equal when they are the same one.
extension ObjectMonitor: Hashable {
  public nonisolated static func == (left: ObjectMonitor, right: ObjectMonitor) -> Bool {
    left === right
  }
  public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ObjectMonitor: @MainActor CustomDebugStringConvertible {
  /// The object with its values.
  public var debugDescription: String {
    "ObjectMonitor (\(object?.debugDescription ?? "deleted"))"
  }
}
