#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreSQL
import DatastoreTestSupport
import Testing

/// The tables that a native store makes, as psql sees them.
struct NativeSchemaTests {
  let server: PostgreSQLServer
  let database: String
  let address: PostgreSQLAddress

  init() throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
    address = try PostgreSQLAddress(server.address(of: database))
  }

  @Test func tablesHaveTypesKeysAndConstraintsOfPostgreSQL() throws {
    _ = try PostgreSQLStore(CompanySchema.schema, at: address, named: "company")
    func column(_ table: String, _ name: String) throws -> String {
      try server.psql(
        database,
        """
        SELECT format_type(atttypid, atttypmod) || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END
        FROM pg_attribute WHERE attrelid = 'company."\(table)"'::regclass AND attname = '\(name)'
        """)
    }
    #expect(try column("Employee", "_id") == "bigint NOT NULL")
    #expect(try column("Employee", "age") == "bigint")
    #expect(try column("Employee", "salary") == "double precision")
    #expect(try column("Employee", "bonus") == "numeric")
    #expect(try column("Employee", "photo") == "bytea")
    #expect(try column("Company", "name") == "text NOT NULL")
    #expect(try column("Task", "done") == "boolean")
    let constraints = try server.psql(
      database,
      """
      SELECT pg_get_constraintdef(oid) FROM pg_constraint
      WHERE conrelid = 'company."Employee"'::regclass ORDER BY contype, conname
      """
    ).split(separator: "\n").map(String.init)
    #expect(constraints.contains("PRIMARY KEY (_id)"))
    #expect(constraints.contains("UNIQUE (email) DEFERRABLE INITIALLY DEFERRED"))
    #expect(
      constraints.contains {
        $0.hasPrefix("FOREIGN KEY (company) REFERENCES") && $0.contains("DEFERRABLE")
      })
    #expect(
      try server.psql(
        database, "SELECT increment_by FROM pg_sequences WHERE sequencename = '_keys_Employee'")
        == "1000")
  }

  // Promise: another model is opened on a store in PostgreSQL, and nothing may be migrated → refused with
  // every difference, nothing written.
  @Test func aStoreOfAnotherModelIsRefused() throws {
    try PostgreSQLStore(CompanySchema.schema, at: address, named: "company").close()
    try PostgreSQLStore(CompanySchema.schema, at: address, named: "company").close()
    let other = try Schema([
      EntityDescription(
        name: "Company",
        properties: [.attribute(AttributeDescription(name: "name", type: .integer64))])
    ])
    let error = #expect(throws: StoreError.self) {
      _ = try PostgreSQLStore(other, at: address, named: "company")
    }
    guard case .schemaMismatch(_, let differences)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(differences.contains("Company is stored otherwise"))
    #expect(differences.contains("Employee is there, and the model has none"))
    // Another schema of the same database is another store.
    try PostgreSQLStore(other, at: address, named: "other").close()
  }

  // Promise: two long names become one in 63 bytes → a hash at the end keeps them apart.
  @Test func longNamesAreShortenedAndStayDifferent() throws {
    let long = String(repeating: "ä", count: 40)
    let schema = try Schema([
      EntityDescription(
        name: "Thing",
        properties: [
          .attribute(AttributeDescription(name: long + "1", type: .string)),
          .attribute(AttributeDescription(name: long + "2", type: .string)),
        ])
    ])
    try PostgreSQLStore(schema, at: address, named: "long").close()
    #expect(
      try server.psql(
        database,
        """
        SELECT count(DISTINCT attname) FROM pg_attribute
        WHERE attrelid = 'long."Thing"'::regclass AND attnum > 0
        """) == "3")
  }

  @Test func anAttributeWithoutATypeIsRefused() throws {
    let schema = try Schema([
      EntityDescription(
        name: "Thing",
        properties: [.attribute(AttributeDescription(name: "anything", type: .undefined))])
    ])
    #expect(throws: StoreError.self) {
      _ = try PostgreSQLStore(schema, at: address, named: "untyped")
    }
    #expect(
      try server.psql(database, "SELECT count(*) FROM pg_namespace WHERE nspname = 'untyped'")
        == "0")
  }
}
#endif
