import DatastoreCore
import DatastoreSQL
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import GRDB
import Testing

@Suite("Rows that the file changes on their way in")
struct StaleRowTests {
  @Test("Computed, converted and filled-in values are named, others are not")
  func staleRows() throws {
    let file = try ForeignFile(
      """
      CREATE TABLE plain (id INTEGER PRIMARY KEY, n INTEGER, t TEXT, r REAL);
      CREATE TABLE stamped (id INTEGER PRIMARY KEY, made TEXT DEFAULT CURRENT_TIMESTAMP);
      CREATE TABLE summed (id INTEGER PRIMARY KEY, a INT, b INT AS (a * 2));
      CREATE TABLE watched (id INTEGER PRIMARY KEY, n INT);
      CREATE TRIGGER watch AFTER INSERT ON watched BEGIN
        UPDATE watched SET n = n + 1 WHERE id = new.id; END;
      INSERT INTO plain VALUES (1, 1, 'a', 1.5);
      """)
    let store = try file.open()
    func stale(_ entity: String, _ values: [String: Value], key: RowKey) throws -> Bool {
      let index = try #require(store.schema.entity(named: entity)).index
      var changes = Changes(store)
      try changes.insert(entity, key: key, values.merging(["id": .key(key)]) { a, _ in a })
      return try changes.save().stale == [index: [key]]
    }
    #expect(try !stale("plain", ["n": 2, "t": "x", "r": 2.5], key: 10))
    #expect(try stale("plain", ["n": "12"], key: 11))
    #expect(try stale("plain", ["n": 2.0], key: 12))
    #expect(try stale("plain", ["t": 5], key: 13))
    #expect(try stale("plain", ["r": .real(.nan)], key: 14))
    #expect(try stale("stamped", [:], key: 15))
    #expect(try !stale("stamped", ["made": "then"], key: 16))
    #expect(try stale("summed", ["a": 4], key: 17))
    #expect(try stale("watched", ["n": 1], key: 18))

    var changes = Changes(store)
    try changes.update("plain", 1, from: ["n": 1], to: ["n": "7"])
    #expect(try changes.save().stale == [0: [1]])
    #expect(try store.row("plain", 1)?["n"] == 7)
    var second = Changes(store)
    try second.update("plain", 1, from: ["t": "a"], to: ["t": "b"])
    #expect(try second.save().stale == [:])
  }

  @Test(
    "What somebody else has written is a conflict, also a value that is equal once it is stored")
  func sameValue() throws {
    let file = try ForeignFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, m TEXT);
      INSERT INTO t VALUES (1, 1, 'a');
      """)
    let store = try file.open()
    _ = try file.query("SELECT 1")
    let other = try DatabaseQueue(path: file.url.path)
    try other.write { try $0.execute(sql: "UPDATE t SET n = 5") }
    try other.close()
    var changes = Changes(store)
    try changes.update("t", 1, from: ["n": 1, "m": "a"], to: ["n": "5", "m": "b"])
    let error = #expect(throws: ConflictError.self) { try changes.save() }
    #expect(error?.conflicts.first?.properties.map(\.name) == ["n"])
    var conflicting = Changes(store)
    try conflicting.update("t", 1, from: ["n": 1, "m": "x"], to: ["n": 5, "m": "y"])
    let both = #expect(throws: ConflictError.self) { try conflicting.save() }
    #expect(both?.conflicts.first?.properties.map(\.name) == ["n", "m"])
    #expect(try store.row("t", 1)?["m"] == "a")
  }

  @Test("What a trigger has written in the course of the save is no conflict with an equal value")
  func sameValueByTrigger() throws {
    let file = try ForeignFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER);
      INSERT INTO t VALUES (1, 1), (2, 1);
      CREATE TRIGGER same AFTER UPDATE OF n ON t WHEN new.id = 1 BEGIN
        UPDATE t SET n = new.n WHERE id = 2; END;
      """)
    let store = try file.open()
    var changes = Changes(store)
    try changes.update("t", 1, from: ["n": 1], to: ["n": 2])
    try changes.update("t", 2, from: ["n": 1], to: ["n": 2])
    try changes.save()
    #expect(try store.row("t", 2)?["n"] == 2)
  }

  @Test("A saved row keeps its primary key; nothing of the save is written")
  func keyChange() throws {
    let file = try ForeignFile(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, n TEXT);
      CREATE TABLE b (code TEXT PRIMARY KEY, n TEXT) WITHOUT ROWID;
      INSERT INTO a VALUES (1, 'one');
      INSERT INTO b VALUES ('x', 'one');
      """)
    let store = try file.open()
    let b = try #require(store.schema.entity(named: "b"))
    let key = try #require(try store.fetchKeys(FetchRequest(entity: "b")).first)
    #expect(store.isKeyPart(entity: b.index, slot: 0))
    #expect(!store.isKeyPart(entity: b.index, slot: 1))
    var first = Changes(store)
    try first.update("b", key, from: ["code": "x", "n": "one"], to: ["code": "y", "n": "two"])
    let error = #expect(throws: StoreError.self) { try first.save() }
    #expect(error == .keyChanged(entity: "b", property: "code", key: key))
    #expect("\(try #require(error))".contains("delete the old one"))
    var second = Changes(store)
    try second.update("a", 1, from: ["id": 1], to: ["id": 9])
    #expect(throws: StoreError.keyChanged(entity: "a", property: "id", key: 1)) {
      try second.save()
    }
    #expect(try file.query("SELECT * FROM a") == [["1", "\"one\""]])
    #expect(try file.query("SELECT * FROM b") == [["\"x\"", "\"one\""]])
  }
}
