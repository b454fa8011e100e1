import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreSQLite

/// The changes of a file's rows since it was opened, no matter which program has written them.
@Suite("Differences from the rows that were there")
struct DifferencesTests {
  private let directory: TemporaryDirectory
  private var url: URL { directory.file("file.db") }

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func changes(
    _ store: SQLiteStore, since baseline: any StoreBaseline, limit: Int = 1_000
  ) async throws -> StoreDifferences {
    try await store.answer(DifferencesQuestion(since: baseline, limit: limit))
  }

  /// Each object as a line: `updated t 3 a: 1 → NULL`.
  private func lines(_ differences: StoreDifferences, _ store: SQLiteStore) -> [String] {
    differences.parts.flatMap(\.objects).map { object in
      let entity = store.schema.entities[object.entity]
      let key =
        store.keyValues(entity: object.entity, key: object.key)?.map(Self.quoted)
        .joined(separator: ",") ?? "\(object.key)"
      let changes = object.changes.map { change in
        let (old, new) = (Self.quoted(change.old), Self.quoted(change.new))
        return " \(entity.properties[change.slot].name): \(old) → \(new)"
      }
      let members = object.members.map {
        " \(entity.properties[$0.slot].name): +\($0.added) -\($0.removed)"
      }
      return "\(object.kind.rawValue) \(entity.name) \(key)" + (changes + members).joined()
    }
  }

  /// A value as SQLite's `quote()` writes it.
  private static func quoted(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .text(let text): "'\(text)'"
    case .blob(let data): "X'\(data.map { String(format: "%02X", $0) }.joined())'"
    }
  }

  /// A table of each kind: with a key, without one, with a key of two columns.
  private static let tables: [(name: String, key: [String], columns: [String])] = [
    ("t", ["id"], ["a", "b"]), ("plain", ["rowid"], ["a", "b"]), ("w", ["k", "l"], ["a", "b"]),
  ]

  private static let declarations = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, a, b TEXT COLLATE NOCASE, c AS (a || 'x'));
    CREATE TABLE plain (a INTEGER, b);
    CREATE TABLE w (k TEXT COLLATE NOCASE, l, a, b, PRIMARY KEY (k, l)) WITHOUT ROWID;
    CREATE VIEW v AS SELECT * FROM t;
    """

  /// Every row of a table, by key, as `quote()` writes its values.
  private func rows(
    _ table: (name: String, key: [String], columns: [String])
  ) throws -> [String: [String]] {
    let columns = (table.key + table.columns).map { "quote(\($0))" }
      .joined(separator: " || char(31) || ")
    let found = try SQLiteFile.values("SELECT \(columns) FROM \(table.name)", in: url)
      .map { $0.components(separatedBy: "\u{1F}") }
    return Dictionary(
      uniqueKeysWithValues: found.map { row in
        (row.prefix(table.key.count).joined(separator: ","), Array(row.dropFirst(table.key.count)))
      })
  }

  private static func statement(_ random: inout SeededRandom) -> String {
    let values = ["NULL", "1", "2", "2.5", "'x'", "'X'", "'2'", "''", "X'00'", "X''"]
    func value() -> String { values.randomElement(using: &random) ?? "NULL" }
    func number() -> Int { Int.random(in: 1...12, using: &random) }
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return "INSERT OR IGNORE INTO t (id, a, b) VALUES (\(number()), \(value()), \(value()))"
    case 1: return "UPDATE t SET a = \(value()) WHERE id = \(number())"
    case 2: return "UPDATE OR IGNORE t SET id = \(number()), b = \(value()) WHERE id = \(number())"
    case 3: return "DELETE FROM t WHERE id = \(number())"
    case 4: return "INSERT INTO plain VALUES (\(value()), \(value()))"
    case 5: return "UPDATE plain SET b = \(value()) WHERE rowid = \(number())"
    case 6: return "DELETE FROM plain WHERE rowid = \(number())"
    case 7:
      return
        "INSERT OR REPLACE INTO w VALUES ('\(["a", "B"][number() % 2])', \(number() % 3), \(value()), \(value()))"
    default: return "DELETE FROM w WHERE l = \(number() % 3) AND a IS \(value())"
    }
  }

  // Promise: the list of changes says something else than a comparison of all rows → random edits by
  // another connection, of tables with a key, with rowids only, and WITHOUT ROWID, agree with a model in
  // memory.
  // Also: (seed printed)
  @Test("They are those of a comparison in memory, whatever others write")
  func agreement() async throws {
    let seed = RandomCases.seed()
    var random = SeededRandom(seed: seed)
    for round in RandomCases.rounds(of: 40) {
      try? FileManager.default.removeItem(at: url)
      let edits = (0..<30).map { _ in Self.statement(&random) }
      try SQLiteFile.make(
        at: url, Self.declarations + edits.prefix(20).joined(separator: ";\n"))
      let store = try SQLiteStore(existing: url)
      let baseline = try await store.answer(BaselineQuestion())
      let before = try Self.tables.map { try rows($0) }
      try SQLiteFile.make(at: url, edits.suffix(10).joined(separator: ";\n"))
      let after = try Self.tables.map { try rows($0) }
      var expected: [String] = []
      for (table, (before, after)) in zip(Self.tables, zip(before, after)) {
        for key in Set(before.keys).union(after.keys) {
          let (old, new) = (before[key], after[key])
          guard old != new else { continue }
          let kind = old == nil ? "inserted" : new == nil ? "deleted" : "updated"
          // The key itself is a property, too, if a column shows it.
          let names = table.name == "plain" ? [] : table.key
          let parts = names.enumerated().map { index, name in
            let value = key.split(separator: ",", omittingEmptySubsequences: false)[index]
            return old == nil
              ? " \(name): NULL → \(value)" : new == nil ? " \(name): \(value) → NULL" : ""
          }
          let changes = zip(table.columns, table.columns.indices).map { name, index in
            let (one, two) = (old?[index] ?? "NULL", new?[index] ?? "NULL")
            return one == two ? "" : " \(name): \(one) → \(two)"
          }
          expected.append("\(kind) \(table.name) \(key)" + (parts + changes).joined())
        }
      }
      let differences = try await changes(store, since: baseline)
      let found = lines(differences, store)
      try #require(found.sorted() == expected.sorted(), "seed \(seed), round \(round): \(edits)")
      #expect(differences.parts.reduce(0) { $0 + $1.count } == expected.count)
      try store.close()
    }
  }

  // Promise: keeping the former rows keeps others from saving, or leaves something beside the file → no
  // connection to the file is held; the copy is in memory.
  // Also: (directory listing after closing)
  // Promise: tables and columns come and go, the file is opened again meanwhile → the list goes on from the
  // first opening; what cannot be compared is named.
  // Also: `ChangesTests.tablesThatCameAreTold`
  @Test("Tables and columns that came and went; the file may be opened again meanwhile")
  func tables() async throws {
    try SQLiteFile.make(
      at: url,
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a); CREATE TABLE gone (id INTEGER PRIMARY KEY);
      CREATE TABLE key (id INTEGER PRIMARY KEY, a);
      INSERT INTO t VALUES (1, 'x'), (2, 'y'); INSERT INTO gone VALUES (1);
      """)
    let first = try SQLiteStore(existing: url)
    let baseline = try await first.answer(BaselineQuestion())
    try first.close()
    try SQLiteFile.make(
      at: url,
      """
      ALTER TABLE t ADD COLUMN b; UPDATE t SET b = 7 WHERE id = 2; DROP TABLE gone;
      CREATE TABLE new (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO new VALUES (5, 'five');
      DROP TABLE key; CREATE TABLE key (a PRIMARY KEY) WITHOUT ROWID;
      """)
    let store = try SQLiteStore(existing: url)
    // Asked twice, since the former tables are given the new columns once.
    for _ in 0..<2 {
      let differences = try await changes(store, since: baseline)
      #expect(
        lines(differences, store) == [
          "updated t 2 b: NULL → 7", "inserted new 5 id: NULL → 5 name: NULL → 'five'",
        ])
      #expect(differences.leftOut.map(\.table) == ["key"])
    }
    try store.close()
    // Nothing of it is beside the file.
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
    #expect(names == ["file.db"])
  }

  // Promise: a table is too large to be kept → it is named; of many changes the first are told, all are
  // counted.
  // Also: `ChangesTests.tablesWithTooManyRowsAreNamed`
  @Test("Of many, the first are told and all are counted; tables with too much are named")
  func limits() async throws {
    try SQLiteFile.make(
      at: url,
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a);
      CREATE TABLE many (id INTEGER PRIMARY KEY);
      WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 250001)
      INSERT INTO many SELECT i FROM n;
      CREATE TABLE large (id INTEGER PRIMARY KEY, a BLOB);
      WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 40)
      INSERT INTO large SELECT i, zeroblob(1000000) FROM n;
      CREATE TABLE small (id INTEGER PRIMARY KEY, a);
      """)
    let store = try SQLiteStore(existing: url)
    let baseline = try await store.answer(BaselineQuestion())
    try SQLiteFile.make(
      at: url,
      """
      WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 50)
      INSERT INTO t SELECT i, i FROM n;
      INSERT INTO small VALUES (1, 'here'); DELETE FROM large; DELETE FROM many WHERE id = 1;
      """)
    let differences = try await changes(store, since: baseline, limit: 20)
    #expect(differences.parts.map(\.count) == [50, 1])
    #expect(differences.parts.map(\.objects.count) == [20, 1])
    #expect(differences.leftOut.map(\.table) == ["many", "large"])
  }

  @Test("Members of relationships that pairs of a table hold, and objects of a family")
  func native() async throws {
    let schema = try Schema([
      entity("Thing", attribute("name")),
      entity("Box", parent: "Thing", attribute("name"), attribute("size", .integer64)),
      entity("Note", attribute("text"), relationship("tags", .toMany, "Tag", "notes")),
      entity("Tag", attribute("word"), relationship("notes", .toMany, "Note", "tags")),
    ])
    let store = try SQLiteStore(schema, at: url)
    var made = Changes(store)
    try made.insert("Thing", key: 1, ["name": "one"])
    try made.insert("Box", key: 2, ["name": "two", "size": 4])
    try made.insert("Note", key: 1, ["text": "one"])
    try made.insert("Note", key: 2, ["text": "two"])
    try made.insert("Tag", key: 1, ["word": "red"])
    try made.insert("Tag", key: 2, ["word": "blue"])
    _ = try store.save(made.set)
    let pairs = try #require(
      try ForeignFile.query(
        url, "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '%tags%'"
      ).first?[0]
    ).trimmingCharacters(in: ["\""])
    let columns = try ForeignFile.query(url, "SELECT name FROM pragma_table_info('\(pairs)')")
      .map { $0[0].trimmingCharacters(in: ["\""]) }
    // Both begin with a pair that goes, and one that stays.
    try SQLiteFile.make(
      at: url,
      "INSERT INTO \"\(pairs)\" (\"\(columns[0])\", \"\(columns[1])\") VALUES (1, 1), (2, 2)")
    let baseline = try await store.answer(BaselineQuestion())
    try SQLiteFile.make(
      at: url,
      """
      UPDATE Thing SET size = 5 WHERE size = 4;
      DELETE FROM "\(pairs)" WHERE "\(columns[0])" = 1;
      INSERT INTO "\(pairs)" ("\(columns[0])", "\(columns[1])") VALUES (1, 2);
      """)
    let found = lines(try await changes(store, since: baseline), store)
    #expect(found == ["updated Box 2 size: 4 → 5", "updated Note 1 tags: +[2] -[1]"])
  }
}
