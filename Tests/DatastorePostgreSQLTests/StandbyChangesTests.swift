#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport
import Testing

/// A server that follows another one lists no running transactions in its snapshots, and allows no listening.
@Suite("Changes as a standby shows them")
struct StandbyChangesTests {
  @Test("A transaction that ends behind later ones is noticed once, and so is every other one")
  func order() throws {
    let primary = try PostgreSQLServer()
    let standby = try PostgreSQLServer(standbyOf: primary)
    // A committed row is visible on both.
    for setting in ["synchronous_standby_names = '*'", "synchronous_commit = remote_apply"] {
      try primary.psql("postgres", "ALTER SYSTEM SET \(setting)")
    }
    try primary.psql("postgres", "SELECT pg_reload_conf()")
    func store(_ server: PostgreSQLServer, isReadOnly: Bool = false) throws -> PostgreSQLStore {
      try PostgreSQLStore(
        CompanySchema.schema, at: PostgreSQLAddress(server.address(of: "postgres")),
        named: "company", isReadOnly: isReadOnly)
    }
    let writer = try store(primary)
    let reader = try store(standby, isReadOnly: true)
    let shown = try PostgreSQLStore(showing: PostgreSQLAddress(standby.address(of: "postgres")))
    let tag = try #require(CompanySchema.schema.entity(named: "Tag")).index
    func save() throws -> RowKey {
      var changes = Changes(writer)
      let key = try changes.insert("Tag", ["label": "x"])
      try changes.save()
      return key
    }
    func open(_ table: String) throws -> PostgreSQLConnection {
      var address = try PostgreSQLAddress(primary.address(of: "postgres"))
      address.searchPath = ["company"]
      let connection = try PostgreSQLConnection(address)
      _ = try connection.run([
        PostgreSQLStatement("BEGIN"), PostgreSQLStatement(#"DELETE FROM "\#(table)""#),
      ])
      return connection
    }
    #expect(reader.listen {} == nil)
    let first = try open("Task")
    let second = try open("Employee_tags")
    for _ in 0..<3 {
      let key = try save()
      #expect(try reader.externalChanges().map(\.keys.inserted) == [[tag: [key]]])
      #expect(try reader.externalChanges().isEmpty)
    }
    // By themselves, the numbers of the standby's snapshot do not change with these.
    _ = try shown.externalChanges()
    for connection in [second, first] {
      try connection.run(PostgreSQLStatement("COMMIT"))
      #expect(try reader.externalChanges().map(\.keys.isEverything) == [true])
      #expect(try reader.externalChanges().isEmpty)
      #expect(try shown.externalChanges().map(\.keys.isEverything) == [true])
    }
    // Changes from before the store was opened are not reported to it, later ones are.
    let third = try open("Task")
    let key = try save()
    let late = try store(standby, isReadOnly: true)
    #expect(try late.externalChanges().isEmpty)
    #expect(try reader.externalChanges().map(\.keys.inserted) == [[tag: [key]]])
    try third.run(PostgreSQLStatement("COMMIT"))
    #expect(try late.externalChanges().map(\.keys.isEverything) == [true])
    #expect(try reader.externalChanges().map(\.keys.isEverything) == [true])
  }
}
#endif
