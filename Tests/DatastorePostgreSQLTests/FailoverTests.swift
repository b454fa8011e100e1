#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport
import Foundation
import Testing

@Suite("Servers that go and come back")
struct FailoverTests {
  private func insert(_ name: String, _ store: PostgreSQLStore) throws -> Changes {
    var changes = Changes(store)
    try changes.insert("Company", ["name": .text(name)])
    return changes
  }

  @Test("What is staged when the server is started again is saved once, also after a crash")
  func restart() throws {
    let server = try PostgreSQLServer()
    let store = try PostgreSQLStore(
      CompanySchema.schema, at: PostgreSQLAddress(server.address(of: "postgres")), named: "company")
    try insert("A", store).save()
    let staged = try insert("B", store)
    try server.restart()
    #expect(try store.names("Company") == ["A"])
    try staged.save()
    let more = try insert("C", store)
    try server.crash()
    let error = #expect(throws: StoreError.self) { try store.names("Company") }
    #expect(error?.description.contains("cannot be reached") == true, "\(error.debugDescription)")
    try server.start()
    try more.save()
    #expect(try store.names("Company") == ["A", "B", "C"])
    #expect(
      try server.psql("postgres", #"SELECT count(*) FROM company."_datastore_changes""#) == "3")
  }

  @Test(
    "When a standby takes the place of the server that is written to, stores find it by themselves")
  func failover() async throws {
    let primary = try PostgreSQLServer()
    let standby = try PostgreSQLServer(standbyOf: primary)
    // A committed row is on both.
    try primary.psql(
      "postgres", "ALTER SYSTEM SET synchronous_standby_names = '*'")
    try primary.psql(
      "postgres", "ALTER SYSTEM SET synchronous_commit = remote_apply")
    try primary.psql("postgres", "SELECT pg_reload_conf()")
    let hosts = "host=\(primary.directory),\(standby.directory)&user=postgres"
    let store = try PostgreSQLStore(
      CompanySchema.schema,
      at: PostgreSQLAddress("postgresql:///postgres?\(hosts)&target_session_attrs=read-write"),
      named: "company")
    try insert("A", store).save()
    // A standby can be read, and explains why it does not save.
    let replica = try PostgreSQLStore(
      CompanySchema.schema,
      at: PostgreSQLAddress("postgresql:///postgres?\(hosts)&target_session_attrs=prefer-standby"),
      named: "company", isReadOnly: true)
    #expect(replica.server.host == standby.directory)
    #expect(try replica.names("Company") == ["A"])
    #expect(!replica.capabilities.contains(.notifications))
    let writing = try PostgreSQLStore(
      CompanySchema.schema, at: PostgreSQLAddress(standby.address(of: "postgres")), named: "company"
    )
    let refused = Changes(writing, [try #require(writing.schema.entity(named: "Company")).index])
    #expect(throws: StoreError.serverReadOnly(server: "postgresql:///postgres")) {
      try refused.save()
    }
    // The first one crashes while a save is staged; no server accepts writes until the second one is
    // promoted.
    let staged = try insert("B", store)
    try primary.crash()
    let isInCharge = Lock(false)
    let save = Task {
      do {
        try await BlockingWork.run { _ = try staged.save() }
        return true
      } catch StoreError.unreachable {
        #expect(!isInCharge.withLock { $0 }, "a save finds who is in charge")
        return false
      }
    }
    try standby.promote()
    isInCharge.withLock { $0 = true }
    // On a busy machine the standby may take longer than a save waits.
    if try await !save.value { try staged.save() }
    #expect(try store.names("Company") == ["A", "B"])
    #expect(try standby.psql("postgres", #"SELECT count(*) FROM company."Company""#) == "2")
    try insert("C", store).save()
    #expect(try replica.names("Company") == ["A", "B", "C"])
  }
}

extension Changes {
  /// A new row of each entity, with keys that are not asked for.
  fileprivate init(_ store: any ObjectStore, _ entities: [EntityIndex]) {
    self.init(store)
    for entity in entities {
      var changes = EntityChanges(entity: entity)
      changes.inserted = [Changes.page(store.schema.entities[entity], 1_000_000, ["name": "Z"])]
      set.entities.append(changes)
    }
  }
}
#endif
