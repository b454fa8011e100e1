import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

// Promise: SQL that is typed shuts others out → refused in a sentence.
// Also: `OtherProcessTests.theConsoleDoesNotShutOthersOut`
@Suite("What typed SQL may do")
struct TypedSQLTests {
  private let file: ForeignFile

  init() throws {
    file = try ForeignFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT);
      INSERT INTO t VALUES (1, 'a'), (2, 'b');
      CREATE VIRTUAL TABLE words USING fts5 (body);
      INSERT INTO words VALUES ('the quick fox');
      CREATE VIRTUAL TABLE old_words USING fts4 (body);
      INSERT INTO old_words VALUES ('the lazy dog');
      CREATE VIRTUAL TABLE boxes USING rtree (id, x0, x1);
      INSERT INTO boxes VALUES (7, 0, 1);
      """)
  }

  private func answer(_ sql: String, _ store: SQLiteStore) throws -> [Value] {
    var values: [Value] = []
    try store.readTransaction { transaction in
      try transaction.answer(
        sql: sql, begin: { _ in }, row: { values.append($0.value(row: $1, slot: 0)) })
    }
    return values
  }

  @Test(
    "What shuts others out, opens other files or changes the connection is refused in one sentence",
    arguments: [
      "PRAGMA locking_mode = EXCLUSIVE", "PRAGMA main.locking_mode=exclusive",
      "PRAGMA case_sensitive_like = 1", "PRAGMA query_only = 0", "PRAGMA writable_schema = ON",
      "PRAGMA synchronous = OFF", "PRAGMA mmap_size = 1000000", "PRAGMA busy_timeout = 0",
      "PRAGMA temp_store_directory = '/'", "PRAGMA trusted_schema = 0", "PRAGMA shrink_memory",
      "PRAGMA recursive_triggers(1)", "PRAGMA foreign_keys = OFF", "PRAGMA schema_version = 1",
      "ATTACH ':memory:' AS other", "DETACH main", "BEGIN EXCLUSIVE", "BEGIN IMMEDIATE", "COMMIT",
      "ROLLBACK",
    ])
  func refused(sql: String) throws {
    let store = try file.open()
    #expect(throws: SQLTextError.self) { _ = try answer(sql, store) }
    #expect(throws: StoreError.self) { _ = try store.answer(SQLQuestion(sql, [])) }
    let error = try #require(throws: StoreError.self) { _ = try store.execute(sql, []) }
    #expect(error.description.hasSuffix("."))
    guard case .unsupportedPredicate = error else {
      Issue.record("\(error)")
      return
    }
    // Others write meanwhile, and questions here keep their meaning.
    try SQLiteFile.make(at: file.url, "INSERT INTO t (n) VALUES ('c')")
    #expect(try answer("SELECT count(*) FROM t WHERE n LIKE 'A'", store) == [1])
    var changes = Changes(store)
    try changes.insert("t", ["n": "d"])
    try changes.save()
    try SQLiteFile.make(at: file.url, "INSERT INTO t (n) VALUES ('e')")
    try store.close()
  }

  @Test("The same in a store in memory")
  func inMemory() throws {
    let store = try SQLiteStore(inMemory: CompanySchema.schema)
    #expect(throws: StoreError.self) {
      _ = try store.answer(SQLQuestion("PRAGMA case_sensitive_like = 1", []))
    }
    #expect(throws: StoreError.self) { _ = try store.execute("ATTACH ':memory:' AS other", []) }
    var changes = Changes(store)
    try changes.insert("Tag", ["label": "red"])
    try changes.save()
    #expect(try store.answer(SQLQuestion("SELECT count(*) FROM Tag", [])).rows == [[1]])
  }

  @Test(
    "What only looks is answered",
    arguments: [
      ("PRAGMA synchronous", "2"), ("PRAGMA locking_mode", "normal"),
      ("PRAGMA table_info(t)", "0"), ("PRAGMA integrity_check", "ok"),
      ("PRAGMA quick_check(1)", "ok"), ("PRAGMA user_version", "0"), ("PRAGMA encoding", "UTF-8"),
      ("PRAGMA page_count", "*"), ("PRAGMA compile_options", "*"),
      ("SELECT name FROM pragma_table_info('t') ORDER BY cid DESC", "n"),
      ("EXPLAIN QUERY PLAN SELECT * FROM t", "*"), ("EXPLAIN SELECT * FROM t", "*"),
      ("SELECT body FROM words WHERE words MATCH 'quick'", "the quick fox"),
      ("SELECT body FROM old_words WHERE old_words MATCH 'lazy'", "the lazy dog"),
      ("SELECT id FROM boxes WHERE x0 < 0.5", "7"),
      (
        "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 3) SELECT i FROM n",
        "1"
      ),
      ("SELECT json_extract('{\"a\": 5}', '$.a')", "5"),
    ])
  func looks(sql: String, first: String) throws {
    let store = try file.open()
    let found = try #require(try answer(sql, store).first)
    #expect(
      first == "*" || found == .text(first) || Int64(first).map { found == .integer($0) } ?? false)
    let asked = try store.answer(SQLQuestion(sql, [])).rows
    #expect(try #require(asked.first?.first) == found)
    try store.close()
  }

  @Test("What writes the file is said to, and can be run as such")
  func writes() throws {
    let store = try file.open()
    for sql in ["PRAGMA user_version = 7", "PRAGMA application_id = 9", "DELETE FROM t", "ANALYZE"]
    {
      let error = try #require(throws: SQLTextError.self) { _ = try answer(sql, store) }
      #expect(error.isWriting, "\(sql)")
      _ = try store.execute(sql, [])
    }
    #expect(try answer("PRAGMA user_version", store) == [7])
    #expect(try answer("PRAGMA application_id", store) == [9])
    #expect(try answer("SELECT count(*) FROM t", store) == [0])
    _ = try store.execute("INSERT INTO old_words (old_words) VALUES ('optimize')", [])
    _ = try store.execute("ALTER TABLE t ADD COLUMN more", [])
    try store.close()
  }
}
