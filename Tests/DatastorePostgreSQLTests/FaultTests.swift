#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreSQL
import DatastoreTestSupport
import Foundation
import Testing

// Promise: a server is read-only, has no space, lacks a right, ends a statement, restarts, crashes, or a
// standby takes its place → a sentence; staged edits stay, and are saved once when it is over.
// Also: `FailoverTests`
/// What a server may refuse: a sentence each, nothing is saved, and what is staged can be saved when it is
/// over.
@Suite("Faults of a server")
struct FaultTests {
  let server: PostgreSQLServer
  let database: String

  init() throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
  }

  private func store(_ user: String = "postgres") throws -> PostgreSQLStore {
    try PostgreSQLStore(
      CompanySchema.schema,
      at: PostgreSQLAddress("postgresql:///\(database)?host=\(server.directory)&user=\(user)"),
      named: "company")
  }

  @discardableResult
  private func psql(_ sql: String) throws -> String {
    try server.psql(database, "SET search_path = company; \(sql)")
  }

  private func endConnections() throws {
    try server.psql(
      database,
      "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '\(database)' "
        + "AND pid <> pg_backend_pid()")
  }

  @Test("A server that is read-only now")
  func readOnly() throws {
    let store = try store()
    var changes = Changes(store)
    try changes.insert("Company", ["name": "Acme"])
    try server.psql("postgres", "ALTER DATABASE \(database) SET default_transaction_read_only = on")
    try endConnections()
    let error = #expect(throws: StoreError.self) { try changes.save() }
    #expect(
      error?.description
        == "postgresql:///\(database) is read-only: it is a standby, or the session was opened for "
        + "reading; connect to the primary server.")
    try server.psql("postgres", "ALTER DATABASE \(database) RESET default_transaction_read_only")
    try endConnections()
    try changes.save()
    #expect(try psql(#"SELECT count(*) FROM "Company""#) == "1")
  }

  @Test(
    "What the server cannot write: a full disk, a statement that takes too long, whatever else",
    arguments: [
      ("53100", "There is no space left to write"), ("57014", "took longer than it allows"),
      ("58030", "reports an error: as if (SQLSTATE 58030)"),
    ])
  func refusal(code: String, words: String) throws {
    let store = try store()
    var changes = Changes(store)
    try changes.insert("Company", ["name": "Acme"])
    try changes.insert("Task", ["title": "T"])
    try psql(
      """
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'as if' USING ERRCODE = '\(code)'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON "Task" FOR EACH ROW EXECUTE FUNCTION refuse()
      """)
    let error = #expect(throws: StoreError.self) { try changes.save() }
    #expect(error?.description.contains(words) == true, "\(error.debugDescription)")
    #expect(try psql(#"SELECT count(*) FROM "Company""#) == "0")
    try psql(#"DROP TRIGGER refuse ON "Task""#)
    try changes.save()
    #expect(
      try psql(#"SELECT (SELECT count(*) FROM "Company"), (SELECT count(*) FROM "Task")"#) == "1|1")
  }

  @Test("A user without the right to one table is told which, and uses the others")
  func permission() throws {
    try store().close()
    let user = "limited_\(database)"
    try psql(
      """
      CREATE ROLE \(user) LOGIN; GRANT USAGE ON SCHEMA company TO \(user);
      GRANT ALL ON ALL TABLES IN SCHEMA company TO \(user);
      GRANT ALL ON ALL SEQUENCES IN SCHEMA company TO \(user);
      REVOKE ALL ON "Tag" FROM \(user); REVOKE INSERT ON "Task" FROM \(user)
      """)
    let store = try store(user)
    var changes = Changes(store)
    try changes.insert("Company", ["name": "Acme"])
    try changes.insert("Task", ["title": "T"])
    #expect(
      throws: StoreError.notPermitted(
        server: "postgresql:///\(database)", detail: "permission denied for table Task")
    ) { try changes.save() }
    #expect(try store.count(FetchRequest(entity: "Company")) == 0)
    #expect(
      throws: StoreError.notPermitted(
        server: "postgresql:///\(database)", detail: "permission denied for table Tag")
    ) { try store.count(FetchRequest(entity: "Tag")) }
    try psql("GRANT ALL ON \"Task\" TO \(user)")
    try changes.save()
    #expect(try store.count(FetchRequest(entity: "Task")) == 1)
  }

  @Test("A statement that waits longer than the server allows")
  func timeout() throws {
    let store = try store()
    var changes = Changes(store)
    try changes.insert("Company", ["name": "Acme"])
    try server.psql("postgres", "ALTER DATABASE \(database) SET statement_timeout = '200ms'")
    try endConnections()
    let other = try PostgreSQLConnection(PostgreSQLAddress(server.address(of: database)))
    _ = try other.run([
      PostgreSQLStatement("BEGIN"),
      PostgreSQLStatement(#"LOCK TABLE company."Company" IN ACCESS EXCLUSIVE MODE"#),
    ])
    #expect(throws: StoreError.statementTimeout(server: "postgresql:///\(database)")) {
      try changes.save()
    }
    #expect(throws: StoreError.statementTimeout(server: "postgresql:///\(database)")) {
      try store.fetch(FetchRequest(entity: "Company"))
    }
    _ = try other.run(PostgreSQLStatement("ROLLBACK"))
    try server.psql("postgres", "ALTER DATABASE \(database) RESET statement_timeout")
    try endConnections()
    try changes.save()
    #expect(try psql(#"SELECT count(*) FROM "Company""#) == "1")
  }

  @Test("Names longer than the server has room for are shortened, and stay different")
  func longNames() throws {
    let long = String(repeating: "ä", count: 29)
    let schema = try Schema(
      ["1", "2"].map { end in
        EntityDescription(
          name: long + end + "xx",
          properties: [.attribute(AttributeDescription(name: long + end + "yy", type: .string))])
      })
    let store = try PostgreSQLStore(
      schema, at: PostgreSQLAddress(server.address(of: database)), named: "long")
    var changes = Changes(store)
    for entity in schema.entities {
      try changes.insert(entity.name, [entity.properties[Slot(0)].name: "1"])
    }
    try changes.save()
    for entity in schema.entities {
      #expect(try store.count(FetchRequest(entity: entity.name)) == 1)
    }
    #expect(
      try server.psql(
        database,
        "SELECT count(*) FROM pg_sequences WHERE schemaname = 'long' AND increment_by = 1000"
      ) == "2")
    let name = String(repeating: "s", count: 64)
    #expect(throws: StoreError.unusableName(name)) {
      _ = try PostgreSQLStore(
        schema, at: PostgreSQLAddress(server.address(of: database)), named: name)
    }
  }

  @Test("Numbers that are none, and moments at the ends of time")
  func oddValues() throws {
    try server.psql(
      database,
      """
      CREATE TABLE odd (id int PRIMARY KEY, n numeric, f float8, d timestamptz, l date);
      INSERT INTO odd VALUES (1, 'NaN', 'NaN', 'infinity', 'infinity'),
        (2, 'Infinity', '-Infinity', '-infinity', '-infinity'), (3, 1, 1, '2001-01-01Z', '2001-01-01')
      """)
    let store = try PostgreSQLStore(showing: PostgreSQLAddress(server.address(of: database)))
    let order = [SortDescriptor(["id"])]
    #expect(
      try store.values(FetchRequest(entity: "odd", sortDescriptors: order), "n", "f", "d") == [
        [.null, .null, .real(.infinity)],
        [.real(.infinity), .real(-.infinity), .real(-.infinity)],
        [.integer(1), .real(1), .real(0)],
      ])
    func ids(_ predicate: DatastoreCore.Predicate) throws -> [Value] {
      try store.values(
        FetchRequest(entity: "odd", predicate: predicate, sortDescriptors: order), "id"
      ).map { $0[0] }
    }
    #expect(try ids(.comparison(.init(.keyPath(["f"]), .equal, .value(.null)))) == [1])
    #expect(try ids(.comparison(.init(.keyPath(["n"]), .equal, .value(.null)))) == [1])
    #expect(try ids(.comparison(.init(.keyPath(["d"]), .greaterThan, .value(0)))) == [1])
    #expect(
      try ids(.comparison(.init(.keyPath(["d"]), .lessThan, .value(.real(.infinity))))) == [2, 3])
  }
}
#endif
