public import SwiftDatastore

/// CoreStore's names for fetching.
extension ObjectContext {
  /// The objects of a query: `fetch(_:)`.
  ///
  /// - Parameters:
  ///   - query: which objects, in which order.
  ///   - clauses: `Where`, `OrderBy` and `Tweak`, where they do not stand in the query.
  /// - Throws: `UnknownEntityError`; `StoreError` when the store cannot be read.
  public func fetchAll<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> [O] { try fetch(query.applying(clauses)) }

  /// The first object of a query, or nil: `fetchFirst(_:)`.
  ///
  /// - Parameters:
  ///   - query: which objects, in which order.
  ///   - clauses: `Where`, `OrderBy` and `Tweak`, where they do not stand in the query.
  /// - Throws: like `fetchAll(_:)`.
  public func fetchOne<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> O? { try fetchFirst(query.applying(clauses)) }

  /// How many objects a query finds: `count(_:)`.
  ///
  /// - Parameters:
  ///   - query: which objects.
  ///   - clauses: `Where`, `OrderBy` and `Tweak`, where they do not stand in the query.
  /// - Throws: like `fetchAll(_:)`.
  public func fetchCount<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> Int { try count(query.applying(clauses)) }

  /// The identifiers of the objects of a query: `fetchIDs(_:)`.
  ///
  /// - Parameters:
  ///   - query: which objects, in which order.
  ///   - clauses: `Where`, `OrderBy` and `Tweak`, where they do not stand in the query.
  /// - Throws: like `fetchAll(_:)`.
  public func fetchObjectIDs<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> [DatastoreObjectID] {
    try fetchIDs(query.applying(clauses))
  }

  /// The identifier of the first object of a query, or nil.
  ///
  /// - Parameters:
  ///   - query: which objects, in which order.
  ///   - clauses: `Where`, `OrderBy` and `Tweak`, where they do not stand in the query.
  /// - Throws: like `fetchAll(_:)`.
  public func fetchObjectID<O: DatastoreObject>(
    _ query: From<O>, _ clauses: any FetchClause...
  ) throws -> DatastoreObjectID? {
    try fetchIDs(query.applying(clauses).limit(1)).first
  }
}
