public import Foundation

extension ObjectContext {
  /// This context's object for a name that `uriRepresentation` of its identifier has given, in this process or
  /// another one.
  ///
  /// - Parameter uri: what `uriRepresentation` of an identifier has given.
  /// - Throws: `ObjectURIError` like `objectID(forURIRepresentation:)`; `ObjectNotFoundError` when the row is gone, or is of
  ///   another class; `StoreError` when the store cannot be read.
  public func object<T: DatastoreObject>(forURIRepresentation uri: URL) throws -> T {
    guard let read = ObjectURI(uri.absoluteString) else {
      throw ObjectURIError.malformed(uri: uri.absoluteString)
    }
    return try object(with: DatastoreObjectID(read, of: core.coordinator.store))
  }
}
