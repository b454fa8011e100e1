public import SwiftDatastore

/// Creating, changing and deleting in a transaction. Objects and identifiers may belong to any context of the
/// datastore. All functions throw `UnknownEntityError` for a class that is not part of the model, and
/// `StoreError` when the store cannot be read.
extension ObjectContext {
  /// A new object: `createObject()`, or `createObject(in:)` if the clause names a configuration.
  public func create<O: DatastoreObject>(_ into: Into<O>) throws -> O {
    if let stores = into.stores { return try createObject(in: stores) }
    return try createObject()
  }

  /// This context's object for an object of another one; nil for nil, and for one that is not saved or was
  /// deleted.
  public func edit<O: DatastoreObject>(_ object: O?) throws -> O? {
    try object.flatMap { try fetchExisting($0) }
  }

  /// This context's object for an identifier; nil if there is none.
  public func edit<O: DatastoreObject>(
    _ into: Into<O>, _ objectID: DatastoreObjectID
  ) throws -> O? { try fetchExisting(objectID) }

  /// Deletes objects, or those of publishers, snapshots and monitors, with the delete rules of their
  /// relationships. Nil and deleted objects are ignored. Returns the number of deleted objects.
  @discardableResult
  public func delete<O: AnyObjectRepresentation>(_ object: O?, _ objects: O?...) throws -> Int {
    try delete([object] + objects)
  }

  /// Deletes the objects of a sequence.
  @discardableResult
  public func delete<O: AnyObjectRepresentation>(_ objects: some Sequence<O?>) throws -> Int {
    try delete(objectIDs: objects.compactMap { $0?.objectID })
  }

  /// Deletes the objects with these identifiers.
  @discardableResult
  public func delete(objectIDs: some Sequence<DatastoreObjectID>) throws -> Int {
    let own: [DatastoreObject] = try objectIDs.compactMap { try fetchExisting($0) }
    for object in own { deleteObject(object) }
    return own.count
  }

  /// Deletes the objects of a query one by one, as staged changes: delete rules and observers apply. To
  /// delete very many at once in the store, use `deleteMany(_:)`.
  ///
  /// - Returns: the number of deleted objects.
  @discardableResult public func deleteAll<O: DatastoreObject>(
    _ query: some ChainBuilder<O>, _ clauses: any FetchClause...
  ) throws -> Int { try deleteAll(query, clauses) }

  /// Deletes the objects of a query, with the clauses in an array.
  @discardableResult
  public func deleteAll<O>(
    _ query: some ChainBuilder<O>, _ clauses: [any FetchClause]
  ) throws -> Int {
    let objects = try fetch(query.from.applying(clauses))
    for object in objects { deleteObject(object) }
    return objects.count
  }
}

/// CoreStore's names for importing. Each function corresponds to the one that it names: `source` and
/// `sourceArray` are the sources of objects, and a source that a class skips is nil or left out. An error
/// undoes the whole call; an error of the class is thrown unchanged, not as an `ImportFault`.
extension ObjectContext {
  /// Creates an object from a source: `importObject(_:from:)`.
  @discardableResult public func importObject<O: ImportableObject>(
    _ into: Into<O>, source: O.ImportSource
  ) throws -> O? { try imported(into) { try importObject(O.self, from: source) } }

  /// Gives an object the values of a source: `importObject(_:from:)`.
  public func importObject<O: ImportableObject>(_ object: O, source: O.ImportSource) throws {
    try asThrown { try importObject(object, from: source) }
  }

  /// Creates an object from each source: `importObjects(_:from:)`.
  @discardableResult public func importObjects<O: ImportableObject>(
    _ into: Into<O>, sourceArray: some Sequence<O.ImportSource>
  ) throws -> [O] { try imported(into) { try importObjects(O.self, from: sourceArray) } }

  /// Updates the object of a source, or creates it: `importUniqueObject(_:from:)`.
  @discardableResult public func importUniqueObject<O: ImportableUniqueObject>(
    _ into: Into<O>, source: O.ImportSource
  ) throws -> O? { try imported(into) { try importUniqueObject(O.self, from: source) } }

  /// Updates the objects of sources, and creates missing ones: `importUniqueObjects(_:from:)`.
  @discardableResult public func importUniqueObjects<O: ImportableUniqueObject>(
    _ into: Into<O>, sourceArray: some Sequence<O.ImportSource>,
    preProcess: ((_ sources: O.SourcesByID) throws -> O.SourcesByID)? = nil
  ) throws -> [O] {
    try imported(into) {
      try importUniqueObjects(O.self, from: sourceArray, preProcess: preProcess)
    }
  }
}

extension ObjectContext {
  private func imported<O, Result>(_ into: Into<O>, _ body: () throws -> Result) throws -> Result {
    try asThrown { try into.stores.map { try assigning(to: $0, body) } ?? body() }
  }
}

private func asThrown<Result>(_ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch let fault as ImportFault {
    throw fault.thrownError ?? fault
  }
}
