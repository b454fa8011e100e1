#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreSQL
import DatastoreTestSupport
import Foundation
import Testing

// Promise: a server lacks deferrable constraints, packed keys, snapshots, versions of rows, notifications,
// advisory locks or sessions of one's own → found by trying, in a transaction that is rolled back; saves
// write in an order that breaks no constraint; the graph is the same.
// Also: `GraphPropertyTests` without each
@Suite("What a server can do")
struct CapabilityTests {
  let server: PostgreSQLServer
  let database: String

  init() throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
  }

  private func store(
    _ schema: Schema = CompanySchema.schema, without missing: ServerCapabilities = []
  ) throws -> PostgreSQLStore {
    try PostgreSQLStore(
      schema, at: PostgreSQLAddress(server.address(of: database)), named: "company",
      without: missing)
  }

  /// Each by itself, and all at once.
  static let missing: [ServerCapabilities] =
    [
      .packedKeys, .snapshots, .notifications, .advisoryLocks, .ownSession, .deferrableUnique,
      .deferrableReferences, .triggers,
    ] + [.all]

  @Test("A PostgreSQL server can do all, and leaves no trace of having been asked")
  func all() throws {
    #expect(try store().capabilities == .all)
    let tables = "SELECT count(*) FROM pg_class WHERE relname LIKE '%probe%'"
    #expect(try server.psql(database, tables) == "0")
  }

  @Test("What a user may not do is lacking, and what is lacking is told from a failure")
  func refused() throws {
    try server.psql(
      database,
      """
      REVOKE EXECUTE ON FUNCTION string_agg(bytea, bytea), int8send(bigint) FROM PUBLIC;
      CREATE ROLE "lacking_\(database)" LOGIN; GRANT ALL ON DATABASE \(database) TO "lacking_\(database)"
      """)
    let address = try PostgreSQLAddress(
      "postgresql:///\(database)?host=\(server.directory)&user=lacking_\(database)")
    let store = try PostgreSQLStore(CompanySchema.schema, at: address, named: "company")
    #expect(store.capabilities == ServerCapabilities.all.subtracting(.packedKeys))
    var changes = Changes(store)
    let key = try changes.insert("Company", ["name": "Acme"])
    try changes.save()
    #expect(try store.fetchKeys(FetchRequest(entity: "Company")) == [key])
  }

  @Test(
    "Rows exchange unique values, refer to each other in circles, go and come in one save",
    arguments: missing)
  func saving(without missing: ServerCapabilities) throws {
    let store = try store(without: missing)
    // Notifications need a session that stays.
    let others: ServerCapabilities = missing.contains(.ownSession) ? .notifications : []
    #expect(store.capabilities == ServerCapabilities.all.subtracting(missing).subtracting(others))
    var changes = Changes(store)
    let acme = try changes.insert("Company", ["name": "Acme"])
    let ann = try changes.insert("Employee", ["name": "Ann", "email": "a", "company": .key(acme)])
    let bob = try changes.insert("Employee", ["name": "Bob", "email": "b", "company": .key(acme)])
    let task = try changes.insert("Task", ["title": "T", "owner": .key(ann)])
    let tag = try changes.insert("Tag", ["label": "red"])
    try changes.link("Employee", "tags", ann, tag)
    try changes.order("Employee", "tasks", ann, [task])
    try changes.save()

    var more = Changes(store)
    // Changed rows exchange unique values, and a new row has the value of a deleted one.
    let apex = try more.insert("Company", ["name": "Apex"])
    let eve = try more.insert("Employee", ["name": "Eve", "email": "a", "company": .key(apex)])
    try more.update("Employee", bob, from: [:], to: ["email": "c", "company": .key(apex)])
    try more.update("Task", task, from: [:], to: ["owner": .key(eve)])
    try more.delete("Employee", ann)
    try more.delete("Company", acme)
    try more.save()
    #expect(try store.names("Employee") == ["Bob", "Eve"])
    #expect(try store.row("Employee", eve)?["email"] == "a")
    #expect(try store.row("Employee", bob)?["company"] == .key(apex))
    #expect(try store.row("Task", task)?["owner"] == .key(eve))
    var swap = Changes(store)
    try swap.update("Employee", eve, from: [:], to: ["email": "c"])
    try swap.update("Employee", bob, from: [:], to: ["email": "a"])
    try swap.save()
    #expect(try store.row("Employee", bob)?["email"] == "a")
    #expect(
      try server.psql(
        database, #"SELECT string_agg("email", ',' ORDER BY "email") FROM company."Employee""#)
        == "a,c")

    // Conflicts and refusals are found as ever, and leave everything as it was.
    var stale = Changes(store)
    try stale.update("Employee", bob, from: ["email": "b"], to: ["email": "z"])
    let conflict = #expect(throws: ConflictError.self) { try stale.save() }
    #expect(conflict?.conflicts.first?.properties.first?.theirs == "a")
    var double = Changes(store)
    let dan = try double.insert("Employee", ["name": "Dan", "email": "c"])
    #expect(throws: StoreError.notUnique(entity: "Employee", properties: ["email"], key: dan)) {
      try double.save()
    }
    #expect(try store.count(FetchRequest(entity: "Employee")) == 2)
    #expect(
      try Set(store.answer(KeyListQuestion(FetchRequest(entity: "Employee"))).keys) == [bob, eve])
  }

  @Test(
    "Entities that refer to each other are saved in any order",
    arguments: [[], .deferrableReferences] as [ServerCapabilities])
  func circles(without missing: ServerCapabilities) throws {
    let schema = try Schema([
      EntityDescription(
        name: "Person",
        properties: [
          .attribute(AttributeDescription(name: "name", type: .string)),
          CompanySchema.relationship("home", .toOne, "House", "owner"),
          CompanySchema.relationship("boss", .toOne, "Person", "reports"),
          CompanySchema.relationship("reports", .toMany, "Person", "boss"),
        ]),
      EntityDescription(
        name: "House",
        properties: [
          .attribute(AttributeDescription(name: "name", type: .string)),
          .relationship(
            RelationshipDescription(
              name: "owner", kind: .toOne, destination: "Person", inverse: "home",
              isOptional: false)),
        ]),
    ])
    let store = try store(schema, without: missing)
    var changes = Changes(store)
    let people = try (0..<3).map { _ in
      try store.makeKey(entity: schema.entity(named: "Person")!.index)
    }
    let house = try store.makeKey(entity: schema.entity(named: "House")!.index)
    try changes.insert("House", key: house, ["name": "H", "owner": .key(people[0])])
    for (index, key) in people.enumerated() {
      try changes.insert(
        "Person", key: key,
        ["home": index == 0 ? .key(house) : .null, "boss": .key(people[(index + 1) % 3])])
    }
    try changes.save()
    #expect(try store.row("Person", people[0])?["home"] == .key(house))
    #expect(try store.row("Person", people[2])?["boss"] == .key(people[0]))
    var deletion = Changes(store)
    try deletion.delete("House", house)
    for key in people { try deletion.delete("Person", key) }
    try deletion.save()
    #expect(try store.count(FetchRequest(entity: "Person")) == 0)
  }

  @Test("Tables stay as they were declared, also for programs that could do more")
  func remembered() throws {
    try store(without: [.deferrableUnique, .deferrableReferences, .snapshots]).close()
    let again = try store()
    #expect(
      again.capabilities
        == ServerCapabilities.all.subtracting([
          .deferrableUnique, .deferrableReferences, .snapshots,
        ]))
    let deferrable = "SELECT count(*) FROM pg_constraint WHERE condeferrable"
    #expect(try server.psql(database, deferrable) == "0")
    #expect(try !again.externalChanges().isEmpty)
    // Stores of versions that did not say it have all.
    try server.psql(
      database, #"DELETE FROM company."_datastore" WHERE "key" = 'capabilities'"#)
    #expect(try store().capabilities.contains(.deferrableUnique))
  }

  @Test(
    "Programs that make the same store at once make one",
    arguments: [[], .advisoryLocks] as [ServerCapabilities])
  func making(without missing: ServerCapabilities) async throws {
    let address = try PostgreSQLAddress(server.address(of: database))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try await BlockingWork.run {
            try PostgreSQLStore(
              CompanySchema.schema, at: address, named: "company", without: missing
            ).close()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(
      try server.psql(database, #"SELECT count(*) FROM company."_datastore" WHERE "key" = 'uuid'"#)
        == "1")
  }
}
#endif
