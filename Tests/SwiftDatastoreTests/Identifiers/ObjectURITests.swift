import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Names of objects that outlive the process, in native files and in those of other programs.
@Suite("Identifiers that last")
struct ObjectURITests {
  private let directory: TemporaryDirectory
  private var file: URL { directory.url.appending(path: "my store.sqlite") }

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func open(_ file: URL) throws -> SwiftDatastore {
    try SwiftDatastore(dataModel: TestModel.make(), url: file)
  }

  /// An employee called Ann, and her name outside.
  private func makeAnn() async throws -> URL {
    let datastore = try open(file)
    let id = try await datastore.write { context in
      let ann: Employee = try context.createObject()
      ann.name = "Ann"
      return ann.objectID
    }
    return try id.uriRepresentation
  }

  // Promise: a URI leads to another row or store → the store's UUID or path, the entity and the whole key
  // are in it; gone, another store, unknown entity, another kind of key: each its sentence.
  // Also: `ObjectURITests.failing`, `ObjectURITests.foreign`
  @Test("A name leads back to the object after the store was closed, moved and copied")
  func native() async throws {
    let uri = try await makeAnn()
    let uuid = try SQLiteFile.output(
      of: "SELECT value FROM _datastore WHERE key = 'uuid'", at: file
    ).trimmingCharacters(in: .newlines)
    let key = try SQLiteFile.output(of: "SELECT _id FROM Employee", at: file)
      .trimmingCharacters(in: .newlines)
    #expect(uri.absoluteString == "x-datastore://\(uuid)/Employee/\(key)")
    let moved = directory.url.appending(path: "moved.sqlite")
    try FileManager.default.moveItem(at: file, to: moved)
    let copy = directory.url.appending(path: "copy.sqlite")
    try FileManager.default.copyItem(at: moved, to: copy)
    for place in [moved, copy] {
      let datastore = try open(place)
      let id = try datastore.objectID(forURIRepresentation: uri)
      try await datastore.newContext().perform { context in
        let ann: Employee = try context.object(with: id)
        #expect(ann.name == "Ann" && ann.objectID == id && !ann.hasTemporaryID)
        let again: Employee = try context.object(forURIRepresentation: uri)
        #expect(again === ann)
        #expect(try ann.objectID.uriRepresentation == uri)
      }
    }
  }

  @Test(
    "A row that is gone, another store, another class, an unknown entity: each has its sentence")
  func failing() async throws {
    let uri = try await makeAnn()
    let other = try TestModel.inMemory()
    let elsewhere = try #require(throws: ObjectURIError.self) {
      try other.objectID(forURIRepresentation: uri)
    }
    #expect(elsewhere == .otherStore(uri: uri.absoluteString, path: nil))
    #expect("\(elsewhere)".hasSuffix("is of another store than the one in memory."))
    let datastore = try open(file)
    let id = try datastore.objectID(forURIRepresentation: uri)
    try await datastore.write { _ = try $0.deleteMany(From<Employee>()) }
    try await datastore.newContext().perform { context in
      #expect(throws: ObjectNotFoundError.self) {
        let _: Employee = try context.object(forURIRepresentation: uri)
      }
      #expect(throws: ObjectNotFoundError.self) { let _: Company = try context.object(with: id) }
    }
    let wrong = try #require(
      URL(string: uri.absoluteString.replacingOccurrences(of: "Employee", with: "Robot")))
    let unknown = try #require(throws: ObjectURIError.self) {
      try datastore.objectID(forURIRepresentation: wrong)
    }
    #expect("\(unknown)".contains("it has Company, Contract, Desk, Employee, Job, Tag."))
    let textKey = try #require(
      URL(string: uri.deletingLastPathComponent().absoluteString + "tabc"))
    #expect(
      throws: ObjectURIError.otherKey(uri: textKey.absoluteString, entity: "Employee")
    ) { try datastore.objectID(forURIRepresentation: textKey) }
    for text in [
      "https://example.org", "x-datastore://", "x-datastore://nobody/Employee/1",
      "x-datastore://path/Employee/1", uri.absoluteString + "/1",
      uri.deletingLastPathComponent().absoluteString + "q1",
    ] {
      let bad = try #require(URL(string: text))
      #expect(throws: ObjectURIError.malformed(uri: text)) {
        try datastore.objectID(forURIRepresentation: bad)
      }
    }
  }

  // Promise: a decoded identifier belongs to the wrong one of two openings → `userInfo[.datastore]` says
  // which; without a store that is open it is an error.
  @Test("An identifier is encoded as its name, and decoded where its store is open")
  func coding() async throws {
    struct Settings: Codable, Equatable {
      var selected: DatastoreObjectID?
    }
    let data: Data
    do {
      let datastore = try open(file)
      let id = try await datastore.write { context in
        let ann: Employee = try context.createObject()
        ann.name = "Ann"
        return ann.objectID
      }
      data = try JSONEncoder().encode(Settings(selected: id))
      #expect(try JSONDecoder().decode(Settings.self, from: data).selected == id)
      // Released, it would be closed as soon as the queue of the writing has let go of it.
      try datastore.close()
    }
    let closed = #expect(throws: ObjectURIError.self) {
      try JSONDecoder().decode(Settings.self, from: data)
    }
    #expect("\(try #require(closed))".contains("is not open"))
    let first = try open(file)
    let second = try open(file)
    let found = try #require(try JSONDecoder().decode(Settings.self, from: data).selected)
    let decoder = JSONDecoder()
    decoder.userInfo[.datastore] = second
    let there = try #require(try decoder.decode(Settings.self, from: data).selected)
    #expect(found != there, "two openings of a file are two stores")
    try await first.newContext().perform { context in
      let ann: Employee = try context.object(with: found)
      #expect(ann.name == "Ann")
    }
    try await second.newContext().perform { context in
      let ann: Employee = try context.object(with: there)
      #expect(ann.name == "Ann")
    }
  }

  // Promise: a row without a key that lasts is named by its rowid, which VACUUM changes → it has no URI,
  // and that is said.
  @Test("Rows of other programs' files: by number, text, several columns, and values of every kind")
  func foreign() async throws {
    let foreign = try ForeignDatabase(
      """
      CREATE TABLE numbered (id INTEGER PRIMARY KEY, n TEXT);
      CREATE TABLE named (name TEXT PRIMARY KEY, n TEXT) WITHOUT ROWID;
      CREATE TABLE pairs (a TEXT, b INTEGER, c REAL, d BLOB, n TEXT, PRIMARY KEY (a, b, c, d)) WITHOUT ROWID;
      CREATE TABLE keyless (n TEXT);
      INSERT INTO numbered VALUES (-7, 'minus seven');
      INSERT INTO named VALUES ('a/b,c d', 'odd'), ('Å%2F', 'letters'), ('', 'empty'), ('42', 'digits');
      INSERT INTO pairs VALUES ('x', -3, 0.1, x'00FF', 'four');
      INSERT INTO keyless VALUES ('any');
      """)
    var uris: [URL: String] = [:]
    do {
      let datastore = try foreign.open()
      uris = try await datastore.newContext().perform { context in
        var uris: [URL: String] = [:]
        for entity in ["numbered", "named", "pairs"] {
          for row in try context.fetch(From<DynamicObject>(entityName: entity)) {
            uris[try row.objectID.uriRepresentation] = "\(row["n"])"
          }
        }
        let keyless = try #require(
          try context.fetchFirst(From<DynamicObject>(entityName: "keyless")))
        #expect(throws: ObjectURIError.noKey(id: keyless.objectID)) {
          try keyless.objectID.uriRepresentation
        }
        let unsaved = try context.createObject(entityName: "named")
        #expect(unsaved.hasTemporaryID)
        #expect(throws: ObjectURIError.noKey(id: unsaved.objectID)) {
          try unsaved.objectID.uriRepresentation
        }
        return uris
      }
    }
    #expect(uris.count == 6)
    #expect(uris.keys.contains { $0.absoluteString.hasSuffix("/numbered/-7") })
    #expect(uris.keys.contains { $0.absoluteString.hasSuffix("/pairs/tx,i-3,r0.1,x00FF") })
    let datastore = try foreign.open()
    let expected = uris
    try await datastore.newContext().perform { context in
      for (uri, n) in expected {
        let row: DynamicObject = try context.object(forURIRepresentation: uri)
        #expect("\(row["n"])" == n, "\(uri)")
      }
    }
    let moved = foreign.folder.appending(path: "other.db")
    try FileManager.default.copyItem(at: foreign.url, to: moved)
    let uri = try #require(uris.keys.first)
    #expect(throws: ObjectURIError.self, "by its path, which is another one") {
      try SwiftDatastore(opening: moved).objectID(forURIRepresentation: uri)
    }
  }
}
