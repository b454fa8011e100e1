#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport
import Foundation
import Testing

@Suite("Several programs that save at once")
struct ConcurrentSavingTests {
  private func store(_ server: PostgreSQLServer, _ database: String) throws -> PostgreSQLStore {
    try PostgreSQLStore(
      CompanySchema.schema, at: PostgreSQLAddress(server.address(of: database)), named: "company")
  }

  @Test("Counters that many raise at once lose nothing: who comes second is told")
  func counters() async throws {
    let server = try PostgreSQLServer.shared()
    let database = try server.makeDatabase()
    let first = try store(server, database)
    var changes = Changes(first)
    let keys = try (0..<4).map {
      try changes.insert("Employee", ["name": .text("E\($0)"), "age": 0])
    }
    try changes.save()
    let saved = try await withThrowingTaskGroup(of: Int.self) { group in
      for writer in 0..<6 {
        let store = try store(server, database)
        group.addTask {
          try await BlockingWork.run {
            var count = 0
            for round in 0..<20 {
              // Two rows in an order that differs, which would lock each other out without a common order.
              let pair = [keys[(writer + round) % 4], keys[(writer + round + 1) % 4]]
              var changes = Changes(store)
              for key in writer.isMultiple(of: 2) ? pair : pair.reversed() {
                let row = try store.row("Employee", key)
                guard case .integer(let age)? = row?["age"] else { return -1 }
                try changes.update(
                  "Employee", key, from: ["age": .integer(age)], to: ["age": .integer(age + 1)])
              }
              do {
                try changes.save()
                count += 1
              } catch is ConflictError {}
            }
            return count
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(saved > 0)
    let sum = try server.psql(database, #"SELECT sum("age") FROM company."Employee""#)
    #expect(sum == "\(2 * saved)")
  }

  /// The server detects a real deadlock after a transaction has waited for a second, which is a question of
  /// time.
  @Test(
    "A save that the server ends for a deadlock, or for what others have read, is made again",
    arguments: ["40P01", "40001"])
  func retry(code: String) async throws {
    let server = try PostgreSQLServer.shared()
    let database = try server.makeDatabase()
    let store = try store(server, database)
    var changes = Changes(store)
    let ann = try changes.insert("Employee", ["name": "Ann", "age": 0])
    let company = try changes.insert("Company", ["name": "Acme"])
    try changes.save()
    // A sequence continues after a rollback.
    _ = try server.psql(
      database,
      """
      CREATE SEQUENCE company.tries;
      CREATE FUNCTION company.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('company.tries') < 3 THEN RAISE EXCEPTION 'as if' USING ERRCODE = '\(code)'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON company."Employee"
        FOR EACH ROW EXECUTE FUNCTION company.refuse();
      """)
    var save = Changes(store)
    try save.update("Company", company, from: [:], to: ["name": "Apex"])
    try save.update("Employee", ann, from: [:], to: ["age": 1])
    try save.save()
    let row = try server.psql(
      database,
      #"SELECT "age", c."name", (SELECT last_value FROM company.tries) FROM company."Employee", company."Company" AS c"#
    )
    #expect(row == "1|Apex|3")
  }
}
#endif
