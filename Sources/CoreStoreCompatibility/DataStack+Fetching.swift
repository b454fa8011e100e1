public import SwiftDatastore

/// Fetching: the functions of a context of the same names and arguments, for the view context. Without a storage they throw
/// `CoreStoreError.persistentStoreNotFound`.
@MainActor
extension DataStack {
  /// The objects of a query.
  public func fetchAll<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> [O] { try viewContext.fetchAll(query.applying(clauses)) }

  /// The first object of a query, or nil.
  public func fetchOne<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> O? { try viewContext.fetchOne(query.applying(clauses)) }

  /// How many objects a query finds.
  public func fetchCount<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> Int { try viewContext.fetchCount(query.applying(clauses)) }

  /// The identifiers of the objects of a query.
  public func fetchObjectIDs<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> [DatastoreObjectID] { try viewContext.fetchObjectIDs(query.applying(clauses)) }

  /// The identifier of the first object of a query, or nil.
  public func fetchObjectID<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> DatastoreObjectID? { try viewContext.fetchObjectID(query.applying(clauses)) }

  /// The view context's object for an object of another context; nil for one that is not saved or was deleted.
  public func fetchExisting<O: DatastoreObject>(_ object: O) throws -> O? {
    try viewContext.fetchExisting(object)
  }

  /// The view context's object for an identifier; nil where there is none.
  public func fetchExisting<O: DatastoreObject>(_ objectID: DatastoreObjectID) throws -> O? {
    try viewContext.fetchExisting(objectID)
  }

  /// The view context's objects for objects of another one, without those that are not saved or were deleted.
  public func fetchExisting<O: DatastoreObject>(_ objects: some Sequence<O>) throws -> [O] {
    try viewContext.fetchExisting(objects)
  }

  /// The view context's objects for identifiers, without those that there are not.
  public func fetchExisting<O: DatastoreObject>(
    _ objectIDs: some Sequence<DatastoreObjectID>
  ) throws -> [O] { try viewContext.fetchExisting(objectIDs) }

  /// The value of the first row of a selection of saved objects.
  public func queryValue<O: DatastoreObject, Value>(
    _ selection: Selection<O, Value>
  ) throws -> Value? { try viewContext.queryValue(selection) }

  /// The same for a value that may be missing.
  public func queryValue<O: DatastoreObject, Value>(
    _ selection: Selection<O, Value?>
  ) throws -> Value? { try viewContext.queryValue(selection) }

  /// The same by names.
  public func queryValue<O: DatastoreObject, Value: AttributeValueType>(
    _ query: From<O>, _ select: Select<Value>, _ clauses: any FetchClause...
  ) throws -> Value? { try viewContext.queryValue(query.applying(clauses), select) }

  /// One dictionary for each row of saved objects.
  public func queryAttributes<O: DatastoreObject>(
    _ query: DictionaryQuery<O>
  ) throws -> [[String: Any]] { try viewContext.queryAttributes(query) }

  /// The same by names.
  public func queryAttributes<O: DatastoreObject>(
    _ query: From<O>, _ select: Select<[String: Any]>, _ clauses: any QueryClause...
  ) throws -> [[String: Any]] { try viewContext.queryAttributes(query.selecting(select, clauses)) }

  private var viewContext: SwiftDatastoreViewContext {
    get throws(CoreStoreError) { try datastore.sharedViewContext }
  }
}
