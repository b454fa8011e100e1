public import SwiftDatastore

/// CoreStore's names for fetching.
extension ObjectContext {
  /// The objects of a query: `fetch(_:)`.
  ///
  /// - Parameter query: which objects, in which order.
  /// - Throws: `UnknownEntityError`; `StoreError` when the store cannot be read.
  public func fetchAll<O: DatastoreObject>(_ query: From<O>) throws -> [O] { try fetch(query) }

  /// The first object of a query, or nil: `fetchFirst(_:)`.
  ///
  /// - Parameter query: which objects, in which order.
  /// - Throws: like `fetchAll(_:)`.
  public func fetchOne<O: DatastoreObject>(_ query: From<O>) throws -> O? { try fetchFirst(query) }

  /// How many objects a query finds: `count(_:)`.
  ///
  /// - Parameter query: which objects.
  /// - Throws: like `fetchAll(_:)`.
  public func fetchCount<O: DatastoreObject>(_ query: From<O>) throws -> Int { try count(query) }

  /// The identifiers of the objects of a query: `fetchIDs(_:)`.
  ///
  /// - Parameter query: which objects, in which order.
  /// - Throws: like `fetchAll(_:)`.
  public func fetchObjectIDs<O: DatastoreObject>(_ query: From<O>) throws -> [DatastoreObjectID] {
    try fetchIDs(query)
  }

  /// The identifier of the first object of a query, or nil.
  ///
  /// - Parameter query: which objects, in which order.
  /// - Throws: like `fetchAll(_:)`.
  public func fetchObjectID<O: DatastoreObject>(_ query: From<O>) throws -> DatastoreObjectID? {
    try fetchIDs(query.limit(1)).first
  }
}

extension OrderBy {
  /// From the least to the greatest: `asc(_:)`.
  ///
  /// - Parameter keyPath: an attribute, or a to-one relationship.
  public static func ascending<P: EntityProperty & QueryProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable
  ) -> OrderBy { .asc(keyPath) }

  /// From the greatest to the least: `desc(_:)`.
  ///
  /// - Parameter keyPath: an attribute, or a to-one relationship.
  public static func descending<P: EntityProperty & QueryProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable
  ) -> OrderBy { .desc(keyPath) }
}
