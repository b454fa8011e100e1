public import SwiftDatastore

/// What a transaction has staged, as CoreStore asks for it. Where nothing asks for a set, the array of SwiftDatastore is
/// meant.
extension ObjectContext {
  /// New objects of a class, without an order.
  @_disfavoredOverload
  public func insertedObjects<O: DatastoreObject>(_ entity: O.Type) -> Set<O> {
    Set(insertedObjects(entity) as [O])
  }

  /// Saved objects of a class with staged changes, without an order.
  @_disfavoredOverload
  public func updatedObjects<O: DatastoreObject>(_ entity: O.Type) -> Set<O> {
    Set(updatedObjects(entity) as [O])
  }

  /// Objects of a class that the next save deletes, without an order.
  @_disfavoredOverload
  public func deletedObjects<O: DatastoreObject>(_ entity: O.Type) -> Set<O> {
    Set(deletedObjects(entity) as [O])
  }

  /// New objects of whatever class, without an order.
  public func insertedObjects() -> Set<DatastoreObject> { Set(insertedObjects) }

  /// Saved objects of whatever class with staged changes, without an order.
  public func updatedObjects() -> Set<DatastoreObject> { Set(updatedObjects) }

  /// Objects of whatever class that the next save deletes, without an order.
  public func deletedObjects() -> Set<DatastoreObject> { Set(deletedObjects) }

  /// The identifiers of new objects; they last until the save.
  public func insertedObjectIDs() -> Set<DatastoreObjectID> { Set(insertedObjects.map(\.objectID)) }

  /// The identifiers of saved objects with staged changes.
  public func updatedObjectIDs() -> Set<DatastoreObjectID> { Set(updatedObjects.map(\.objectID)) }

  /// The identifiers of objects that the next save deletes.
  public func deletedObjectIDs() -> Set<DatastoreObjectID> { Set(deletedObjects.map(\.objectID)) }

  /// The same of one class.
  public func insertedObjectIDs<O: DatastoreObject>(_ entity: O.Type) -> Set<DatastoreObjectID> {
    Set((insertedObjects(entity) as [O]).map(\.objectID))
  }

  /// The same of one class.
  public func updatedObjectIDs<O: DatastoreObject>(_ entity: O.Type) -> Set<DatastoreObjectID> {
    Set((updatedObjects(entity) as [O]).map(\.objectID))
  }

  /// The same of one class.
  public func deletedObjectIDs<O: DatastoreObject>(_ entity: O.Type) -> Set<DatastoreObjectID> {
    Set((deletedObjects(entity) as [O]).map(\.objectID))
  }

  /// Whether an object has staged changes.
  public func objectHasPersistentChangedValues<O: DatastoreObject>(_ object: O) -> Bool {
    object.hasChanges
  }

  /// Has the next access to each object read the store again; staged changes stay: `refreshAllObjects()`.
  public func refreshAndMergeAllObjects() { refreshAllObjects() }

  /// The context itself, for what CoreStore has no name for.
  public func unsafeContext() -> Self { self }
}

extension SwiftDatastoreContext.Closure {
  /// What a transaction ends with.
  public typealias Result<Value> = Swift.Result<Value, CoreStoreError>
}

extension SwiftDatastoreLocalContext {
  /// Saves what was changed so far, and calls the closure at once: with nil, or with why it was not saved.
  public func commit(_ completion: (CoreStoreError?) -> Void) {
    do throws(CoreStoreError) {
      try commit()
    } catch {
      return completion(error)
    }
    completion(nil)
  }

  /// A transaction inside this one, whose commits go one level up: `createNewChildContext()`.
  public func beginUnsafe(
    supportsUndo: Bool = false, sourceIdentifier: (any Sendable)? = nil
  ) -> UnsafeDataTransaction {
    let transaction = createNewChildContext()
    transaction.isUndoEnabled = supportsUndo
    transaction.sourceIdentifier = sourceIdentifier
    return transaction
  }
}

/// The object in another context.
extension FieldOwner where Self: DatastoreObject {
  /// The object of the view context of a stack; nil where it is not saved or was deleted.
  @MainActor
  public func asReadOnly(in dataStack: DataStack) throws -> Self? {
    try dataStack.fetchExisting(self)
  }

  /// The object of a transaction; nil where it is not saved or was deleted.
  public func asEditable(in transaction: some ObjectContext) throws -> Self? {
    try transaction.edit(self)
  }

  /// The values of the object in a transaction; nil where it is not saved or was deleted.
  public func asSnapshot(in transaction: some ObjectContext) throws -> ObjectSnapshot<Self>? {
    try transaction.edit(self).flatMap { ObjectSnapshot(of: $0) }
  }
}

/// Stacks are equal when they are the same one.
extension DataStack: Equatable {
  public static func == (left: DataStack, right: DataStack) -> Bool { left === right }
}
