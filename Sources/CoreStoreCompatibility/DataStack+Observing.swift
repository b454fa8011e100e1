import Basics
public import Foundation
public import SwiftDatastore

/// Following lists and objects of the view context. A list is read at once, and has an order: without one this traps.
/// Clauses are `Where`, `OrderBy` and `Tweak`, where they do not stand in the query; objects are of any context. All of it throws
/// `CoreStoreError.persistentStoreNotFound` without a storage, and `StoreError` when the store cannot be read.
@MainActor
extension DataStack {
  /// A list with observers for each change.
  public func monitorList<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> ListMonitor<O> {
    let query = query.applying(clauses)
    return ListMonitor(try publishList(query), query)
  }

  /// A list that is read in the background, and handed to the closure then, also where reading it has
  /// failed, which is logged.
  public func monitorList<O: DatastoreObject>(
    createAsynchronously: @escaping @MainActor (ListMonitor<O>) -> Void,
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws {
    let (datastore, query) = (try datastore, query.applying(clauses))
    let publisher = ListPublisher(viewContext: datastore.sharedViewContext, query)
    Task {
      do {
        try await publisher.performFetch()
      } catch {
        datastore.noteFailure(.refetchingList, error)
      }
      createAsynchronously(ListMonitor(publisher, query))
    }
  }

  /// The same for a list in sections.
  public func monitorSectionedList<O: DatastoreObject>(
    createAsynchronously: @escaping @MainActor (ListMonitor<O>) -> Void,
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws {
    try monitorList(createAsynchronously: createAsynchronously, query.applying(clauses))
  }

  /// The same for a list in sections.
  public func monitorSectionedList<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> ListMonitor<O> { try monitorList(query.applying(clauses)) }

  /// An object with observers for each change.
  public func monitorObject<O: DatastoreObject>(_ object: O) throws -> ObjectMonitor<O> {
    ObjectMonitor(try publishObject(object))
  }

  /// A list as a value, with the news of its changes.
  public func publishList<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> ListPublisher<O> {
    let publisher = ListPublisher(
      viewContext: try datastore.sharedViewContext, query.applying(clauses))
    try publisher.performFetch()
    return publisher
  }

  /// The same under the name that CoreStore's document has for it.
  public func listPublisher<O: DatastoreObject>(_ query: From<O>) throws -> ListPublisher<O> {
    try publishList(query)
  }

  /// An object as a value, with the news of its changes: `publisher(of:)` of the view context.
  public func publishObject<O: DatastoreObject>(_ object: O) throws -> ObjectPublisher<O> {
    try publishObject(object.objectID)
  }

  /// The same for the object with an identifier.
  public func publishObject<O: DatastoreObject>(
    _ objectID: DatastoreObjectID
  ) throws -> ObjectPublisher<O> { try datastore.sharedViewContext.publisher(for: objectID) }
}

/// Objects as something else. `Self` is the class of the object.
extension FieldOwner where Self: DatastoreObject {
  /// The publisher of the object in a stack.
  @MainActor
  public func asPublisher(in dataStack: DataStack) throws -> ObjectPublisher<Self> {
    try dataStack.publishObject(self)
  }

  /// The values of the object in the view context of a stack; nil when it is deleted.
  @MainActor
  public func asSnapshot(in dataStack: DataStack) throws -> ObjectSnapshot<Self>? {
    try dataStack.publishObject(self).snapshot
  }

  /// Calls the closure after every change of a property, until the token is released or cancelled. The options say
  /// which values it is handed, beside the object.
  public func observe<P: EntityProperty>(
    _ keyPath: KeyPath<Self, P>, options: PropertyObservingOptions = [],
    _ closure: @escaping (Self, PropertyChange<P.PropertyValue>) -> Void
  ) -> PropertyObservation {
    self[keyPath: keyPath].observe(options: options) { [unowned self] in closure(self, $1) }
  }
}

extension ListSnapshot {
  /// The publisher of the object in a row of a section. Traps when there is none.
  @MainActor
  public subscript(indexPath: IndexPath) -> ObjectPublisher<T> {
    guard let publisher = self[safe: indexPath] else {
      trap("a list of \(count) objects has none at \(indexPath)")
    }
    return publisher
  }
}
