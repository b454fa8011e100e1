public import SwiftDatastore

/// Fetching, in a transaction: objects, and values in place of them, for which unsaved changes do not count.
///
/// `clauses` are `Where`, `OrderBy`, `Tweak` and, for dictionaries, `GroupBy`, where they do not stand in the query. All of it
/// throws `UnknownEntityError` for a class that is not part of the model, and `StoreError` when the store cannot be read.
extension ObjectContext {
  /// The objects of a query: `fetch(_:)`.
  public func fetchAll<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> [O] { try fetch(query.applying(clauses)) }

  /// The first object of a query, or nil: `fetchFirst(_:)`.
  public func fetchOne<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> O? { try fetchFirst(query.applying(clauses)) }

  /// How many objects a query finds: `count(_:)`.
  public func fetchCount<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> Int { try count(query.applying(clauses)) }

  /// The identifiers of the objects of a query: `fetchIDs(_:)`.
  public func fetchObjectIDs<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> [DatastoreObjectID] { try fetchIDs(query.applying(clauses)) }

  /// The identifier of the first object of a query, or nil.
  public func fetchObjectID<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> DatastoreObjectID? { try fetchIDs(query.applying(clauses).limit(1)).first }

  /// This context's object for an object of another one; nil for one that is not saved or was deleted.
  public func fetchExisting<O: DatastoreObject>(_ object: O) throws -> O? {
    try fetchExisting(object.objectID)
  }

  /// This context's object for an identifier; nil where there is none.
  public func fetchExisting<O: DatastoreObject>(_ objectID: DatastoreObjectID) throws -> O? {
    do {
      return try object(with: objectID)
    } catch is ObjectNotFoundError {
      return nil
    }
  }

  /// This context's objects for objects of another one, in their order, without those that are not saved or were deleted.
  /// Throws `ObjectNotFoundError` for objects of another datastore.
  public func fetchExisting<O: DatastoreObject>(_ objects: some Sequence<O>) throws -> [O] {
    try fetchExisting(objects.map(\.objectID))
  }

  /// This context's objects for identifiers of objects of one class, in their order, without those that there are not. Read
  /// together. Throws `ObjectNotFoundError` for those of another datastore.
  public func fetchExisting<O: DatastoreObject>(
    _ objectIDs: some Sequence<DatastoreObjectID>
  ) throws -> [O] { try objects(with: Array(objectIDs)) }

  /// The value of the first row of a selection, as `firstRow(_:)` gives it; nil when no row is found or its value is missing.
  ///
  /// Throws `SelectedValueError` for a stored value that is not of its property's type, and `AggregateValueError` for a
  /// sum that its type cannot hold.
  public func queryValue<O: DatastoreObject, Value>(
    _ selection: Selection<O, Value>
  ) throws -> Value? { try firstRow(selection) }

  /// The same for a value that may be missing.
  public func queryValue<O: DatastoreObject, Value>(
    _ selection: Selection<O, Value?>
  ) throws -> Value? { try firstRow(selection).flatMap(\.self) }

  /// The same by names. A value of another type is nil; a number that is read as a whole one is cut. An aggregate that does
  /// not fit the type is an `AggregateValueError`, and is of the first objects in their order where a `Tweak` limits them.
  public func queryValue<O: DatastoreObject, Value: AttributeValueType>(
    _ query: From<O>, _ select: Select<Value>, _ clauses: any FetchClause...
  ) throws -> Value? { try queryValue(query.applying(clauses).selecting(select)) }

  /// One dictionary for each row: `dictionaries(_:)`. A missing value has no key.
  public func queryAttributes<O: DatastoreObject>(
    _ query: DictionaryQuery<O>
  ) throws -> [[String: Any]] { try dictionaries(query) }

  /// The same by names.
  public func queryAttributes<O: DatastoreObject>(
    _ query: From<O>, _ select: Select<[String: Any]>, _ clauses: any QueryClause...
  ) throws -> [[String: Any]] { try queryAttributes(query.selecting(select, clauses)) }
}
