import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// To-one relationships that always lead to an object.
@Suite("Mandatory to-one relationships")
struct RequiredRelationshipTests {
  enum Optional {
    final class Person: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Relationship.ToMany(deleteRule: .cascade) var chores: Set<Chore>
    }

    final class Chore: DatastoreObject {
      @Attribute.NotOptional var title: String
      @Relationship.ToOne(inverse: \.$chores) var owner: Person?
    }
  }

  enum Required {
    final class Person: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Relationship.ToMany(deleteRule: .cascade) var chores: Set<Chore>
      @Relationship.ToMany var watched: Set<Chore>
    }

    final class Chore: DatastoreObject {
      @Attribute.NotOptional var title: String
      @Relationship.ToOne.Required(inverse: \.$chores) var owner: Person
      @Relationship.ToOne.Required(inverse: \.$watched) var watcher: Person
    }
  }

  enum Stricter {
    final class Person: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Relationship.ToMany(deleteRule: .cascade) var chores: Set<Chore>
    }

    final class Chore: DatastoreObject {
      @Attribute.NotOptional var title: String
      @Relationship.ToOne.Required(inverse: \.$chores) var owner: Person
    }
  }

  private let folder: TemporaryDirectory
  private let url: URL

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("chores.sqlite")
  }

  @Test("It is set, read and followed like any other, and nothing is saved without it")
  func saving() async throws {
    let datastore = try SwiftDatastore(
      dataModel: SwiftDatastoreModel(from: Required.Person.self, Required.Chore.self), url: url)
    try await datastore.newContext().perform { context in
      let ann: Required.Person = try context.createObject()
      ann.name = "Ann"
      let bob: Required.Person = try context.createObject()
      bob.name = "Bob"
      let chore: Required.Chore = try context.createObject()
      chore.title = "wash"
      let error = try #require(throws: ValidationError.self) { try context.saveChanges() }
      #expect(
        error.faults.map(\.description) == [
          "Chore 1: owner has no value, but must have one.",
          "Chore 1: watcher has no value, but must have one.",
        ])
      chore.owner = ann
      chore.watcher = bob
      #expect(ann.chores == [chore] && bob.watched == [chore])
      try context.saveChanges()
      let found: [Required.Chore] = try context.fetch(where: \.$owner == ann)
      #expect(found.map(\.owner.name) == ["Ann"])
      // The other side would have it lead nowhere.
      context.deleteObject(bob)
      #expect(throws: ValidationError.self) { try context.saveChanges() }
      context.revertChanges()
      bob.watched = []
      #expect(throws: ValidationError.self) { try context.saveChanges() }
      context.revertChanges()
      // And here it goes along.
      context.deleteObject(ann)
      try context.saveChanges()
      #expect(try context.count(Required.Chore.self) == 0)
    }
    try datastore.close()
    #expect(
      try SQLiteFile.values(
        "SELECT name FROM pragma_table_info('Chore') WHERE \"notnull\" ORDER BY name", in: url)
        == ["owner", "title", "watcher"])
    #expect(throws: (any Error).self) {
      try SQLiteFile.make(at: url, "INSERT INTO Chore (title) VALUES ('x')")
    }
  }

  @Test("It is another version than an optional one, and says so in the lock and in the file")
  func versions() throws {
    let optional = try SwiftDatastoreModel(from: Optional.Person.self, Optional.Chore.self)
    let required = try SwiftDatastoreModel(from: Stricter.Person.self, Stricter.Chore.self)
    #expect(
      optional.versionLock.differences(from: required.versionLock) == [
        "Chore.owner was “relationship owner toOne Person chores” and is “relationship owner toOne Person "
          + "chores - required”"
      ])
    #expect(
      SchemaDifference(from: optional.schema, to: required.schema).changes().map(\.description)
        == ["Chore.owner becomes required"])
    #expect(
      SchemaDifference(from: required.schema, to: optional.schema).changes().map(\.description)
        == ["Chore.owner becomes optional"])
    let decoded = try JSONDecoder().decode(
      [EntityDescription].self,
      from: try JSONEncoder().encode(required.schema.entities.map(\.description)))
    #expect(decoded == required.schema.entities.map(\.description))
  }

  @Test("A file is brought to it where every object has one; else they are counted")
  func migrating() async throws {
    let required = try SwiftDatastoreModel(from: Stricter.Person.self, Stricter.Chore.self)
    try SwiftDatastore(
      dataModel: SwiftDatastoreModel(from: Optional.Person.self, Optional.Chore.self), url: url
    ).close()
    try SQLiteFile.make(
      at: url,
      """
      INSERT INTO Person (_id, name) VALUES (1, 'Ann');
      INSERT INTO Chore (_id, title, owner) VALUES (1, 'wash', 1), (2, 'cook', NULL), (3, 'dust', 1);
      """)
    let before = try SQLiteCommand.run(".dump", on: url)
    let error = try await #require(throws: MigrationError.self) {
      try await SwiftDatastore.open(dataModel: required, url: url)
    }
    #expect(
      error.obstacles == [.missingValues(entity: "Chore", property: "owner", count: 1, of: 3)])
    #expect(try SQLiteCommand.run(".dump", on: url) == before)
    try SQLiteFile.make(at: url, "UPDATE Chore SET owner = 1 WHERE _id = 2")
    try await SwiftDatastore.open(dataModel: required, url: url).close()
    #expect(try SQLiteFile.values("SELECT sum(owner) FROM Chore", in: url) == ["3"])
    let fresh = folder.file("fresh.sqlite")
    try SwiftDatastore(dataModel: required, url: fresh).close()
    #expect(try Declarations.of(url) == Declarations.of(fresh))
    // And back.
    try await SwiftDatastore.open(
      dataModel: SwiftDatastoreModel(
        version: "later", from: Optional.Person.self, Optional.Chore.self), url: url
    ).close()
    #expect(
      try SQLiteFile.values(
        "SELECT count(*) FROM pragma_table_info('Chore') WHERE \"notnull\"", in: url)
        == ["1"])
  }
}
