public import SwiftDatastore

/// Closures with two parameters receive the publisher, as in CoreStore; those with one receive the change.
extension ListPublisher {
  /// The class of the objects.
  public typealias ObjectType = T
  /// The identifier of a section.
  public typealias SectionID = ListSectionID
  /// The identifier of an object.
  public typealias ItemID = DatastoreObjectID

  /// Calls the closure after every change, as long as the owner and the publisher exist, with the source
  /// identifier of the transaction that has made it, or with `initialSourceIdentifier` for the first call.
  public func addObserver(
    _ owner: AnyObject, notifyInitial: Bool = false, initialSourceIdentifier: Any? = nil,
    _ callback:
      @escaping @MainActor (_ listPublisher: ListPublisher, _ sourceIdentifier: Any?) -> Void
  ) {
    addObserver(owner) { [weak self] (change: ListChange<T>) in
      guard let self else { return }
      callback(self, change.sources.lazy.compactMap(\.identifier).first)
    }
    if notifyInitial { callback(self, initialSourceIdentifier) }
  }

  /// Reads the list again with another query, and waits for the store. Observers do not learn the source of
  /// the request.
  public func refetch(
    _ query: some ChainBuilder<T>, sourceIdentifier: (any Sendable)? = nil
  ) throws {
    try refetchAndWait(query.from)
  }
}

extension ObjectPublisher {
  /// The class of the object.
  public typealias ObjectType = T

  /// Calls the closure after every change, as long as the owner and the publisher exist, with the source
  /// identifier of the transaction that has made it, or with `initialSourceIdentifier` for the first call.
  public func addObserver(
    _ owner: AnyObject, notifyInitial: Bool = false, initialSourceIdentifier: Any? = nil,
    _ callback:
      @escaping @MainActor (_ objectPublisher: ObjectPublisher, _ sourceIdentifier: Any?) -> Void
  ) {
    addObserver(owner) { [weak self] (change: ObjectChange<T>) in
      if let self { callback(self, change.source.identifier) }
    }
    if notifyInitial { callback(self, initialSourceIdentifier) }
  }
}

/// Keeps an observation of a property alive.
public typealias CoreStoreObjectKeyValueObservation = PropertyObservation

/// The change of a property.
public typealias CoreStoreObjectValueDiff<V> = PropertyChange<V>
/// The change of a coded property.
public typealias CoreStoreObjectTransformableDiff<V> = PropertyChange<V>
/// The change of a to-one relationship.
public typealias CoreStoreObjectObjectDiff<D: DatastoreObject> = PropertyChange<D?>
/// The change of a to-many relationship.
public typealias CoreStoreObjectUnorderedDiff<D: DatastoreObject> = PropertyChange<Set<D>>
/// The change of an ordered relationship.
public typealias CoreStoreObjectOrderedDiff<D: DatastoreObject> = PropertyChange<[D]>
