public import SwiftDatastore

/// Which class an object is created of.
public struct Into<O: DatastoreObject>: Sendable {
  /// A clause for the class.
  public init() {}
}

/// Creating, changing and deleting in a transaction.
extension ObjectContext {
  /// A new object: `createObject()`.
  ///
  /// - Parameter into: its class.
  /// - Throws: `UnknownEntityError` when the class is not part of the model; `StoreError`.
  public func create<O: DatastoreObject>(_ into: Into<O>) throws -> O { try createObject() }

  /// This context's object for an object of another one; nil for nil, and for one that is not saved or was deleted.
  ///
  /// - Parameter object: an object of any context of the datastore.
  /// - Throws: `StoreError` when the store cannot be read.
  public func edit<O: DatastoreObject>(_ object: O?) throws -> O? {
    try object.flatMap { try fetchExisting($0.objectID) }
  }

  /// This context's object for an identifier; nil where there is none.
  ///
  /// - Parameters:
  ///   - into: its class.
  ///   - objectID: its identifier.
  /// - Throws: `StoreError` when the store cannot be read.
  public func edit<O: DatastoreObject>(_ into: Into<O>, _ objectID: DatastoreObjectID) throws -> O?
  {
    try fetchExisting(objectID)
  }

  /// This context's object for an object of another one; nil for one that is not saved or was deleted.
  ///
  /// - Parameter object: an object of any context of the datastore.
  /// - Throws: `StoreError` when the store cannot be read.
  public func fetchExisting<O: DatastoreObject>(_ object: O) throws -> O? {
    try fetchExisting(object.objectID)
  }

  /// This context's object for an identifier; nil where there is none.
  ///
  /// - Parameter objectID: an identifier.
  /// - Throws: `StoreError` when the store cannot be read.
  public func fetchExisting<O: DatastoreObject>(_ objectID: DatastoreObjectID) throws -> O? {
    do {
      return try object(with: objectID)
    } catch is ObjectNotFoundError {
      return nil
    }
  }

  /// This context's objects for objects of another one, in their order, without those that are not saved or were deleted.
  ///
  /// - Parameter objects: objects of any context of the datastore.
  /// - Throws: `StoreError` when the store cannot be read; `ObjectNotFoundError` for objects of another datastore.
  public func fetchExisting<O: DatastoreObject>(_ objects: some Sequence<O>) throws -> [O] {
    try fetchExisting(objects.map(\.objectID))
  }

  /// This context's objects for identifiers, in their order, without those that there are not. Read together.
  ///
  /// - Parameter objectIDs: identifiers of objects of one class.
  /// - Throws: `StoreError` when the store cannot be read; `ObjectNotFoundError` for objects of another datastore.
  public func fetchExisting<O: DatastoreObject>(
    _ objectIDs: some Sequence<DatastoreObjectID>
  ) throws -> [O] {
    try objects(with: Array(objectIDs))
  }

  /// Deletes objects of any context of the datastore, with the delete rules of their relationships. Nil, and what is gone
  /// already, is passed over.
  ///
  /// - Parameters:
  ///   - object: an object.
  ///   - objects: more of them.
  /// - Throws: `StoreError` when the store cannot be read.
  public func delete<O: DatastoreObject>(_ object: O?, _ objects: O?...) throws {
    try delete([object] + objects)
  }

  /// Deletes objects of any context of the datastore, with the delete rules of their relationships. Nil, and what is gone
  /// already, is passed over.
  ///
  /// - Parameter objects: the objects.
  /// - Throws: `StoreError` when the store cannot be read.
  public func delete<O: DatastoreObject>(_ objects: some Sequence<O?>) throws {
    for object in objects {
      if let own = try edit(object) { deleteObject(own) }
    }
  }

  /// Deletes the objects of a query one by one, as they are staged: delete rules and observers work. To delete very many at
  /// once in the store, use `deleteMany(_:)`.
  ///
  /// - Parameters:
  ///   - query: which objects.
  ///   - clauses: `Where`, `OrderBy` and `Tweak`, where they do not stand in the query.
  /// - Returns: how many.
  /// - Throws: `UnknownEntityError`; `StoreError` when the store cannot be read.
  @discardableResult
  public func deleteAll<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> Int {
    let objects = try fetch(query.applying(clauses))
    for object in objects { deleteObject(object) }
    return objects.count
  }
}
