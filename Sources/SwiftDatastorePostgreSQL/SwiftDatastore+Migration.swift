#if PostgreSQL
package import DatastoreCore
import DatastorePostgreSQL
public import SwiftDatastore

/// Stores in a PostgreSQL server that were made with another version of their model.
///
/// Plans, forecasts and obstacles are those of files. The migration is one transaction of the server: however
/// it ends, also when the connection is lost or the server is killed, the store is the old one or the new
/// one, complete. Programs that open the store meanwhile wait, and find it migrated. No copy is kept of what
/// is to be lost: make one with pg_dump.
extension SwiftDatastore {
  /// Opens or creates a store, and migrates it where it was made with another version of the model. Works in
  /// the background, never on the main actor. Cancelling the task rolls a migration back.
  ///
  /// ```swift
  /// let datastore = try await SwiftDatastore.open(dataModel: model, postgreSQL: address) { progress in
  ///   print("\(progress.rowsDone) of \(progress.rowsTotal)")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - dataModel: the classes.
  ///   - address: a URI, or keywords with values; see `init(dataModel:postgreSQL:)`.
  ///   - storeName: the name of the schema, which is made if need be.
  ///   - options: how the datastore behaves.
  ///   - migration: what may be done to a store of another version. Every value is kept, unless you declare
  ///     what may be lost.
  ///   - distributedBy: for servers of several machines: see `init(dataModel:postgreSQL:)`.
  ///   - progress: called on the main actor whenever some ten thousand rows are written.
  /// - Throws: `MigrationError` with everything that is in the way; `StoreError`; `CancellationError`.
  public static func open(
    dataModel: SwiftDatastoreModel, postgreSQL address: String, storeName: String = "datastore",
    options: Options = Options(), migration: MigrationPolicy = .lossless,
    distributedBy: [String] = [],
    progress: (@MainActor @Sendable (MigrationProgress) -> Void)? = nil
  ) async throws -> SwiftDatastore {
    var request = request(dataModel, migration)
    if let progress { request.progress = onMain(progress) }
    return try await open(request) {
      try SwiftDatastore(
        dataModel, address, storeName, false, options, $0, distributedBy: distributedBy)
    }
  }

  /// Opens or creates a store of the current version of a history, in the background, never on the main
  /// actor. The whole way is one transaction. Cancelling the task rolls it back.
  ///
  /// - Parameters:
  ///   - history: the versions. Where the current one is not a `SwiftDatastoreModel`, objects are
  ///     `DynamicObject`s.
  ///   - address: a URI, or keywords with values; see `init(dataModel:postgreSQL:)`.
  ///   - storeName: the name of the schema, which is made if need be.
  ///   - options: how the datastore behaves.
  ///   - mappings: the mappings by hand between two versions. Statements of SQL are PostgreSQL's.
  ///   - migration: what may be done to a store of another version. Every value is kept, unless you declare
  ///     what may be lost.
  ///   - preventProgressiveMigration: whether a store is refused that would take several steps of the chain.
  ///   - distributedBy: for servers of several machines: see `init(dataModel:postgreSQL:)`.
  ///   - progress: called on the main actor whenever some thousand rows are written.
  /// - Throws: `MigrationError` with everything that is in the way; `SchemaError` with everything in which
  ///   mappings and versions do not agree; `StoreError`; `CancellationError`.
  public static func open(
    history: SchemaHistory, postgreSQL address: String, storeName: String = "datastore",
    options: Options = Options(), mappings: [any SchemaMappingProvider] = [],
    migration: MigrationPolicy = .lossless, preventProgressiveMigration: Bool = false,
    distributedBy: [String] = [],
    progress: (@MainActor @Sendable (MigrationProgress) -> Void)? = nil
  ) async throws -> SwiftDatastore {
    var request = try request(
      history, mappings, migration, preventsProgressiveMigration: preventProgressiveMigration)
    if let progress { request.progress = onMain(progress) }
    return try await open(request) {
      try SwiftDatastore(
        history.current, address, storeName, false, options, $0, distributedBy: distributedBy)
    }
  }

  /// What it would take to bring a store to a model, found without changing it. Waits for the server; reads
  /// the tables whose values decide.
  ///
  /// - Parameters:
  ///   - address: a URI, or keywords with values; see `init(dataModel:postgreSQL:)`.
  ///   - storeName: the name of the schema.
  ///   - dataModel: the classes.
  /// - Returns: the changes with their numbers of rows, the losses, and the obstacles. `.none`
  ///   where there is nothing to do, also for a store that does not exist.
  /// - Throws: `StoreError` when the store cannot be read.
  public static func requiredMigrations(
    ofPostgreSQL address: String, storeName: String = "datastore", dataModel: SwiftDatastoreModel
  ) throws -> MigrationForecast {
    try forecast(
      of: dataModel.schema, postgreSQL: address, storeName: storeName,
      request(dataModel, .lossless))
  }

  /// What it would take to bring a store to the current version of a history, found without changing it.
  ///
  /// - Parameters:
  ///   - address: a URI, or keywords with values; see `init(dataModel:postgreSQL:)`.
  ///   - storeName: the name of the schema.
  ///   - history: the versions.
  ///   - mappings: the mappings by hand between two versions.
  ///   - preventProgressiveMigration: whether a store is refused that would take several steps of the chain.
  /// - Returns: as with a model. Only the first step is looked at in the store.
  /// - Throws: `StoreError` when the store cannot be read; `SchemaError`.
  public static func requiredMigrations(
    ofPostgreSQL address: String, storeName: String = "datastore", history: SchemaHistory,
    mappings: [any SchemaMappingProvider] = [], preventProgressiveMigration: Bool = false
  ) throws -> MigrationForecast {
    try forecast(
      of: history.current.schema, postgreSQL: address, storeName: storeName,
      request(
        history, mappings, .lossless, preventsProgressiveMigration: preventProgressiveMigration))
  }

  /// The same for a schema without classes.
  ///
  /// - Throws: `StoreError` when the store cannot be read.
  package static func forecast(
    of schema: Schema, postgreSQL address: String, storeName: String, _ request: MigrationRequest
  ) throws -> MigrationForecast {
    try PostgreSQLStore.forecast(
      of: schema, at: PostgreSQLAddress(address), named: storeName, request)
  }

  /// Brings a store to a schema without classes. Waits for the server.
  ///
  /// - Throws: `MigrationError`; `StoreError`; `CancellationError`.
  package static func migrate(
    to schema: Schema, postgreSQL address: String, storeName: String, _ request: MigrationRequest
  ) throws {
    try PostgreSQLStore(
      schema, at: PostgreSQLAddress(address), named: storeName, migration: request
    ).close()
  }
}
#endif
