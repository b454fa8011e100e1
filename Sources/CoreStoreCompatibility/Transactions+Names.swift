public import SwiftDatastore

/// The staged changes of a transaction in CoreStore's form: objects and identifiers without an order, of any
/// class if none is given. Unless the context requires a set, the array of SwiftDatastore is used.
extension ObjectContext {
  /// New objects.
  @_disfavoredOverload public func insertedObjects<O: DatastoreObject>(
    _ entity: O.Type = DatastoreObject.self
  ) -> Set<O> { Set(insertedObjects(entity) as [O]) }

  /// Saved objects with staged changes.
  @_disfavoredOverload public func updatedObjects<O: DatastoreObject>(
    _ entity: O.Type = DatastoreObject.self
  ) -> Set<O> { Set(updatedObjects(entity) as [O]) }

  /// Objects that the next save deletes.
  @_disfavoredOverload public func deletedObjects<O: DatastoreObject>(
    _ entity: O.Type = DatastoreObject.self
  ) -> Set<O> { Set(deletedObjects(entity) as [O]) }

  /// The identifiers of new objects; they last until the save.
  public func insertedObjectIDs<O: DatastoreObject>(
    _ entity: O.Type = DatastoreObject.self
  ) -> Set<DatastoreObjectID> { Set((insertedObjects(entity) as [O]).map(\.objectID)) }

  /// The identifiers of saved objects with staged changes.
  public func updatedObjectIDs<O: DatastoreObject>(
    _ entity: O.Type = DatastoreObject.self
  ) -> Set<DatastoreObjectID> { Set((updatedObjects(entity) as [O]).map(\.objectID)) }

  /// The identifiers of objects that the next save deletes.
  public func deletedObjectIDs<O: DatastoreObject>(
    _ entity: O.Type = DatastoreObject.self
  ) -> Set<DatastoreObjectID> { Set((deletedObjects(entity) as [O]).map(\.objectID)) }

  /// Whether an object has staged changes.
  public func objectHasPersistentChangedValues<O: DatastoreObject>(_ object: O) -> Bool {
    object.hasChanges
  }

  /// Makes the next access to each object read the store again; staged changes stay: `refreshAllObjects()`.
  public func refreshAndMergeAllObjects() { refreshAllObjects() }

  /// The context itself, for functions that CoreStore has no name for.
  public func unsafeContext() -> Self { self }
}

extension SwiftDatastoreContext.Closure {
  /// The result of a transaction.
  public typealias Result<Value> = Swift.Result<Value, CoreStoreError>
}
