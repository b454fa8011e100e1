import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

// Promise: another process changes the tables → followed, or told before anything is written.
// Also: `LiveChangeTests.aLookOutlastsItsRunner`
/// Another process changes the tables of a file that is open here.
@Suite("Tables that another process changes")
struct ChangedTablesTests {
  private func makeFile() throws -> ForeignDatabase {
    try ForeignDatabase(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT);
      CREATE TABLE u (id INTEGER PRIMARY KEY, c TEXT);
      INSERT INTO t VALUES (1, 'x', 'x'), (2, 'y', 'y');
      INSERT INTO u VALUES (1, 'c');
      """)
  }

  @Test(
    "What makes writing unsafe is told in a sentence, and nothing is written",
    arguments: [
      "DROP TABLE t; CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT, a TEXT);"
        + "INSERT INTO t VALUES (1, 'x', 'x'), (2, 'y', 'y')",
      "ALTER TABLE t RENAME a TO z; ALTER TABLE t RENAME b TO a; ALTER TABLE t RENAME z TO b",
      "ALTER TABLE t DROP COLUMN b", "ALTER TABLE t RENAME TO s", "DROP TABLE t",
      "DROP TABLE t; CREATE VIEW t AS SELECT 1 AS id, 'x' AS a, 'x' AS b",
      "CREATE TABLE v (t_id INTEGER REFERENCES t (id) ON DELETE CASCADE); INSERT INTO v VALUES (1)",
    ])
  func unsafe(change: String) async throws {
    for deletes in [false, true] {
      let file = try makeFile()
      let datastore = try file.open()
      try await datastore.inContext { context in
        let one = try context.one("t", "id", 1)
        if deletes { context.deleteObject(one) } else { one["a"] = "new" }
        try file.run(change)
        let before = try file.run(".dump")
        let error = try #require(throws: StoreError.self) { try context.saveChanges() }
        #expect(error == .tablesChanged(path: file.url.path, tables: ["t"]))
        #expect("\(error)".contains("another process has changed t in"))
        #expect(try file.run(".dump") == before)
        #expect(context.hasChanges)
        #expect(throws: StoreError.self) {
          try context.deleteMany(entityName: "t", where: nil)
        }
        context.revertChanges()
        // The other table has nothing to do with it.
        try context.one("u", "id", 1)["c"] = "d"
        try context.saveChanges()
      }
      #expect(try file.run("SELECT c FROM u") == "d")
    }
  }

  @Test(
    "What makes no difference to writing gets in nobody's way",
    arguments: [
      "ALTER TABLE t ADD COLUMN d TEXT DEFAULT 'd'", "CREATE INDEX i ON t (a)",
      "CREATE TABLE s (id INTEGER PRIMARY KEY)", "DROP TABLE u", "ANALYZE",
      "CREATE TRIGGER g AFTER UPDATE ON u BEGIN SELECT 1; END",
    ])
  func harmless(change: String) async throws {
    let file = try makeFile()
    let datastore = try file.open()
    try await datastore.inContext { context in
      try context.one("t", "id", 1)["a"] = "new"
      context.deleteObject(try context.one("t", "id", 2))
      try file.run(change)
      try context.saveChanges()
    }
    #expect(try file.run("SELECT id, a, b FROM t") == "1|new|x")
  }

  @Test("A store of our own notices it as well")
  func native() async throws {
    let folder = try TemporaryDirectory()
    let url = folder.url.appendingPathComponent("native.sqlite")
    let datastore = try SwiftDatastore(
      schema: try Schema([
        EntityDescription(
          name: "T",
          properties: [
            .attribute(AttributeDescription(name: "a", type: .string)),
            .attribute(AttributeDescription(name: "b", type: .string)),
          ])
      ]), url: url)
    try await datastore.inContext { context in
      let object = try context.createObject(entityName: "T")
      object["a"] = "x"
      try context.saveChanges()
      object["a"] = "y"
      try SQLiteFile.make(
        at: url,
        "ALTER TABLE T RENAME a TO z; ALTER TABLE T RENAME b TO a; ALTER TABLE T RENAME z TO b")
      #expect(throws: StoreError.tablesChanged(path: url.path, tables: ["T"])) {
        try context.saveChanges()
      }
      try SQLiteFile.make(
        at: url,
        "ALTER TABLE T RENAME a TO z; ALTER TABLE T RENAME b TO a; ALTER TABLE T RENAME z TO b;"
          + "CREATE TABLE other (x)")
      try context.saveChanges()
    }
    #expect(try SQLiteFile.values("SELECT a FROM T", in: url) == ["y"])
  }
}
