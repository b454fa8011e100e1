package import DatastoreCore
public import Foundation

extension SwiftDatastore {
  /// The identifier for a URI. Reads no row: `object(with:)` reports whether the object exists.
  ///
  /// - Parameter uri: a result of `uriRepresentation` of an identifier, in this process or another one.
  /// - Throws: `ObjectURIError` for any other URI, for another store, for an entity that does not exist, and
  ///   for a key of another kind than the entity has now; `StoreError` when the store cannot be read.
  public func objectID(forURIRepresentation uri: URL) throws -> DatastoreObjectID {
    guard let read = ObjectURI(uri.absoluteString) else {
      throw ObjectURIError.malformed(uri: uri.absoluteString)
    }
    return try DatastoreObjectID(read, of: coordinator.store)
  }
}

extension SwiftDatastore: StoreOwner {
  package var engine: any StoreEngine { coordinator.store }
}

extension ObjectContext {
  /// This context's object for a URI that `uriRepresentation` of its identifier returned, in this process or
  /// another one.
  ///
  /// - Parameter uri: a result of `uriRepresentation` of an identifier.
  /// - Throws: `ObjectURIError` like `objectID(forURIRepresentation:)`; `ObjectNotFoundError` when the row is
  ///   gone, or is of another class; `StoreError` when the store cannot be read.
  public func object<T: DatastoreObject>(forURIRepresentation uri: URL) throws -> T {
    guard let read = ObjectURI(uri.absoluteString) else {
      throw ObjectURIError.malformed(uri: uri.absoluteString)
    }
    return try object(with: DatastoreObjectID(read, of: core.coordinator.store))
  }
}
