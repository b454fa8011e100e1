#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreSQL
import DatastoreTestSupport
import Foundation
import Testing

/// Conditions that memory decides: every question has the same answer as with a condition that the server
/// decides.
@Suite("Conditions that the server cannot decide")
struct ResidualTests {
  typealias Condition = DatastoreCore.Predicate

  /// Names that end in 7, in two ways.
  private static let decided = Condition.comparison(
    .init(.keyPath(["name"]), .endsWith, .value("7")))
  private static let undecided = Condition.comparison(
    .init(.keyPath(["name"]), .matches, .value("N\\d*7")))

  private let server: PostgreSQLServer
  private let store: PostgreSQLStore
  private let database: String

  init() throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
    try server.psql(
      database,
      """
      CREATE TABLE owner (id int PRIMARY KEY, name text);
      CREATE TABLE thing (id int8 PRIMARY KEY, name text, size int8, owner int REFERENCES owner);
      CREATE TABLE part (region text, number int, name text, size int8, PRIMARY KEY (region, number));
      INSERT INTO owner SELECT n, 'N' || n FROM generate_series(1, 50) n;
      INSERT INTO thing SELECT n, 'N' || n, n % 40, 1 + n % 50 FROM generate_series(1, 5000) n;
      INSERT INTO part SELECT CASE n % 2 WHEN 0 THEN 'E"U' ELSE 'U{S' END, n, 'N' || n, n % 40
        FROM generate_series(1, 3000) n
      """)
    store = try PostgreSQLStore(showing: PostgreSQLAddress(server.address(of: database)))
  }

  private func requests(_ entity: String) -> [(FetchRequest, FetchRequest)] {
    let orders = [[], [SortDescriptor(["size"], ascending: false), SortDescriptor(["name"])]]
    return orders.flatMap { order in
      [(0, 0), (3, 0), (0, 5), (20, 30), (1_000, 2)].map { offset, limit in
        func request(_ condition: Condition) -> FetchRequest {
          FetchRequest(
            entity: entity, predicate: condition, sortDescriptors: order, offset: offset,
            limit: limit)
        }
        return (request(Self.undecided), request(Self.decided))
      }
    }
  }

  @Test("Every question about such rows", arguments: ["thing", "part"])
  func questions(entity: String) throws {
    for (asked, known) in requests(entity) {
      #expect(try store.fetchKeys(asked) == store.fetchKeys(known), "\(asked)")
      #expect(try store.count(asked) == store.count(known), "\(asked)")
      #expect(try store.values(asked, "name") == store.values(known, "name"), "\(asked)")
      let (list, other) = (
        try store.answer(KeyListQuestion(asked, groupBy: ["size"])),
        try store.answer(KeyListQuestion(known, groupBy: ["size"]))
      )
      #expect(Array(list.keys) == Array(other.keys), "\(asked)")
      #expect(list.sections == other.sections, "\(asked)")
      #expect(
        try store.answer(SectionsQuestion(asked, groupBy: ["size"]))
          == store.answer(SectionsQuestion(known, groupBy: ["size"])), "\(asked)")
      #expect(
        try store.answer(ValuesQuestion(of: [["name"], ["size"]], in: asked))
          == store.answer(ValuesQuestion(of: [["name"], ["size"]], in: known)), "\(asked)")
    }
  }

  @Test("A part that the server decides narrows down what is read")
  func narrowing() throws {
    let narrow = Condition.comparison(.init(.keyPath(["size"]), .equal, .value(7)))
    let both = FetchRequest(entity: "thing", predicate: .and([Self.undecided, narrow]))
    let before = store.waitCount
    #expect(try store.count(both) == 125)
    // The keys of 125 rows, these rows, and their number.
    #expect(store.waitCount == before + 3)
    // A negation does not invert the part that memory decides.
    let not = FetchRequest(entity: "thing", predicate: .and([.not(Self.undecided), narrow]))
    #expect(try store.count(not) == 0)
    let others = FetchRequest(entity: "thing", predicate: .not(.or([Self.undecided, narrow])))
    #expect(try store.count(others) == 4_500)
  }

  @Test("Paths are followed, words found, and numbers computed that the server has no room for")
  func others() throws {
    func count(_ format: String) throws -> Int {
      let entity = try #require(store.schema.entity(named: "thing"))
      return try store.count(
        FetchRequest(
          entity: "thing", predicate: Condition.parse(format, entity: entity, in: store.schema)))
    }
    #expect(try count(#"owner.name MATCHES "N[12]""#) == 200)
    #expect(try count(#"name SEARCH "n17""#) == 1)
    #expect(try count("size + 9223372036854775807 > 9.3e18") == 0)
    #expect(try count("size + 9223372036854775807 > 9.2e18") == 5_000)
    #expect(try count("size * 9223372036854775807 > 9.3e18 AND id < 100") == 94)
    let owner = try #require(store.schema.entity(named: "owner"))
    let things = try #require(owner.properties.first { $0.relationship?.kind.isToMany ?? false })
    let many = FetchRequest(
      entity: "owner",
      predicate: .comparison(
        .init(.keyPath([things.name, "name"]), .matches, .value("N50[01]"), quantifier: .any)))
    #expect(try store.count(many) == 2)
  }

  @Test("A question is answered about one state, and a text that is too much is told")
  func oneState() throws {
    let request = FetchRequest(entity: "thing", predicate: Self.undecided)
    let counts = try store.readTransaction { transaction in
      let first = try transaction.answer(CountQuestion(request))
      try server.psql(database, "DELETE FROM thing")
      return [first, try transaction.answer(CountQuestion(request))]
    }
    #expect(counts == [500, 500])
    #expect(try store.count(request) == 0)
    try server.psql(
      database, "INSERT INTO thing VALUES (1, '\(String(repeating: "a", count: 60))b', 1, NULL)")
    let error = #expect(throws: StoreError.self) {
      try store.count(
        FetchRequest(
          entity: "thing",
          predicate: .comparison(.init(.keyPath(["name"]), .matches, .value("(a+)+c")))))
    }
    #expect(error?.description.contains("was given up") == true)
  }
}
#endif
