public import SwiftDatastore

/// The source that objects are fetched from: a stack, which reads in its view context, or a transaction.
public typealias FetchableSource = ObjectSource

/// The source that values are queried from.
public typealias QueryableSource = ObjectSource

extension DataStack: @MainActor ObjectSource {
  /// The view context. Throws `CoreStoreError.persistentStoreNotFound` without a storage.
  @MainActor
  public var objectContext: any ObjectContext { get throws { try datastore.sharedViewContext } }
}

/// Fetching objects, and values without objects; the latter ignore unsaved changes.
///
/// `clauses` are the `Where`, `OrderBy`, `Tweak` and, for values, `GroupBy` clauses that are not in the
/// query, one by one or in an array. All functions throw `UnknownEntityError` for a class that is not part of
/// the model, and `StoreError` when the store cannot be read.
extension ObjectSource {
  /// The objects of a query: `fetch(_:)`.
  public func fetchAll<O>(_ query: some ChainBuilder<O>, _ clauses: any FetchClause...) throws
    -> [O]
  {
    try fetchAll(query, clauses)
  }
  /// The objects of a query, with the clauses one by one or in an array.
  public func fetchAll<O>(_ query: some ChainBuilder<O>, _ clauses: [any FetchClause]) throws -> [O]
  {
    try objectContext.fetch(query.from.applying(clauses))
  }

  /// The first object of a query, or nil: `fetchFirst(_:)`.
  public func fetchOne<O>(_ query: some ChainBuilder<O>, _ clauses: any FetchClause...) throws -> O?
  {
    try fetchOne(query, clauses)
  }
  /// The first object of a query, or nil, with the clauses one by one or in an array.
  public func fetchOne<O>(_ query: some ChainBuilder<O>, _ clauses: [any FetchClause]) throws -> O?
  {
    try objectContext.fetchFirst(query.from.applying(clauses))
  }

  /// The number of objects of a query: `count(_:)`.
  public func fetchCount<O>(_ query: some ChainBuilder<O>, _ clauses: any FetchClause...) throws
    -> Int
  {
    try fetchCount(query, clauses)
  }
  /// The number of objects of a query, with the clauses one by one or in an array.
  public func fetchCount<O>(_ query: some ChainBuilder<O>, _ clauses: [any FetchClause]) throws
    -> Int
  {
    try objectContext.count(query.from.applying(clauses))
  }

  /// The identifiers of the objects of a query: `fetchIDs(_:)`.
  public func fetchObjectIDs<O>(
    _ query: some ChainBuilder<O>, _ clauses: any FetchClause...
  ) throws -> [DatastoreObjectID] { try fetchObjectIDs(query, clauses) }
  /// The identifiers of the objects of a query, with the clauses one by one or in an array.
  public func fetchObjectIDs<O>(
    _ query: some ChainBuilder<O>, _ clauses: [any FetchClause]
  ) throws -> [DatastoreObjectID] { try objectContext.fetchIDs(query.from.applying(clauses)) }

  /// The identifier of the first object of a query, or nil.
  public func fetchObjectID<O>(
    _ query: some ChainBuilder<O>, _ clauses: any FetchClause...
  ) throws -> DatastoreObjectID? { try fetchObjectID(query, clauses) }
  /// The identifier of the first object of a query, or nil, with the clauses one by one or in an array.
  public func fetchObjectID<O>(
    _ query: some ChainBuilder<O>, _ clauses: [any FetchClause]
  ) throws -> DatastoreObjectID? { try fetchObjectIDs(query.from.applying(clauses).limit(1)).first }

  /// This context's object for an object of another context; nil for one that is not saved or was deleted.
  public func fetchExisting<O: DatastoreObject>(_ object: O) throws -> O? {
    try fetchExisting(object.objectID)
  }

  /// This context's object for an identifier; nil if there is none.
  public func fetchExisting<O: DatastoreObject>(_ objectID: DatastoreObjectID) throws -> O? {
    do {
      return try objectContext.object(with: objectID)
    } catch is ObjectNotFoundError {
      return nil
    }
  }

  /// This context's objects for objects of another context, in their order, without those that are not saved
  /// or were deleted. Throws `ObjectNotFoundError` for objects of another datastore.
  public func fetchExisting<O: DatastoreObject>(_ objects: some Sequence<O>) throws -> [O] {
    try fetchExisting(objects.map(\.objectID))
  }

  /// This context's objects for identifiers of objects of one class, in their order, without those that do
  /// not exist. Read together. Throws `ObjectNotFoundError` for those of another datastore.
  public func fetchExisting<O: DatastoreObject>(
    _ objectIDs: some Sequence<DatastoreObjectID>
  ) throws -> [O] { try objectContext.objects(with: Array(objectIDs)) }
}
