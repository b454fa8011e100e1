public import SwiftDatastore

/// The name of a property, as observers are told of it.
public typealias KeyPathString = String

/// Is told what happens to the object of an `ObjectMonitor`. The object has its new values already, as in CoreStore.
@MainActor
public protocol ObjectObserver: AnyObject {
  /// The class of the object.
  associatedtype ObjectEntityType: DatastoreObject
  /// The object has changed; comes before the next one.
  func objectMonitor(
    _ monitor: ObjectMonitor<ObjectEntityType>, willUpdateObject object: ObjectEntityType)
  /// These properties of the object have other values.
  func objectMonitor(
    _ monitor: ObjectMonitor<ObjectEntityType>, didUpdateObject object: ObjectEntityType,
    changedPersistentKeys: Set<KeyPathString>)
  /// The object was deleted.
  func objectMonitor(
    _ monitor: ObjectMonitor<ObjectEntityType>, didDeleteObject object: ObjectEntityType)
}

extension ObjectObserver {
  public func objectMonitor(
    _ monitor: ObjectMonitor<ObjectEntityType>, willUpdateObject object: ObjectEntityType
  ) {}
  public func objectMonitor(
    _ monitor: ObjectMonitor<ObjectEntityType>, didUpdateObject object: ObjectEntityType,
    changedPersistentKeys: Set<KeyPathString>
  ) {}
  public func objectMonitor(
    _ monitor: ObjectMonitor<ObjectEntityType>, didDeleteObject object: ObjectEntityType
  ) {}
}

/// An object that tells its observers what happens to it: an `ObjectPublisher`.
@MainActor
public final class ObjectMonitor<O: DatastoreObject> {
  /// What follows the object.
  public let publisher: ObjectPublisher<O>
  /// Who made the change that observers are being told of.
  public private(set) var changeSource: ChangeSource?
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
      if change.snapshot == nil {
        observer.objectMonitor(self, didDeleteObject: object)
      } else {
        observer.objectMonitor(self, willUpdateObject: object)
        observer.objectMonitor(
          self, didUpdateObject: object, changedPersistentKeys: change.changedKeys)
      }
    }
  }

  /// Tells an observer nothing more.
  public func removeObserver(_ observer: some ObjectObserver) { observers.remove(owner: observer) }
}
