import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

@Suite("Value queries")
struct ValueQueryTests {
  private let directory: TemporaryDirectory
  private let store: SQLiteStore

  init() throws {
    directory = try TemporaryDirectory()
    let url = directory.url.appending(path: "people.sqlite")
    try SQLiteFile.make(
      at: url,
      """
      PRAGMA foreign_keys = OFF;
      CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT) WITHOUT ROWID;
      CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT, country_id TEXT REFERENCES country);
      CREATE TABLE person (
        id INTEGER PRIMARY KEY, name TEXT, age INTEGER, pay REAL, "order" TEXT,
        team_id INTEGER REFERENCES team, double_age AS (age * 2));
      CREATE TABLE pair (a INTEGER, b INTEGER, note TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
      CREATE TABLE child (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER,
        FOREIGN KEY (a, b) REFERENCES pair (a, b));
      CREATE VIEW "by team" AS SELECT team_id, count(*), avg(pay) FROM person GROUP BY team_id;
      CREATE VIEW broken AS SELECT nope(1) AS x;
      INSERT INTO country VALUES ('se', 'Sverige'), ('jp', '日本');
      INSERT INTO team VALUES (1, 'Red', 'se'), (2, 'Blue', 'jp'), (3, 'Lost', 'xx');
      INSERT INTO person (id, name, age, pay, "order", team_id) VALUES
        (1, 'Ada', 36, 10.5, 'x', 1), (2, 'Bo', 20, 4, NULL, 1), (3, 'Cy', NULL, 8, '', 2),
        (4, NULL, 50, NULL, 'x', 9), (5, 'Eva', 36, 1, 'y', NULL);
      INSERT INTO pair VALUES (1, 2, 'p'); INSERT INTO child VALUES (1, 1, 2);
      """)
    store = try SQLiteStore(existing: url, isReadOnly: true)
  }

  private func ask(
    _ entity: String, columns: String? = nil, where predicate: String? = nil,
    groupBy: String? = nil, having: String? = nil, order: String? = nil, limit: Int? = nil,
    offset: Int = 0, includingGenerated: Bool = true
  ) throws -> (names: [String], rows: [[Value]]) {
    var text = ValueQueryText()
    (text.columns, text.predicate, text.groupBy) = (columns, predicate, groupBy)
    (text.having, text.order) = (having, order)
    let entity = try #require(store.schema.entity(named: entity))
    var query = try ValueQuery(text, entity: entity, in: store.schema)
    query.limit = limit
    query.offset = offset
    var names: [String] = []
    var rows: [[Value]] = []
    try store.readTransaction { transaction in
      try transaction.answer(
        query, includingGenerated: includingGenerated, begin: { names = $0.map(\.name) },
        row: { page, row in
          rows.append((0..<page.columnCount).map { page.value(row: row, column: $0) })
        })
    }
    return (names, rows)
  }

  private func fault(
    columns: String? = nil, groupBy: String? = nil, having: String? = nil, order: String? = nil
  ) -> PredicateSyntaxError? {
    #expect(throws: PredicateSyntaxError.self) {
      try ask("person", columns: columns, groupBy: groupBy, having: having, order: order)
    }
  }

  @Test("All columns come under the file's names, in its order")
  func everything() throws {
    let answer = try ask("person", limit: 1)
    #expect(answer.names == ["id", "name", "age", "pay", "order", "team_id", "double_age"])
    #expect(answer.rows == [[1, "Ada", 36, 10.5, "x", 1, 72]])
    #expect(try ask("person", includingGenerated: false).names.last == "team_id")
    #expect(try ask("person", columns: "*, name AS again", limit: 1).rows[0].last == "Ada")
    #expect(try ask("person", limit: 0).rows == [])
    #expect(try ask("person", columns: "id", limit: 2, offset: 3).rows == [[4], [5]])
  }

  @Test("Columns say what the table calls them, which may differ from their properties")
  func storedNames() throws {
    let title = AttributeDescription(name: "title", type: .string, storedName: "book title")
    let schema = try Schema([EntityDescription(name: "Book", properties: [.attribute(title)])])
    let books = try SQLiteStore(schema, at: directory.url.appending(path: "books.sqlite"))
    let entity = try #require(books.schema.entity(named: "Book"))
    for (columns, stored) in [
      (nil, "book title"), ("title", "book title"), ("title AS name", nil), ("length(title)", nil),
    ] as [(String?, String?)] {
      var text = ValueQueryText()
      text.columns = columns
      let query = try ValueQuery(text, entity: entity, in: books.schema)
      var found: [AnswerColumn] = []
      try books.readTransaction { transaction in
        try transaction.answer(
          query, includingGenerated: false, begin: { found = $0 }, row: { _, _ in })
      }
      #expect(found.last?.storedName == stored, "\(columns ?? "*")")
    }
    try books.close()
  }

  @Test("Columns are paths, counts and calculations")
  func columns() throws {
    let answer = try ask(
      "person", columns: "name, team.name AS team, team.country.name, age * 2 + 1, `order`",
      order: "team.country.name desc, name")
    #expect(answer.names == ["name", "team", "team.country.name", "age*2+1", "order"])
    #expect(
      answer.rows == [
        ["Cy", "Blue", "日本", .null, ""], ["Ada", "Red", "Sverige", 73, "x"],
        ["Bo", "Red", "Sverige", 41, .null], [.null, .null, .null, 101, "x"],
        ["Eva", .null, .null, 73, "y"],
      ])
    #expect(
      try ask("team", columns: "id, person.@count, person.@max.age", order: "id desc").rows
        == [[3, 0, .null], [2, 1, .null], [1, 2, 36]])
  }

  @Test("Relationships are the keys that are stored, also those that lead nowhere")
  func keys() throws {
    #expect(
      try ask("person", columns: "team, team_id, team.id, team.name", order: "id").rows
        == [
          [1, 1, 1, "Red"], [1, 1, 1, "Red"], [2, 2, 2, "Blue"], [9, 9, 9, .null],
          [.null, .null, .null, .null],
        ])
    #expect(
      try ask("team", columns: "country, country_id, country.name").rows
        == [["se", "se", "Sverige"], ["jp", "jp", "日本"], ["xx", "xx", .null]])
    #expect(try ask("country", columns: "SELF").rows == [["jp"], ["se"]])
    #expect(try ask("child", columns: "a, b").rows == [[1, 2]])
    #expect(throws: StoreError.self) { try ask("child", columns: "pair") }
  }

  @Test("Groups have counts and aggregates, in the order of their keys")
  func groups() throws {
    let answer = try ask(
      "person", columns: "team.name, count, count(age), avg(pay) AS mean, sum(age), max(name)",
      groupBy: "team.name")
    #expect(
      answer.names == ["team.name", "count", "count(age)", "mean", "sum(age)", "max(name)"])
    #expect(
      answer.rows == [
        [.null, 2, 2, .real(1), 86, "Eva"], ["Blue", 1, 0, .real(8), .null, "Cy"],
        ["Red", 2, 2, .real(7.25), 56, "Bo"],
      ])
    #expect(
      try ask("person", groupBy: "`order`").rows == [[.null, 1], ["", 1], ["x", 2], ["y", 1]])
    #expect(try ask("person", columns: "count, min(age)").rows == [[5, 20]])
    #expect(
      try ask("person", columns: "count(*) AS n", where: "age > 1000").rows == [[0]])
  }

  @Test("Conditions and orders speak of groups, shown or not, by any of their names")
  func having() throws {
    #expect(
      try ask(
        "person", columns: "team.name", groupBy: "team.name",
        having: "count >= 2 AND avg(pay) > 5"
      ).rows == [["Red"]])
    #expect(
      try ask(
        "person", columns: "team.name, avg(pay) AS mean", groupBy: "team.name",
        having: "mean > 0 AND AVG( pay ) < 8 AND team.name != NULL"
      ).rows == [["Red", 7.25]])
    #expect(
      try ask(
        "person", columns: "age", groupBy: "age", order: "count(*) desc, age desc", limit: 2
      ).rows == [[36], [50]])
    #expect(
      try ask("person", columns: "age", groupBy: "age", having: "age IN {20, 50}").rows
        == [[20], [50]])
    #expect(try ask("person", columns: "count", having: "count > 5").rows == [])
  }

  @Test("Columns of views that are called like functions can be asked for")
  func views() throws {
    #expect(
      try ask("by team", columns: "team_id, count(*), `avg(pay)`", where: "count(*) > 1").rows
        == [[1, 2, 7.25]])
    #expect(throws: StoreError.self) { try ask("broken") }
  }

  @Test("Faults point at their place")
  func faults() {
    #expect(fault(columns: "name, agee")?.utf8Offset == 6)
    #expect(fault(columns: "name, agee")?.suggestion == "age")
    #expect(fault(columns: "median(age)")?.message.contains("count, sum, avg, min and max") == true)
    #expect(fault(columns: "team.person")?.message.contains("leads to many") == true)
    #expect(fault(columns: "name,")?.found == "the end")
    #expect(fault(columns: "name x")?.utf8Offset == 5)
    #expect(fault(columns: "name, count", groupBy: "age")?.message.contains("--group-by") == true)
    #expect(fault(columns: "*", groupBy: "age")?.found == "*")
    #expect(fault(groupBy: "count")?.message.contains("cannot make groups") == true)
    #expect(fault(groupBy: "age", having: "count > 1 AND pay > 3")?.utf8Offset == 14)
    #expect(fault(groupBy: "age", having: "sum(payy) > 1")?.suggestion == "pay")
    #expect(fault(groupBy: "age", order: "name")?.utf8Offset == 0)
  }

  @Test("Columns of groups hold what the columns of the table hold")
  func affinity() {
    #expect(
      fault(groupBy: "name", having: "name == 5")?.message.contains("put it in quotes") == true)
    #expect(
      fault(groupBy: "age", having: "age == \"36\"")?.message.contains("without quotes") == true)
  }

  @Test("SQL is answered if it reads, and faults are placed")
  func sql() throws {
    var rows: [[Value]] = []
    func ask(_ sql: String) throws {
      rows = []
      try store.readTransaction { transaction in
        try transaction.answer(
          sql: sql, begin: { _ in },
          row: { page, row in
            rows.append((0..<page.columnCount).map { page.value(row: row, column: $0) })
          })
      }
    }
    try ask("SELECT id, name FROM person WHERE id < 3; -- two")
    #expect(rows == [[1, "Ada"], [2, "Bo"]])
    try ask("PRAGMA user_version")
    #expect(rows == [[0]])
    func fault(_ sql: String) -> SQLTextError? {
      #expect(throws: SQLTextError.self) { try ask(sql) }
    }
    #expect(fault("SELECT 1 FRM person")?.utf8Offset == 13)
    #expect(fault("DELETE FROM person")?.message.contains("read") == true)
    #expect(fault("SELECT ?")?.message.contains("parameters") == true)
    #expect(fault("SELECT 1; SELECT 2")?.message.contains("one statement") == true)
    #expect(fault("") != nil)
    #expect(fault("PRAGMA user_version = 3") != nil)
  }
}
