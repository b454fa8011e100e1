#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreSQL
import DatastoreTestSupport
import Foundation
import Testing

// Promise: two programs save the same rows of a server, or meet in a deadlock → who comes second is told
// what the rows hold, nothing of that save is written; a deadlock is made again.
// Also: `ConcurrentSavingTests`
@Suite("Saving to a server")
struct SavingTests {
  let server: PostgreSQLServer
  let database: String
  let store: PostgreSQLStore

  init() throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
    store = try PostgreSQLStore(
      CompanySchema.schema, at: PostgreSQLAddress(server.address(of: database)), named: "company")
  }

  /// The rows that psql finds.
  @discardableResult
  private func psql(_ sql: String) throws -> String {
    try server.psql(database, "SET search_path = company; \(sql)")
  }

  private func entity(_ name: String) throws -> Entity {
    try #require(store.schema.entity(named: name))
  }

  @Test("Rows of every type come back as they were, and psql finds them")
  func roundTrip() throws {
    let texts: [Value] = [.text(""), .text("Ünïcödé 🎈"), .null, .text("a'b\\c\n\"d\"")]
    let integers: [Value] = [.integer(.min), .integer(.max), .null, .integer(-1)]
    let reals: [Value] = [.real(-.infinity), .real(0.1), .null, .real(0x1p-1074)]
    let blobs: [Value] = [
      .blob(Data()), .blob(Data([0, 255, 0])), .null, .blob(Data(count: 3_000_000)),
    ]
    let decimals: [Value] = [
      .integer(-120_000), .real(0.000_012_5), .null, .text("-12345678901234567890.123456789"),
    ]
    var changes = Changes(store)
    let keys = try texts.indices.map {
      try changes.insert(
        "Employee",
        [
          "name": texts[$0], "age": integers[$0], "salary": reals[$0], "photo": blobs[$0],
          "bonus": decimals[$0],
        ])
    }
    try changes.save()
    for index in texts.indices {
      let row = try #require(try store.row("Employee", keys[index]))
      #expect(row["name"] == texts[index])
      #expect(row["age"] == integers[index])
      #expect(row["salary"] == reals[index])
      #expect(row["photo"] == blobs[index])
      #expect(row["bonus"] == decimals[index])
    }
    #expect(
      try psql(#"SELECT "bonus" FROM "Employee" ORDER BY "_id""#)
        == "-120000\n0.0000125\n\n-12345678901234567890.123456789")
    #expect(try psql(#"SELECT count(*) FROM "Employee" WHERE length("photo") = 3000000"#) == "1")
  }

  @Test("Relationships of every kind are followed, in their order, from both sides")
  func relationships() throws {
    var changes = Changes(store)
    let acme = try changes.insert("Company", ["name": "Acme"])
    let ann = try changes.insert("Employee", ["name": "Ann", "company": .key(acme)])
    let bob = try changes.insert("Employee", ["name": "Bob", "company": .key(acme)])
    let tasks = try (0..<3).map {
      try changes.insert("Task", ["title": .text("T\($0)"), "owner": .key(ann)])
    }
    let red = try changes.insert("Tag", ["label": "red"])
    let blue = try changes.insert("Tag", ["label": "blue"])
    try changes.order("Employee", "tasks", ann, [tasks[2], tasks[0], tasks[1]])
    for (employee, tag) in [(ann, red), (ann, blue), (bob, blue)] {
      try changes.link("Employee", "tags", employee, tag)
    }
    try changes.save()
    #expect(try store.related("Company", "employees", acme) == [ann, bob])
    #expect(try store.related("Employee", "tasks", ann) == [tasks[2], tasks[0], tasks[1]])
    #expect(try store.related("Employee", "tags", ann) == [red, blue])
    #expect(try store.related("Tag", "employees", blue) == [ann, bob])
    let employees = try entity("Employee")
    let slot = try #require(employees.slot(named: "tasks"))
    let members = try store.relatedRows(entity: employees.index, slot: slot, keys: [ann, bob])
    #expect(members.members == [ann: [tasks[2], tasks[0], tasks[1]]])
    let counts = try store.answer(
      RelatedCountsQuestion(entity: employees.index, slot: slot, keys: [ann, bob]))
    #expect(counts == [ann: 3])
    #expect(
      try store.names(
        "Employee", .comparison(.init(.keyPath(["company", "name"]), .equal, .value("Acme"))))
        == ["Ann", "Bob"])
    #expect(try psql(#"SELECT count(*) FROM "Employee_tags""#) == "3")
  }

  @Test("A save waits once, whatever is in it")
  func waits() throws {
    var changes = Changes(store)
    let company = try changes.insert("Company", ["name": "Acme"])
    let employees = try (0..<500).map {
      try changes.insert("Employee", ["name": .text("E\($0)"), "company": .key(company)])
    }
    try changes.save()
    var more = Changes(store)
    try more.update("Company", company, from: ["name": "Acme"], to: ["name": "Apex"])
    for employee in employees.prefix(100) { try more.delete("Employee", employee) }
    for number in 0..<100 { try more.insert("Employee", ["name": .text("N\(number)")]) }
    for employee in employees.suffix(100) {
      try more.update("Employee", employee, from: [:], to: ["age": .integer(7)])
    }
    let before = store.waitCount
    try more.save()
    #expect(store.waitCount == before + 1)
    #expect(try psql(#"SELECT count(*), sum("age") FROM "Employee""#) == "500|700")
  }

  @Test("A save of ten thousand mixed changes waits once")
  func waitsWithMany() throws {
    let employee = try entity("Employee")
    let age = try #require(employee.slot(named: "age"))
    var changes = Changes(store)
    for number in 0..<6_000 {
      try changes.insert("Employee", ["name": .text("E\(number)"), "age": .integer(0)])
    }
    try changes.save()
    var mixed = Changes(store)
    for number in 0..<4_000 { try mixed.insert("Employee", ["name": .text("N\(number)")]) }
    for (number, row) in try store.fetch(FetchRequest(entity: "Employee")).flatMap({ page in
      (0..<page.rowCount).map { (page, $0) }
    }).enumerated() {
      let (page, row) = row
      let key = page.key(ofRow: row)
      if number < 2_000 {
        mixed.set.entities[0].deleted.append(
          RowDeletion(key: key, original: page, originalRow: row))
      } else {
        // In two ways.
        let to: [String: Value] = number < 4_000 ? ["age": 7] : ["age": 7, "salary": 1]
        mixed.set.entities[0].updated.append(
          RowUpdate(
            key: key, page: Changes.page(employee, key, to), row: 0, original: page,
            originalRow: row, slots: SlotSet(to.keys.compactMap { employee.slot(named: $0) })))
      }
    }
    #expect(mixed.set.entities[0].updated.allSatisfy { $0.slots.contains(age) })
    let before = store.waitCount
    try mixed.save()
    #expect(store.waitCount == before + 1)
    #expect(
      try psql(#"SELECT count(*), sum("age"), sum("salary") FROM "Employee""#)
        == "8000|28000|2000")
  }

  // Promise: two rows of a server swap unique values; a value is taken → saved; refused by entity and
  // properties.
  // Also: `FamilyTests`
  @Test("Two rows can swap what is unique, and two cannot have the same")
  func uniqueness() throws {
    var changes = Changes(store)
    let ann = try changes.insert("Employee", ["name": "Ann", "email": "a"])
    let bob = try changes.insert("Employee", ["name": "Bob", "email": "b"])
    try changes.save()
    var swap = Changes(store)
    try swap.update("Employee", ann, from: ["email": "a"], to: ["email": "b"])
    try swap.update("Employee", bob, from: ["email": "b"], to: ["email": "a"])
    try swap.save()
    #expect(try store.row("Employee", ann)?["email"] == "b")
    var double = Changes(store)
    let eve = try double.insert("Employee", ["name": "Eve", "email": "a"])
    #expect(throws: StoreError.notUnique(entity: "Employee", properties: ["email"], key: eve)) {
      try double.save()
    }
    #expect(try psql(#"SELECT count(*) FROM "Employee""#) == "2")
  }

  @Test("Who has changed a row meanwhile is told, and nothing is saved")
  func conflict() throws {
    var changes = Changes(store)
    let ann = try changes.insert("Employee", ["name": "Ann", "age": 5])
    let bob = try changes.insert("Employee", ["name": "Bob", "age": 6])
    try changes.save()
    var edit = Changes(store)
    try edit.update("Employee", ann, from: [:], to: ["age": 7])
    try edit.update("Employee", bob, from: [:], to: ["age": 8])
    try edit.insert("Employee", ["name": "Eve"])
    try psql(#"UPDATE "Employee" SET "age" = 40 WHERE "name" = 'Ann'"#)
    let error = #expect(throws: ConflictError.self) { try edit.save() }
    #expect(
      error?.conflicts == [
        Conflict(
          entity: "Employee", key: ann,
          properties: [.init(name: "age", original: 5, mine: 7, theirs: 40)], isDeleted: false)
      ])
    #expect(try psql(#"SELECT "name", "age" FROM "Employee" ORDER BY 1"#) == "Ann|40\nBob|6")
    try psql(#"DELETE FROM "Employee" WHERE "name" = 'Bob'"#)
    var late = Changes(store)
    late.set.entities = edit.set.entities
    let second = #expect(throws: ConflictError.self) { try late.save() }
    #expect(second?.conflicts.map(\.isDeleted) == [false, true])
  }

  @Test("A row that someone has changed is not deleted")
  func deletionConflict() throws {
    var changes = Changes(store)
    let ann = try changes.insert("Employee", ["name": "Ann", "age": 5])
    try changes.save()
    let entity = try entity("Employee")
    let page = try #require(try store.rows(entity: entity.index, keys: [ann]).first)
    try psql(#"UPDATE "Employee" SET "age" = 40"#)
    var deletion = ChangeSet()
    var employees = EntityChanges(entity: entity.index)
    employees.deleted = [RowDeletion(key: ann, original: page, originalRow: 0)]
    deletion.entities = [employees]
    let set = deletion
    let error = #expect(throws: ConflictError.self) { try store.save(set) }
    #expect(error?.conflicts.first?.wasToBeDeleted == true)
    #expect(try psql(#"SELECT count(*) FROM "Employee""#) == "1")
    try psql(#"UPDATE "Employee" SET "age" = 5"#)
    _ = try store.save(set)
    #expect(try psql(#"SELECT count(*) FROM "Employee""#) == "0")
    _ = try store.save(set)
  }

  // Promise: text with NUL, numbers and dates that a server cannot hold → refused by object and property
  // before anything is sent.
  @Test("What no column holds is refused by the name of its property, before anything is sent")
  func unstorable() throws {
    var changes = Changes(store)
    let key = try changes.insert("Employee", ["name": "a\0b"])
    let before = store.waitCount
    #expect(
      throws: StoreError.refused(
        entity: "Employee", key: key,
        detail: "its “name” has a NUL character, which no text of PostgreSQL has")
    ) { try changes.save() }
    var wide = Changes(store)
    let task = try wide.insert("Task", ["estimate": .integer(1 << 40)])
    #expect(
      throws: StoreError.refused(
        entity: "Task", key: task,
        detail: "its “estimate” is a number that its column has no room for")
    ) { try wide.save() }
    #expect(store.waitCount <= before + 1)
    var none = Changes(store)
    let company = try none.insert("Company", [:])
    #expect(throws: StoreError.missingValue(entity: "Company", property: "name", key: company)) {
      try none.save()
    }
    var nowhere = Changes(store)
    try nowhere.insert("Employee", ["company": .key(4_711)])
    let error = #expect(throws: StoreError.self) { try nowhere.save() }
    guard case .brokenReference(let name, _, _, _) = error else {
      Issue.record("\(error.debugDescription)")
      return
    }
    #expect(name == "Employee")
  }

  @Test(
    "A connection that is cut between saves is replaced, and one in the middle of a save is asked about"
  )
  func lostConnection() throws {
    var changes = Changes(store)
    try changes.insert("Employee", ["name": "Ann"])
    try changes.save()
    try server.psql(
      database,
      "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '\(database)' "
        + "AND pid <> pg_backend_pid()")
    var more = Changes(store)
    try more.insert("Employee", ["name": "Bob"])
    try more.save()
    // The server ends the connection that inserts Eve, once, after the record of the save was written.
    try psql(
      """
      CREATE TABLE cut (done boolean);
      CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_terminate_backend(pg_backend_pid()) WHERE nextval('cuts') = 1; RETURN NEW; END $$;
      CREATE SEQUENCE cuts;
      CREATE TRIGGER cut BEFORE INSERT ON "Employee" FOR EACH ROW WHEN (NEW."name" = 'Eve')
        EXECUTE FUNCTION cut()
      """)
    var cut = Changes(store)
    try cut.insert("Employee", ["name": "Eve"])
    try cut.save()
    #expect(try psql(#"SELECT "name" FROM "Employee" ORDER BY 1"#) == "Ann\nBob\nEve")
    #expect(try psql("SELECT last_value FROM cuts") == "2")
  }

  @Test("Keys come from blocks, and two programs never get the same")
  func keys() throws {
    let other = try PostgreSQLStore(
      CompanySchema.schema, at: PostgreSQLAddress(server.address(of: database)), named: "company")
    let entity = try entity("Employee").index
    let waits = store.waitCount
    let mine = try (0..<900).map { _ in try store.makeKey(entity: entity) }
    #expect(store.waitCount == waits + 1)
    let theirs = try (0..<900).map { _ in try other.makeKey(entity: entity) }
    #expect(Set(mine + theirs).count == 1_800)
  }

  @Test("Lists, counts and sections are the server's, and large ones travel whole")
  func lists() throws {
    var changes = Changes(store)
    let company = try changes.insert("Company", ["name": "Acme"])
    var keys: [RowKey] = []
    for number in 0..<3_000 {
      keys.append(
        try changes.insert(
          "Employee",
          [
            "name": .text("E\(number)"),
            "age": number % 3 == 0 ? .null : .integer(Int64(number % 7)),
            "company": .key(company),
          ]))
    }
    try changes.save()
    var request = FetchRequest(entity: "Employee", sortDescriptors: [SortDescriptor(["age"])])
    let list = try store.answer(KeyListQuestion(request, groupBy: ["age"]))
    #expect(list.sections.map(\.value) == [.null] + (0..<7).map { .integer($0) })
    #expect(list.sections.map(\.count).reduce(0, +) == 3_000)
    #expect(try store.answer(SectionsQuestion(request, groupBy: ["age"])) == list.sections)
    #expect(Array(try store.answer(KeyListQuestion(request)).keys) == Array(list.keys))
    #expect(try store.count(request) == 3_000)
    let pages = try store.fetch(request)
    #expect(
      pages.flatMap { page in (0..<page.rowCount).map { page.key(ofRow: $0) } } == Array(list.keys))
    #expect(pages.allSatisfy { $0.rowCount <= RowPage.fullCount })
    (request.offset, request.limit) = (10, 5)
    #expect(try store.fetchKeys(request) == Array(list.keys)[10..<15].map { $0 })
    #expect(try store.rows(entity: try entity("Employee").index, keys: keys).count == 12)
  }
}
#endif
