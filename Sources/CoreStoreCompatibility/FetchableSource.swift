public import SwiftDatastore

/// What objects are fetched from: a stack, which reads in its view context, or a transaction.
public typealias FetchableSource = ObjectSource

/// What values are queried from: the same.
public typealias QueryableSource = ObjectSource

extension DataStack: @MainActor ObjectSource {
  /// The view context. Throws `CoreStoreError.persistentStoreNotFound` without a storage.
  @MainActor
  public var objectContext: any ObjectContext { get throws { try datastore.sharedViewContext } }
}

/// Fetching: objects, and values in place of them, for which unsaved changes do not count.
///
/// `clauses` are `Where`, `OrderBy`, `Tweak` and, for values, `GroupBy`, where they are not in the
/// query, one by one or in an array. All of it throws `UnknownEntityError` for a class that is not part of
/// the model, and `StoreError` when the store cannot be read.
extension ObjectSource {
  /// The objects of a query: `fetch(_:)`.
  public func fetchAll<O>(_ query: some ChainBuilder<O>, _ clauses: any FetchClause...) throws
    -> [O]
  {
    try fetchAll(query, clauses)
  }
  /// The same with the clauses one by one or in an array.
  public func fetchAll<O>(_ query: some ChainBuilder<O>, _ clauses: [any FetchClause]) throws -> [O]
  {
    try objectContext.fetch(query.from.applying(clauses))
  }

  /// The first object of a query, or nil: `fetchFirst(_:)`.
  public func fetchOne<O>(_ query: some ChainBuilder<O>, _ clauses: any FetchClause...) throws -> O?
  {
    try fetchOne(query, clauses)
  }
  /// The same with the clauses one by one or in an array.
  public func fetchOne<O>(_ query: some ChainBuilder<O>, _ clauses: [any FetchClause]) throws -> O?
  {
    try objectContext.fetchFirst(query.from.applying(clauses))
  }

  /// How many objects a query finds: `count(_:)`.
  public func fetchCount<O>(_ query: some ChainBuilder<O>, _ clauses: any FetchClause...) throws
    -> Int
  {
    try fetchCount(query, clauses)
  }
  /// The same with the clauses one by one or in an array.
  public func fetchCount<O>(_ query: some ChainBuilder<O>, _ clauses: [any FetchClause]) throws
    -> Int
  {
    try objectContext.count(query.from.applying(clauses))
  }

  /// The identifiers of the objects of a query: `fetchIDs(_:)`.
  public func fetchObjectIDs<O>(
    _ query: some ChainBuilder<O>, _ clauses: any FetchClause...
  ) throws -> [DatastoreObjectID] { try fetchObjectIDs(query, clauses) }
  /// The same with the clauses one by one or in an array.
  public func fetchObjectIDs<O>(
    _ query: some ChainBuilder<O>, _ clauses: [any FetchClause]
  ) throws -> [DatastoreObjectID] { try objectContext.fetchIDs(query.from.applying(clauses)) }

  /// The identifier of the first object of a query, or nil.
  public func fetchObjectID<O>(
    _ query: some ChainBuilder<O>, _ clauses: any FetchClause...
  ) throws -> DatastoreObjectID? { try fetchObjectID(query, clauses) }
  /// The same with the clauses one by one or in an array.
  public func fetchObjectID<O>(
    _ query: some ChainBuilder<O>, _ clauses: [any FetchClause]
  ) throws -> DatastoreObjectID? { try fetchObjectIDs(query.from.applying(clauses).limit(1)).first }

  /// The object here for an object of another context; nil for one that is not saved or was deleted.
  public func fetchExisting<O: DatastoreObject>(_ object: O) throws -> O? {
    try fetchExisting(object.objectID)
  }

  /// The object here for an identifier; nil where there is none.
  public func fetchExisting<O: DatastoreObject>(_ objectID: DatastoreObjectID) throws -> O? {
    do {
      return try objectContext.object(with: objectID)
    } catch is ObjectNotFoundError {
      return nil
    }
  }

  /// The objects here for objects of another context, in their order, without those that are not saved or
  /// were deleted. Throws `ObjectNotFoundError` for objects of another datastore.
  public func fetchExisting<O: DatastoreObject>(_ objects: some Sequence<O>) throws -> [O] {
    try fetchExisting(objects.map(\.objectID))
  }

  /// The objects here for identifiers of objects of one class, in their order, without those that there are
  /// not. Read together. Throws `ObjectNotFoundError` for those of another datastore.
  public func fetchExisting<O: DatastoreObject>(
    _ objectIDs: some Sequence<DatastoreObjectID>
  ) throws -> [O] { try objectContext.objects(with: Array(objectIDs)) }
}
