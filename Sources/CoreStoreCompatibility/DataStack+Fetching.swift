public import SwiftDatastore

/// Fetching: objects of the view context, on the main actor. All of it throws
/// `CoreStoreError.persistentStoreNotFound` without a storage.
@MainActor
extension DataStack {
  /// The objects of a query.
  ///
  /// - Parameters:
  ///   - query: which objects, in which order.
  ///   - clauses: `Where`, `OrderBy` and `Tweak`, where they do not stand in the query.
  /// - Throws: `UnknownEntityError`; `StoreError` when the store cannot be read.
  public func fetchAll<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> [O] {
    try datastore.sharedViewContext.fetchAll(query.applying(clauses))
  }

  /// The first object of a query, or nil.
  ///
  /// - Parameters:
  ///   - query: which objects, in which order.
  ///   - clauses: `Where`, `OrderBy` and `Tweak`, where they do not stand in the query.
  /// - Throws: like `fetchAll(_:)`.
  public func fetchOne<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> O? {
    try datastore.sharedViewContext.fetchOne(query.applying(clauses))
  }

  /// How many objects a query finds.
  ///
  /// - Parameters:
  ///   - query: which objects.
  ///   - clauses: `Where`, `OrderBy` and `Tweak`, where they do not stand in the query.
  /// - Throws: like `fetchAll(_:)`.
  public func fetchCount<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> Int {
    try datastore.sharedViewContext.fetchCount(query.applying(clauses))
  }

  /// The identifiers of the objects of a query.
  ///
  /// - Parameters:
  ///   - query: which objects, in which order.
  ///   - clauses: `Where`, `OrderBy` and `Tweak`, where they do not stand in the query.
  /// - Throws: like `fetchAll(_:)`.
  public func fetchObjectIDs<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> [DatastoreObjectID] {
    try datastore.sharedViewContext.fetchObjectIDs(query.applying(clauses))
  }

  /// The identifier of the first object of a query, or nil.
  ///
  /// - Parameters:
  ///   - query: which objects, in which order.
  ///   - clauses: `Where`, `OrderBy` and `Tweak`, where they do not stand in the query.
  /// - Throws: like `fetchAll(_:)`.
  public func fetchObjectID<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> DatastoreObjectID? {
    try datastore.sharedViewContext.fetchObjectID(query.applying(clauses))
  }

  /// The view context's object for an object of another context; nil for one that is not saved or was deleted.
  ///
  /// - Parameter object: an object of any context of the datastore.
  /// - Throws: `StoreError` when the store cannot be read.
  public func fetchExisting<O: DatastoreObject>(_ object: O) throws -> O? {
    try datastore.sharedViewContext.fetchExisting(object)
  }

  /// The view context's object for an identifier; nil where there is none.
  ///
  /// - Parameter objectID: an identifier.
  /// - Throws: `StoreError` when the store cannot be read.
  public func fetchExisting<O: DatastoreObject>(_ objectID: DatastoreObjectID) throws -> O? {
    try datastore.sharedViewContext.fetchExisting(objectID)
  }

  /// The view context's objects for objects of another one, in their order, without those that are not saved or were
  /// deleted.
  ///
  /// - Parameter objects: objects of any context of the datastore.
  /// - Throws: `StoreError` when the store cannot be read; `ObjectNotFoundError` for objects of another datastore.
  public func fetchExisting<O: DatastoreObject>(_ objects: some Sequence<O>) throws -> [O] {
    try datastore.sharedViewContext.fetchExisting(objects)
  }

  /// The view context's objects for identifiers, in their order, without those that there are not.
  ///
  /// - Parameter objectIDs: identifiers of objects of one class.
  /// - Throws: `StoreError` when the store cannot be read; `ObjectNotFoundError` for objects of another datastore.
  public func fetchExisting<O: DatastoreObject>(
    _ objectIDs: some Sequence<DatastoreObjectID>
  ) throws -> [O] {
    try datastore.sharedViewContext.fetchExisting(objectIDs)
  }
}
