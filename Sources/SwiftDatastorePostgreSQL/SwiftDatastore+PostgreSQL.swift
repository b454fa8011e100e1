#if PostgreSQL
package import DatastoreCore
package import DatastorePostgreSQL
@_exported public import SwiftDatastore

/// Stores in a PostgreSQL server.
extension SwiftDatastore {
  /// Opens or creates a store in a database of a PostgreSQL server. Waits for the server.
  ///
  /// ```swift
  /// let datastore = try SwiftDatastore(dataModel: model, postgreSQL: "postgresql://localhost/company")
  /// ```
  ///
  /// The store is one schema of the database, with plain tables that every program can read. A program of
  /// several stores gives each a name of its own. What the address leaves out is taken from the environment
  /// (`PGHOST`, `PGUSER` …), service files and `~/.pgpass`, as every program of PostgreSQL's does; passwords
  /// belong there, since those in addresses are seen in lists of processes.
  ///
  /// - Parameters:
  ///   - dataModel: the classes. Every attribute has a type.
  ///   - address: a URI (`postgresql://user@host:port/database?sslmode=verify-full`), or keywords with values
  ///     (`host=… dbname=…`, `service=…`).
  ///   - storeName: the name of the schema, which is made if need be.
  ///   - readOnly: look only: the store must exist, and saving throws.
  ///   - options: how the datastore behaves. `synchronous` is the server's setting, and not read.
  ///   - migration: what may be done to a store that was made with another version of the model. What touches
  ///     no row is done, unless you say otherwise; to write rows while the program waits, pass `.lossless`.
  ///     `open(dataModel:postgreSQL:)` does it in the background.
  ///   - distributedBy: for servers of several machines: a property for each entity whose rows are to be
  ///     distributed, as `"Employee.company"`. It has a value in every object; its column is the first part
  ///     of the primary key, and the distribution column where the server has `create_distributed_table`, as
  ///     Citus has it: there no reference leads from or to such a table, only what is unique together with
  ///     the property is kept unique, what other programs write is not reported, and the property of an
  ///     object must not change. A store is opened with what it was made with.
  /// - Throws: `StoreError` when the server cannot be reached or refuses; `MigrationError` with everything
  ///   that is in the way when the store was made with another version of the model.
  public convenience init(
    dataModel: SwiftDatastoreModel, postgreSQL address: String, storeName: String = "datastore",
    readOnly: Bool = false, options: Options = Options(), migration: MigrationPolicy = .instant,
    distributedBy: [String] = []
  ) throws {
    try self.init(
      dataModel, address, storeName, readOnly, options, Self.request(dataModel, migration),
      distributedBy: distributedBy)
  }

  /// The same with a server that is taken to lack something, as those that only speak PostgreSQL's protocol
  /// do.
  package convenience init(
    dataModel: SwiftDatastoreModel, postgreSQL address: String, storeName: String,
    readOnly: Bool = false, options: Options = Options(), migration: MigrationPolicy = .instant,
    without missing: ServerCapabilities
  ) throws {
    try self.init(
      dataModel, address, storeName, readOnly, options, Self.request(dataModel, migration),
      without: missing)
  }

  /// A store of a version of whatever kind.
  convenience init(
    _ version: any DynamicSchema, _ address: String, _ storeName: String, _ readOnly: Bool,
    _ options: Options, _ given: MigrationRequest, distributedBy names: [String] = [],
    without missing: ServerCapabilities = []
  ) throws {
    let records = Lock<[MigrationRecord]>([])
    var request = given
    request.recorded = { record in records.withLock { $0.append(record) } }
    let store = try PostgreSQLStore(
      version.schema, at: PostgreSQLAddress(address), named: storeName, isReadOnly: readOnly,
      migration: request, distributedBy: Distribution(names), without: missing)
    self.init(
      store, dataModel: version, storeName: "\(store.server)/\(storeName)", options: options,
      migrations: records.withLock { $0 })
    store.whenBackgroundWorkFails { [weak self] in self?.reportFailure(.tidying, $0) }
  }

  /// Opens any database of a PostgreSQL server: its tables and views are the entities, and its objects are
  /// `DynamicObject`s.
  ///
  /// - Parameter readOnly: nothing can be saved.
  /// - Throws: `StoreError`.
  package convenience init(
    showing address: String, readOnly: Bool = true, options: Options = Options()
  ) throws {
    let store = try PostgreSQLStore(
      showing: PostgreSQLAddress(address), isReadOnly: readOnly,
      annotations: options.annotations ?? SchemaAnnotations())
    self.init(store, dataModel: nil, storeName: "\(store.server)", options: options) {
      annotations in
      var options = options
      options.annotations = annotations
      return try SwiftDatastore(showing: address, readOnly: readOnly, options: options)
    }
  }

  /// By which the database of a server is known, whatever its address is; nil for other stores.
  package var serverIdentity: String? {
    (engine as? PostgreSQLStore)?.databaseIdentity
  }

  /// The store of a database, for those who need no objects.
  ///
  /// - Throws: `StoreError`.
  package static func store(
    showing address: String, readOnly: Bool = true
  ) throws -> any StoreEngine {
    try PostgreSQLStore(showing: PostgreSQLAddress(address), isReadOnly: readOnly)
  }
}
#endif
