#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport
import Foundation
import Testing

// Promise: another program writes to tables that are not ours → noticed by the server's snapshot and
// counters; those who use this library tell each other the keys.
/// Tables of other programs have no log: the server's snapshot and its counters show that someone has
/// written.
@Suite("Someone else's transactions")
struct ForeignTransactionTests {
  /// On a server of its own: a look sees the transactions of all databases of a server.
  let server: PostgreSQLServer
  let store: PostgreSQLStore

  init() throws {
    server = try PostgreSQLServer()
    try server.psql(
      "postgres", "CREATE TABLE t (id int PRIMARY KEY, n int); INSERT INTO t VALUES (1, 1)")
    store = try PostgreSQLStore(showing: PostgreSQLAddress(server.address(of: "postgres")))
  }

  /// Changes something, and has the server count it at once.
  private func change(_ sql: String) throws {
    let connection = try PostgreSQLConnection(PostgreSQLAddress(server.address(of: "postgres")))
    try connection.run(PostgreSQLStatement(sql))
    try connection.run(PostgreSQLStatement("SELECT pg_stat_force_next_flush()"))
    try connection.run(PostgreSQLStatement("SELECT 1"))
  }

  /// Writes as another browser does.
  private func write(_ sql: String, _ keys: MergedKeys, _ other: PostgreSQLStore) throws {
    let connection = try PostgreSQLConnection(PostgreSQLAddress(server.address(of: "postgres")))
    let results = try connection.run([
      PostgreSQLStatement("BEGIN"), other.record(of: keys, as: UUID()), PostgreSQLStatement(sql),
      PostgreSQLStatement("COMMIT"), other.notification(of: keys),
    ])
    other.recordOwn([results[1], results[4]])
  }

  @Test("Someone else's changes are noticed once, whatever they are")
  func changes() throws {
    // Earlier writes may be counted now.
    try change("SELECT 1")
    _ = try store.externalChanges()
    _ = try store.externalChanges()
    #expect(try store.externalChanges().isEmpty)
    for statement in [
      "UPDATE t SET n = 2", "INSERT INTO t VALUES (2, 2)", "DELETE FROM t WHERE id = 1",
      "TRUNCATE t",
    ] {
      try change(statement)
      #expect(try store.externalChanges().map(\.keys.isEverything) == [true], "\(statement)")
      #expect(try store.externalChanges().isEmpty)
    }
    // A transaction that writes nothing here.
    try change("SELECT pg_current_xact_id()")
    #expect(try store.externalChanges().isEmpty)
  }

  @Test("What another browser tells is known by its keys, and not looked for again")
  func notices() async throws {
    let other = try PostgreSQLStore(showing: PostgreSQLAddress(server.address(of: "postgres")))
    let (told, continuation) = AsyncStream.makeStream(of: Void.self)
    let listener = store.listen { continuation.yield() }
    var looks = told.makeAsyncIterator()
    await looks.next()
    _ = try store.externalChanges()
    let table = try #require(store.schema.entity(named: "t"))
    var keys = MergedKeys()
    keys.updated[table.index] = [1: SlotSet(table.slots)]
    try write("UPDATE t SET n = 3", keys, other)
    // A change may be reported more than once.
    var changes: [ExternalChange] = []
    while changes.isEmpty {
      await looks.next()
      changes = try store.externalChanges()
    }
    // A reader between the transaction and its notification only knows that something was written.
    if !changes.contains(where: \.keys.isEverything) {
      #expect(changes.map(\.keys.updated) == [keys.updated])
    }
    _ = try store.externalChanges()
    // More than the text of a notification holds.
    keys.deleted[table.index] = (0..<9_000).map { RowKey($0 * 1_000) }
    try write("UPDATE t SET n = 4", keys, other)
    changes = []
    while changes.isEmpty {
      await looks.next()
      changes = try store.externalChanges()
    }
    #expect(changes.map(\.keys.isEverything) == [true])
    withExtendedLifetime(listener) {}
  }

  @Test(
    "Who looks at the whole database hears of a native store in it, and that of what is changed there"
  )
  func storesInside() async throws {
    let address = try PostgreSQLAddress(server.address(of: "postgres"))
    let writer = try PostgreSQLStore(CompanySchema.schema, at: address, named: "company")
    let shown = try PostgreSQLStore(showing: address)
    let (told, continuation) = AsyncStream.makeStream(of: Bool.self)
    let listeners = (
      shown.listen { continuation.yield(false) }, writer.listen { continuation.yield(true) }
    )
    var looks = told.makeAsyncIterator()
    #expect(await Set([looks.next(), looks.next()]) == [true, false])
    _ = try (shown.externalChanges(), writer.externalChanges())
    var changes = Changes(writer)
    try changes.insert("Tag", ["label": "x"])
    try changes.save()
    #expect(await looks.next() == false)
    #expect(try shown.externalChanges().map(\.keys.isEverything) == [true])
    let tag = try #require(shown.schema.entities.first { $0.name.hasPrefix("Tag") })
    var keys = MergedKeys()
    keys.updated[tag.index] = [1: SlotSet(tag.slots)]
    try write(#"UPDATE company."Tag" SET label = 'y'"#, keys, shown)
    #expect(await looks.next() == true)
    #expect(try writer.externalChanges().map(\.keys.isEverything) == [true])
    withExtendedLifetime(listeners) {}
  }
}
#endif
