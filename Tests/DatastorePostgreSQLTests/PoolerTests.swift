#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport
import Foundation
import Testing

// Promise: a pooler lends sessions for a transaction at a time → settings with each transaction, no kept
// plans, no `LISTEN`; schemas of several stores do not mix.
/// Through a pooler that lends two sessions to all clients, for a transaction at a time.
@Suite("Through a pooler", .enabled(if: Pooler.isInstalled, "needs the package pgbouncer"))
struct PoolerTests {
  /// A pooler that refuses settings, and one that ignores them silently.
  static let settings: [[String]] = [[], ["ignore_startup_parameters = options"]]

  @Test("Stores of several schemas share the sessions, and each finds its own", arguments: settings)
  func sharing(settings: [String]) async throws {
    let server = try PostgreSQLServer.shared()
    let database = try server.makeDatabase()
    let pooler = try Pooler(to: server, settings: settings)
    let stores = try (0..<3).map {
      try PostgreSQLStore(
        CompanySchema.schema, at: PostgreSQLAddress(pooler.address(of: database)), named: "s\($0)")
    }
    for store in stores {
      #expect(
        store.capabilities == ServerCapabilities.all.subtracting([.ownSession, .notifications]))
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, store) in stores.enumerated() {
        for _ in 0..<2 {
          group.addTask {
            try await BlockingWork.run {
              for round in 0..<15 {
                var changes = Changes(store)
                let company = try changes.insert("Company", ["name": .text("C\(number)")])
                let employee = try changes.insert(
                  "Employee", ["name": .text("E\(number)"), "company": .key(company)])
                try changes.save()
                var edit = Changes(store)
                try edit.update(
                  "Employee", employee, from: [:], to: ["age": .integer(Int64(round))])
                try edit.save()
                let names = try store.names(
                  "Employee",
                  .comparison(.init(.keyPath(["company", "name"]), .beginsWith, .value("C"))))
                guard names.allSatisfy({ $0 == "E\(number)" }) else {
                  Issue.record("\(names)")
                  return
                }
                _ = try store.readTransaction { transaction in
                  try transaction.answer(KeysQuestion(FetchRequest(entity: "Company")))
                }
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let counts = try server.psql(
      database,
      (0..<3).map { #"SELECT count(*), sum("age") FROM s\#($0)."Employee""# }
        .joined(separator: " UNION ALL "))
    #expect(counts == "30|210\n30|210\n30|210")
  }

  @Test("A conflict is found, and a task that is cancelled waits no longer")
  func conflictAndCancelling() async throws {
    let server = try PostgreSQLServer.shared()
    let database = try server.makeDatabase()
    let pooler = try Pooler(to: server)
    let address = try PostgreSQLAddress(pooler.address(of: database))
    let store = try PostgreSQLStore(CompanySchema.schema, at: address, named: "company")
    var changes = Changes(store)
    let ann = try changes.insert("Employee", ["name": "Ann", "age": 5])
    try changes.save()
    var edit = Changes(store)
    try edit.update("Employee", ann, from: ["age": 4], to: ["age": 6])
    #expect(throws: ConflictError.self) { try edit.save() }
    let other = try PostgreSQLConnection(PostgreSQLAddress(server.address(of: database)))
    _ = try other.run([
      PostgreSQLStatement("BEGIN"),
      PostgreSQLStatement(#"LOCK TABLE company."Employee" IN ACCESS EXCLUSIVE MODE"#),
    ])
    let read = Task { _ = try await store.fetch(FetchRequest(entity: "Employee")) }
    try await server.waitForLocks(in: database)
    read.cancel()
    await #expect(throws: CancellationError.self) { try await read.value }
    _ = try other.run(PostgreSQLStatement("COMMIT"))
    #expect(try store.names("Employee") == ["Ann"])
    // A third-party database, too.
    let shown = try PostgreSQLStore(showing: address)
    #expect(shown.schema.entities.contains { $0.name.hasSuffix("Employee") })
  }

  @Test("The word of an address that says so is not libpq's")
  func word() throws {
    for text in [
      "postgresql:///db?pooled=yes&host=/tmp", "postgresql:///db?host=/tmp&pooled=yes",
      "host=/tmp pooled=yes dbname=db",
    ] {
      let address = try PostgreSQLAddress(text)
      #expect(address.isPooled)
      #expect(!address.text.contains("pooled"))
    }
    #expect(try !PostgreSQLAddress("postgresql:///db?host=/tmp").isPooled)
    #expect(throws: StoreError.self) { try PostgreSQLAddress("postgresql:///db?pooled=maybe") }
  }
}
#endif
