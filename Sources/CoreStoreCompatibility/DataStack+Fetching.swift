public import SwiftDatastore

/// Fetching: objects of the view context, on the main actor. The functions take what those of a context take, and throw what
/// they throw; without a storage `CoreStoreError.persistentStoreNotFound`.
@MainActor
extension DataStack {
  /// The objects of a query.
  public func fetchAll<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> [O] {
    try datastore.sharedViewContext.fetchAll(query.applying(clauses))
  }

  /// The first object of a query, or nil.
  public func fetchOne<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> O? {
    try datastore.sharedViewContext.fetchOne(query.applying(clauses))
  }

  /// How many objects a query finds.
  public func fetchCount<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> Int {
    try datastore.sharedViewContext.fetchCount(query.applying(clauses))
  }

  /// The identifiers of the objects of a query.
  public func fetchObjectIDs<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> [DatastoreObjectID] {
    try datastore.sharedViewContext.fetchObjectIDs(query.applying(clauses))
  }

  /// The identifier of the first object of a query, or nil.
  public func fetchObjectID<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> DatastoreObjectID? {
    try datastore.sharedViewContext.fetchObjectID(query.applying(clauses))
  }

  /// The view context's object for an object of another context; nil for one that is not saved or was deleted.
  public func fetchExisting<O: DatastoreObject>(_ object: O) throws -> O? {
    try datastore.sharedViewContext.fetchExisting(object)
  }

  /// The view context's object for an identifier; nil where there is none.
  public func fetchExisting<O: DatastoreObject>(_ objectID: DatastoreObjectID) throws -> O? {
    try datastore.sharedViewContext.fetchExisting(objectID)
  }

  /// The view context's objects for objects of another one, in their order, without those that are not saved or were
  /// deleted.
  public func fetchExisting<O: DatastoreObject>(_ objects: some Sequence<O>) throws -> [O] {
    try datastore.sharedViewContext.fetchExisting(objects)
  }

  /// The view context's objects for identifiers, in their order, without those that there are not.
  public func fetchExisting<O: DatastoreObject>(
    _ objectIDs: some Sequence<DatastoreObjectID>
  ) throws -> [O] {
    try datastore.sharedViewContext.fetchExisting(objectIDs)
  }
}
