#if PostgreSQL
package import DatastoreCore
import DatastorePostgreSQL
@_exported public import SwiftDatastore

/// Stores in a PostgreSQL server.
extension SwiftDatastore {
  /// Opens or creates a store in a database of a PostgreSQL server. Waits for the server.
  ///
  /// ```swift
  /// let datastore = try SwiftDatastore(dataModel: model, postgreSQL: "postgresql://localhost/company")
  /// ```
  ///
  /// The store is one schema of the database, with plain tables that every program can read. A program of several
  /// stores gives each a name of its own. What the address leaves out is taken from the environment (`PGHOST`,
  /// `PGUSER` …), service files and `~/.pgpass`, as every program of PostgreSQL's does; passwords belong there, since
  /// those in addresses are seen in lists of processes.
  ///
  /// A store that was made with another version of the model is refused: migrations are made for files only.
  ///
  /// - Parameters:
  ///   - dataModel: the classes. Every attribute has a type.
  ///   - address: a URI (`postgresql://user@host:port/database?sslmode=verify-full`), or keywords with values
  ///     (`host=… dbname=…`, `service=…`).
  ///   - storeName: the name of the schema, which is made if need be.
  ///   - readOnly: look only: the store must exist, and saving throws.
  ///   - options: how the datastore behaves. `synchronous` is the server's setting, and not read.
  /// - Throws: `StoreError` when the server cannot be reached, refuses, or has a store of another model there.
  public convenience init(
    dataModel: SwiftDatastoreModel, postgreSQL address: String, storeName: String = "datastore",
    readOnly: Bool = false, options: Options = Options()
  ) throws {
    let store = try PostgreSQLStore(
      dataModel.schema, at: PostgreSQLAddress(address), named: storeName, isReadOnly: readOnly)
    self.init(
      store, dataModel: dataModel, storeName: "\(store.server)/\(storeName)", options: options)
  }

  /// Opens any database of a PostgreSQL server to look at it: its tables and views are the entities, and its objects
  /// are `DynamicObject`s. Nothing can be saved.
  ///
  /// - Throws: `StoreError`.
  package convenience init(showing address: String, options: Options = Options()) throws {
    let store = try PostgreSQLStore(showing: PostgreSQLAddress(address))
    self.init(store, dataModel: nil, storeName: "\(store.server)", options: options) {
      annotations in
      var options = options
      options.annotations = annotations
      return try SwiftDatastore(showing: address, options: options)
    }
  }

  /// The store of a database that is only looked at, for those who need no objects.
  ///
  /// - Throws: `StoreError`.
  package static func store(showing address: String) throws -> any StoreEngine {
    try PostgreSQLStore(showing: PostgreSQLAddress(address))
  }
}
#endif
