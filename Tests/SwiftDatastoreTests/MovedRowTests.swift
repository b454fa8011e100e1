import DatastoreCore
import Foundation
import SwiftDatastore
import Testing

/// The rows of a table without a key and without indexes get other rowids by `VACUUM`.
@Suite("Rows that were moved")
struct MovedRowTests {
  private func makeFile(_ rows: String) throws -> ForeignDatabase {
    try ForeignDatabase("CREATE TABLE t (name TEXT, n INT); INSERT INTO t VALUES \(rows);")
  }

  private let contents = "SELECT name, n FROM t ORDER BY name, n"

  @Test("Edits and deletions follow rows that take each other's numbers")
  func chain() async throws {
    let file = try makeFile("('a', 1), ('b', 2), ('c', 3), ('d', 4), ('e', 5)")
    let datastore = try file.open()
    let other = datastore.newContext()
    let held = try await other.perform { context in
      [try context.one("t", "name", "e")["n"]]
    }
    #expect(held == [5])
    try await datastore.inContext { context in
      let (b, c, e) = (
        try context.one("t", "name", "b"), try context.one("t", "name", "c"),
        try context.one("t", "name", "e")
      )
      let d = try context.one("t", "name", "d")
      b["n"] = 20
      e["n"] = 50
      context.deleteObject(c)
      try file.run("DELETE FROM t WHERE name = 'a'; VACUUM")
      #expect(try file.run("SELECT group_concat(rowid || name) FROM t") == "1b,2c,3d,4e")
      let saved = try context.saveChanges()
      #expect(saved.updatedCount == 2 && saved.deletedCount == 1)
      #expect(try file.run(contents) == "b|20\nd|4\ne|50")
      // Each object is still the row that it was.
      #expect(b.key == 1 && e.key == 4 && b["n"] == 20 && e["n"] == 50)
      #expect(c.isDeleted && d.isDeleted, "d's number is e's now")
      let all: [DynamicObject] = try context.fetch(FetchRequest(entity: "t"))
      #expect(all.map { $0["name"] } == ["b", "d", "e"])
      #expect(all.map(\.key) == [1, 3, 4] && all[0] === b && all[2] === e)
      all[1]["n"] = 40
      try context.saveChanges()
    }
    #expect(try file.run(contents) == "b|20\nd|40\ne|50")
    try await other.perform { context in
      let all: [DynamicObject] = try context.fetch(FetchRequest(entity: "t"))
      #expect(all.map { $0["n"] } == [20, 40, 50])
    }
  }

  @Test("One whose new number is taken stays, and so does the one that was to come in its place")
  @MainActor func blocked() async throws {
    let file = try makeFile("('x', 1), ('c', 2), ('a', 3), ('b', 4)")
    let datastore = try file.open()
    let view = datastore.sharedViewContext
    let all: [DynamicObject] = try await view.loadObjects(FetchRequest(entity: "t"))
    let named = Dictionary(uniqueKeysWithValues: all.map { ($0["name"], $0) })
    let (a, b, c) = try (
      #require(named["a"]), #require(named["b"]), #require(named["c"])
    )
    view.deleteObject(a)
    view.deleteObject(b)
    c["n"] = 20
    // a is deleted, b has its number, c has that of b.
    try file.run(
      """
      CREATE TABLE made (name TEXT, n INT);
      INSERT INTO made VALUES ('x', 1), ('y', 9), ('b', 4), ('c', 2);
      DROP TABLE t; ALTER TABLE made RENAME TO t;
      """)
    #expect(try datastore.checkForExternalChanges())
    await drainMainQueue()
    try await view.followMovedRows()
    #expect(view.core.graph.stagedObjects().count == 3, "nothing that was staged is lost")
    let error = await #expect(throws: ConflictError.self) { _ = try await view.save() }
    #expect(error?.conflicts.map(\.wasToBeDeleted) == [true])
    view.revertChanges(of: a)
    _ = try await view.save()
    #expect(try file.run(contents) == "c|20\nx|1\ny|9")
  }

  // Promise: another process moves rows (`VACUUM`) or uses keys again, and an equal row took the place, or
  // it was changed, too → a conflict; nothing is written.
  // Also: `MovedRowTests.twinInPlace`, `MovedRowTests.changedAndMoved`
  @Test("A row of which there are two by now is told, and neither is written")
  func twins() async throws {
    for deletes in [false, true] {
      let file = try makeFile("('a', 1), ('b', 2), ('twin', 3), ('twin', 3)")
      let datastore = try file.open()
      try await datastore.inContext { context in
        let twin = try context.one("t", "name", "twin")
        #expect(twin.key == 3)
        if deletes { context.deleteObject(twin) } else { twin["n"] = 30 }
        try file.run("DELETE FROM t WHERE name IN ('a', 'b'); VACUUM")
        let error = try #require(throws: ConflictError.self) { try context.saveChanges() }
        #expect(error.conflicts.map(\.isDeleted) == [true])
        #expect(error.conflicts.map(\.mayBeElsewhere) == [true])
        #expect(error.conflicts.map(\.wasToBeDeleted) == [deletes])
        context.revertChanges()
      }
      #expect(try file.run(contents) == "twin|3\ntwin|3")
    }
  }

  @Test("While nothing can have moved rows, an equal one is another one")
  func twinInPlace() async throws {
    for (deletes, sql) in [
      (false, "UPDATE t SET n = 7 WHERE rowid = 1"), (false, "DELETE FROM t WHERE rowid = 1"),
      (true, "UPDATE t SET n = 7 WHERE rowid = 1"), (true, "DELETE FROM t WHERE rowid = 1"),
    ] {
      let file = try makeFile("('twin', 3), ('twin', 3)")
      let datastore = try file.open()
      try await datastore.inContext { context in
        let all: [DynamicObject] = try context.fetch(FetchRequest(entity: "t"))
        if deletes { context.deleteObject(all[0]) } else { all[0]["n"] = 30 }
        try file.run(sql)
        let before = try file.run(contents)
        _ = try #require(throws: ConflictError.self) { try context.saveChanges() }
        #expect(try file.run(contents) == before, "\(sql)")
        context.revertChanges()
      }
    }
  }

  @Test("A row that was changed and moved is told, and no policy creates it again")
  func changedAndMoved() async throws {
    for policy in MergePolicy.allCases {
      let file = try makeFile("('a', 1), ('b', 2), ('c', 3)")
      let datastore = try file.open()
      try await datastore.inContext { context in
        context.mergePolicy = policy
        try context.one("t", "name", "c")["n"] = 30
        try file.run("DELETE FROM t WHERE name = 'a'; UPDATE t SET n = 99 WHERE n = 3; VACUUM")
        do {
          try context.saveChanges()
          #expect(policy == .storeTrump || policy == .rollback)
        } catch let error as ConflictError {
          #expect(policy == .error || policy == .objectTrump || policy == .overwrite)
          #expect(
            error.conflicts.map(\.description) == [
              "t 3 is no longer there: someone else has deleted it, or changed and moved it."
            ])
          context.revertChanges()
        }
      }
      #expect(try file.run(contents) == "b|2\nc|99")
    }
  }

  @Test("A row that was merged before the save is found all the same", arguments: [false, true])
  func merged(deletes: Bool) async throws {
    let file = try makeFile("('a', 1), ('b', 2), ('c', 3), ('d', 4)")
    let datastore = try file.open()
    let context = datastore.newContext()
    try await context.perform { context in
      let c = try context.one("t", "name", "c")
      if deletes { context.deleteObject(c) } else { c["n"] = 30 }
      try file.run("DELETE FROM t WHERE name = 'a'; VACUUM")
    }
    #expect(try datastore.checkForExternalChanges())
    try await context.perform { context in
      try context.saveChanges()
      #expect(context.core.graph.brokenInvariants() == [])
    }
    #expect(try file.run(contents) == (deletes ? "b|2\nd|4" : "b|2\nc|30\nd|4"))
  }

  @Test("Many rows are found in one pass, also by columns that are NULL")
  func many() async throws {
    let file = try ForeignDatabase(
      """
      CREATE TABLE t (kind TEXT, name TEXT COLLATE NOCASE, n REAL);
      WITH RECURSIVE i (x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM i WHERE x < 3000)
      INSERT INTO t SELECT CASE WHEN x % 7 THEN 'k' END,
        CASE WHEN x % 5 THEN 'name ' || x END, x FROM i;
      """)
    let datastore = try file.open()
    try await datastore.inContext { context in
      let all: [DynamicObject] = try context.fetch(FetchRequest(entity: "t"))
      // Fewer values than are listed in a statement, and more.
      for (count, amount) in [(100, 10_000.0), (900, 20_000.0)] {
        let edited = all.filter { !$0.isDeleted }.suffix(2_000).prefix(count)
        for object in edited {
          guard case .real(let n) = object["n"] else { continue }
          object["n"] = .real(n + amount)
        }
        try file.run("DELETE FROM t WHERE rowid IN (1, 10, 11); VACUUM")
        try context.saveChanges()
        #expect(
          try file.run("SELECT count(*) FROM t WHERE n > \(amount)") == "\(count)")
        #expect(
          try file.run(
            "SELECT count(*) FROM t WHERE n > 10000 AND name IS NOT NULL "
              + "AND name <> 'name ' || CAST(n % 10000 AS INT)") == "0")
      }
    }
  }

  @Test(
    "A relationship leads to the row that was chosen, or is not saved", arguments: [false, true])
  func destination(isMoved: Bool) async throws {
    let file = try ForeignDatabase(
      """
      CREATE TABLE country (code TEXT UNIQUE, name TEXT);
      CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT, code TEXT REFERENCES country (code));
      INSERT INTO country VALUES ('AT', 'Austria'), ('DE', 'Germany');
      INSERT INTO city VALUES (1, 'Berlin', NULL);
      """)
    let datastore = try file.open()
    try await datastore.inContext { context in
      let berlin = try context.one("city", "id", 1)
      let slot = try #require(berlin.entity.relationshipSlots.first)
      let name = berlin.entity.properties[slot].name
      berlin.set(try context.one("country", "code", "DE"), for: name)
      if isMoved {
        try file.run(
          """
          CREATE TABLE made (code TEXT UNIQUE, name TEXT);
          INSERT INTO made SELECT * FROM country ORDER BY code DESC;
          DROP TABLE country; ALTER TABLE made RENAME TO country;
          """)
        try context.saveChanges()
        #expect(try file.run("SELECT code FROM city") == "DE")
      } else {
        try file.run(
          "DELETE FROM country WHERE code = 'DE'; INSERT INTO country VALUES ('FR', 'France')")
        let error = try #require(throws: StoreError.self) { try context.saveChanges() }
        #expect(
          "\(error)".contains(
            "the country that was chosen for it, number 2, is a different row now"))
        #expect(try file.run("SELECT code IS NULL FROM city") == "1")
        context.revertChanges()
      }
    }
  }
}
