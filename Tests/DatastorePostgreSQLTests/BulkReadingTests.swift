#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreSQL
import DatastoreTestSupport
import Foundation
import Testing

@Suite("Reading in bulk from a server")
struct BulkReadingTests {
  let server: PostgreSQLServer
  let database: String

  init() throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
  }

  private static let types: [(String, AttributeType)] = [
    ("tiny", .integer8), ("small", .unsigned16), ("large", .integer64), ("flag", .boolean),
    ("single", .float), ("real", .double), ("exact", .decimal), ("text", .string), ("link", .url),
    ("moment", .date), ("day", .calendarDate), ("id", .uuid), ("data", .data),
  ]

  private static let schema: Result<Schema, any Error> = Result {
    let properties = types.map { CompanySchema.attribute($0.0, $0.1) }
    return try Schema([
      EntityDescription(
        name: "Thing",
        properties: properties + [
          CompanySchema.relationship("parent", .toOne, "Thing", "children"),
          CompanySchema.relationship("children", .toMany, "Thing", "parent"),
        ]),
      EntityDescription(name: "Plain", properties: properties),
      EntityDescription(
        name: "Special", properties: properties + [CompanySchema.attribute("extra", .integer32)],
        parent: "Plain"),
    ])
  }

  private static func value(
    of type: AttributeType, _ random: inout SeededRandom
  ) -> Value {
    if Int.random(in: 0..<5, using: &random) == 0 { return .null }
    let number = Int64.random(in: -128...127, using: &random)
    switch type {
    case .boolean: return .integer(number & 1)
    case .unsigned16: return .integer(number + 128)
    case .integer64: return .integer(Int64.random(in: .min ... .max, using: &random))
    case .float, .double, .date: return .real(Double(number) / 8)
    case .decimal: return .text("\(number).000000000000000000000000001")
    case .string: return .text(String(repeating: "ä'\\", count: Int(number & 7)))
    case .url: return .text("https://example.org/\(number)")
    case .calendarDate: return .text("2024-02-\(10 + (number & 15))")
    case .uuid:
      return .blob(Data((0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }))
    case .data: return .blob(Data(repeating: 0, count: Int(number & 7)))
    default: return .integer(number)
    }
  }

  @Test("All rows are those that are asked for by their keys, whatever they hold")
  func agreement() throws {
    let store = try PostgreSQLStore(
      Self.schema.get(), at: PostgreSQLAddress(server.address(of: database)), named: "things")
    var random = SeededRandom(seed: RandomCases.seed())
    var changes = Changes(store)
    var last: RowKey?
    for number in 0..<700 {
      var values: [String: Value] = [:]
      for (name, type) in Self.types { values[name] = Self.value(of: type, &random) }
      if number % 3 == 0 {
        values["parent"] = last.map { .key($0) } ?? .null
        last = try changes.insert("Thing", values)
      } else if number % 3 == 1 {
        try changes.insert("Plain", values)
      } else {
        values["extra"] = .integer(Int64(number))
        try changes.insert("Special", values)
      }
    }
    try changes.save()
    for name in ["Thing", "Plain", "Special"] {
      let entity = try #require(store.schema.entity(named: name))
      let positive = try Predicate.parse("large > 0", entity: entity, in: store.schema)
      for predicate in [nil, positive] {
        let request = FetchRequest(entity: name, predicate: predicate)
        let rows = Self.rows(try store.fetch(request))
        let keys = try store.fetchKeys(request)
        #expect(Set(rows.keys) == Set(keys))
        #expect(rows == Self.rows(try store.rows(entity: entity.index, keys: keys)))
        // So many come in another way, those among them that are there.
        let many = (keys + (1...2_000).map { RowKey(-$0) }).shuffled(using: &random)
        #expect(rows == Self.rows(try store.rows(entity: entity.index, keys: many)))
        let condition = predicate == nil ? "" : #"WHERE "large" > 0"#
        let member =
          name == "Special" ? #"\#(condition.isEmpty ? "WHERE" : "AND") "_entity" = 'Special'"# : ""
        let table = name == "Thing" ? "Thing" : "Plain"
        #expect(
          try server.psql(
            database, #"SELECT count(*) FROM things."\#(table)" \#(condition) \#(member)"#)
            == "\(rows.count)")
      }
    }
  }

  /// Cells by key.
  private static func rows(_ pages: [RowPage]) -> [RowKey: [Value]] {
    var rows: [RowKey: [Value]] = [:]
    for page in pages {
      for row in 0..<page.rowCount {
        rows[page.key(ofRow: row)] = (0..<page.columnCount).map { page.value(row: row, column: $0) }
      }
    }
    return rows
  }

  @Test(
    "A text in a condition is compared as it is, whatever is in it and however the server is set up"
  )
  func texts() throws {
    try server.psql("postgres", "ALTER DATABASE \(database) SET standard_conforming_strings = off")
    let store = try PostgreSQLStore(
      CompanySchema.schema, at: PostgreSQLAddress(server.address(of: database)), named: "company")
    let employees = try #require(store.schema.entity(named: "Employee"))
    let names = [
      "", "'", "''", "\\", "\\'", "'\\", "'\u{301}", "\\\u{301}'", "$1::text", "' OR true --",
      "\\' OR true --", "'\u{301} OR true --", "E'x'", "\n", "%s", "🙂'", "\u{FEFF}'",
    ]
    var changes = Changes(store)
    for name in names { try changes.insert("Employee", ["name": .text(name)]) }
    try changes.save()
    for name in names {
      let request = FetchRequest(
        entity: "Employee",
        predicate: try Predicate.parse(
          "name == %@", arguments: [.value(.text(name))], entity: employees, in: store.schema))
      #expect(try store.values(request, "name") == [[.text(name)]])
    }
    let nul = FetchRequest(
      entity: "Employee",
      predicate: try Predicate.parse(
        "name == %@", arguments: [.value(.text("\0"))], entity: employees, in: store.schema))
    #expect(try store.fetch(nul).isEmpty)
  }

  @Test("A server that fails while rows come is told as such, and no row is read twice")
  func failing() throws {
    let store = try PostgreSQLStore(
      CompanySchema.schema, at: PostgreSQLAddress(server.address(of: database)), named: "company")
    try server.psql(
      database,
      """
      INSERT INTO company."Employee" (_id, age) SELECT n, n FROM generate_series(1, 50000) AS n;
      CREATE FUNCTION company.failing(bigint) RETURNS bigint LANGUAGE plpgsql AS
      'BEGIN IF $1 = 40000 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF; RETURN $1; END';
      ALTER TABLE company."Employee" RENAME TO stored;
      CREATE VIEW company."Employee" AS SELECT _id, name, company.failing(age) AS age, salary, email,
      photo, bonus, company FROM company.stored;
      """)
    var keys: [RowKey] = []
    #expect(throws: StoreError.self) {
      try store.fetch(FetchRequest(entity: "Employee")) { pages in
        for page in pages { keys += (0..<page.rowCount).map { page.key(ofRow: $0) } }
      }
    }
    #expect(keys.count < 40_000)
    #expect(Set(keys).count == keys.count)
    try server.psql(
      database,
      """
      CREATE OR REPLACE FUNCTION company.failing(bigint) RETURNS bigint LANGUAGE sql AS 'SELECT $1';
      """)
    #expect(
      try store.fetch(FetchRequest(entity: "Employee")).reduce(0) { $0 + $1.rowCount } == 50_000)
  }
}
#endif
