package import DatastoreCore
public import Foundation

extension SwiftDatastore {
  /// The identifier with a name. Reads no row: `object(with:)` says whether the object exists.
  ///
  /// - Parameter uri: what `uriRepresentation` of an identifier has given, in this process or another one.
  /// - Throws: `ObjectURIError` for anything else, for another store, for an entity that there is not, and
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
  /// This context's object for a name that `uriRepresentation` of its identifier has given, in this process
  /// or another one.
  ///
  /// - Parameter uri: what `uriRepresentation` of an identifier has given.
  /// - Throws: `ObjectURIError` like `objectID(forURIRepresentation:)`; `ObjectNotFoundError` when the row is
  ///   gone, or is of another class; `StoreError` when the store cannot be read.
  public func object<T: DatastoreObject>(forURIRepresentation uri: URL) throws -> T {
    guard let read = ObjectURI(uri.absoluteString) else {
      throw ObjectURIError.malformed(uri: uri.absoluteString)
    }
    return try object(with: DatastoreObjectID(read, of: core.coordinator.store))
  }
}
