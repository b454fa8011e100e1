#if PostgreSQL
import DatastoreTestSupport
import Foundation
import Testing

/// `datastore copy`, with sqlite3 and psql as the witnesses.
@Suite("datastore copy")
struct CopyCommandTests {
  private let program: Program
  private let server: PostgreSQLServer
  private let database: String
  private var address: String { server.address(of: database) }

  init() throws {
    program = try Program()
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
  }

  private func run(_ arguments: String...) async throws -> (status: Int32, text: String) {
    let outcome = try await program.start(arguments).outcome()
    return (outcome.status, outcome.output + outcome.errors)
  }

  @Test("A file goes into a server and comes back as another file, with the same rows and keys")
  func thereAndBack() async throws {
    let folder = Program.sampleData.appending(path: "company").path
    _ = try await run("load", folder, "--into", "company.sqlite", "--quiet")
    #expect(
      try await run("copy", "company.sqlite", "--into", address, "--store-name", "staff").text
        == "Copied 8,052 objects of company.sqlite into the store “staff”.\n")
    #expect(
      try await run("copy", address, "--store-name", "staff", "--into", "back.sqlite").text
        == "Copied 8,052 objects of the store “staff” into back.sqlite.\n")
    #expect(
      try await run("copy", address, "--store-name", "staff", "--into", address, "--as", "twin")
        .text == "Copied 8,052 objects of the store “staff” into the store “twin”.\n")
    let words = [
      "Employee", "--columns", "name, company.name", "--order-by", "name", "--limit", "9",
    ]
    #expect(
      try await program.start(["query", "company.sqlite"] + words).outcome()
        == program.start(["query", address, "--store-name", "staff"] + words).outcome())
    let (first, back) = (
      program.directory.url.appending(path: "company.sqlite"),
      program.directory.url.appending(path: "back.sqlite")
    )
    for sql in [
      #"SELECT _id, id, name, age, company, office, manager FROM "Employee" ORDER BY 1"#,
      #"SELECT * FROM "Task" ORDER BY 1 LIMIT 100"#,
    ] {
      #expect(try SQLiteCommand.run(sql, on: first) == SQLiteCommand.run(sql, on: back), "\(sql)")
    }
    let sql = #"SELECT _id, id, name, company, office, manager FROM "Employee" ORDER BY 1"#
    for store in ["staff", "twin"] {
      #expect(
        try SQLiteCommand.run(sql, on: first)
          == server.psql(database, "SET search_path = \(store); \(sql)"))
    }
  }

  // Promise: a copy of a store fails → there is no new store; what is there already is not written.
  @Test("What cannot be copied is told, and nothing is left of it")
  func refused() async throws {
    try program.directory.write("id\n1\n2\n", to: "a.csv")
    _ = try await run("load", "a.csv", "--into", "a.sqlite", "--quiet")
    let missing = try await run("copy", address, "--store-name", "none", "--into", "b.sqlite")
    #expect(missing.status == 65)
    #expect(missing.text.contains("no store “none” of SwiftDatastore"), "\(missing.text)")
    let there = try await run("copy", "a.sqlite", "--into", "a.sqlite")
    #expect(there.text.contains("a.sqlite exists already"), "\(there.text)")
    try SQLiteFile.make(
      at: program.directory.url.appending(path: "other.sqlite"), "CREATE TABLE t (a)")
    let other = try await run("copy", "other.sqlite", "--into", "c.sqlite")
    #expect(other.text == "Copied other.sqlite into c.sqlite.\n")
    #expect(try await run("copy", "other.sqlite", "--into", "c.sqlite").status == 73)
    let named = try await run("copy", "a.sqlite", "--into", "b.sqlite", "--store-name", "x")
    #expect(named.status == 64)
    _ = try await run("copy", "a.sqlite", "--into", address)
    let again = try await run("copy", "a.sqlite", "--into", address)
    #expect(again.status == 73)
    #expect(again.text.contains("has a store “datastore” already"), "\(again.text)")
    try server.psql(
      database,
      "CREATE ROLE guest LOGIN; GRANT USAGE ON SCHEMA datastore TO guest; "
        + "GRANT SELECT ON datastore._datastore TO guest")
    let guest = address.replacing("user=postgres", with: "user=guest")
    let unmade = try await run("copy", "a.sqlite", "--into", guest, "--as", "mine")
    #expect(unmade.status == 77, "\(unmade)")
    let unread = try await run("copy", guest, "--into", "b.sqlite")
    #expect(unread.status == 77, "\(unread)")
    #expect(
      try server.psql(database, "SELECT nspname FROM pg_namespace WHERE nspname IN ('mine')") == "")
    #expect(try program.directory.names().allSatisfy { !$0.contains("b.sqlite") })
  }

  @Test("Tables of another program go into a server and come back, and what is otherwise is told")
  func plainTables() async throws {
    try SQLiteFile.make(
      at: program.directory.url.appending(path: "shop.sqlite"),
      """
      CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE orders (no INTEGER PRIMARY KEY, customer INTEGER REFERENCES customer, amount REAL);
      CREATE VIEW v AS SELECT 1; INSERT INTO customer VALUES (7, 'Ada');
      INSERT INTO orders VALUES (1, 7, 2.5), (2, NULL, 'many');
      """)
    let words = ["copy", "shop.sqlite", "--into", address]
    let trial = try await program.start(words + ["--dry-run"]).outcome()
    #expect(trial.output.contains(#"CREATE TABLE "public"."orders" ("no" bigint NOT NULL, "#))
    #expect(
      trial.output.contains("Would copy 3 rows of 2 tables of shop.sqlite into the database “"))
    #expect(
      try await program.start(words).outcome().output == """
        Copied 3 rows of 2 tables of shop.sqlite into the database “\(database)”.
        Differences in the copy:
        - The view v is left out.
        - orders.amount is text: 1 value is no number.

        """)
    #expect(try server.psql(database, "SELECT * FROM orders") == "1|7|2.5\n2||many")
    let again = try await run("copy", "shop.sqlite", "--into", address)
    #expect(again.status == 73)
    #expect(again.text.contains("“customer”, “orders” are in the database"), "\(again.text)")
    #expect(
      try await run("copy", address, "--into", "back.sqlite").text
        == "Copied 3 rows of 2 tables of the database “\(database)” into back.sqlite.\n")
    let back = program.directory.url.appending(path: "back.sqlite")
    #expect(
      try SQLiteCommand.run("SELECT * FROM orders, customer", on: back)
        == "1|7|2.5|7|Ada\n2||many|7|Ada")
    let stored = try await run("copy", address, "--into", "postgresql:///none")
    #expect(stored.status == 64, "\(stored.text)")
  }
}
#endif
