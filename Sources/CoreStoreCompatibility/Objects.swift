import DatastoreCore
public import SwiftDatastore

/// Which class an object is created of.
public struct Into<O: DatastoreObject>: Sendable {
  /// The storage it is to be in; nil where it is not said.
  var stores: StoreSelection?

  /// A clause for the class, which one storage holds.
  public init() {}
}

/// Creating, changing and deleting in a transaction. Objects and identifiers are of any context of the datastore. All of it
/// throws `UnknownEntityError` for a class that is not part of the model, and `StoreError` when the store cannot be read.
extension ObjectContext {
  /// A new object: `createObject()`, or `createObject(in:)` where the clause names a configuration.
  public func create<O: DatastoreObject>(_ into: Into<O>) throws -> O {
    if let stores = into.stores { return try createObject(in: stores) }
    return try createObject()
  }

  /// This context's object for an object of another one; nil for nil, and for one that is not saved or was deleted.
  public func edit<O: DatastoreObject>(_ object: O?) throws -> O? {
    try object.flatMap { try fetchExisting($0) }
  }

  /// This context's object for an identifier; nil where there is none.
  public func edit<O: DatastoreObject>(
    _ into: Into<O>, _ objectID: DatastoreObjectID
  ) throws -> O? { try fetchExisting(objectID) }

  /// Deletes objects, with the delete rules of their relationships. Nil, and what is gone already, is passed over. Returns
  /// how many.
  @discardableResult
  public func delete<O: DatastoreObject>(_ object: O?, _ objects: O?...) throws -> Int {
    try delete([object] + objects)
  }

  /// The same for a sequence of objects.
  @discardableResult
  public func delete<O: DatastoreObject>(_ objects: some Sequence<O?>) throws -> Int {
    let own = try objects.compactMap { try edit($0) }
    for object in own { deleteObject(object) }
    return own.count
  }

  /// Deletes the objects of a query one by one, as they are staged: delete rules and observers work. To delete very many at
  /// once in the store, use `deleteMany(_:)`.
  ///
  /// - Returns: how many.
  @discardableResult
  public func deleteAll<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> Int {
    let objects = try fetch(query.applying(clauses))
    for object in objects { deleteObject(object) }
    return objects.count
  }
}
