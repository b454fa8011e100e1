import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

/// Columns that refer to something else than the number of a row: what people write about them means the
/// stored value, as it does to SQLite.
@Suite("Values of references")
struct ReferenceValueTests {
  private let directory: TemporaryDirectory
  private let url: URL
  private let store: SQLiteStore

  init() throws {
    directory = try TemporaryDirectory()
    url = directory.url.appending(path: "references.sqlite")
    try SQLiteFile.make(
      at: url,
      """
      PRAGMA foreign_keys = OFF;
      CREATE TABLE e (id INT PRIMARY KEY, boss INT REFERENCES e(id));
      INSERT INTO e VALUES (10, NULL), (20, 10), (1, 20);
      CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT);
      CREATE TABLE city (id INTEGER PRIMARY KEY, country TEXT REFERENCES country(code));
      INSERT INTO country VALUES ('FR', 'France'), ('DE', 'Germany');
      INSERT INTO city VALUES (1, 'DE'), (2, 'XX'), (3, NULL), (4, 'FR'), (5, '3'), (6, 'DE');
      CREATE TABLE lang (tag TEXT PRIMARY KEY) WITHOUT ROWID;
      CREATE TABLE word (id INTEGER PRIMARY KEY, lang TEXT REFERENCES lang);
      INSERT INTO lang VALUES ('de'), ('fr');
      INSERT INTO word VALUES (1, 'fr'), (2, 'xx'), (3, 'de'), (4, NULL);
      CREATE TABLE dept (id INT PRIMARY KEY, name TEXT);
      CREATE TABLE staff (id INTEGER PRIMARY KEY, dept_id INT REFERENCES dept(id));
      INSERT INTO dept VALUES (40, 'b'), (30, 'a');
      INSERT INTO staff VALUES (1, 30), (2, 99), (3, 40), (4, NULL);
      CREATE TABLE part (k TEXT PRIMARY KEY, name TEXT);
      CREATE TABLE piece (id INTEGER PRIMARY KEY, k INTEGER REFERENCES part(k));
      INSERT INTO part VALUES ('01', 'wrong'), ('1', 'right');
      INSERT INTO piece VALUES (1, 1), (2, NULL);
      """)
    store = try SQLiteStore(existing: url, isReadOnly: true)
  }

  private func ask(
    _ entity: String, columns: String, where predicate: String? = nil, order: String? = nil
  ) throws -> [String] {
    var text = ValueQueryText()
    (text.columns, text.predicate, text.order) = (columns, predicate, order)
    let entity = try #require(store.schema.entity(named: entity))
    let query = try ValueQuery(text, entity: entity, in: store.schema)
    var rows: [String] = []
    try store.readTransaction { transaction in
      try transaction.answer(
        query, includingGenerated: true, begin: { _ in },
        row: { page, row in
          let values = (0..<page.columnCount).map { page.value(row: row, column: $0) }
          rows.append(values.map(Self.quoted).joined(separator: "|"))
        })
    }
    return rows
  }

  private static func quoted(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .text(let text): "'\(text)'"
    case .blob: "a blob"
    }
  }

  @Test(
    "Conditions",
    arguments: [
      ("e", "boss == 10", "boss = 10"), ("e", "boss == 1", "boss = 1"),
      ("e", "boss > 10", "boss > 10"), ("e", "boss IN {10, 1}", "boss IN (10, 1)"),
      ("e", "boss BETWEEN {15, 30}", "boss BETWEEN 15 AND 30"), ("e", "20 == boss", "boss = 20"),
      ("e", "boss == NULL", "boss IS NULL"), ("e", "boss + 1 == 11", "boss + 1 = 11"),
      ("e", "boss == id - 10", "boss = id - 10"), ("e", "boss.boss == 10", "boss = 20"),
      ("e", "ANY e.boss == 10", "id = 10"), ("e", "abs(boss) == 20", "abs(boss) = 20"),
      ("city", #"country == "DE""#, "country = 'DE'"),
      ("city", #"country == "XX""#, "country = 'XX'"),
      ("city", #"country != "DE""#, "country IS NOT 'DE'"),
      ("city", #"country IN {"FR", "XX"}"#, "country IN ('FR', 'XX')"),
      ("city", #"country BEGINSWITH "D""#, "country LIKE 'D%'"),
      ("city", "country == NULL", "country IS NULL"),
      ("city", "length(country) == 1", "length(country) = 1"),
      ("word", #"lang == "fr""#, "lang = 'fr'"), ("word", #"lang == "xx""#, "lang = 'xx'"),
      ("word", #"lang > "de""#, "lang > 'de'"),
      ("staff", "dept_id == 30", "dept_id = 30"), ("staff", "dept == 30", "dept_id = 30"),
      ("staff", "dept_id == 99", "dept_id = 99"), ("staff", "dept_id == NULL", "dept_id IS NULL"),
    ])
  func conditions(entity: String, condition: String, sql: String) throws {
    let found = try ask(entity, columns: "id", where: condition, order: "id")
    let expected = try SQLiteFile.values(
      "SELECT quote(id) FROM \(entity) WHERE \(sql) ORDER BY id", in: url)
    #expect(found == expected, "\(condition)")
  }

  @Test(
    "Orders",
    arguments: [
      ("e", "boss"), ("e", "boss desc"), ("city", "country"), ("city", "country desc"),
      ("word", "lang"), ("staff", "dept_id"),
    ])
  func orders(entity: String, order: String) throws {
    let found = try ask(entity, columns: "id", order: order + ", id")
    let expected = try SQLiteFile.values(
      "SELECT quote(id) FROM \(entity) ORDER BY \(order), id", in: url)
    #expect(found == expected, "\(order)")
  }

  @Test(
    "Columns and aggregates",
    arguments: [
      ("e", "boss, boss + 1", "quote(boss) || '|' || quote(boss + 1)"),
      ("city", "country, length(country)", "quote(country) || '|' || quote(length(country))"),
      ("staff", "dept_id, dept_id * 2", "quote(dept_id) || '|' || quote(dept_id * 2)"),
    ])
  func columns(entity: String, columns: String, sql: String) throws {
    let found = try ask(entity, columns: columns, order: "id")
    #expect(
      try found == SQLiteFile.values("SELECT \(sql) FROM \(entity) ORDER BY id", in: url))
  }

  @Test func aggregates() throws {
    #expect(try ask("e", columns: "sum(boss), max(boss), count(boss)") == ["30|20|2"])
    #expect(try ask("city", columns: "min(country), max(country)") == ["'3'|'XX'"])
    #expect(try ask("word", columns: "min(lang), max(lang)") == ["'de'|'xx'"])
    #expect(try ask("staff", columns: "sum(dept_id)") == ["169"])
  }

  @Test("A number leads to the text that SQLite converts it to, not to all that mean it")
  func convertedValues() throws {
    #expect(
      try ask("piece", columns: "id, k, k.name", order: "id") == ["1|1|'right'", "2|NULL|NULL"])
    #expect(try ask("piece", columns: "id", where: #"k.name == "wrong""#).isEmpty)
    #expect(try ask("part", columns: "k, piece.@count", order: "k") == ["'01'|0", "'1'|1"])
  }

  @Test("Keys of objects stay what they are, in trees and for placeholders")
  func keys() throws {
    let entity = try #require(store.schema.entity(named: "e"))
    let key = try #require(
      try store.fetchKeys(
        FetchRequest(
          entity: "e",
          predicate: .comparison(.init(.keyPath(["id"]), .equal, .value(.integer(10)))))
      ).first)
    let tree = Predicate.comparison(.init(.keyPath(["boss"]), .equal, .value(.key(key))))
    let parsed = try Predicate.parse(
      "boss == %@", arguments: [.value(.key(key))], entity: entity, in: store.schema)
    #expect(parsed == tree)
    #expect(try store.count(FetchRequest(entity: "e", predicate: tree)) == 1)
    let none = try Predicate.parse("boss == NULL", entity: entity, in: store.schema)
    #expect(none == .comparison(.init(.keyPath(["boss"]), .equal, .value(.null))))
  }

  @Test("The text of a condition reads back as the same condition")
  func text() throws {
    let entity = try #require(store.schema.entity(named: "city"))
    let text = #"country == "DE" AND length(country) == 2"#
    let parsed = try Predicate.parse(text, entity: entity, in: store.schema)
    #expect(parsed.formatted(entity: entity, in: store.schema) == text)
  }
}
