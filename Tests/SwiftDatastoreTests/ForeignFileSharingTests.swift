import DatastoreCore
import Foundation
import SwiftDatastore
import Testing

/// Files of other programs while those use them.
@Suite("Files that other programs use at the same time")
struct ForeignFileSharingTests {
  private func makeFile() throws -> ForeignDatabase {
    try ForeignDatabase(
      """
      CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT, size INTEGER);
      INSERT INTO city VALUES (1, 'Bonn', 10), (2, 'Ulm', 20);
      """)
  }

  @Test("The journal mode stays what it was", arguments: ["delete", "wal", "truncate", "persist"])
  func journalMode(mode: String) async throws {
    let file = try makeFile()
    try file.run("PRAGMA journal_mode = \(mode)")
    // Only WAL is a property of the file; the other modes belong to a connection.
    let before = try file.run("PRAGMA journal_mode")
    let datastore = try file.open()
    try await datastore.inContext { context in
      try context.one("city", "id", 1)["size"] = 11
      try context.saveChanges()
    }
    try datastore.close()
    #expect(try file.run("PRAGMA journal_mode") == before)
    #expect(try file.run("SELECT size FROM city WHERE id = 1") == "11")
  }

  @Test("A row that another program changed under an edit is a conflict with three values")
  func conflict() async throws {
    let file = try ForeignDatabase(
      """
      CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT, size INTEGER, country TEXT, river TEXT);
      INSERT INTO city VALUES (1, 'Bonn', 10, 'DE', 'Rhine'), (2, 'Ulm', 20, 'DE', 'Danube');
      """)
    let datastore = try file.open()
    try await datastore.inContext { context in
      let bonn = try context.one("city", "id", 1)
      let ulm = try context.one("city", "id", 2)
      // here            the other program
      // size = 11
      //                 size = 12
      // save: refused
      bonn["size"] = 11
      ulm["name"] = "ULM"
      try file.run("UPDATE city SET size = 12 WHERE id = 1; UPDATE city SET size = 21 WHERE id = 2")
      let error = try #require(throws: ConflictError.self) { try context.saveChanges() }
      #expect(
        error.conflicts == [
          Conflict(
            entity: "city", key: 1,
            properties: [.init(name: "size", original: 10, mine: 11, theirs: 12)],
            isDeleted: false)
        ])
      #expect(bonn["size"] == 11 && context.hasChanges, "nothing staged is lost")
      #expect(try file.run("SELECT name FROM city WHERE id = 2") == "Ulm", "nothing was written")
    }
  }

  @Test("A row that another program deleted under an edit is a conflict that says so")
  func deletedUnderneath() async throws {
    let file = try makeFile()
    let datastore = try file.open()
    try await datastore.inContext { context in
      let bonn = try context.one("city", "id", 1)
      bonn["size"] = 11
      try file.run("DELETE FROM city WHERE id = 1")
      let error = try #require(throws: ConflictError.self) { try context.saveChanges() }
      #expect(error.conflicts.map(\.isDeleted) == [true])
      #expect("\(error)".contains("city 1 was deleted by someone else."))
      context.revertChanges()
      try context.saveChanges()
    }
  }

  @Test("A key that another program has taken since is replaced")
  func takenKey() async throws {
    let file = try makeFile()
    let datastore = try file.open()
    try await datastore.inContext { context in
      let new = try context.createObject(entityName: "city")
      new["name"] = "Kiel"
      #expect(new.key == 3)
      try file.run("INSERT INTO city VALUES (3, 'Rome', 1), (4, 'Oslo', 2)")
      try context.saveChanges()
      #expect(new.key == 5 && new["name"] == "Kiel" && new["id"] == 5)
      #expect(try context.one("city", "name", "Kiel") === new)
    }
    #expect(try file.run("SELECT name FROM city ORDER BY id") == "Bonn\nUlm\nRome\nOslo\nKiel")
  }

  // Promise: a context saves an object under another key than its child knows → what the child changes goes
  // to that object, not to the row that has the key now.
  @Test("A change of a child to an object that its parent has saved under another key is not lost")
  func takenKeyInChild() async throws {
    let file = try makeFile()
    let datastore = try file.open()
    let parent = datastore.newContext()
    let child = parent.createNewChildContext()
    let kept = Lock<[DynamicObject]>([])
    try await child.perform { context in
      let new = try context.createObject(entityName: "city")
      new["name"] = "Kiel"
      try context.saveChanges()
      kept.withLock { $0 = [new] }
    }
    try file.run("INSERT INTO city VALUES (3, 'Rome', 1)")
    try await parent.perform { try $0.saveChanges() }
    try await child.perform { context in
      let new = kept.withLock { $0[0] }
      new["size"] = 7
      try context.saveChanges()
      #expect(new.key == 4 && new["name"] == "Kiel")
      let other = try context.one("city", "id", 3)
      other["name"] = "Roma"
      try context.saveChanges()
    }
    try await parent.perform { try $0.saveChanges() }
    #expect(
      try file.run("SELECT * FROM city ORDER BY id") == "1|Bonn|10\n2|Ulm|20\n3|Roma|1\n4|Kiel|7")
  }

  @Test("A locked file cannot be opened, and says why")
  func lockedOnOpening() throws {
    let file = try makeFile()
    let other = try file.hold("BEGIN EXCLUSIVE")
    let error = try #require(throws: StoreError.self) { try file.open() }
    #expect(error == .locked(path: file.url.path))
    #expect("\(error)".contains("is in use by another process, which has locked it"))
    try other.release()
    _ = try file.open()
  }

  @Test("A save that meets a lock keeps what is staged and can be tried again")
  func lockedOnSaving() async throws {
    let file = try makeFile()
    let datastore = try file.open()
    try await datastore.inContext { context in
      let bonn = try context.one("city", "id", 1)
      bonn["size"] = 11
      let other = try file.hold("BEGIN IMMEDIATE; UPDATE city SET size = 99 WHERE id = 2")
      #expect(throws: StoreError.locked(path: file.url.path)) { try context.saveChanges() }
      #expect(context.hasChanges && bonn["size"] == 11)
      try other.release()
      try context.saveChanges()
    }
    #expect(try file.run("SELECT size FROM city") == "11\n99")
  }
}
