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
  /// The store is one schema of the database, with plain tables that every program can read. A program with
  /// several stores names each differently. Parameters that the address lacks come from the environment
  /// (`PGHOST`, `PGUSER` …), service files and `~/.pgpass`, as in every program that uses libpq. Passwords
  /// belong there, because process lists show those in addresses.
  ///
  /// - Parameters:
  ///   - dataModel: the classes of the store. Every attribute must have a type.
  ///   - address: a URI (`postgresql://user@host:port/database?sslmode=verify-full`), or keywords with values
  ///     (`host=… dbname=…`, `service=…`).
  ///   - storeName: the name of the schema, which is created if it does not exist.
  ///   - readOnly: whether the store is only read: it must exist, and saving throws.
  ///   - options: the behaviour of the datastore. `synchronous` is ignored, since it is a setting of the
  ///     server.
  ///   - migration: the permitted changes to a store that was made with another version of the model. By
  ///     default, those that touch no row; to write rows while the program waits, pass `.lossless`.
  ///     `open(dataModel:postgreSQL:)` migrates in the background.
  ///   - distributedBy: for servers on several machines: a property for each entity whose rows are to be
  ///     distributed, as `"Employee.company"`. The property must have a value in every object; its column is
  ///     the first part of the primary key, and the distribution column if the server has
  ///     `create_distributed_table`, as Citus has. On such a server, no foreign key leads from or to a
  ///     distributed table, uniqueness is enforced only together with the property, changes by other programs
  ///     are not reported, and the property of an object must not change. A store must be opened with the
  ///     same properties that it was made with.
  /// - Throws: `StoreError` if the server cannot be reached or refuses; `MigrationError` with all obstacles
  ///   if the store was made with another version of the model.
  public convenience init(
    dataModel: SwiftDatastoreModel, postgreSQL address: String, storeName: String = "datastore",
    readOnly: Bool = false, options: Options = Options(), migration: MigrationPolicy = .instant,
    distributedBy: [String] = []
  ) throws {
    try self.init(
      dataModel, address, storeName, readOnly, options, Self.request(dataModel, migration),
      distributedBy: distributedBy)
  }

  /// Opens or creates a store as if the server lacked some capabilities, as servers do that only speak
  /// PostgreSQL's protocol.
  package convenience init(
    dataModel: SwiftDatastoreModel, postgreSQL address: String, storeName: String,
    readOnly: Bool = false, options: Options = Options(), migration: MigrationPolicy = .instant,
    without missing: ServerCapabilities
  ) throws {
    try self.init(
      dataModel, address, storeName, readOnly, options, Self.request(dataModel, migration),
      without: missing)
  }

  /// Opens or creates a store of a version of any kind.
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
  /// - Parameter readOnly: whether saving is refused.
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

  /// The identity of the database in a server, independent of its address; nil for other stores.
  package var serverIdentity: String? {
    (engine as? PostgreSQLStore)?.databaseIdentity
  }

  /// The store of a database, without objects.
  ///
  /// - Throws: `StoreError`.
  package static func store(
    showing address: String, readOnly: Bool = true
  ) throws -> any StoreEngine {
    try PostgreSQLStore(showing: PostgreSQLAddress(address), isReadOnly: readOnly)
  }
}
#endif
