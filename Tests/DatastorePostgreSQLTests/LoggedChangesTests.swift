#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport
import Foundation
import Testing

// Promise: another program writes to a store in a server, with this library or another one → noticed once,
// also a transaction that began before ours and ends after it, or whose number in the log is lower than one
// that was seen; our own are not taken for others'.
/// A store reads the changes of other writers from the log: exactly the newly visible ones, once.
@Suite("The log of changes")
struct LoggedChangesTests {
  let server: PostgreSQLServer
  let database: String

  init() throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
  }

  private func store() throws -> PostgreSQLStore {
    try PostgreSQLStore(
      CompanySchema.schema, at: PostgreSQLAddress(server.address(of: database)), named: "company")
  }

  private func connection() throws -> PostgreSQLConnection {
    var address = try PostgreSQLAddress(server.address(of: database))
    address.searchPath = ["company"]
    return try PostgreSQLConnection(address)
  }

  private func entity(_ name: String) throws -> Entity {
    try #require(CompanySchema.schema.entity(named: name))
  }

  @Test(
    "Keys, slots and relationships of a save are told to others, with its author, and not to itself"
  )
  func contents() throws {
    let (mine, other) = (try store(), try store())
    let (employee, company) = try (entity("Employee"), entity("Company"))
    var changes = Changes(other)
    let acme = try changes.insert("Company", ["name": "Acme"])
    let (ann, bob) = (
      try changes.insert("Employee", ["name": "Ann", "company": .key(acme)]),
      try changes.insert("Employee", ["name": "Bob"])
    )
    let employees = try #require(company.slot(named: "employees"))
    changes.set.changedRelationships = [
      ChangedRelationship(entity: company.index, slot: employees, key: acme)
    ]
    try SaveOrigin.$current.withValue(SaveOrigin(author: "import\0er")) { _ = try changes.save() }
    let told = try mine.externalChanges()
    #expect(told.count == 1 && told.first?.author == "importer")
    #expect(told.first?.keys.inserted == [company.index: [acme], employee.index: [ann, bob]])
    #expect(told.first?.keys.updated == [company.index: [acme: SlotSet([employees])]])
    #expect(try mine.externalChanges().isEmpty && other.externalChanges().isEmpty)

    var second = Changes(other)
    try second.update("Employee", ann, from: [:], to: ["age": 1, "name": "Anna"])
    try second.delete("Employee", bob)
    try second.save()
    let next = try #require(try mine.externalChanges().first)
    let slots = ["age", "name"].compactMap { employee.slot(named: $0) }
    #expect(next.author == nil && next.keys.inserted.isEmpty)
    #expect(next.keys.updated == [employee.index: [ann: SlotSet(slots)]])
    #expect(next.keys.deleted == [employee.index: [bob]])
  }

  @Test("A save that others have locked out comes later than its number says, and is not missed")
  func commitOrder() async throws {
    let (mine, slow, fast) = (try store(), try store(), try store())
    let employee = try entity("Employee").index
    var changes = Changes(mine)
    let ann = try changes.insert("Employee", ["name": "Ann"])
    try changes.save()
    _ = try mine.externalChanges()
    let lock = try connection()
    _ = try lock.run(
      [
        PostgreSQLStatement("BEGIN"),
        PostgreSQLStatement(#"SELECT FROM "Employee" FOR UPDATE"#),
      ])
    let waiting = Task(priority: .userInitiated) {
      try await BlockingWork.run {
        var changes = Changes(slow)
        try changes.update("Employee", ann, from: [:], to: ["age": 7])
        try changes.save()
      }
    }
    try await server.waitForLocks(in: database)
    var second = Changes(fast)
    let bob = try second.insert("Employee", ["name": "Bob"])
    try second.save()
    #expect(try mine.externalChanges().map(\.keys.inserted) == [[employee: [bob]]])
    #expect(try mine.externalChanges().isEmpty)
    try lock.run(PostgreSQLStatement("COMMIT"))
    try await waiting.value
    let late = try mine.externalChanges()
    #expect(late.map { $0.keys.updated[employee]?.keys.map(\.self) } == [[ann]])
    #expect(try mine.externalChanges().isEmpty)
  }

  @Test(
    "Programs without this library are noticed, whatever they write, and once for each transaction")
  func otherPrograms() throws {
    let store = try store()
    var changes = Changes(store)
    try changes.insert("Employee", ["name": "Ann"])
    try changes.save()
    #expect(try store.externalChanges().isEmpty)
    let statements = [
      #"UPDATE company."Employee" SET "age" = 1; UPDATE company."Employee" SET "age" = 2"#,
      #"INSERT INTO company."Tag" ("_id", "label") VALUES (-1, 'x')"#,
      #"INSERT INTO company."Employee_tags" SELECT "_id", -1 FROM company."Employee""#,
      #"DELETE FROM company."Employee_tags""#,
      #"TRUNCATE company."Task""#,
      #"COPY company."Tag" ("_id", "label") FROM PROGRAM 'printf "%s\t%s\n" -2 y'"#,
    ]
    for statement in statements {
      let count = try server.psql(database, "SELECT count(*) FROM company._datastore_changes")
      try server.psql(database, statement)
      #expect(try store.externalChanges().map(\.keys.isEverything) == [true], "\(statement)")
      #expect(try store.externalChanges().isEmpty)
      let after = try server.psql(database, "SELECT count(*) FROM company._datastore_changes")
      #expect(Int(after) == (Int(count) ?? 0) + 1, "\(statement)")
    }
    // A transaction that begins before ours and ends after it.
    let other = try connection()
    _ = try other.run(
      [
        PostgreSQLStatement("BEGIN"), PostgreSQLStatement(#"UPDATE "Employee" SET "age" = 3"#),
      ])
    var later = Changes(store)
    try later.insert("Employee", ["name": "later"])
    try later.save()
    #expect(try store.externalChanges().isEmpty)
    try other.run(PostgreSQLStatement("COMMIT"))
    #expect(try store.externalChanges().map(\.keys.isEverything) == [true])
    #expect(try store.externalChanges().isEmpty)
  }

  @Test("Someone who may only change rows is noticed, too")
  func rights() throws {
    let store = try store()
    try server.psql(
      database,
      """
      CREATE ROLE clerk_\(database) LOGIN; GRANT USAGE ON SCHEMA company TO clerk_\(database);
      GRANT INSERT ON company."Tag" TO clerk_\(database);
      SET ROLE clerk_\(database); INSERT INTO company."Tag" ("_id", "label") VALUES (1, 'x');
      """)
    #expect(try store.externalChanges().map(\.keys.isEverything) == [true])
    try server.psql(
      database, "DROP OWNED BY clerk_\(database); DROP ROLE clerk_\(database)")
  }

  // Promise: the log of changes was pruned, is of another version of the model, or damaged → everything is
  // read again; never a key of something else.
  // Also: `ChangeCoderTests` (random models, cuts and damage at random bytes)
  @Test("Old rows go, and who looked last before they came reads everything again")
  func pruning() throws {
    // A transaction that runs anywhere in a server keeps younger entries.
    let server = try PostgreSQLServer()
    let database = try server.makeDatabase()
    func store() throws -> PostgreSQLStore {
      try PostgreSQLStore(
        CompanySchema.schema, at: PostgreSQLAddress(server.address(of: database)), named: "company")
    }
    let (mine, other, late) = (try store(), try store(), try store())
    func save() throws -> RowKey {
      var changes = Changes(other)
      let key = try changes.insert("Tag", ["label": "x"])
      try changes.save()
      return key
    }
    for _ in 0..<5 { _ = try save() }
    #expect(try mine.externalChanges().count == 1)
    try other.pruneLogNow()
    let count = { try server.psql(database, "SELECT count(*) FROM company._datastore_changes") }
    #expect(try count() == "5")
    try server.psql(
      database, "UPDATE company._datastore_changes SET at = at - interval '25 hours'")
    let last = try save()
    try other.pruneLogNow()
    try other.pruneLogNow()
    #expect(try count() == "1")
    #expect(try late.externalChanges().map(\.keys.isEverything) == [true])
    #expect(try late.externalChanges().isEmpty)
    // Entries that it has seen were removed; the others are there.
    let tag = try entity("Tag").index
    #expect(try mine.externalChanges().map(\.keys.inserted) == [[tag: [last]]])
    #expect(try store().externalChanges().isEmpty)
  }

  @Test("More saves than are worth reading are read as anything")
  func many() throws {
    let (mine, other) = (try store(), try store())
    var changes = Changes(other)
    try changes.insert("Tag", ["label": "x"])
    try changes.save()
    try server.psql(
      database,
      """
      INSERT INTO company._datastore_changes (save, session, changes)
      SELECT gen_random_uuid(), session, changes FROM company._datastore_changes,
        generate_series(1, 10000)
      """)
    #expect(try mine.externalChanges().map(\.keys.isEverything) == [true])
    #expect(try mine.externalChanges().isEmpty)
  }

  @Test("A row that was made and deleted in two saves between looks is looked for")
  func madeAndDeleted() throws {
    let (mine, other) = (try store(), try store())
    var changes = Changes(other)
    let key = try changes.insert("Tag", ["label": "x"])
    try changes.save()
    var second = Changes(other)
    try second.delete("Tag", key)
    try second.save()
    #expect(try mine.externalChanges().map(\.keys.isEverything) == [true])
  }

  @Test("Tables that others change are noticed, and rows are not taken for tables")
  func tables() throws {
    let store = try store()
    let reflected = try PostgreSQLStore(
      showing: PostgreSQLAddress(server.address(of: database)))
    var changes = Changes(store)
    try changes.insert("Tag", ["label": "x"])
    try changes.save()
    try server.psql(database, #"ANALYZE company."Tag""#)
    #expect(try !store.haveTablesChanged())
    #expect(try !reflected.haveTablesChanged())
    for statement in [
      #"ALTER TABLE company."Tag" ADD COLUMN color text"#,
      #"ALTER TABLE company."Tag" DROP COLUMN color"#,
      #"CREATE INDEX i ON company."Tag" ("label")"#,
      #"ALTER TABLE company."Tag" ADD CHECK ("label" <> '')"#,
    ] {
      let (before, shown) = try (self.store(), showing())
      try server.psql(database, statement)
      #expect(try before.haveTablesChanged(), "\(statement)")
      #expect(try shown.haveTablesChanged(), "\(statement)")
    }
    // Another schema is not of the store, but of the database.
    let (before, shown) = try (self.store(), showing())
    try server.psql(database, "CREATE TABLE public.t (a int); CREATE TYPE mood AS ENUM ('a')")
    #expect(try !before.haveTablesChanged())
    #expect(try shown.haveTablesChanged())
  }

  private func showing() throws -> PostgreSQLStore {
    try PostgreSQLStore(showing: PostgreSQLAddress(server.address(of: database)))
  }
}
#endif
