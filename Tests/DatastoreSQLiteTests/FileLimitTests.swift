import DatastoreCore
import DatastoreSQL
import Foundation
import Testing

@testable import DatastoreSQLite

// Promise: computed cells of gigabytes, views without end → memory has a limit; computed cells over 1 MB
// are cut; a sentence else.
// Also: `HostileFileTests`
// Promise: a statement would be prepared for hours → its selects are counted before SQLite sees it.
// Also: `HostileFileTests.doubling`
/// Small files that would take all memory or all time: each is a limit and a sentence.
@Suite("Limits of what a file computes")
struct FileLimitTests {
  /// The sentence that reading throws.
  private func refusal(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) -> String {
    do {
      try body()
      Issue.record("nothing was refused", sourceLocation: sourceLocation)
      return ""
    } catch {
      #expect(error is StoreError, sourceLocation: sourceLocation)
      return "\(error)"
    }
  }

  /// Views, each of which reads the one before twice.
  private static func doubling(_ count: Int) -> String {
    "CREATE TABLE t (a); INSERT INTO t VALUES (1); CREATE VIEW v0 AS SELECT a FROM t;"
      + (1..<count).map {
        "CREATE VIEW v\($0) AS SELECT x.a FROM v\($0 - 1) x JOIN v\($0 - 1) AS y;"
      }.joined()
  }

  @Test("Views that double forty times are refused before SQLite prepares them; others are read")
  func doublingViews() throws {
    let file = try ForeignFile(Self.doubling(40))
    let store = try file.open()
    #expect(try store.count(FetchRequest(entity: "v5")) == 1)
    #expect(try store.fetch(FetchRequest(entity: "t")).map(\.rowCount) == [1])
    let sentence = refusal { _ = try store.count(FetchRequest(entity: "v39")) }
    #expect(sentence.hasPrefix("“v39” cannot be read: with all views that it is made of"))
    #expect(throws: SQLTextError.self) {
      try store.readTransaction {
        try $0.answer(sql: "SELECT * FROM v30", begin: { _ in }, row: { _, _ in })
      }
    }
    #expect(throws: SQLTextError.self) {
      try store.readTransaction {
        try $0.answer(
          sql: "SELECT (SELECT 1 FROM main.\"V30\")", begin: { _ in }, row: { _, _ in })
      }
    }
    #expect(try store.answer(SQLNamesQuestion()).contains { $0.table == "v5" })
  }

  @Test(
    "Common table expressions that double are counted by their scopes",
    arguments: [false, true])
  func doublingExpressions(isReversed: Bool) throws {
    var parts = ["a0(x) AS (SELECT 1)"]
    for number in 1..<40 {
      parts.append(
        "a\(number)(x) AS NOT MATERIALIZED (SELECT p.x FROM a\(number - 1) p JOIN 'a\(number - 1)' q)"
      )
    }
    if isReversed { parts.reverse() }
    let heavy = "WITH \(parts.joined(separator: ", ")) SELECT x FROM a39"
    #expect(NestedSelects([]).isTooMany(in: heavy))
    // One name at forty depths, each with another expression.
    var nested = "SELECT 1 AS x"
    for _ in 0..<40 { nested = "WITH t AS (\(nested)) SELECT p.x FROM t p JOIN t q" }
    #expect(NestedSelects([]).isTooMany(in: nested))
    let recursive =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT n.i FROM n, n m"
    #expect(!NestedSelects([]).isTooMany(in: recursive))
    let file = try ForeignFile("CREATE VIEW v AS \(heavy); CREATE VIEW w AS \(recursive)")
    let store = try file.open()
    #expect(try store.count(FetchRequest(entity: "w")) == 81)
    #expect(
      refusal { _ = try store.count(FetchRequest(entity: "v")) }.contains("more than 5000 selects"))
  }

  @Test("Beside a view that is refused, tables of every kind are what they are elsewhere")
  func tablesBesideHeavyViews() throws {
    let tables = """
      CREATE TABLE plain (a, b TEXT); CREATE TABLE "no rowid" (k TEXT PRIMARY KEY, v) /* ) */ WITHOUT ROWID;
      CREATE TABLE strict_one (k INT PRIMARY KEY, v ANY) STRICT , WITHOUT  ROWID;
      CREATE TABLE "without strict" (without TEXT, strict INTEGER PRIMARY KEY);
      CREATE VIRTUAL TABLE texts USING fts5(body); CREATE VIRTUAL TABLE old USING fts4(body);
      CREATE VIRTUAL TABLE tree USING rtree(id, low, high); CREATE TABLE texts_2 (a);
      CREATE VIEW light AS SELECT a FROM plain;
      """
    func kinds(_ sql: String) throws -> [String] {
      let store = try ForeignFile(sql).open()
      return store.mapping.entities.filter { !$0.table.hasPrefix("v") && $0.table != "t" }.map {
        "\($0.table) \($0.kind) \($0.key) \($0.slots)"
      }
    }
    #expect(try kinds(tables + Self.doubling(40)) == kinds(tables))
  }

  @Test("Columns with the names of views, comments and quotes are no references")
  func harmlessStatements() {
    let views = NestedSelects([
      ("big", "SELECT 1" + String(repeating: " UNION SELECT 1", count: 4_000)),
      ("a", "SELECT big.x AS big FROM other AS big -- big, big, big\n WHERE x = 'big' /* , big */"),
    ])
    #expect(!views.isTooMany(inView: "a"))
    #expect(!views.isTooMany(in: "SELECT * FROM big"))
    #expect(views.isTooMany(in: "SELECT * FROM big, big"))
    #expect(views.isTooMany(in: "SELECT * FROM big JOIN (a JOIN [BIG])"))
    #expect(views.isTooMany(in: String(repeating: "(", count: 100_000)))
  }

  @Test("Generated columns that double forty times end with a sentence")
  func doublingColumns() throws {
    let columns = (1..<40).map { ", g\($0) AS (g\($0 - 1) + g\($0 - 1))" }.joined()
    let file = try ForeignFile(
      "CREATE TABLE t (a, g0 AS (a + 1)\(columns)); INSERT INTO t (a) VALUES (1)")
    let store = try file.open()
    #expect(try store.count(FetchRequest(entity: "t")) == 1)
    let sentence = refusal { _ = try store.fetch(FetchRequest(entity: "t")) }
    #expect(sentence.contains("“t” cannot be read") && sentence.contains("more memory"))
  }

  @Test("Of large cells that the file computes, the beginning and the length are read")
  func hugeCells() throws {
    let file = try ForeignFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT, g TEXT AS (printf('%.*c', 30000000, 'é')),
        b BLOB AS (zeroblob(30000000)), small AS (id * 2));
      INSERT INTO t (s) VALUES (printf('%.*c', 3000000, 's')), ('x');
      CREATE VIEW v AS SELECT id, printf('%.*c', 30000000, 'x') AS big FROM t;
      """)
    let store = try file.open()
    let page = try #require(try store.fetch(FetchRequest(entity: "t")).first)
    // Stored values are read whole, because they can be edited.
    #expect(page.text(row: 0, slot: 1).utf8.count == 3_000_000)
    let text = page.text(row: 0, slot: 2)
    #expect(text.hasPrefix("éé") && text.hasSuffix("é… (60000000 bytes)"))
    #expect(text.utf8.count < 70_000 && !text.contains("\u{FFFD}"))
    #expect(page.text(row: 0, slot: 3).hasPrefix("(30000000 bytes"))
    #expect(page.integer(row: 0, slot: 4) == 2)
    let keys = try store.fetchKeys(FetchRequest(entity: "v"))
    let view = try #require(try store.rows(entity: 1, keys: keys).first)
    #expect(view.rowCount == 2 && view.text(row: 1, slot: 1).hasSuffix("… (30000000 bytes)"))
    // An answer has them whole, row by row.
    var lengths: [Int] = []
    try store.readTransaction { transaction in
      try transaction.answer(
        sql: "SELECT big FROM v", begin: { _ in },
        row: { lengths.append($0.bytes(row: $1, slot: 0).count) })
    }
    #expect(lengths == [30_000_000, 30_000_000])
  }

  @Test("An endless view ends when its rows take too much memory, different ones and equal ones")
  func endlessViews() throws {
    let file = try ForeignFile(
      """
      CREATE VIEW different AS WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r)
        SELECT i, 'text ' || i AS t FROM r;
      CREATE VIEW equal AS WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT 1 FROM r) SELECT i FROM r;
      """)
    let store = try file.open()
    for entity in store.schema.entities {
      store.mapping.keyTables[entity.index].setBudget(1 << 20)
      for sentence in [
        refusal { _ = try store.answer(KeyListQuestion(FetchRequest(entity: entity.name))) },
        refusal { _ = try store.fetch(FetchRequest(entity: entity.name)) },
      ] {
        #expect(sentence.hasPrefix("“\(entity.name)” cannot be read: its rows have no key"))
      }
      var request = FetchRequest(entity: entity.name)
      request.limit = 2
      #expect(try store.fetchKeys(request).count == 2)
    }
  }

  // Promise: our SQL function is called by hand → it answers NULL or refuses.
  @Test(
    "Our functions, called by hand, answer or refuse and never end the process",
    arguments: [
      "datastore_key()", "datastore_key(0)", "datastore_key(0, 1)", "datastore_key(99, 1)",
      "datastore_key(-1, 1)", "datastore_key('x', 1)", "datastore_key(NULL, NULL)",
      "datastore_key(9223372036854775807, 1)", "datastore_key_value()",
      "datastore_key_value(0, 1, 0)", "datastore_key_value(1, 1, -1)",
      "datastore_key_value(1, 1, 9223372036854775807)", "datastore_key_value(7, 1, 1)",
      "datastore_key_value(1, 1, 'x')", "datastore_key_value(1.5, 'a', x'00')",
      "datastore_fold()", "datastore_fold('A')", "datastore_fold('A', -1)",
      "datastore_fold('A', 1e300)", "datastore_fold(x'FF', 3)", "datastore_like('a')",
      "datastore_like('a', '%', 999)", "datastore_like(NULL, NULL, NULL)",
      "datastore_matches('a', '(', 0)", "datastore_matches('a', '', 'x')", "datastore_decimal()",
      "datastore_decimal('1e999999')", "datastore_decimal(x'')", "datastore_arithmetic(1, '+')",
      "datastore_arithmetic(-9223372036854775808, '/', -1)", "datastore_arithmetic(1, '?', 1)",
      "datastore_arithmetic(1, NULL, 'x')", "datastore_sum()", "datastore_sum(1, 2)",
      "datastore_average('x')", "datastore_least('x')", "datastore_greatest(x'FF')",
      "datastore_least()", "datastore_sum(9e999)", "datastore_function()",
      "datastore_function(0, 1)", "datastore_function(99, 1, 'x')", "datastore_function(4, 9, 'x')",
      "datastore_function(4, 1, 'x')", "datastore_function(4, 2, 'x', 9e999)",
      "datastore_function(7, 1, x'FF', 99)", "datastore_function(8, 2, 1.5, -9e999)",
    ])
  func functions(call: String) throws {
    let file = try ForeignFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY);
      CREATE TABLE w (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
      INSERT INTO w VALUES ('a', 1);
      """)
    let store = try file.open()
    _ = try store.fetchKeys(FetchRequest(entity: "w"))
    do {
      var rows = 0
      try store.readTransaction { transaction in
        try transaction.answer(
          sql: "SELECT \(call)", begin: { _ in }, row: { _, _ in rows += 1 })
      }
      #expect(rows == 1)
    } catch let error as SQLTextError {
      #expect(error.message.contains("wrong"), "\(error.message)")
    } catch let error as StoreError {
      #expect(!error.description.isEmpty)
    }
  }
}
