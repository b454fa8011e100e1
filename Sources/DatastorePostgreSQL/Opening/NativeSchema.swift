#if PostgreSQL
import DatastoreCore
import DatastoreSQL
import Foundation

/// Makes and checks the tables of a store of ours: one schema of a database, with a table `_datastore` by which it
/// explains itself, as a file of ours does.
struct NativeSchema {
  /// What the schema is called.
  let name: String
  let mapping: SchemaMapping
  let connection: PostgreSQLConnection

  /// The form of the rows of `_datastore`, and of tables.
  private static let format = "2"

  /// Makes what is not there, or checks that it is of the same model.
  ///
  /// - Throws: `StoreError.schemaMismatch` where it was made from another model, `.notNative` where there is none and
  ///   nothing may be made; `PostgreSQLFailure`.
  func open(isReadOnly: Bool) throws {
    if try isThere() { return try check() }
    if isReadOnly {
      throw StoreError.notNative(path: "\(connection.server), schema “\(name)”")
    }
    for type in mapping.schema.entities.flatMap(\.properties)
    where type.attribute?.type == .undefined {
      throw StoreError.unsupportedPredicate(
        "A column of PostgreSQL's holds values of one type, so “\(type.name)” cannot be stored there: it has none."
      )
    }
    // Another program may be making the same store: it is done by the time this one has the lock.
    try run("BEGIN")
    do {
      _ = try connection.run(
        PostgreSQLStatement(
          "SELECT pg_advisory_xact_lock(hashtextextended($1::text, 0))",
          [.text("SwiftDatastore \(name)")]))
      if try isThere() {
        try check()
      } else {
        try make()
      }
      try run("COMMIT")
    } catch {
      try? run("ROLLBACK")
      throw error
    }
  }

  private func run(_ text: String) throws { _ = try connection.run(PostgreSQLStatement(text)) }

  private func isThere() throws -> Bool {
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
    var statements: [SQLFragment] = [
      "CREATE SCHEMA IF NOT EXISTS \(name: name)",
      """
      CREATE TABLE \(name: "_datastore") (\(name: "key") text COLLATE "C" PRIMARY KEY, \
      \(name: "value") text NOT NULL)
      """,
      """
      CREATE TABLE \(name: "_datastore_changes") (\(name: "save") uuid PRIMARY KEY, \
      \(name: "seq") bigint GENERATED ALWAYS AS IDENTITY, \
      \(name: "xid") xid8 NOT NULL DEFAULT pg_current_xact_id(), \
      \(name: "at") timestamptz NOT NULL DEFAULT now(), \(name: "session") uuid NOT NULL, \
      \(name: "author") text, \(name: "changes") bytea NOT NULL DEFAULT '')
      """,
      """
      CREATE INDEX \(name: "_datastore_changes_xid") ON \(name: "_datastore_changes") \
      (\(name: "xid"))
      """,
    ]
    for entity in mapping.schema.entities where entity.parent == nil {
      statements.append(
        """
        CREATE SEQUENCE \(name: KeyBlocks.sequence(of: entity)) AS bigint \
        INCREMENT BY \(number: Int(KeyBlocks.size)) MINVALUE 1 START WITH 1
        """)
    }
    statements += NativeTables(mapping: mapping).statements
    statements += try descriptions().map { key, value in
      """
      INSERT INTO \(name: "_datastore") (\(name: "key"), \(name: "value")) \
      VALUES (\(.text(key)), \(.text(value)))
      """
    }
    _ = try connection.run(statements.map { try PostgreSQLStatement($0) })
  }

  /// What the store says of itself.
  private func descriptions() throws -> [(String, String)] {
    let described = mapping.schema.entities.map(\.description)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var rows = [
      ("format", Self.format), ("engine", "PostgreSQL"), ("uuid", UUID().uuidString),
      ("created_by", "SwiftDatastore"),
      ("schema", String(decoding: try encoder.encode(described), as: UTF8.self)),
    ]
    if let version = mapping.schema.version { rows.append(("version", version)) }
    for (name, hash) in EntityHash.all(described).sorted(by: { $0.key < $1.key }) {
      rows.append(("hash:\(name)", hash.tables.digits))
      rows.append(("rules:\(name)", hash.rules.digits))
    }
    return rows
  }

  /// That the tables are those of the model.
  private func check() throws {
    let place = "\(connection.server), schema “\(name)”"
    let table: SQLFragment = "\(name: name).\(name: "_datastore")"
    let result = try connection.run(
      PostgreSQLStatement("SELECT \(name: "key"), \(name: "value") FROM \(table)"))
    var stored: [String: String] = [:]
    for row in 0..<result.rowCount { stored[result.text(row, 0) ?? ""] = result.text(row, 1) }
    guard stored["format"] == Self.format else {
      throw StoreError.unknownFormat(path: place, version: stored["format"] ?? "none")
    }
    let hashes = EntityHash.all(mapping.schema.entities.map(\.description))
    var differences: [String] = []
    for (name, hash) in hashes.sorted(by: { $0.key < $1.key }) {
      switch stored["hash:\(name)"] {
      case hash.tables.digits: continue
      case nil: differences.append("\(name) is not there")
      default: differences.append("\(name) is stored otherwise")
      }
    }
    for key in stored.keys.sorted() where key.hasPrefix("hash:") {
      let name = String(key.dropFirst("hash:".count))
      if hashes[name] == nil { differences.append("\(name) is there, and the model has none") }
    }
    if !differences.isEmpty {
      throw StoreError.schemaMismatch(path: place, differences: differences)
    }
  }
}
#endif
