#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreSQL
import DatastoreTestSupport
import Foundation
import Testing

@Suite("Reading from a server")
struct ReadingTests {
  let server: PostgreSQLServer
  let database: String
  let store: PostgreSQLStore

  init() throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
    store = try PostgreSQLStore(
      CompanySchema.schema, at: PostgreSQLAddress(server.address(of: database)), named: "company")
    var changes = Changes(store)
    for number in 0..<10 { try changes.insert("Employee", ["name": .text("E\(number)")]) }
    try changes.save()
  }

  @Test("A question, a request and a look-up wait once each")
  func waits() throws {
    let request = FetchRequest(entity: "Employee")
    let entity = try #require(store.schema.entity(named: "Employee"))
    let keys = try store.fetchKeys(request)
    func waits(_ body: () throws -> Void) rethrows -> Int {
      let before = store.waitCount
      try body()
      return store.waitCount - before
    }
    #expect(try waits { _ = try store.count(request) } == 1)
    #expect(try waits { _ = try store.fetch(request) } == 1)
    #expect(try waits { _ = try store.rows(entity: entity.index, keys: keys) } == 1)
    #expect(
      try waits {
        try store.readTransaction { transaction in
          _ = try transaction.answer(CountQuestion(request))
          _ = try transaction.answer(KeysQuestion(request))
        }
      } == 2)
  }

  @Test("All questions of a transaction are answered about one state")
  func oneState() throws {
    let request = FetchRequest(entity: "Employee")
    let counts = try store.readTransaction { transaction in
      let first = try transaction.answer(CountQuestion(request))
      try server.psql(database, #"DELETE FROM company."Employee" WHERE "name" < 'E5'"#)
      return [first, try transaction.answer(CountQuestion(request))]
    }
    #expect(counts == [10, 10])
    #expect(try store.count(request) == 5)
  }

  @Test("A task that is cancelled waits no longer, and its connection is used again")
  func cancelling() async throws {
    let other = try PostgreSQLConnection(PostgreSQLAddress(server.address(of: database)))
    _ = try other.run([
      // On a slow machine, this test waits for others of its process.
      PostgreSQLStatement("SET idle_in_transaction_session_timeout = 0"),
      PostgreSQLStatement("BEGIN"),
      PostgreSQLStatement(#"LOCK TABLE company."Employee" IN ACCESS EXCLUSIVE MODE"#),
    ])
    let store = store
    let reads = [
      Task { _ = try await store.fetch(FetchRequest(entity: "Employee")) },
      Task { _ = try await store.answer(KeyListQuestion(FetchRequest(entity: "Employee"))) },
    ]
    try await server.waitForLocks(2, in: database)
    for read in reads {
      read.cancel()
      await #expect(throws: CancellationError.self) { try await read.value }
    }
    _ = try other.run(PostgreSQLStatement("COMMIT"))
    let connections = try server.psql(
      database, "SELECT count(*) FROM pg_stat_activity WHERE datname = '\(database)'")
    #expect(try await store.fetch(FetchRequest(entity: "Employee")).first?.rowCount == 10)
    #expect(
      try server.psql(
        database, "SELECT count(*) FROM pg_stat_activity WHERE datname = '\(database)'")
        == connections)
  }

  @Test("A connection that the server has ended while nobody used it is replaced")
  func restarting() throws {
    let request = FetchRequest(entity: "Employee")
    #expect(try store.count(request) == 10)
    try server.psql(
      database,
      "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '\(database)' "
        + "AND pid <> pg_backend_pid()")
    #expect(try store.count(request) == 10)
    #expect(try store.fetch(request).first?.rowCount == 10)
  }
}
#endif
