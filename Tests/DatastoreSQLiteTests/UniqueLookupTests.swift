import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

// Promise: a request for one value of a unique attribute has a statement of its own → it finds what the
// ordinary statement finds, whatever the value, and after other programs have changed the tables.
/// Looking for the object with a value of a unique attribute.
@Suite("Looking up a unique value")
struct UniqueLookupTests {
  private let folder: TemporaryDirectory
  private let statements = Lock<[String]>([])
  private let store: SQLiteStore
  private var url: URL { folder.file("store.db") }

  init() throws {
    folder = try TemporaryDirectory()
    let schema = CompanySchema.with(
      [
        "Employee": [
          .attribute(AttributeDescription(name: "number", type: .integer64, isUnique: true)),
          .attribute(AttributeDescription(name: "code", type: .uuid, isUnique: true)),
        ]
      ])
    let statements = statements
    store = try SQLiteStore(
      schema, at: folder.file("store.db"), trace: { sql in statements.withLock { $0.append(sql) } })
  }

  private func request(_ path: String, _ value: Value) -> FetchRequest {
    FetchRequest(
      entity: "Employee",
      predicate: .comparison(Predicate.Comparison(.keyPath([path]), .equal, .value(value))))
  }

  private func keys(_ request: FetchRequest) throws -> [RowKey] {
    try store.fetch(request).flatMap { page in (0..<page.rowCount).map { page.key(ofRow: $0) } }
  }

  /// What the ordinary way finds: no order keeps it from its own statement, an offset does.
  private func ordinary(_ path: String, _ value: Value) throws -> [RowKey] {
    let comparison = Predicate.Comparison(.keyPath([path]), .equal, .value(value))
    return try keys(
      FetchRequest(
        entity: "Employee", predicate: .and([.comparison(comparison), .constant(true)])))
  }

  @Test("It finds what the ordinary statement finds")
  func values() throws {
    let texts = ["a", "A", "", "ä", "a\u{308}", "1", "01", " 1", "null", "x\0y", "100%", "'\"`"]
    let numbers: [Int64] = [0, 1, -1, .max, .min, 5_000_000_000]
    var changes = Changes(store)
    for (index, text) in texts.enumerated() {
      let bytes = Data((0..<16).map { UInt8(index * 16 + $0) })
      try changes.insert(
        "Employee",
        [
          "email": .text(text), "code": .blob(bytes),
          "number": index < numbers.count ? .integer(numbers[index]) : .null,
        ])
    }
    try changes.save()
    var found = 0
    for round in 0..<2 {
      for text in texts + ["b", "a ", "x"] {
        let keys = try keys(request("email", .text(text)))
        #expect(try keys == ordinary("email", .text(text)), "\(text), round \(round)")
        found += keys.count
      }
      for number in numbers + [2, 3] {
        let keys = try keys(request("number", .integer(number)))
        #expect(try keys == ordinary("number", .integer(number)), "\(number), round \(round)")
        found += keys.count
      }
      for value: Value in [.text("1"), .real(1), .null, .text("a")] {
        let keys = try keys(request("number", value))
        #expect(try Set(keys) == Set(ordinary("number", value)), "\(value), round \(round)")
      }
      for index in texts.indices {
        let bytes = Data((0..<16).map { UInt8(index * 16 + $0) })
        let keys = try keys(request("code", .blob(bytes)))
        #expect(try keys == ordinary("code", .blob(bytes)), "\(index), round \(round)")
        found += keys.count
      }
    }
    #expect(found == 2 * (texts.count + numbers.count + texts.count))
  }

  @Test("It takes one statement, prepared once, without a transaction")
  func statement() throws {
    var changes = Changes(store)
    try changes.insert("Employee", ["name": "Ann", "email": "ann@home"])
    try changes.save()
    _ = try keys(request("email", "nobody"))
    statements.withLock { $0 = [] }
    #expect(try keys(request("email", "ann@home")).count == 1)
    let run = statements.withLock { $0 }
    #expect(run.count == 1 && run.first?.hasPrefix("SELECT") == true, "\(run)")
  }

  @Test("Without the index, all rows with the value are found; without the table, that is told")
  func changedTables() throws {
    var changes = Changes(store)
    try changes.insert("Employee", ["name": "Ann", "email": "ann@home"])
    try changes.save()
    #expect(try keys(request("email", "ann@home")).count == 1)
    let index = try SQLiteFile.values(
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE '%UNIQUE%email%'", in: url)
    try SQLiteFile.make(
      at: url,
      """
      DROP INDEX "\(try #require(index.first))";
      INSERT INTO Employee (name, email) VALUES ('Bob', 'ann@home');
      """)
    #expect(try keys(request("email", "ann@home")).count == 2)
    try SQLiteFile.make(at: url, "ALTER TABLE Employee RENAME COLUMN email TO mail")
    #expect(throws: StoreError.self) { try keys(request("email", "ann@home")) }
    try SQLiteFile.make(at: url, "ALTER TABLE Employee RENAME COLUMN mail TO email")
    #expect(try keys(request("email", "ann@home")).count == 2)
  }
}
