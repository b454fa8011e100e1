import CoreStoreCompatibility
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// `CoreStoreSchema(modelVersion:entities:versionLock:)`.
@Suite("CoreStoreSchema")
struct CoreStoreSchemaTests {
  enum V1 {
    class Animal: CoreStoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.Optional var chip: Int?
    }

    final class Dog: Animal {
      @Attribute.NotOptional var age: Int = 0
      @Relationship.ToOne(inverse: \.$pets) var owner: Person?
    }

    final class Person: CoreStoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.NotOptional var city: String = ""
      @Relationship.ToMany var pets: Set<Dog>
    }

    static let schema = CoreStoreSchema(
      modelVersion: "V1",
      entities: [
        Entity<Animal>("Animal", isAbstract: true, uniqueConstraints: [[\.$chip]]),
        Entity<Dog>("Dog", indexes: [[\.$owner, \.$age]]),
        Entity(
          Person.self, "Person", versionHashModifier: "people", indexes: [[\.$city]],
          uniqueConstraints: [[\.$name, \.$city]]),
      ],
      versionLock: [
        "Animal": [
          "attribute chip integer64 optional",
          "attribute name string required",
          "inherits - abstract",
          "unique chip",
        ],
        "Dog": [
          "attribute age integer64 required",
          "attribute chip integer64 optional",
          "attribute name string required",
          "inherits Animal",
          "relationship owner toOne Person pets",
        ],
        "Person": [
          "attribute city string required",
          "attribute name string required",
          "modifier - people",
          "relationship pets toMany Dog owner",
          "unique name city",
        ],
      ])
  }

  /// The same, declared by the classes.
  enum ByClasses {
    class Animal: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.Optional var chip: Int?

      override class var isAbstract: Bool { self == Animal.self }
      override class var uniqueConstraints: [[AnyKeyPath]] {
        self == Animal.self ? [[\Animal.$chip]] : []
      }
    }

    final class Dog: Animal {
      @Attribute.NotOptional var age: Int = 0
      @Relationship.ToOne(inverse: \.$pets) var owner: Person?

      override class var indexes: [Index] { [Index(\Dog.$owner, \Dog.$age)] }
    }

    final class Person: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.NotOptional var city: String = ""
      @Relationship.ToMany var pets: Set<Dog>

      override class var hashModifier: String? { "people" }
      override class var indexes: [Index] { [Index(\Person.$city)] }
      override class var uniqueConstraints: [[AnyKeyPath]] { [[\Person.$name, \Person.$city]] }
    }
  }

  enum V2 {
    class Animal: CoreStoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.Optional var chip: Int?
      @Attribute.NotOptional var legs: Int = 4
    }

    final class Dog: Animal {
      @Attribute.NotOptional(renamedFrom: "age") var years: Int = 0
      @Relationship.ToOne(inverse: \.$pets) var owner: Person?
    }

    final class Person: CoreStoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.NotOptional var city: String = ""
      @Relationship.ToMany var pets: Set<Dog>
    }

    static let schema = CoreStoreSchema(
      modelVersion: "V2",
      entities: [
        Entity<Animal>("Animal", isAbstract: true),
        Entity<Dog>("Dog"),
        Entity<Person>("Person", uniqueConstraints: [[\.$name]]),
      ])
  }

  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  // Promise: a model made by entities differs from one made by classes → equal descriptions, locks, tables,
  // hashes; either opens the other's file.
  // Also: `CoreStoreSchemaTests.migration`
  @Test("Entities with options give the same model and the same file as classes that say them")
  func equality() throws {
    let model = try SwiftDatastoreModel(
      version: "V1", from: ByClasses.Animal.self, ByClasses.Dog.self, ByClasses.Person.self)
    #expect(
      V1.schema.schema.entities.map(\.description) == model.schema.entities.map(\.description))
    #expect(V1.schema.versionLock == model.versionLock)
    let (ours, theirs) = (folder.file("a.sqlite"), folder.file("b.sqlite"))
    try SwiftDatastore(dataModel: V1.schema, url: ours).close()
    try SwiftDatastore(dataModel: model, url: theirs).close()
    let tables =
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name; "
      + "SELECT value FROM _datastore WHERE key GLOB 'hash:*' OR key GLOB 'rules:*' ORDER BY key"
    let made = try SQLiteCommand.run(tables, on: ours)
    #expect(made.contains("CREATE UNIQUE INDEX"))
    #expect(try made == SQLiteCommand.run(tables, on: theirs))
    // Either opens the other's.
    try SwiftDatastore(dataModel: V1.schema, url: theirs).close()
    try SwiftDatastore(dataModel: model, url: ours).close()
  }

  @Test("A file of version 1 is opened by version 2")
  func migration() async throws {
    let url = folder.file("pets.sqlite")
    let old = try SwiftDatastore(dataModel: V1.schema, url: url)
    try await old.write { context in
      for number in 1...3 {
        let person: V1.Person = try context.createObject()
        (person.name, person.city) = ("Person \(number)", "Umeå")
        let dog: V1.Dog = try context.createObject()
        (dog.name, dog.age, dog.chip, dog.owner) = ("Rex", number, 100 + number, person)
      }
    }
    try old.close()
    let history = try SchemaHistory(V1.schema, V2.schema, migrationChain: ["V1", "V2"])
    let datastore = try await SwiftDatastore.open(history: history, url: url)
    let dogs = try await datastore.newContext().perform { context in
      let dogs: [V2.Dog] = try context.fetch(orderBy: [.asc(\.$years)])
      return dogs.map { "\($0.name) \($0.years) \($0.legs) \($0.owner?.name ?? "-")" }
    }
    #expect(dogs == ["Rex 1 4 Person 1", "Rex 2 4 Person 2", "Rex 3 4 Person 3"])
    #expect(try datastore.migrationHistory().map(\.toVersion) == ["V2"])
    try datastore.close()
    #expect(try SQLiteCommand.run("PRAGMA integrity_check", on: url) == "ok")
  }

  @Test("The set of the schema is kept by the file")
  func uniqueness() async throws {
    let datastore = try SwiftDatastore(dataModel: V1.schema, url: folder.file("unique.sqlite"))
    await #expect(throws: (any Error).self) {
      try await datastore.write { context in
        for _ in 1...2 {
          let person: V1.Person = try context.createObject()
          (person.name, person.city) = ("Ann", "Lund")
        }
      }
    }
    try datastore.close()
  }

  // Promise: the entities, the lock or a name are wrong → all faults at once, a sentence each.
  @Test("Everything that is wrong traps at once, a sentence each")
  func faults() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CoreStoreSchema(
        modelVersion: "V2",
        entities: [
          Entity<V2.Animal>("Animal", isAbstract: true), Entity<V2.Dog>("Hound"),
          Entity<V2.Person>("Person", uniqueConstraints: [[\.$pets]]),
        ], versionLock: ["Animal": []])
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    for sentence in [
      "CoreStoreSchema(modelVersion: \"V2\")",
      "The model calls the class Dog “Hound”, but its `entityName` is “Dog”; let the class say "
        + "`override class var entityName: String { \"Hound\" }`.",
      "Constraint 1 in `uniqueConstraints` of Person names something at place 1",
      "Person is new",
    ] {
      #expect(text.contains(sentence), "\(text)")
    }
  }
}
