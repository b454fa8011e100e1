import CoreStoreCompatibility
import DatastoreTestSupport
import Foundation
import Testing

/// The chapter on `@Field` of CoreStore's document. The line of a block is that of its first fence.
@MainActor
@Suite struct FieldTests {
  // CoreStore.md:106, 371, 1680, 1770, 1811, 1905
  class Animal: CoreStoreObject {
    @Field.Stored("species")
    var species: String = ""

    @Field.Virtual(
      "speciesPlural",
      customGetter: { (object, field) in
        object.$species.value + "s"
      }
    )
    var speciesPlural: String
  }

  final class Dog: Animal {
    @Field.Stored("nickname")
    var nickname: String?

    @Field.Stored("age")
    var age: Int = 1

    @Field.Relationship("master")
    var master: Person?
  }

  enum Title: String, FieldStorableType {
    case mister = "Mr."
    case miss = "Ms."
  }

  // CoreStore.md:1703, 1859, 1959
  final class Person: CoreStoreObject {
    struct CustomInfo: Codable, Equatable {
      var motto: String
    }

    /// Not Codable.
    struct Photo: Equatable {
      var pixels: [UInt8]
    }

    @Field.Stored("title")
    var title: String = "Mr."

    @Field.Stored("form")
    var form: Title = .mister

    // note property name is independent of the storage key name
    @Field.Stored("name")
    fileprivate var internalName: String = ""

    @Field.Stored("identifier", dynamicInitialValue: { UUID() })
    var identifier: UUID

    @Field.Stored("createdDate", dynamicInitialValue: { Date() })
    var createdDate: Date

    @Field.Coded("otherInfo", coder: FieldCoders.Json.self)
    var otherInfo: CustomInfo?

    @Field.Coded("tags", coder: FieldCoders.Plist.self)
    var tags: [String] = ["new"]

    @Field.Coded(
      "photo",
      coder: (
        encode: { Data($0.pixels) },
        decode: { Photo(pixels: Array($0)) }
      )
    )
    var photo: Photo?

    @Field.Relationship("pets", inverse: \Dog.$master)
    var pets: Set<Dog>

    @Field.Relationship("favourites", inverse: \Toy.$owner, deleteRule: .cascade)
    var favourites: [Toy]

    @Field.Virtual("isExpanded")
    var isExpanded: Bool?
  }

  final class Toy: CoreStoreObject {
    @Field.Stored("name", previousVersionKeyPath: "label") var name: String = ""
    @Field.Relationship("owner") var owner: Person?
  }

  private let folder: TemporaryDirectory
  private let url: URL

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("MyStore.sqlite")
  }

  private func makeStack() throws -> DataStack {
    // CoreStore.md:1713
    let dataStack = DataStack(
      CoreStoreSchema(
        modelVersion: "V1",
        entities: [
          Entity<Animal>("Animal", isAbstract: true),
          Entity<Dog>("Dog"),
          Entity<Person>("Person"),
          Entity<Toy>("Toy"),
        ]))
    try dataStack.addStorageAndWait(SQLiteStore(fileURL: url))
    return dataStack
  }

  private func makePerson(_ dataStack: DataStack) throws {
    try dataStack.perform(synchronous: { transaction in
      let person = try transaction.create(Into<Person>())
      (person.internalName, person.form) = ("Ann", .miss)
      person.otherInfo = .init(motto: "on")
      person.photo = .init(pixels: [1, 2, 3])
      for (nickname, age) in [("Rex", 3), (nil, 7)] {
        let dog = try transaction.create(Into<Dog>())
        (dog.species, dog.nickname, dog.age, dog.master) = ("dog", nickname, age, person)
      }
      let toys = try ["ball", "rope"].map { name in
        let toy = try transaction.create(Into<Toy>())
        toy.name = name
        return toy
      }
      person.favourites = [toys[1], toys[0]]
    })
  }

  @Test("What is stored comes back, under the names of the wrappers")
  func stored() throws {
    let dataStack = try makeStack()
    try makePerson(dataStack)
    let person = try #require(try dataStack.fetchOne(From<Person>()))
    #expect(person.internalName == "Ann" && person.title == "Mr." && person.form == .miss)
    #expect(person.otherInfo == .init(motto: "on") && person.photo == .init(pixels: [1, 2, 3]))
    #expect(person.tags == ["new"])
    #expect(Set(person.pets.map(\.age)) == [3, 7])
    #expect(person.favourites.map(\.name) == ["rope", "ball"])
    #expect(person.favourites.allSatisfy { $0.owner === person })
    #expect(
      try SQLiteCommand.run("SELECT name, title, form, otherInfo, hex(photo) FROM Person", on: url)
        == #"Ann|Mr.|Ms.|{"motto":"on"}|010203"#)
    #expect(
      try SQLiteCommand.run("SELECT nickname, age FROM Animal ORDER BY age", on: url) == "Rex|3\n|7"
    )
  }

  @Test("CoreStore.md:1730, 1734: names, conditions and orders")
  func queries() throws {
    let dataStack = try makeStack()
    try makePerson(dataStack)
    let keyPath = String(keyPath: \Dog.$nickname)
    #expect(keyPath == "nickname")
    #expect(String(keyPath: \Person.$internalName) == "name")
    let puppies = try dataStack.fetchAll(
      From<Dog>()
        .where(\.$age < 5)
        .orderBy(.ascending(\.$age)))
    #expect(puppies.map(\.nickname) == ["Rex"])
    #expect(try dataStack.fetchCount(From<Dog>().where(\.$nickname == nil)) == 1)
    #expect(try dataStack.fetchCount(From<Dog>().where((\.$nickname ^= "R"))) == 1)
    #expect(try dataStack.fetchCount(From<Dog>().where(\.$master ~ \.$form == .miss)) == 2)
    #expect(try dataStack.fetchCount(From<Animal>().where(\.$species == "dog")) == 2)
    #expect(try dataStack.fetchCount(From<Person>().where(\.$pets.count == 2)) == 1)
    #expect(try dataStack.fetchCount(From<Person>().where((\.$pets ~ \.$age).any > 6)) == 1)
    #expect(try dataStack.queryValue(From<Dog>().select(Int.self, .maximum(\.$age))) == 7)
    #expect(try dataStack.queryValue(From<Dog>().where(\.$age == 7).select(\.$nickname)) == nil)
  }

  @Test("CoreStore.md:1811: what is not stored is computed, or kept in memory")
  func virtual() throws {
    let dataStack = try makeStack()
    try makePerson(dataStack)
    let dog = try #require(try dataStack.fetchOne(From<Dog>()))
    #expect(dog.speciesPlural == "dogs" && dog.$speciesPlural.value == "dogs")
    let person = try #require(try dataStack.fetchOne(From<Person>()))
    #expect(person.isExpanded == nil)
    person.isExpanded = true
    #expect(person.isExpanded == true)
    #expect(
      try SQLiteCommand.run(
        "SELECT count(*) FROM pragma_table_info('Person') WHERE name = 'isExpanded'", on: url)
        == "0")
  }

  @Test("CoreStore.md:1959: each object has a value of its own")
  func dynamicInitialValues() throws {
    let dataStack = try makeStack()
    for _ in 1...2 { try makePerson(dataStack) }
    let people = try dataStack.fetchAll(From<Person>())
    #expect(Set(people.map(\.identifier)).count == 2)
  }

  private final class Wrong: CoreStoreObject {
    @Field.Stored("identifier")
    var identifier: UUID = UUID()  // Wrong!
  }

  @Test("CoreStore.md:1943: a default that is another one each time is a fault of the model")
  func changingDefault() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Wrong>("Wrong")])
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Wrong.identifier"), "\(text)")
  }

  @Test("Snapshots have fields, coded ones too, and are edited")
  func snapshots() throws {
    let dataStack = try makeStack()
    try makePerson(dataStack)
    let person = try #require(try dataStack.fetchOne(From<Person>()))
    let snapshot = try #require(ObjectSnapshot(of: person))
    #expect(snapshot.$internalName == "Ann" && snapshot.$form == .miss)
    #expect(snapshot.$otherInfo == .init(motto: "on") && snapshot.$photo?.pixels == [1, 2, 3])
    #expect(snapshot.$tags == ["new"])
  }

  /// The same classes with the wrappers of SwiftDatastore.
  private enum Ours {
    class Animal: DatastoreObject {
      override class var isAbstract: Bool { self == Animal.self }
      @Attribute.NotOptional var species: String = ""
    }

    final class Dog: Animal {
      @Attribute.Optional var nickname: String?
      @Attribute.NotOptional var age: Int = 1
      @Relationship.ToOne var master: Owner?
    }

    final class Owner: DatastoreObject {
      override class var entityName: String { "Person" }
      @Attribute.NotOptional var name: String = ""
      @Attribute.Coded var otherInfo: Person.CustomInfo?
      @Relationship.ToMany(inverse: \.$master) var pets: Set<Dog>
    }
  }

  private enum Theirs {
    class Animal: CoreStoreObject {
      @Field.Stored("species") var species: String = ""
    }

    final class Dog: Animal {
      @Field.Stored("nickname") var nickname: String?
      @Field.Stored("age") var age: Int = 1
      @Field.Relationship("master") var master: Person?
    }

    final class Person: CoreStoreObject {
      @Field.Stored("name") var internalName: String = ""
      @Field.Coded("otherInfo", coder: FieldCoders.Json.self) var otherInfo:
        FieldTests.Person
          .CustomInfo?
      @Field.Relationship("pets", inverse: \Dog.$master) var pets: Set<Dog>
    }
  }

  // Promise: a class is declared with `@Field`, another with `Attribute`, for one file → one model, one
  // lock, one file.
  @Test("The wrappers of both systems give one model, and either opens the other's file")
  func sameModel() throws {
    let schema = CoreStoreSchema(
      modelVersion: "V1",
      entities: [
        Entity<Theirs.Animal>("Animal", isAbstract: true), Entity<Theirs.Dog>("Dog"),
        Entity<Theirs.Person>("Person"),
      ])
    let model = try SwiftDatastoreModel(
      version: "V1", from: Ours.Animal.self, Ours.Dog.self, Ours.Owner.self)
    #expect(schema.schema.entities.map(\.description) == model.schema.entities.map(\.description))
    #expect(schema.versionLock == model.versionLock)
    let datastore = try SwiftDatastore(dataModel: schema, url: url)
    try datastore.writeAndWait { context in
      let person: Theirs.Person = try context.createObject()
      (person.internalName, person.otherInfo) = ("Ann", .init(motto: "on"))
    }
    try datastore.close()
    let other = try SwiftDatastore(dataModel: model, url: url)
    let owners: [Ours.Owner] = try other.sharedViewContext.fetch()
    #expect(owners.map(\.name) == ["Ann"] && owners.map(\.otherInfo?.motto) == ["on"])
  }

  private final class Renamed: CoreStoreObject {
    override class var entityName: String { "Toy" }
    @Field.Stored("title", previousVersionKeyPath: "name") var title: String = ""
    @Field.Relationship("owner") var owner: Renamed?
  }

  @Test("A field that was renamed keeps its values")
  func renaming() async throws {
    let before = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Label>("Toy")])
    let datastore = try SwiftDatastore(dataModel: before, url: url)
    try await datastore.write { context in
      let toy: Label = try context.createObject()
      toy.name = "ball"
    }
    try datastore.close()
    let after = CoreStoreSchema(modelVersion: "V2", entities: [Entity<Renamed>("Toy")])
    let dataStack = DataStack(before, after, migrationChain: ["V1", "V2"])
    let result = await withCheckedContinuation { continuation in
      _ = dataStack.addStorage(
        SQLiteStore(fileURL: url), completion: { continuation.resume(returning: $0) })
    }
    _ = try result.get()
    #expect(try dataStack.fetchAll(From<Renamed>()).map(\.title) == ["ball"])
  }

  private final class Label: CoreStoreObject {
    override class var entityName: String { "Toy" }
    @Field.Stored("name") var name: String = ""
    @Field.Relationship("owner") var owner: Label?
  }
}
