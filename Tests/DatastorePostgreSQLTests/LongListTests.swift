#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport
import Foundation
import Testing

/// Lists that are read in windows, against the same lists read as a whole.
@Suite("Lists longer than memory, in a server")
struct LongListTests {
  let server: PostgreSQLServer
  let database: String
  let store: PostgreSQLStore
  let entity: Entity

  init() throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
    store = try PostgreSQLStore(
      CompanySchema.schema, at: PostgreSQLAddress(server.address(of: database)), named: "company")
    entity = try #require(store.schema.entity(named: "Employee"))
    try server.psql(
      database,
      """
      INSERT INTO company."Company" ("_id", "name") SELECT i, 'C' || i FROM generate_series(1, 7) i;
      INSERT INTO company."Employee" ("_id", "name", "age", "salary", "company")
      SELECT i * 3, CASE WHEN i % 5 > 0 THEN 'n' || (i * 31) % 400 END, nullif(i % 20, 7),
        (i * 7919) % 1000, nullif(i % 8, 0) FROM generate_series(1, 6000) i
      """)
    // By itself: references are looked at when a transaction ends, and keep a table from being changed until then.
    try server.psql(
      database,
      """
      CREATE INDEX ON company."Employee" ("age" NULLS FIRST, "name" NULLS FIRST, "_id");
      ANALYZE company."Employee";
      """)
  }

  @Test("Windows before and after any row have what the whole list has there")
  func windows() throws {
    let paths = [["name"], ["age"], ["salary"], ["company"], []]
    for round in RandomCases.rounds(of: 200) {
      var agreement = WindowAgreement(store, seed: RandomCases.seed(round))
      let descriptors = (0..<agreement.random.below(4)).map { _ in
        SortDescriptor(
          paths[agreement.random.below(paths.count)],
          ascending: Bool.random(using: &agreement.random))
      }
      let request = FetchRequest(entity: "Employee", sortDescriptors: descriptors)
      let group = Bool.random(using: &agreement.random) ? paths[agreement.random.below(4)] : nil
      let fault = try agreement.fault(of: request, groupBy: group, windows: 20)
      #expect(fault == nil)
    }
  }

  private func list(_ path: [String]?, group: [String]? = nil) throws -> KeyList {
    let order = path.map { [SortDescriptor($0)] } ?? []
    let request = FetchRequest(entity: "Employee", sortDescriptors: order)
    let keyset = KeysetOrder(
      (group.map { [SortDescriptor($0)] } ?? []) + order, of: entity)
    return try store.answer(
      LongListQuestion(KeyListQuestion(request, groupBy: group), in: keyset, mostKeys: 50))
  }

  @Test("A long list in an order that an index has is counted; any other is read as a whole")
  func limits() throws {
    let long = try list(nil)
    #expect(long.keys.count == 6_000)
    #expect(long.keys.unreadCount == 6_000 - 51)
    #expect(try list(["salary"]).keys.isRead)
  }

  @Test("A long list in key order waits five times, each window once")
  func waits() throws {
    func waits(_ body: () throws -> Void) rethrows -> Int {
      let before = store.waitCount
      try body()
      return store.waitCount - before
    }
    _ = try list(nil)
    // The beginning, the plan, the number, and the two ends.
    #expect(try waits { _ = try list(nil) } == 5)
    let request = FetchRequest(entity: "Employee")
    let order = try #require(KeysetOrder([], of: entity))
    #expect(
      try waits {
        _ = try store.answer(KeyWindowQuestion(request, in: order, after: 300, count: 100))
      } == 1)
  }
}
#endif
