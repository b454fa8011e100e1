#if PostgreSQL
package import DatastoreCore
import DatastoreSQL

extension PostgreSQLStore {
  /// Opens or creates the store of a model: one schema of a database. Waits for the server.
  ///
  /// - Parameters:
  ///   - name: the name of the schema.
  ///   - isReadOnly: whether to read only: the store must exist, and saving throws.
  ///   - migration: the changes that are allowed to a store that was created from another version of the
  ///     model.
  ///   - distribution: the properties by which rows are distributed; nil for those of the store.
  ///   - missing: capabilities that the server is assumed to lack, for tests.
  /// - Throws: `StoreError`; `.schemaMismatch` if it was created from another model, and is not to be
  ///   migrated; `MigrationError` with everything that prevents its migration.
  package convenience init(
    _ schema: Schema, at address: PostgreSQLAddress, named name: String, isReadOnly: Bool = false,
    migration: MigrationRequest = MigrationRequest(policy: .none),
    distributedBy distribution: Distribution? = nil, without missing: ServerCapabilities = []
  ) throws {
    var address = address
    address.searchPath = [name]
    address.isReadOnly = isReadOnly
    if name.utf8.count > 63 { throw StoreError.unusableName(name) }
    let session = try ServerSession(address, without: missing)
    let mapping: SchemaMapping
    let capabilities: ServerCapabilities
    do {
      try distribution?.check(schema)
      let dialect = try session.dialect(
        of: schema, named: name, isReadOnly: isReadOnly, distribution, without: missing)
      mapping = SchemaMapping.native(schema, dialect: dialect).withoutWordIndexes
      try NativeSchema(
        name: name, mapping: mapping, dialect: dialect, connection: session.connection
      ).open(isReadOnly: isReadOnly, migration, at: session.address)
      capabilities = dialect.capabilities
    } catch let failure as PostgreSQLFailure {
      throw StoreError(failure, server: session.connection.server)
    }
    self.init(
      mapping: mapping, address: session.address, connection: session.connection,
      isReadOnly: isReadOnly, capabilities: capabilities)
  }

  /// The effect of a migration of a store, found without migrating. Waits for the server.
  ///
  /// - Throws: `StoreError`. A store that does not exist needs no migration.
  package static func forecast(
    of schema: Schema, at address: PostgreSQLAddress, named name: String,
    _ request: MigrationRequest
  ) throws -> MigrationForecast {
    guard try describedSchema(at: address, named: name) != nil else { return .nothing }
    var address = address
    address.searchPath = [name]
    let session = try ServerSession(address, without: [])
    do {
      let dialect = try session.dialect(
        of: schema, named: name, isReadOnly: true, nil, without: [])
      return try ServerMigrator(
        name: name, address: session.address,
        after: SchemaMapping.native(schema, dialect: dialect).withoutWordIndexes,
        request: request, dialect: dialect
      ).forecast()
    } catch let failure as PostgreSQLFailure {
      throw StoreError(failure, server: session.connection.server)
    }
  }

  /// The schema that a store records; nil if there is no store of that name. Waits for the server.
  ///
  /// - Throws: `StoreError`.
  package static func describedSchema(
    at address: PostgreSQLAddress, named name: String
  ) throws -> Schema? {
    var address = address
    address.searchPath = [name]
    address.isReadOnly = true
    let connection = try ServerSession(address, without: []).connection
    do {
      return try NativeSchema.described(named: name, on: connection)
    } catch let failure as PostgreSQLFailure {
      throw StoreError(failure, server: connection.server)
    }
  }

  /// Opens any database: its tables and views are the entities. Waits for the server.
  ///
  /// - Parameters:
  ///   - isReadOnly: whether to read only: saving throws, and the server refuses every statement that writes.
  ///   - annotations: custom descriptions of the database.
  /// - Throws: `StoreError`.
  package convenience init(
    showing address: PostgreSQLAddress, isReadOnly: Bool = true,
    annotations: SchemaAnnotations = SchemaAnnotations(), without missing: ServerCapabilities = []
  ) throws {
    var address = address
    address.isReadOnly = isReadOnly
    let session = try ServerSession(address, without: missing)
    let tables: [ServerTable]
    do {
      tables = try ServerTable.all(on: session.connection)
    } catch let failure as PostgreSQLFailure {
      throw StoreError(failure, server: session.connection.server)
    }
    self.init(
      mapping: try SchemaMapping.reflected(from: tables.map { $0.adding(annotations) }),
      address: session.address,
      connection: session.connection, isReadOnly: isReadOnly,
      capabilities: session.capabilities, tables: tables, annotations: annotations)
  }
}

extension ServerSession {
  /// How the tables of a store are, or will be, declared.
  ///
  /// - Parameter distribution: the properties by which rows are distributed; nil for those of the store.
  /// - Throws: `StoreError` if the store has another distribution; `PostgreSQLFailure`.
  fileprivate func dialect(
    of schema: Schema, named name: String, isReadOnly: Bool, _ distribution: Distribution?,
    without missing: ServerCapabilities
  ) throws -> PostgreSQLDialect {
    let declared = try declaration(
      ofStore: name, isReadOnly: isReadOnly, distributes: distribution?.isEmpty == false,
      without: missing)
    var result = distribution ?? Distribution()
    if declared.isThere, !declared.distribution.isEmpty || !result.isEmpty,
      let old = try NativeSchema.described(named: name, on: connection)
    {
      result = try declared.distribution.opened(
        with: distribution, old, as: schema,
        place: MigratedSchema.place(connection.server, name))
    }
    return PostgreSQLDialect(declared.capabilities, distribution: result)
  }
}
#endif
