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

  @Test("A save that the server ends because others hold its rows is made again")
  func deadlock() async throws {
    let server = try PostgreSQLServer.shared()
    let database = try server.makeDatabase()
    let store = try store(server, database)
    var changes = Changes(store)
    let ann = try changes.insert("Employee", ["name": "Ann", "age": 0])
    let company = try changes.insert("Company", ["name": "Acme"])
    try changes.save()
    let other = try PostgreSQLConnection(PostgreSQLAddress(server.address(of: database)))
    // The save writes the company first, then the employee; the other one the other way round.
    _ = try other.run([
      PostgreSQLStatement("BEGIN"), PostgreSQLStatement("SET LOCAL deadlock_timeout = '1h'"),
      PostgreSQLStatement(#"UPDATE company."Employee" SET "salary" = 1"#),
    ])
    var save = Changes(store)
    try save.update("Company", company, from: [:], to: ["name": "Apex"])
    try save.update("Employee", ann, from: [:], to: ["age": 1])
    let prepared = save
    async let outcome: Void = BlockingWork.run { _ = try prepared.save() }
    let waits =
      "SELECT count(*) FROM pg_stat_activity WHERE datname = '\(database)' AND wait_event_type = 'Lock'"
    while try server.psql(database, waits) == "0" { await Task.yield() }
    _ = try other.run([
      PostgreSQLStatement(#"UPDATE company."Company" SET "name" = "name""#),
      PostgreSQLStatement("COMMIT"),
    ])
    try await outcome
    #expect(
      try server.psql(
        database,
        #"SELECT "age", "salary", c."name" FROM company."Employee", company."Company" AS c"#)
        == "1|1|Apex")
  }
}
#endif
