#if PostgreSQL
package import DatastoreCore
import DatastorePostgreSQL
public import SwiftDatastore

/// Migration of stores in a PostgreSQL server that were made with another version of their model.
///
/// Plans, forecasts and obstacles are those of files. The migration is one transaction of the server: however
/// it ends, even if the connection is lost or the server is killed, the store is completely the old one or
/// completely the new one. Programs that open the store meanwhile wait, and find it migrated. No copy is kept
/// of values that are lost: make one with pg_dump.
extension SwiftDatastore {
  /// Opens or creates a store, and migrates it if it was made with another version of the model. Works in the
  /// background, never on the main actor. Cancelling the task rolls a migration back.
  ///
  /// ```swift
  /// let datastore = try await SwiftDatastore.open(dataModel: model, postgreSQL: address) { progress in
  ///   print("\(progress.rowsDone) of \(progress.rowsTotal)")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - dataModel: the classes of the store.
  ///   - address: a URI, or keywords with values; see `init(dataModel:postgreSQL:)`.
  ///   - storeName: the name of the schema, which is created if it does not exist.
  ///   - options: the behaviour of the datastore.
  ///   - migration: the permitted changes to a store of another version. Every value is kept, unless you
  ///     declare that it may be lost.
  ///   - distributedBy: for servers on several machines: see `init(dataModel:postgreSQL:)`.
  ///   - progress: called on the main actor after every some ten thousand written rows.
  /// - Throws: `MigrationError` with all obstacles; `StoreError`; `CancellationError`.
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
  /// actor. All steps are one transaction. Cancelling the task rolls it back.
  ///
  /// - Parameters:
  ///   - history: the versions. If the current one is not a `SwiftDatastoreModel`, objects are
  ///     `DynamicObject`s.
  ///   - address: a URI, or keywords with values; see `init(dataModel:postgreSQL:)`.
  ///   - storeName: the name of the schema, which is created if it does not exist.
  ///   - options: the behaviour of the datastore.
  ///   - mappings: the custom mappings between two versions. Their SQL is PostgreSQL's.
  ///   - migration: the permitted changes to a store of another version. Every value is kept, unless you
  ///     declare that it may be lost.
  ///   - preventProgressiveMigration: whether to refuse a store that would need several steps of the chain.
  ///   - distributedBy: for servers on several machines: see `init(dataModel:postgreSQL:)`.
  ///   - progress: called on the main actor after every some thousand written rows.
  /// - Throws: `MigrationError` with all obstacles; `SchemaError` with all disagreements between mappings and
  ///   versions; `StoreError`; `CancellationError`.
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

  /// Forecasts the migration of a store to a model, without changing the store. Waits for the server; reads
  /// those tables whose values decide.
  ///
  /// - Parameters:
  ///   - address: a URI, or keywords with values; see `init(dataModel:postgreSQL:)`.
  ///   - storeName: the name of the schema.
  ///   - dataModel: the classes of the new version.
  /// - Returns: the changes with their numbers of rows, the losses, and the obstacles. `.none` if no
  ///   migration is needed, also for a store that does not exist.
  /// - Throws: `StoreError` if the store cannot be read.
  public static func requiredMigrations(
    ofPostgreSQL address: String, storeName: String = "datastore", dataModel: SwiftDatastoreModel
  ) throws -> MigrationForecast {
    try forecast(
      of: dataModel.schema, postgreSQL: address, storeName: storeName,
      request(dataModel, .lossless))
  }

  /// Forecasts the migration of a store to the current version of a history, without changing the store.
  ///
  /// - Parameters:
  ///   - address: a URI, or keywords with values; see `init(dataModel:postgreSQL:)`.
  ///   - storeName: the name of the schema.
  ///   - history: the versions.
  ///   - mappings: the custom mappings between two versions.
  ///   - preventProgressiveMigration: whether to refuse a store that would need several steps of the chain.
  /// - Returns: the same as for a model. Only the first step is checked against the values in the store.
  /// - Throws: `StoreError` if the store cannot be read; `SchemaError`.
  public static func requiredMigrations(
    ofPostgreSQL address: String, storeName: String = "datastore", history: SchemaHistory,
    mappings: [any SchemaMappingProvider] = [], preventProgressiveMigration: Bool = false
  ) throws -> MigrationForecast {
    try forecast(
      of: history.current.schema, postgreSQL: address, storeName: storeName,
      request(
        history, mappings, .lossless, preventsProgressiveMigration: preventProgressiveMigration))
  }

  /// Forecasts the migration to a schema without classes.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  package static func forecast(
    of schema: Schema, postgreSQL address: String, storeName: String, _ request: MigrationRequest
  ) throws -> MigrationForecast {
    try PostgreSQLStore.forecast(
      of: schema, at: PostgreSQLAddress(address), named: storeName, request)
  }

  /// Migrates a store to a schema without classes. Waits for the server.
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
