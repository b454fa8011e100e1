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
    // In a transaction of its own: references are checked when a transaction ends, and until then the table
    // cannot be changed.
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
    let orders: [(path: [String]?, group: [String]?)] = [
      (nil, nil), (["name"], ["age"]),
    ]
    for order in orders {
      let long = try list(order.path, group: order.group)
      #expect(long.keys.count == 6_000, "\(order)")
      #expect(long.keys.unreadCount == 6_000 - 51, "\(order)")
    }
    #expect(try list(["salary"]).keys.isRead)
    // An index has it in few parts, each of which would be sorted for a window.
    #expect(try list(["salary"], group: ["age"]).keys.isRead)
  }

  @Test("The index of a property that is never missing has the order of its lists")
  func indexOfRequired() throws {
    let attribute = AttributeDescription(
      name: "plate", type: .string, isOptional: false, isIndexed: true)
    let schema = try Schema([EntityDescription(name: "Car", properties: [.attribute(attribute)])])
    let store = try PostgreSQLStore(
      schema, at: PostgreSQLAddress(server.address(of: database)), named: "cars")
    try server.psql(
      database,
      """
      INSERT INTO cars."Car" ("_id", "plate") SELECT i, md5(i::text) FROM generate_series(1, 6000) i;
      ANALYZE cars."Car";
      """)
    let request = FetchRequest(entity: "Car", sortDescriptors: [SortDescriptor(["plate"])])
    let order = KeysetOrder(request.sortDescriptors, of: try #require(schema.entities.first))
    let long = try store.answer(
      LongListQuestion(KeyListQuestion(request, groupBy: nil), in: order, mostKeys: 50))
    #expect(long.keys.count == 6_000)
    #expect(!long.keys.isRead)
  }

  @Test("A window far away in an order with missing values is found by the index")
  func indexes() throws {
    let request = FetchRequest(entity: "Employee")
    let order = try #require(KeysetOrder([SortDescriptor(["age"])], of: entity))
    let whole = try store.answer(
      KeysQuestion(FetchRequest(entity: "Employee", sortDescriptors: [SortDescriptor(["age"])])))
    for place in [0, 200, 3_000, 5_900] {
      let window = KeyWindowQuestion(request, in: order, after: whole[place], count: 99)
      #expect(try store.answer(window) == Array(whole[(place + 1)..<(place + 100)]))
    }
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
