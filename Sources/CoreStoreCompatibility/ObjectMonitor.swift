public import SwiftDatastore

/// The name of a property, as observers receive it.
public typealias KeyPathString = String

/// Is notified of changes to the object of an `ObjectMonitor`. The object has its new values already, as in
/// CoreStore.
///
/// Each function exists with and without `sourceIdentifier`, as in a `ListObserver`.
@MainActor public protocol ObjectObserver: AnyObject {
  /// The class of the object.
  associatedtype ObjectEntityType: DatastoreObject
  /// The monitor that notifies.
  typealias Monitor = ObjectMonitor<ObjectEntityType>
  /// The object.
  typealias Item = ObjectEntityType
  /// The object has changed; called before the next function.
  func objectMonitor(_ monitor: Monitor, willUpdateObject: Item, sourceIdentifier: Any?)
  /// The object has changed; called before the next function.
  func objectMonitor(_ monitor: Monitor, willUpdateObject: Item)
  /// These properties of the object have new values.
  func objectMonitor(
    _ monitor: Monitor, didUpdateObject: Item, changedPersistentKeys: Set<KeyPathString>,
    sourceIdentifier: Any?)
  /// These properties of the object have new values.
  func objectMonitor(
    _ monitor: Monitor, didUpdateObject: Item, changedPersistentKeys: Set<KeyPathString>)
  /// The object was deleted.
  func objectMonitor(_ monitor: Monitor, didDeleteObject: Item, sourceIdentifier: Any?)
  /// The object was deleted.
  func objectMonitor(_ monitor: Monitor, didDeleteObject: Item)
}

extension ObjectObserver {
  public func objectMonitor(_ monitor: Monitor, willUpdateObject: Item, sourceIdentifier: Any?) {
    objectMonitor(monitor, willUpdateObject: willUpdateObject)
  }
  public func objectMonitor(_: Monitor, willUpdateObject: Item) {}
  public func objectMonitor(
    _ monitor: Monitor, didUpdateObject object: Item,
    changedPersistentKeys keys: Set<KeyPathString>, sourceIdentifier: Any?
  ) { objectMonitor(monitor, didUpdateObject: object, changedPersistentKeys: keys) }
  public func objectMonitor(
    _: Monitor, didUpdateObject: Item, changedPersistentKeys: Set<KeyPathString>
  ) {}
  public func objectMonitor(_ monitor: Monitor, didDeleteObject: Item, sourceIdentifier: Any?) {
    objectMonitor(monitor, didDeleteObject: didDeleteObject)
  }
  public func objectMonitor(_: Monitor, didDeleteObject: Item) {}
}

/// An object that notifies its observers of its changes: an `ObjectPublisher`.
@preconcurrency @MainActor
public final class ObjectMonitor<O: DatastoreObject> {
  /// The class of the object.
  public typealias ObjectType = O
  /// The publisher that follows the object.
  public let publisher: ObjectPublisher<O>
  /// The source of the change that observers are being notified of.
  public private(set) var changeSource: ChangeSource?
  /// Custom values that a program attaches to the monitor.
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

  /// The identifier of the object; `objectID()` is the same.
  public var objectID: DatastoreObjectID { publisher.objectID }

  /// The object; nil when it is deleted.
  public var object: O? { publisher.object }

  /// Whether the object is deleted.
  public var isObjectDeleted: Bool { object == nil }

  /// Notifies an observer of the object, as long as both exist: it is not kept alive. An observer that is
  /// added again is notified once.
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

  /// Stops notifying an observer.
  public func removeObserver(_ observer: some ObjectObserver) { observers.remove(owner: observer) }
}

/// Monitors are equal when they are the same one.
extension ObjectMonitor: EqualByIdentity, @MainActor ObjectRepresentation,
  @MainActor CoreStoreDebugStringConvertible
{
  /// The object with its values.
  public var debugDescription: String { "ObjectMonitor (\(object?.debugDescription ?? "deleted"))" }
}
