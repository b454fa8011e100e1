#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport
import Foundation
import Testing

/// Tables whose rows are spread over several servers.
@Suite("Rows spread over servers")
struct ShardedServersTests {
  @Test(arguments: [2, 3])
  func rowsAreSavedAndReadWhereverTheyAre(count: Int) throws {
    try SpreadStore(count).savesAndReads()
  }

  @Test(arguments: [2, 3])
  func whoHasChangedARowAtItsShardIsTold(count: Int) throws {
    try SpreadStore(count).tellsConflicts()
  }

  @Test("A save that one of the servers forgets at its end is told as one of unknown outcome")
  func forgetting() throws {
    try SpreadStore(2).tellsWhatMayBeKept()
  }

  @Test func aShardThatIsDownIsNamedAndRowsOfOthersAreRead() throws {
    try SpreadStore(2).readsWithoutAShard()
  }
}

/// A store whose employees are spread over servers, and its expected content.
private struct SpreadStore {
  let servers: ShardedServers
  let database: (name: String, shardNames: [String])
  let store: PostgreSQLStore

  init(_ count: Int) throws {
    servers = try ShardedServers(shardCount: count)
    database = try servers.makeDatabase()
    let address = try PostgreSQLAddress(servers.coordinator.address(of: database.name))
    try PostgreSQLStore(CompanySchema.schema, at: address, named: "company").close()
    try servers.distribute("Employee", of: "company", in: database)
    store = try PostgreSQLStore(CompanySchema.schema, at: address, named: "company")
  }

  /// The content of a shard, as psql finds it there.
  private func shard(_ number: Int, _ sql: String) throws -> String {
    try servers.shards[number].psql(
      database.shardNames[number], "SET search_path = company; \(sql)")
  }

  func savesAndReads() throws {
    var changes = Changes(store)
    let acme = try changes.insert("Company", ["name": "Acme"])
    let keys = try (0..<100).map {
      try changes.insert(
        "Employee",
        ["name": .text("E\($0)"), "age": .integer(Int64($0 % 7)), "company": .key(acme)])
    }
    let tag = try changes.insert("Tag", ["label": "red"])
    try changes.link("Employee", "tags", keys[3], tag)
    try changes.save()
    let counts = try servers.shards.indices.map {
      Int(try shard($0, #"SELECT count(*) FROM "Employee""#)) ?? 0
    }
    #expect(counts.reduce(0, +) == 100 && !counts.contains(0))
    #expect(try store.related("Company", "employees", acme).count == 100)
    #expect(try store.related("Employee", "tags", keys[3]) == [tag])

    var more = Changes(store)
    for key in keys.prefix(50) { try more.delete("Employee", key) }
    for key in keys.suffix(50) {
      try more.update("Employee", key, from: [:], to: ["age": .integer(40)])
    }
    let before = store.waitCount
    try more.save()
    #expect(store.waitCount == before + 1)
    let sums = try servers.shards.indices.map {
      Int(try shard($0, #"SELECT sum("age") FROM "Employee""#)) ?? 0
    }
    #expect(sums.reduce(0, +) == 2_000)
    let list = try store.answer(
      KeyListQuestion(
        FetchRequest(entity: "Employee", sortDescriptors: [SortDescriptor(["name"])]),
        groupBy: ["age"]))
    #expect(list.sections.map(\.count) == [50])
  }

  func tellsConflicts() throws {
    var changes = Changes(store)
    let keys = try (0..<4).map {
      try changes.insert("Employee", ["name": .text("E\($0)"), "age": 1])
    }
    try changes.save()
    var edit = Changes(store)
    for key in keys { try edit.update("Employee", key, from: [:], to: ["age": 2]) }
    for number in servers.shards.indices {
      _ = try shard(number, #"UPDATE "Employee" SET "age" = 9"#)
    }
    let error = #expect(throws: ConflictError.self) { try edit.save() }
    #expect(error?.conflicts.map(\.key) == keys)
    #expect(error?.conflicts.flatMap(\.properties).allSatisfy { $0.theirs == 9 } == true)
  }

  /// Makes a shard end the connection when it has to commit an insertion or update, so many times.
  private func breakCommits(of number: Int, times: Int) throws {
    _ = try shard(
      number,
      """
      CREATE SEQUENCE IF NOT EXISTS breaks;
      SELECT setval('breaks', 1, false);
      CREATE OR REPLACE FUNCTION break() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_terminate_backend(pg_backend_pid()) WHERE nextval('company.breaks') <= \(times);
        RETURN NULL; END $$;
      DROP TRIGGER IF EXISTS break ON "Employee";
      CREATE CONSTRAINT TRIGGER break AFTER INSERT OR UPDATE OR DELETE ON "Employee"
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION break()
      """)
  }

  func tellsWhatMayBeKept() throws {
    var changes = Changes(store)
    for number in 0..<20 { try changes.insert("Employee", ["name": .text("E\(number)")]) }
    try breakCommits(of: 1, times: 1)
    let error = #expect(throws: StoreError.self) { try changes.save() }
    guard case .outcomeUnknown(let server) = error else {
      Issue.record("\(error.debugDescription)")
      return
    }
    #expect(server.contains("a server behind"))
  }

  func readsWithoutAShard() throws {
    var changes = Changes(store)
    let keys = try (0..<20).map { try changes.insert("Employee", ["name": .text("E\($0)")]) }
    try changes.save()
    try servers.shards[1].stop()
    #expect(throws: StoreError.self) { try store.names("Employee") }
    do {
      _ = try store.names("Employee")
    } catch {
      let sentence = "\(error)"
      #expect(sentence.contains("shard1") && sentence.contains("a server behind"), "\(sentence)")
    }
    let read = keys.filter { (try? store.row("Employee", $0)) != nil }
    #expect(!read.isEmpty && read.count < keys.count)
    var edit = Changes(store)
    try edit.insert("Company", ["name": "Acme"])
    for _ in 0..<20 { try edit.insert("Employee", ["name": "late"]) }
    let error = #expect(throws: StoreError.self) { try edit.save() }
    guard case .connectionLost = error else {
      Issue.record("\(error.debugDescription)")
      return
    }
    #expect(
      try servers.coordinator.psql(database.name, #"SELECT count(*) FROM company."Company""#) == "0"
    )
    #expect(try shard(0, #"SELECT count(*) FROM "Employee" WHERE "name" = 'late'"#) == "0")
  }
}
#endif
