#if PostgreSQL
package import DatastoreCore
import DatastorePostgreSQL
package import SwiftDatastore

/// Native stores in a server, opened without the program that made them: their stored description replaces
/// its model.
extension SwiftDatastore {
  /// Opens a store; its objects are `DynamicObject`s.
  ///
  /// - Throws: `StoreError`; `.notNative` if there is no store of that name.
  package convenience init(
    describedInPostgreSQL address: String, storeName: String, readOnly: Bool,
    options: Options = Options()
  ) throws {
    guard
      let store = try Self.describedStore(
        at: PostgreSQLAddress(address), storeName: storeName, readOnly: readOnly)
    else { throw StoreError.notNative(path: "the schema “\(storeName)”") }
    self.init(
      store, dataModel: nil, storeName: "\(store.server)/\(storeName)", options: options)
  }

  /// A store without objects; nil if there is none of that name.
  ///
  /// - Throws: `StoreError`.
  package static func store(
    inPostgreSQL address: String, storeName: String, readOnly: Bool = true
  ) throws -> (any StoreEngine)? {
    try describedStore(at: PostgreSQLAddress(address), storeName: storeName, readOnly: readOnly)
  }

  private static func describedStore(
    at address: PostgreSQLAddress, storeName: String, readOnly: Bool
  ) throws -> PostgreSQLStore? {
    try PostgreSQLStore.describedSchema(at: address, named: storeName).map {
      try PostgreSQLStore($0, at: address, named: storeName, isReadOnly: readOnly)
    }
  }

  /// The schema that a store describes itself with; nil if there is no store of that name.
  ///
  /// - Throws: `StoreError`.
  package static func schema(
    inPostgreSQL address: String, storeName: String
  ) throws -> Schema? {
    try PostgreSQLStore.describedSchema(at: PostgreSQLAddress(address), named: storeName)
  }

  /// Makes a store without rows.
  ///
  /// - Returns: a closure that removes the store again: only if it has no rows, or with its rows.
  /// - Throws: `StoreError`.
  package static func makeStore(
    of schema: Schema, inPostgreSQL address: String, storeName: String
  ) throws -> @Sendable (_ withRows: Bool) throws -> Void {
    let made = try PostgreSQLStore.make(
      schema, at: PostgreSQLAddress(address), named: storeName)
    return { try made.remove(withRows: $0) }
  }

  /// The name of a database as shown to users. Connects to it, so that obstacles are known before anything is
  /// read.
  ///
  /// - Throws: `StoreError`.
  package static func place(ofPostgreSQL address: String) throws -> String {
    try PostgreSQLStore.server(at: PostgreSQLAddress(address)).description
  }
}
#endif
