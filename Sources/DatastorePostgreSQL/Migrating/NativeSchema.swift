#if PostgreSQL
import Basics
import DatastoreCore
import DatastoreSQL

/// Creates and checks the tables of a native store: one schema of a database, with a table `_datastore` that
/// describes it, as in a native file.
struct NativeSchema {
  let name: String
  let mapping: SchemaMapping
  let dialect: PostgreSQLDialect
  let connection: PostgreSQLConnection

  private var place: String { MigratedSchema.place(connection.server, name) }

  /// Creates missing tables, and migrates existing ones to the model as far as that is allowed.
  ///
  /// - Throws: `StoreError.schemaMismatch` if it was created from another version of the model and is not to
  ///   be migrated, `.notNative` if it does not exist and nothing may be created; `MigrationError`;
  ///   `PostgreSQLFailure`.
  func open(isReadOnly: Bool, _ migration: MigrationRequest, at address: PostgreSQLAddress) throws {
    if try !isThere() {
      if isReadOnly { throw StoreError.notNative(path: place) }
      try makeOnce()
    }
    let description = try self.description()
    if !isReadOnly, migration.policy != .none, try !description.describes(mapping.schema) {
      try ServerMigrator(
        name: name, address: address, after: mapping, request: migration, dialect: dialect
      ).migrate()
      try check(self.description())
    } else {
      try check(description)
    }
  }

  /// Creates the store, unless another program has created it meanwhile.
  private func makeOnce() throws {
    for type in mapping.schema.entities.flatMap(\.properties)
    where type.attribute?.type == .undefined {
      throw StoreError.unsupportedPredicate(
        "A column of PostgreSQL's holds values of one type, so “\(type.name)” cannot be stored there: it has none."
      )
    }
    try dialect.distribution.requireKeptUniqueness(in: mapping)
    try run("BEGIN")
    do {
      if dialect.capabilities.contains(.advisoryLocks) {
        _ = try connection.run(PostgreSQLStatement(Self.lock(name)))
      }
      if try !isThere() { try make() }
      try run("COMMIT")
    } catch {
      try? run("ROLLBACK")
      // Another program has created it meanwhile, on a server without locks that prevent this.
      if let failure = error as? PostgreSQLFailure,
        ["42P06", "42P07", "23505"].contains(failure.code), try isThere()
      {
        return
      }
      throw error
    }
  }

  /// Waits until no one else creates or migrates the store.
  static func lock(_ name: String) -> SQLFragment {
    "SELECT pg_advisory_xact_lock(hashtextextended(\(.text("SwiftDatastore \(name)")), 0))"
  }

  private func run(_ text: String) throws { _ = try connection.run(PostgreSQLStatement(text)) }

  /// The schema that a store records; nil if there is no store of that name.
  ///
  /// - Throws: `StoreError` if it cannot be read; `PostgreSQLFailure`.
  static func described(named name: String, on connection: PostgreSQLConnection) throws -> Schema? {
    guard try isThere(name, connection) else { return nil }
    let description = try self.description(connection)
    let place = MigratedSchema.place(connection.server, name)
    try description.requireFormat(place: place)
    return try description.schema(place: place)
  }

  private func isThere() throws -> Bool { try Self.isThere(name, connection) }

  private static func isThere(_ name: String, _ connection: PostgreSQLConnection) throws -> Bool {
    let result = try connection.run(
      PostgreSQLStatement(
        """
        SELECT EXISTS (SELECT FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
        WHERE n.nspname = $1::text AND c.relname = '_datastore')
        """, [.text(name)]))
    return result.bool(0, 0)
  }

  /// One message, whatever the number of tables.
  private func make() throws {
    _ = try connection.run(
      Self.statements(making: mapping, named: name, dialect).map {
        try PostgreSQLStatement($0)
      })
  }

  /// The statements that create an empty store.
  static func statements(
    making mapping: SchemaMapping, named name: String, _ dialect: PostgreSQLDialect
  ) throws -> [SQLFragment] {
    var statements: [SQLFragment] = [
      "CREATE SCHEMA IF NOT EXISTS \(name: name)",
      """
      CREATE TABLE \(name: "_datastore") (\(name: "key") text COLLATE "C" PRIMARY KEY, \
      \(name: "value") text NOT NULL)
      """,
    ]
    statements += mapping.schema.entities.filter { $0.parent == nil }.map(KeyBlocks.declaration)
    statements += NativeTables(mapping: mapping).statements
    statements += spreading(mapping, in: name)
    statements += ChangeLog(mapping: mapping, capabilities: dialect.capabilities)
      .statements(in: name)
    statements += try NativeDescription.statements(ofNew: mapping.schema, dialect)
    return statements
  }

  /// The statements that have the server distribute tables over machines, if it can, and that let it find
  /// their rows by their keys alone.
  private static func spreading(_ mapping: SchemaMapping, in schema: String) -> [SQLFragment] {
    mapping.schema.entities.filter { $0.parent == nil }.flatMap { root -> [SQLFragment] in
      let mapped = mapping.entities[root.index]
      guard let distribution = mapped.distribution, distribution.isSpread else { return [] }
      let table = Quoting.sqlName(schema, mapped.table)
      return [
        """
        SELECT create_distributed_table(\(literal: table)::regclass, \
        \(literal: distribution.column))
        """,
        "CREATE INDEX ON \(name: mapped.table) (\(name: mapped.keyColumn))",
      ]
    }
  }

  private func description() throws -> NativeDescription { try Self.description(connection) }

  private static func description(_ connection: PostgreSQLConnection) throws -> NativeDescription {
    NativeDescription(try connection.run(PostgreSQLStatement(NativeDescription.query)).texts())
  }

  /// Checks that the tables are those of the model.
  private func check(_ description: NativeDescription) throws {
    try description.requireFormat(place: place)
    let differences = description.differences(from: mapping.schema)
    if !differences.isEmpty {
      throw StoreError.schemaMismatch(path: place, differences: differences)
    }
  }
}
#endif
