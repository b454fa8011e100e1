public import SwiftDatastore

/// Closures of two arguments are handed the publisher, as in CoreStore; those of one are handed the change.
extension ListPublisher {
  /// The class of the objects.
  public typealias ObjectType = T
  /// What identifies a section.
  public typealias SectionID = ListSectionID
  /// What identifies an object.
  public typealias ItemID = DatastoreObjectID

  /// Calls the closure after every change, as long as the owner and the publisher are there, with the
  /// source identifier of the transaction that has made it, or with `initialSourceIdentifier` for the first
  /// call.
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

  /// Reads the list again by another query, and waits for the store. Observers do not learn who has asked
  /// for it.
  public func refetch(
    _ query: some ChainBuilder<T>, sourceIdentifier: (any Sendable)? = nil
  ) throws {
    try refetchAndWait(query.from)
  }
}

extension ObjectPublisher {
  /// The class of the object.
  public typealias ObjectType = T

  /// Calls the closure after every change, as long as the owner and the publisher are there, with the
  /// source identifier of the transaction that has made it, or with `initialSourceIdentifier` for the first
  /// call.
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

/// What has happened to a property.
public typealias CoreStoreObjectValueDiff<V> = PropertyChange<V>
/// What has happened to a coded property.
public typealias CoreStoreObjectTransformableDiff<V> = PropertyChange<V>
/// What has happened to a relationship to one object.
public typealias CoreStoreObjectObjectDiff<D: DatastoreObject> = PropertyChange<D?>
/// What has happened to a relationship to many objects.
public typealias CoreStoreObjectUnorderedDiff<D: DatastoreObject> = PropertyChange<Set<D>>
/// What has happened to an ordered relationship.
public typealias CoreStoreObjectOrderedDiff<D: DatastoreObject> = PropertyChange<[D]>
