import DatastoreCore
import DatastoreSQL
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

// Promise: a schema calls our functions, loads extensions, writes `sqlite_master` → refused.
/// Schemas may use what SQLite ships, and none of our functions.
@Suite("Functions in schemas of files")
struct TrustedSchemaTests {
  @Test("JSON in generated columns, indexes, checks and views is read and saved")
  func json() throws {
    let file = try ForeignFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, doc TEXT CHECK (json_valid(doc)),
        name TEXT AS (json_extract(doc, '$.name')), kind AS (doc ->> '$.kind') STORED);
      CREATE INDEX by_kind ON t (json_extract(doc, '$.kind'));
      CREATE VIEW v AS SELECT id, json_extract(doc, '$.name') AS name FROM t;
      INSERT INTO t (doc) VALUES ('{"name": "Ada", "kind": "x"}');
      """)
    let store = try file.open()
    #expect(try store.names("t") == ["Ada"])
    #expect(try store.names("v") == ["Ada"])
    var changes = Changes(store)
    try changes.update(
      "t", 1, from: ["doc": #"{"name": "Ada", "kind": "x"}"#],
      to: ["doc": #"{"name": "Grace", "kind": "y"}"#])
    try changes.insert("t", ["doc": #"{"name": "Zoe"}"#])
    try changes.save()
    #expect(try store.names("t") == ["Grace", "Zoe"])
    #expect(try file.query("SELECT kind FROM t") == [["\"y\""], ["NULL"]])
    try store.close()
  }

  @Test("Triggers that keep full-text and spatial indexes are run by saves")
  func externalContent() throws {
    let file = try ForeignFile(
      """
      CREATE TABLE message (id INTEGER PRIMARY KEY, text TEXT, x REAL);
      CREATE VIRTUAL TABLE search USING fts5 (text, content = 'message', content_rowid = 'id');
      CREATE VIRTUAL TABLE place USING rtree (id, x0, x1);
      CREATE TRIGGER added AFTER INSERT ON message BEGIN
        INSERT INTO search (rowid, text) VALUES (new.id, new.text);
        INSERT INTO place VALUES (new.id, new.x, new.x);
      END;
      CREATE TRIGGER changed AFTER UPDATE ON message BEGIN
        INSERT INTO search (search, rowid, text) VALUES ('delete', old.id, old.text);
        INSERT INTO search (rowid, text) VALUES (new.id, new.text);
        UPDATE place SET x0 = new.x, x1 = new.x WHERE id = new.id;
      END;
      INSERT INTO message VALUES (1, 'hello world', 1);
      """)
    let store = try file.open()
    var changes = Changes(store)
    try changes.update("message", 1, from: ["text": "hello world"], to: ["text": "good night"])
    try changes.insert("message", key: 2, ["text": "good day", "x": 5.0])
    try changes.save()
    try store.close()
    #expect(
      try file.query("SELECT rowid FROM search WHERE search MATCH 'good' ORDER BY rowid")
        == [["1"], ["2"]])
    #expect(try file.query("SELECT count(*) FROM search WHERE search MATCH 'hello'") == [["0"]])
    #expect(try file.query("SELECT id FROM place WHERE x0 > 2") == [["2"]])
    #expect(try file.query("PRAGMA integrity_check") == [["\"ok\""]])
  }

  @Test("Our functions cannot be called by views and triggers of files")
  func ours() throws {
    let file = try ForeignFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT);
      CREATE VIEW v AS SELECT datastore_fold(n, 1) AS n FROM t;
      CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT datastore_matches(new.n, 'a', 0); END;
      """)
    let store = try file.open()
    #expect(throws: StoreError.self) { _ = try store.fetch(FetchRequest(entity: "v")) }
    var changes = Changes(store)
    try changes.insert("t", ["n": "a"])
    let error = try #require(throws: (any Error).self) { try changes.save() }
    #expect("\(error)".contains("unsafe use of datastore_matches"))
    #expect(try file.query("SELECT count(*) FROM t") == [["0"]])
    try store.close()
  }

  @Test("Extensions cannot be loaded, and the schema cannot be written by hand")
  func defensive() throws {
    let file = try ForeignFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT); INSERT INTO t VALUES (1, 'a');
      CREATE VIEW v AS SELECT load_extension('x') AS n FROM t;
      """)
    let store = try file.open()
    #expect(throws: (any Error).self) {
      _ = try store.answer(SQLQuestion("SELECT load_extension('x')", []))
    }
    #expect(throws: StoreError.self) { _ = try store.fetch(FetchRequest(entity: "v")) }
    #expect(throws: StoreError.self) {
      _ = try store.execute("UPDATE sqlite_master SET sql = '' WHERE name = 't'", [])
    }
    try store.close()
  }

  @Test("Text in double quotes in views and triggers is read as SQLite's own program reads it")
  func doubleQuotes() throws {
    let file = try ForeignFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT, log TEXT);
      CREATE VIEW v AS SELECT id, "ST_" || n AS name FROM t WHERE n <> "none";
      CREATE TRIGGER r AFTER UPDATE OF n ON t BEGIN UPDATE t SET log = "was " || old.n WHERE id = new.id; END;
      INSERT INTO t (n) VALUES ('a'), ('none');
      """)
    let store = try file.open()
    #expect(try store.names("v") == ["ST_a"])
    var changes = Changes(store)
    try changes.update("t", 1, from: ["n": "a"], to: ["n": "b"])
    try changes.save()
    #expect(try store.names("v") == ["ST_b"])
    try store.close()
    #expect(try file.query("SELECT log FROM t WHERE id = 1") == [["\"was a\""]])
  }

  @Test("A column that another program has renamed is not taken for a text of its name")
  func renamedColumn() throws {
    let file = try ForeignFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO t VALUES (1, 'a')")
    let store = try file.open()
    #expect(try store.names("t") == ["a"])
    try SQLiteFile.make(at: file.url, "ALTER TABLE t RENAME COLUMN name TO title")
    #expect(throws: StoreError.self) { _ = try store.fetch(FetchRequest(entity: "t")) }
    #expect(throws: StoreError.self) {
      _ = try store.fetchKeys(
        FetchRequest(
          entity: "t",
          predicate: .comparison(.init(.keyPath(["name"]), .equal, .value("name")))))
    }
    try? store.close()
  }

  @Test("A function that is not there is not damage")
  func missingFunction() throws {
    let file = try ForeignFile("CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT)")
    // Only a program that has the function can declare it.
    try SQLiteFile.make(
      at: file.url,
      """
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql)
        VALUES ('index', 'i', 't', 99, 'CREATE INDEX i ON t (their_own(n))');
      """)
    let error = try #require(throws: StoreError.self) { _ = try file.open() }
    #expect(!error.description.contains("damaged"), "\(error)")
    #expect(error.description.contains(file.url.path))
  }

  @Test("A Core Data store opens for reading only, and says why")
  func coreData() throws {
    let file = try ForeignFile(
      """
      CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      INSERT INTO ZPERSON VALUES (1, 1, 1, 'Ada');
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Person', 0, 1);
      """)
    let store = try file.open()
    #expect(store.isReadOnly)
    #expect(try store.count(FetchRequest(entity: "Person")) == 1)
    var changes = Changes(store)
    try changes.insert("Person", ["name": "Grace"])
    #expect(throws: StoreError.coreData(path: file.url.path)) { try changes.save() }
    #expect(throws: StoreError.coreData(path: file.url.path)) {
      _ = try store.execute("DELETE FROM ZPERSON", [])
    }
    try store.close()
    let alike = try ForeignFile("CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY)")
    #expect(try !alike.open().isReadOnly)
  }
}
