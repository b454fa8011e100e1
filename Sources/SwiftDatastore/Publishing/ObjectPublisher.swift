import Basics
public import DatastoreCore

/// One object of the view context, for a user interface: its values and their changes.
///
/// ```swift
/// let publisher = datastore.sharedViewContext.publisher(of: employee)
/// publisher.addObserver(self) { change in
///   if change.changedKeys.contains("name") { title.text = change.snapshot?.$name }
/// }
/// ```
///
/// There is one publisher for an object and class, for as long as someone holds it. Observers are called once
/// for all changes in a turn of the main queue, and only if the content of the object differs: not for values
/// that were assigned again, nor for rows that were only read again. Lives on the main actor.
///
/// A deleted object, here or elsewhere, has no snapshot; if the deletion is reverted or undone, it has one
/// again.
@preconcurrency @MainActor
@dynamicMemberLookup
public final class ObjectPublisher<T: DatastoreObject> {
  /// The context its object belongs to.
  public let viewContext: SwiftDatastoreViewContext
  /// Keeps staged values and values in memory alive; other values are read on access.
  private var managed: ManagedObject
  /// The state for observers; nil while there are none.
  private var observing: Observing?

  private final class Observing {
    var list = ObserverList<ObjectChange<T>>()
    /// The values that observers know.
    var known: ObjectSnapshot<T>?

    init(known: ObjectSnapshot<T>?) { self.known = known }
  }

  init(_ managed: ManagedObject, in viewContext: SwiftDatastoreViewContext) {
    self.managed = managed
    self.viewContext = viewContext
  }

  /// The identifier of the object.
  public var objectID: DatastoreObjectID {
    (managed as? DatastoreObject)?.objectID
      ?? DatastoreObjectID(
        store: managed.graph.storeID, entity: managed.entity, key: managed.key)
  }

  /// The object itself; nil when it is deleted, or of another class. Reads the row when its values are not in
  /// memory.
  public var object: T? {
    if managed.state == .fault { managed.graph.fulfil(managed) }
    return managed.isKnownDeleted ? nil : managed as? T
  }

  /// The object, even when it is deleted; nil when it is of another class.
  package var lastObject: T? { managed as? T }

  /// The current values of the object, including staged ones; nil when it is deleted. Reads the row when its
  /// values are not in memory.
  public var snapshot: ObjectSnapshot<T>? { object.flatMap { ObjectSnapshot(of: $0) } }

  /// The current value of a property, as in a snapshot; nil when the object is deleted.
  ///
  /// - Parameter property: the property, as `\.$name`.
  public subscript<P: SnapshotProperty>(
    dynamicMember property: KeyPath<T, P>
  ) -> P.SnapshotValue? {
    snapshot.map { $0[dynamicMember: property] }
  }

  /// Calls the closure after every change of the object, for as long as the owner and the publisher exist. An
  /// owner has one closure: adding another one replaces it.
  ///
  /// Keep a reference to the publisher; a closure that uses it keeps it alive, unless it captures it `weak`.
  ///
  /// - Parameters:
  ///   - owner: the object that the observation ends with; not kept alive.
  ///   - notifyInitial: whether to call the closure at once as well, with no changed keys.
  ///   - closure: receives the change; on the main actor.
  public func addObserver(
    _ owner: AnyObject, notifyInitial: Bool = false,
    _ closure: @escaping @MainActor (ObjectChange<T>) -> Void
  ) {
    let observing = observed()
    observing.list.add(owner: owner, closure)
    if notifyInitial { closure(initialChange(observing)) }
  }

  /// Ends the observation of an owner. Does nothing when there is none.
  ///
  /// - Parameter owner: the owner that was passed to `addObserver(_:notifyInitial:_:)`.
  public func removeObserver(_ owner: AnyObject) {
    observing?.list.remove(owner: owner)
    if observing?.list.isEmpty ?? false { observing = nil }
  }

  /// Calls the closure after every change of the object, until the token is released or cancelled.
  ///
  /// - Parameters:
  ///   - notifyInitial: whether to call the closure at once as well, with no changed keys.
  ///   - closure: receives the change; on the main actor.
  /// - Returns: the token.
  public func observe(
    notifyInitial: Bool = false, _ closure: @escaping @MainActor (ObjectChange<T>) -> Void
  ) -> ObserverToken {
    let observing = observed()
    let token = observing.list.addEnding(closure)
    if notifyInitial { closure(initialChange(observing)) }
    return token
  }

  /// The values of the object, now and after every change, as an asynchronous sequence; nil when it is
  /// deleted. A slow reader receives the latest values. The sequence keeps the publisher alive; it ends with
  /// the task that reads it.
  public var snapshots: AsyncStream<ObjectSnapshot<T>?> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let token = observe(notifyInitial: true) { continuation.yield($0.snapshot) }
      continuation.onTermination = { _ in
        withExtendedLifetime(self) { token.cancel() }
      }
    }
  }

  private func observed() -> Observing {
    if let observing { return observing }
    let made = Observing(known: snapshot)
    observing = made
    return made
  }

  private func initialChange(_ observing: Observing) -> ObjectChange<T> {
    ObjectChange(snapshot: observing.known, changedKeys: [], source: .thisContext)
  }
}

/// A change of the object of an `ObjectPublisher`.
public struct ObjectChange<T: DatastoreObject>: Sendable {
  /// Its values after the change; nil when it is deleted.
  public let snapshot: ObjectSnapshot<T>?
  /// The names of the properties whose content differs: all of them if the object was deleted or exists
  /// again.
  public let changedKeys: Set<String>
  /// The source of the change.
  public let source: ChangeSource
}

extension ObjectPublisher: FollowedObject {
  var isObserved: Bool { !(observing?.list.isEmpty ?? true) }

  var followed: ManagedObject { managed }

  func follow(_ changed: SlotSet, from source: ChangeSource) {
    guard let observing else { return }
    if managed.isGone {
      // A row with its key may exist again, because the deletion was undone. Otherwise the deleted object
      // stays, with its values in memory.
      let successor = managed.graph.object(entity: managed.entity.index, key: managed.key)
      if successor.state == .fault { managed.graph.fulfil(successor) }
      if !successor.isKnownDeleted { managed = successor }
    }
    let old = observing.known
    let new = snapshot
    var slots = SlotSet()
    switch (old, new) {
    case (nil, nil): break
    case (let old?, let new?):
      slots = new.row.differingSlots(from: old.row)
      // Members are not compared: any change of them counts.
      let entity = new.row.entity
      for slot in changed where entity.links[slot]?.kind.isToMany ?? false { slots.insert(slot) }
    default: slots = SlotSet(managed.entity.slots)
    }
    observing.known = new
    guard !slots.isEmpty else { return }
    let names = Set(slots.map { managed.entity.properties[$0].name })
    observing.list.notify(ObjectChange(snapshot: new, changedKeys: names, source: source))
  }
}

extension SwiftDatastoreViewContext {
  /// The publisher of an object of any context of the datastore: its object here.
  ///
  /// - Parameter object: an object; its unsaved changes are followed only if it is an object of this context.
  /// - Returns: the existing publisher, or a new one. O(1).
  public func publisher<T: DatastoreObject>(of object: T) -> ObjectPublisher<T> {
    publisher(for: object.objectID)
  }

  /// The publisher of the object with an identifier; nothing is read until the publisher is asked for values.
  /// If there is no such object, or it is of another class, it has no snapshot.
  ///
  /// Traps for an identifier of another datastore.
  ///
  /// - Parameter id: the identifier of the object.
  /// - Returns: the existing publisher, or a new one. O(1).
  public func publisher<T: DatastoreObject>(
    for id: DatastoreObjectID
  ) -> ObjectPublisher<T> {
    require(
      id.store == core.graph.storeID, "a publisher of \(id) was asked for in another datastore")
    return followedObjects.publisher(entity: id.entity, key: id.key)
  }
}

/// Publishers are equal when they are identical.
extension ObjectPublisher: EqualByIdentity {}
