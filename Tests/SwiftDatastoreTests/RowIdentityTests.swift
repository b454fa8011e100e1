import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

// Promise: another process moves rows (`VACUUM`) or uses keys again → an edit or deletion is saved only in
// the row that was seen, or told as a conflict.
// Also: `TwoProcessTests`
/// A key leads to a place in a table, and another process may have put another row there.
@Suite("Rows that are others than the ones that were seen")
struct RowIdentityTests {
  /// Tables of every kind of key with the same rows, of which the first will be missing.
  static let tables = [
    "(id INTEGER PRIMARY KEY, name TEXT, n INT, note TEXT)",
    "(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, n INT, note TEXT)",
    "(id INT, name TEXT, n INT, note TEXT)",
    "(id TEXT PRIMARY KEY, name TEXT, n INT, note TEXT)",
    "(id TEXT, name TEXT, n INT, note TEXT, PRIMARY KEY (id, name))",
    "(id TEXT PRIMARY KEY, name TEXT, n INT, note TEXT) WITHOUT ROWID",
    "(id INTEGER, name TEXT, n INT, note TEXT, PRIMARY KEY (id, name)) WITHOUT ROWID",
    "(id INTEGER PRIMARY KEY, name TEXT, n INT, note TEXT) STRICT",
  ]

  private func makeFile(_ columns: String) throws -> ForeignDatabase {
    try ForeignDatabase(
      """
      CREATE TABLE t \(columns);
      INSERT INTO t (id, name, n, note)
        VALUES (1, 'one', 7, 'a'), (2, 'two', 7, 'b'), (3, 'three', 7, 'c');
      """)
  }

  private let contents = "SELECT id, name, n, note FROM t ORDER BY name"

  @Test("An edit goes to its row, wherever VACUUM has put it", arguments: tables)
  func vacuumUnderEdit(columns: String) async throws {
    let file = try makeFile(columns)
    let datastore = try file.open()
    try await datastore.inContext { context in
      let two = try context.one("t", "name", "two")
      two["n"] = 8
      try file.run("DELETE FROM t WHERE name = 'one'; VACUUM")
      // Rowids of tables that have an index stay.
      let isMoved = columns.hasPrefix("(id INT,")
      if isMoved { #expect(try file.run("SELECT rowid FROM t WHERE name = 'two'") == "1") }
      try context.saveChanges()
      #expect(try file.run("SELECT name, n FROM t ORDER BY name") == "three|7\ntwo|8")
      #expect(two["n"] == 8 && (!isMoved || two.key == 1) && !context.hasChanges)
    }
  }

  @Test("A deletion goes to its row, wherever VACUUM has put it", arguments: tables)
  func vacuumUnderDeletion(columns: String) async throws {
    let file = try makeFile(columns)
    let datastore = try file.open()
    try await datastore.inContext { context in
      context.deleteObject(try context.one("t", "name", "two"))
      try file.run("DELETE FROM t WHERE name = 'one'; VACUUM")
      try context.saveChanges()
      #expect(try file.run("SELECT name FROM t") == "three")
    }
  }

  @Test("A key that was given to another row is told, for edits and deletions", arguments: tables)
  func reusedKey(columns: String) async throws {
    for deletes in [false, true] {
      let file = try makeFile(columns)
      let datastore = try file.open()
      try await datastore.inContext { context in
        let three = try context.one("t", "name", "three")
        if deletes { context.deleteObject(three) } else { three["n"] = 8 }
        // The last rowid is the next one, and n still has the original value of the edit.
        let name = columns.contains("(id, name)") ? "three" : "other"
        try file.run(
          "DELETE FROM t WHERE name = 'three'; INSERT INTO t VALUES (3, '\(name)', 7, 'z')")
        let before = try file.run(contents)
        let error = try #require(throws: ConflictError.self) { try context.saveChanges() }
        #expect(error.conflicts.map(\.isDeleted) == [false])
        #expect(error.conflicts.map(\.wasToBeDeleted) == [deletes])
        if !deletes { #expect(error.conflicts.map(\.isAnotherRow) == [true], "\(columns)") }
        #expect(try file.run(contents) == before, "nothing was written")
        context.revertChanges()
        #expect(!context.hasChanges)
      }
    }
  }

  @Test("Somebody's edit of few other columns of a row gets in nobody's way, where it has a key")
  func otherColumn() async throws {
    for columns in Self.tables {
      let file = try makeFile(
        columns.replacing("note TEXT", with: "note TEXT, a INT DEFAULT 5, b INT DEFAULT 5"))
      let datastore = try file.open()
      try await datastore.inContext { context in
        try context.one("t", "name", "two")["n"] = 8
        try file.run("UPDATE t SET note = 'x'")
        if columns.hasPrefix("(id INT,") {
          // Nothing distinguishes such a row from another one.
          _ = try #require(throws: ConflictError.self) { try context.saveChanges() }
        } else {
          try context.saveChanges()
          #expect(try file.run("SELECT n, note FROM t ORDER BY name") == "7|x\n7|x\n8|x")
        }
      }
    }
  }

  // Promise: a row to be deleted was changed → a conflict with the properties that differ.
  @Test("A staged deletion does not remove what somebody else has just changed", arguments: tables)
  func changedUnderDeletion(columns: String) async throws {
    let file = try makeFile(columns)
    let datastore = try file.open()
    try await datastore.inContext { context in
      let two = try context.one("t", "name", "two")
      context.deleteObject(two)
      try file.run("UPDATE t SET n = 99 WHERE name = 'two'")
      let error = try #require(throws: ConflictError.self) { try context.saveChanges() }
      #expect(error.conflicts.map(\.wasToBeDeleted) == [true])
      #expect(error.conflicts.first?.properties.map(\.name) == ["n"])
      #expect(error.conflicts.first?.properties.first?.theirs == 99)
      #expect(two.willBeDeleted)
    }
    #expect(try file.run("SELECT count(*) FROM t") == "3")
  }

  // Promise: another process moves rows (`VACUUM`) or uses keys again, and the change is merged, restored
  // or listed before the save → nothing of the other row is applied.
  // Also: `RowIdentityTests.mergedDeletion`, `RecoveryTests`
  @Test("A merge takes over no values of a row that is another one now", arguments: tables)
  func merged(columns: String) async throws {
    let file = try makeFile(columns)
    let datastore = try file.open()
    let context = datastore.newContext()
    let name = columns.contains("(id, name)") ? "three" : "other"
    try await context.perform { context in
      try context.one("t", "name", "three")["n"] = 8
      try file.run(
        "DELETE FROM t WHERE name = 'three'; INSERT INTO t VALUES (3, '\(name)', 7, 'z')")
    }
    #expect(try datastore.checkForExternalChanges())
    try await context.perform { context in
      let staged = context.core.graph.stagedObjects()
      #expect(staged.map(\.isRowGone) == [true])
      #expect(staged.first?.row.contains("z") == false, "the other row's values")
      let error = try #require(throws: ConflictError.self) { try context.saveChanges() }
      #expect(error.conflicts.map(\.isAnotherRow) == [true])
      context.revertChanges()
      #expect(try context.one("t", "note", "z")["n"] == 7)
    }
  }

  @Test(
    "A merge leaves a staged deletion with the row that it began from, and undo reads the new one")
  func mergedDeletion() async throws {
    let file = try makeFile(Self.tables[0])
    let datastore = try file.open()
    let context = datastore.newContext()
    try await context.perform { context in
      context.isUndoEnabled = true
      context.deleteObject(try context.one("t", "id", 2))
      try file.run("UPDATE t SET n = 99 WHERE id = 2")
    }
    #expect(try datastore.checkForExternalChanges())
    try await context.perform { context in
      _ = try #require(throws: ConflictError.self) { try context.saveChanges() }
      context.undo()
      let two = try context.one("t", "id", 2)
      #expect(two["n"] == 99)
      #expect(!context.hasChanges)
    }
  }

  @Test("Policies settle deletions, and write to no row that is another one now")
  func policies() async throws {
    for (policy, left) in [
      (MergePolicy.storeTrump, 3), (.rollback, 3), (.objectTrump, 2), (.overwrite, 2),
    ] {
      let file = try makeFile(Self.tables[0])
      let datastore = try file.open()
      try await datastore.inContext { context in
        context.mergePolicy = policy
        context.deleteObject(try context.one("t", "id", 2))
        try file.run("UPDATE t SET n = 99 WHERE id = 2")
        try context.saveChanges()
        #expect(try context.count(FetchRequest(entity: "t")) == left)

        try context.one("t", "id", 3)["n"] = 8
        try file.run("DELETE FROM t WHERE id = 3; INSERT INTO t VALUES (3, 'other', 7, 'z')")
        if left == 3 {
          try context.saveChanges()
        } else {
          let error = #expect(throws: ConflictError.self) { try context.saveChanges() }
          #expect(error?.conflicts.map(\.isAnotherRow) == [true])
        }
      }
      #expect(try file.run("SELECT count(*) FROM t") == "\(left)")
      #expect(try file.run("SELECT n FROM t WHERE id = 3") == "7")
    }
  }

  // Promise: a trigger ignores a change, a deletion or a new row → refused in a sentence.
  @Test("A trigger that ignores a deletion or a new row is told, and nothing is written")
  func ignored() async throws {
    let file = try ForeignDatabase(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO t VALUES (1, 'one'), (2, 'two');
      CREATE TRIGGER keep BEFORE DELETE ON t WHEN old.id = 1 BEGIN SELECT RAISE(IGNORE); END;
      CREATE TRIGGER bar BEFORE INSERT ON t WHEN new.name = 'x' BEGIN SELECT RAISE(IGNORE); END;
      """)
    let datastore = try file.open()
    try await datastore.inContext { context in
      context.deleteObject(try context.one("t", "id", 1))
      context.deleteObject(try context.one("t", "id", 2))
      let error = try #require(throws: StoreError.self) { try context.saveChanges() }
      #expect("\(error)".contains("t 1 cannot be saved: it was to be deleted, and a trigger"))
      context.revertChanges()
      try context.createObject(entityName: "t")["name"] = "x"
      let second = try #require(throws: StoreError.self) { try context.saveChanges() }
      #expect("\(second)".contains("ignored the new row"))
      context.revertChanges()
    }
    #expect(try file.run("SELECT count(*) FROM t") == "2")
  }

  // Promise: rows came that refer to a deleted one → refused, with their number.
  @Test(
    "Rows that came to refer to a deleted one do not go with it without a word",
    arguments: ["CASCADE", "SET NULL"])
  func unknownMembers(action: String) async throws {
    let file = try ForeignDatabase(
      """
      CREATE TABLE company (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT,
        company_id INTEGER REFERENCES company (id) ON DELETE \(action));
      INSERT INTO company VALUES (1, 'Acme');
      INSERT INTO person VALUES (1, 'Ann', 1);
      """)
    let datastore = try file.open()
    try await datastore.inContext { context in
      let acme = try context.one("company", "id", 1)
      context.deleteObject(acme)
      try file.run("INSERT INTO person VALUES (2, 'Bob', 1), (3, 'Cid', 1)")
      let error = try #require(throws: StoreError.self) { try context.saveChanges() }
      #expect("\(error)".contains("company 1 was not deleted: 2 rows of person that refer to it"))
      #expect(try file.run("SELECT count(*) FROM person WHERE company_id = 1") == "3")
      context.revertChanges()
      context.refresh(acme)
      context.deleteObject(try context.one("company", "id", 1))
      try context.saveChanges()
    }
    #expect(
      try file.run("SELECT count(*), count(company_id) FROM person")
        == (action == "CASCADE" ? "0|0" : "3|0"))
  }
}
