#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreSQL
import DatastoreTestSupport
import Foundation
import Testing

/// Writing without objects: the parts in which a server differs from a file. `BatchRuleTests` and
/// `UpsertTests` test the meaning for both engines from one source.
@Suite("Writing to a server without objects")
struct BatchTests {
  let server: PostgreSQLServer
  let database: String
  let store: PostgreSQLStore

  init() throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
    store = try PostgreSQLStore(
      CompanySchema.with(
        [:], rules: ["Company.employees": .cascade, "Employee.tasks": .cascade]),
      at: PostgreSQLAddress(server.address(of: database)), named: "company")
  }

  @discardableResult
  private func psql(_ sql: String) throws -> String {
    try server.psql(database, "SET search_path = company; \(sql)")
  }

  private func entity(_ name: String) throws -> Entity {
    try #require(store.schema.entity(named: name))
  }

  /// A company with some employees, of whom each has a task.
  private func fill(_ count: Int) throws -> (company: RowKey, employees: [RowKey]) {
    var changes = Changes(store)
    let company = try changes.insert("Company", ["name": "Acme"])
    let employees = try (0..<count).map { number in
      let employee = try changes.insert(
        "Employee",
        [
          "name": .text("E\(number)"), "age": .integer(Int64(number)), "company": .key(company),
        ])
      try changes.insert("Task", ["title": .text("T\(number)"), "owner": .key(employee)])
      return employee
    }
    try changes.save()
    return (company, employees)
  }

  private func older(than age: Int64) -> DatastoreCore.Predicate {
    .comparison(.init(.keyPath(["age"]), .greaterThan, .value(.integer(age))))
  }

  @Test("What was changed is told exactly: rows, and relationships that have gained or lost")
  func keys() throws {
    let (acme, employees) = try fill(10)
    var changes = Changes(store)
    let apex = try changes.insert("Company", ["name": "Apex"])
    try changes.save()
    let employee = try entity("Employee")
    let company = try entity("Company")
    let (age, name) = (
      try #require(employee.slot(named: "age")), try #require(employee.slot(named: "company"))
    )
    let members = try #require(company.slot(named: "employees"))
    let (changed, count) = try store.update(
      entity: employee.index, where: older(than: 6),
      assigning: [(age, .integer(50)), (name, .key(apex))], unless: nil)
    #expect(count == 3)
    #expect(
      changed.updated[employee.index]
        == Dictionary(
          uniqueKeysWithValues: employees.suffix(3).map { ($0, SlotSet([age, name])) }))
    #expect(
      changed.updated[company.index] == [acme: SlotSet([members]), apex: SlotSet([members])])
    #expect(changed.inserted.isEmpty && changed.deleted.isEmpty && !changed.isEverything)
    let deleted = try store.delete(
      entity: company.index,
      where: .comparison(.init(.keyPath(["name"]), .equal, .value("Apex"))), unless: nil)
    #expect(deleted.deleted[company.index] == [apex])
    #expect(Set(deleted.deleted[employee.index] ?? []) == Set(employees.suffix(3)))
    let task = try entity("Task").index
    #expect(deleted.deleted[task]?.count == 3)
    #expect(deleted.updated.values.allSatisfy { $0.isEmpty })
    #expect(
      try psql(
        #"SELECT (SELECT count(*) FROM "Employee"), (SELECT count(*) FROM "Task"), (SELECT count(*) FROM "Company")"#
      ) == "7|7|1")
  }

  @Test(
    "What fails because others write is made again from its beginning",
    arguments: ["40001", "40P01"])
  func retry(code: String) throws {
    _ = try fill(5)
    try psql(
      """
      CREATE SEQUENCE tries;
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('tries') < 3 THEN RAISE EXCEPTION 'as if' USING ERRCODE = '\(code)'; END IF;
        RETURN coalesce(NEW, OLD); END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON "Employee" FOR EACH STATEMENT EXECUTE FUNCTION refuse()
      """)
    let employee = try entity("Employee")
    let age = try #require(employee.slot(named: "age"))
    let (_, count) = try store.update(
      entity: employee.index, where: nil, assigning: [(age, .integer(1))], unless: nil)
    #expect(count == 5)
    #expect(
      try psql(#"SELECT sum("age"), (SELECT last_value FROM tries) FROM "Employee""#) == "5|3")
  }

  @Test("Who has changed a row since the transaction began is not overwritten unseen")
  func serialized() throws {
    let (_, employees) = try fill(3)
    // Once, from inside of the batch's own transaction, another session changes a row and commits.
    try psql(
      """
      CREATE EXTENSION dblink SCHEMA public;
      CREATE SEQUENCE tries;
      CREATE FUNCTION meddle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('company.tries') = 1 THEN
          PERFORM public.dblink_exec(
            'dbname=\(database) host=\(server.directory) user=postgres',
            'UPDATE company."Employee" SET "age" = 99 WHERE "_id" = \(employees[1].rawValue)');
        END IF;
        RETURN NULL; END $$;
      CREATE TRIGGER meddle BEFORE UPDATE ON "Employee" FOR EACH STATEMENT EXECUTE FUNCTION meddle()
      """)
    let employee = try entity("Employee")
    let name = try #require(employee.slot(named: "name"))
    let (changed, count) = try store.update(
      entity: employee.index, where: older(than: 0), assigning: [(name, "old")], unless: nil)
    #expect(count == 2 && changed.updated[employee.index]?.count == 2)
    #expect(
      try psql(#"SELECT "name", "age" FROM "Employee" ORDER BY "_id""#) == "E0|0\nold|99\nold|2")
  }

  @Test("A statement that waits for someone else's lock is given up when it is not wanted any more")
  func cancelled() throws {
    let (_, employees) = try fill(3)
    let other = try PostgreSQLConnection(PostgreSQLAddress(server.address(of: database)))
    _ = try other.run([
      PostgreSQLStatement("BEGIN"),
      PostgreSQLStatement(#"SELECT FROM company."Employee" FOR UPDATE"#),
    ])
    let employee = try entity("Employee")
    let name = try #require(employee.slot(named: "name"))
    let asked = Lock(0)
    #expect(throws: CancellationError.self) {
      try store.update(entity: employee.index, where: nil, assigning: [(name, "x")]) {
        asked.withLock { $0 += 1 }
        return (try? server.lockWaits(in: database)) == 1
      }
    }
    #expect(asked.withLock(\.self) > 1)
    _ = try other.run(PostgreSQLStatement("ROLLBACK"))
    #expect(try psql(#"SELECT count(*) FROM "Employee" WHERE "name" = 'x'"#) == "0")
    // The connection goes on.
    let (_, count) = try store.update(
      entity: employee.index, where: nil, assigning: [(name, "x")], unless: { false })
    #expect(count == employees.count)
  }

  @Test("A connection that is lost before the end loses nothing, and at the end it is asked")
  func lostConnection() throws {
    _ = try fill(4)
    try psql(
      """
      CREATE SEQUENCE cuts;
      CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_terminate_backend(pg_backend_pid()) WHERE nextval('cuts') = 1; RETURN NULL; END $$;
      CREATE TRIGGER cut BEFORE UPDATE ON "Employee" FOR EACH STATEMENT EXECUTE FUNCTION cut()
      """)
    let employee = try entity("Employee")
    let name = try #require(employee.slot(named: "name"))
    let (_, count) = try store.update(
      entity: employee.index, where: nil, assigning: [(name, "x")], unless: nil)
    #expect(count == 4)
    #expect(try psql(#"SELECT count(*) FROM "Employee" WHERE "name" = 'x'"#) == "4")
    // In the message with COMMIT: inserting the record of the transaction ends its connection, once before
    // the record is there and once without it.
    try psql(
      """
      DROP TRIGGER cut ON "Employee"; ALTER SEQUENCE cuts RESTART;
      CREATE TRIGGER cut BEFORE INSERT ON "_datastore_changes" FOR EACH STATEMENT EXECUTE FUNCTION cut()
      """)
    let (_, again) = try store.update(
      entity: employee.index, where: nil, assigning: [(name, "y")], unless: nil)
    #expect(again == 4)
    #expect(try psql(#"SELECT count(*) FROM "Employee" WHERE "name" = 'y'"#) == "4")
    // Rows that come from a program cannot be requested again: they are not written, and an error says so.
    try psql("ALTER SEQUENCE cuts RESTART")
    #expect(throws: StoreError.self) {
      try store.writeRows(entity: employee.index, key: nil) { rows in
        var left = 2
        try rows.insertAll { _, _ in
          left -= 1
          return left >= 0
        }
      }
    }
    #expect(try psql(#"SELECT count(*) FROM "Employee""#) == "4")
  }

  @Test("A row that the server refuses is named, with its property")
  func refusedRow() throws {
    let company = try entity("Company")
    let name = try #require(company.slot(named: "name"))
    let error = #expect(throws: StoreError.self) {
      try store.writeRows(entity: company.index, key: nil) { rows in
        var number = 0
        try rows.insertAll { page, row in
          number += 1
          if number != 400 { page.setValue(.text("C\(number)"), row: row, slot: name) }
          return number <= 1_000
        }
      }
    }
    // The first keys of a store are counted from 1.
    #expect(error == .missingValue(entity: "Company", property: "name", key: 400))
    #expect(try psql(#"SELECT count(*) FROM "Company""#) == "0")
  }

  @Test("New rows cost a wait for each portion, and their keys few")
  func waits() throws {
    let employee = try entity("Employee")
    let name = try #require(employee.slot(named: "name"))
    let before = store.waitCount
    let (changed, count) = try store.writeRows(entity: employee.index, key: nil) { rows in
      var number = 0
      try rows.insertAll { page, row in
        page.setValue(.text("E\(number)"), row: row, slot: name)
        number += 1
        return number <= 20_000
      }
    }
    #expect(count == 20_000 && changed.inserted[employee.index]?.count == 20_000)
    let waits = store.waitCount - before
    #expect(waits <= 14, "\(waits) waits")
    #expect(try psql(#"SELECT count(*), count(DISTINCT "_id") FROM "Employee""#) == "20000|20000")
  }

  @Test("SQL that writes: rows are counted, tables that change are told, and what is wrong is said")
  func executing() throws {
    _ = try fill(6)
    #expect(
      try store.execute(#"UPDATE "Employee" SET "age" = $1 WHERE "age" > $2"#, [7, 2], unless: nil)
        == SQLExecution(rows: 3, changesSchema: false))
    #expect(
      try store.execute(#"DELETE FROM "Task" WHERE "title" = $1"#, ["T0"], unless: nil)
        == SQLExecution(rows: 1, changesSchema: false))
    for sql in [
      "CREATE TABLE more (a int)", "DROP TABLE more", "CREATE TABLE more AS SELECT 1 AS b",
      "DO $$ BEGIN ALTER TABLE more ADD COLUMN c int; END $$",
    ] {
      #expect(try store.execute(sql, [], unless: nil).changesSchema, "\(sql)")
    }
    #expect(
      try store.execute("SELECT 1", [], unless: nil) == SQLExecution(rows: 0, changesSchema: false))
    // Its settings do not last.
    _ = try store.execute("SET search_path = public", [], unless: nil)
    #expect(try store.execute(#"UPDATE "Company" SET "name" = 'x'"#, [], unless: nil).rows == 1)
    let wrong = #expect(throws: SQLTextError.self) {
      try store.execute(#"UPDATE "Employee" SET "ägé" = 1, nothing"#, [], unless: nil)
    }
    #expect(wrong?.utf8Offset == #"UPDATE "Employee" SET "ägé" = 1, nothing"#.utf8.count)
    for sql in ["COMMIT", "BEGIN", "ROLLBACK", "SAVEPOINT a"] {
      let error = #expect(throws: SQLTextError.self) { try store.execute(sql, [], unless: nil) }
      #expect(error?.message.hasPrefix("Each statement is a transaction of its own") == true)
    }
    for sql in ["VACUUM", "COPY more FROM STDIN", "COPY more TO STDOUT", "SELECT 1; SELECT 2"] {
      #expect(throws: SQLTextError.self, "\(sql)") { try store.execute(sql, [], unless: nil) }
    }
    // Nor does reading wait for an answer that never comes.
    #expect(throws: SQLTextError.self) { try store.answer(SQLQuestion("COPY more TO STDOUT", [])) }
    #expect(throws: StoreError.self) {
      try store.execute(#"INSERT INTO "Company" ("_id") VALUES (1000000)"#, [], unless: nil)
    }
    #expect(throws: CancellationError.self) {
      try store.execute(#"UPDATE "Employee" SET "age" = 1"#, [], unless: { true })
    }
    #expect(try psql(#"SELECT sum("age") FROM "Employee""#) == "24")
  }

  @Test("A store that is only read is not written, and says so")
  func readOnly() throws {
    _ = try fill(1)
    let reading = try PostgreSQLStore(
      store.schema, at: PostgreSQLAddress(server.address(of: database)), named: "company",
      isReadOnly: true)
    let employee = try entity("Employee")
    let refusal = StoreError.serverReadOnly(server: "postgresql:///\(database)")
    #expect(throws: refusal) {
      try reading.delete(entity: employee.index, where: nil, unless: nil)
    }
    #expect(throws: refusal) { try reading.execute(#"DELETE FROM "Task""#, [], unless: nil) }
    #expect(throws: refusal) { try reading.writeRows(entity: employee.index, key: nil) { _ in } }
  }
}
#endif
