package import DatastoreCore
import DatastoreSQLite
public import Foundation

/// Opening and creating stores. Nothing else in the library chooses an engine.
extension SwiftDatastore {
  /// Opens or creates the store with a name. Waits for the file system.
  ///
  /// `.app` keeps it as `storeName.sqlite` in `$XDG_DATA_HOME/<program>` (by default
  /// `~/.local/share/<program>`), which is created if necessary.
  ///
  /// - Parameters:
  ///   - dataModel: the classes.
  ///   - storeName: the name of the file, without its extension.
  ///   - storingType: where it is kept.
  ///   - options: how the datastore behaves.
  ///   - migration: the permitted changes to a file that was created with another version of the model.
  /// - Throws: `StoreError` when the file cannot be opened, and for names that a file in that directory
  ///   cannot have (`.unusableName`); `MigrationError` when it was made with another version of the model and
  ///   `migration` does not allow bringing it to this one.
  public convenience init(
    dataModel: SwiftDatastoreModel, storeName: String, storingType: StoringType = .app,
    options: Options = Options(), migration: MigrationPolicy = .instant
  ) throws {
    let url = try StoreLocation.url(storeName: storeName, storingType: storingType)
    do {
      try self.init(
        version: dataModel, url: url, isTemporary: storingType == .test, options: options,
        migration: Self.request(dataModel, migration, at: url))
    } catch {
      if storingType == .test { StoreCoordinator.removeTemporaryStore(at: url) }
      throw error
    }
  }

  /// Opens or creates the store at a URL, whose directory must exist. Waits for the file system.
  ///
  /// A SQLite file of another program is opened, too, if its tables fit the classes: a table for each class
  /// and a column or foreign key for each property, of the same name (or that of `entityName` and
  /// `renamedFrom`), ignoring case. Classes may leave out tables and columns. The file keeps its tables, its
  /// journal mode and its own rules; indexes of the classes are not created in it.
  /// `datastore schema FILE --format swift` writes classes that fit.
  ///
  /// - Parameters:
  ///   - dataModel: the classes.
  ///   - url: the file.
  ///   - readOnly: whether the store is only read: the file must exist, and saving throws.
  ///   - options: how the datastore behaves.
  ///   - migration: the permitted changes to a file that was created with another version of the model. By
  ///     default only changes that touch no row: new optional properties and entities, other names, rules,
  ///     indexes. To write rows while the program waits, pass `.lossless`; `open(dataModel:url:)` does it in
  ///     the background.
  /// - Throws: `StoreError` when the file cannot be opened; `.modelDoesNotFit` with every difference for a
  ///   file of another program; `MigrationError` with everything that prevents the migration when it was made
  ///   with another version of the model.
  public convenience init(
    dataModel: SwiftDatastoreModel, url: URL, readOnly: Bool = false, options: Options = Options(),
    migration: MigrationPolicy = .instant
  ) throws {
    try self.init(
      version: dataModel, url: url, readOnly: readOnly, isTemporary: false, options: options,
      migration: Self.request(dataModel, migration, at: url))
  }

  convenience init(
    version: any DynamicSchema, url: URL, readOnly: Bool = false, isTemporary: Bool,
    options: Options, migration: MigrationRequest
  ) throws {
    let store = try Self.file(
      of: version.schema, at: url, readOnly: readOnly, options: options, migration: migration)
    self.init(
      store: store, types: ModelTypes(version: version), url: url, isTemporary: isTemporary,
      options: options)
  }

  /// Opens or creates a file.
  ///
  /// - Parameters:
  ///   - schema: the schema of the file.
  ///   - whole: the schema that `schema` is a part of, for one of several stores.
  /// - Throws: `StoreError`, `MigrationError`.
  static func file(
    of schema: Schema, within whole: Schema? = nil, at url: URL, readOnly: Bool, options: Options,
    migration: MigrationRequest
  ) throws -> any CompositeStore.Member {
    let log = EventLog(options.logger, path: url.path)
    let start = log.now(.notice)
    let records = Lock<[MigrationRecord]>([])
    var migration = migration
    if log.isLogging(.notice) {
      migration.recorded = { record in records.withLock { $0.append(record) } }
    }
    let store = try SQLiteStore(
      schema, at: url, isReadOnly: readOnly, synchronous: options.synchronous,
      isUnderConstruction: options.isUnderConstruction,
      migration: migration, within: whole, trace: options.traceSQL)
    for record in records.withLock({ $0 }) { log(.notice, .migrated(record), since: start) }
    log(.notice, .opened, since: start)
    return store
  }

  /// Creates one of several stores in memory.
  ///
  /// - Throws: `StoreError` when SQLite fails.
  static func memory(
    of schema: Schema, within whole: Schema, options: Options
  ) throws -> any CompositeStore.Member {
    let store = try SQLiteStore(inMemory: schema, within: whole, trace: options.traceSQL)
    EventLog(options.logger, path: nil)(.notice, .opened)
    return store
  }

  /// Creates a store in memory, which ends with the datastore.
  ///
  /// - Throws: `StoreError` when SQLite fails.
  public convenience init(
    inMemory dataModel: SwiftDatastoreModel, options: Options = Options()
  ) throws {
    try self.init(inMemory: dataModel as any DynamicSchema, options: options)
  }

  /// Creates a store in memory for a version of any kind.
  package convenience init(
    inMemory version: any DynamicSchema, options: Options
  ) throws {
    let store = try SQLiteStore(inMemory: version.schema, trace: options.traceSQL)
    EventLog(options.logger, path: nil)(.notice, .opened)
    self.init(store: store, types: ModelTypes(version: version), url: nil, options: options)
  }

  /// Opens an existing SQLite file of any origin. Its tables and views are the entities; its objects
  /// are `DynamicObject`s.
  ///
  /// Reading a file does not change it: the first save opens it for writing. There is one exception: if a
  /// program ended in the middle of a save and the file is not in WAL mode, SQLite rolls that save back at
  /// once, since the file cannot be read before.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - readOnly: whether saving is impossible; required for files that cannot be written.
  ///   - options: how the datastore behaves.
  /// - Throws: `StoreError` when the file is missing, not a database, locked, or read-only.
  public convenience init(
    opening url: URL, readOnly: Bool = false, options: Options = Options()
  ) throws {
    let log = EventLog(options.logger, path: url.path)
    let start = log.now(.notice)
    let store = try Self.store(opening: url, readOnly: readOnly, options: options)
    log(.notice, .opened, since: start)
    self.init(store: store, types: ModelTypes(dynamic: store.schema), url: url, options: options)
  }

  /// Creates a datastore on an open store of another engine, with the classes of a model or without any.
  ///
  /// - Parameters:
  ///   - dataModel: the classes of its entities; nil for `DynamicObject`s.
  ///   - storeName: the name of the store in messages, without a password.
  ///   - migrations: the migrations that opening it required.
  ///   - reopening: opens the store again when its tables have changed.
  package convenience init(
    _ store: any StoreEngine, dataModel: (any DynamicSchema)?, storeName: String,
    options: Options, migrations: [MigrationRecord] = [],
    reopening: (@Sendable (SchemaAnnotations?) throws -> SwiftDatastore)? = nil
  ) {
    let log = EventLog(options.logger, path: storeName)
    for record in migrations { log(.notice, .migrated(record)) }
    log(.notice, .opened)
    self.init(
      store: store,
      types: dataModel.map { ModelTypes(version: $0) } ?? ModelTypes(dynamic: store.schema),
      url: nil,
      storeName: storeName, options: options, reopening: reopening)
  }

  /// Opens or creates a store whose entities are known only at run time. Its objects are `DynamicObject`s.
  ///
  /// - Throws: `StoreError` when the file cannot be opened or was made with another schema.
  package convenience init(schema: Schema, url: URL, options: Options = Options()) throws {
    let store = try SQLiteStore(
      schema, at: url, synchronous: options.synchronous,
      isUnderConstruction: options.isUnderConstruction)
    self.init(store: store, types: ModelTypes(dynamic: schema), url: url, options: options)
  }

  /// Creates a file with one table and its first rows, whose columns accept every value unchanged; see
  /// `SQLiteStore.makePlainTable`.
  ///
  /// - Throws: `StoreError`.
  package static func makePlainTable(
    _ table: String, columns: [String], rows: RowPage?, at url: URL
  ) throws {
    try SQLiteStore.makePlainTable(table, columns: columns, rows: rows, at: url)
  }

  /// The store of a schema, for callers that need no objects. Creates it if it does not exist; migrations
  /// that touch no row are performed.
  ///
  /// - Throws: like `init(dataModel:url:readOnly:options:migration:)`.
  package static func store(
    of schema: Schema, at url: URL, readOnly: Bool = false, options: Options = Options()
  ) throws -> any StoreEngine {
    try file(
      of: schema, at: url, readOnly: readOnly, options: options,
      migration: MigrationRequest(policy: .instant))
  }

  /// The store of an existing file of any origin, for callers that need no objects.
  ///
  /// - Throws: like `init(opening:readOnly:options:)`.
  package static func store(
    opening url: URL, readOnly: Bool = false, options: Options = Options()
  ) throws -> any StoreEngine {
    try SQLiteStore(
      existing: url, coreDataModel: options.coreDataModel, showsJoinTables: options.showsJoinTables,
      annotations: options.annotations, isReadOnly: readOnly, synchronous: options.synchronous,
      trace: options.traceSQL)
  }
}
