import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// The parts of a model that may change without a new version of it, and those that may not.
@Suite("Changes of a model that no table depends on")
struct ModelChangeTests {
  private let directory: TemporaryDirectory
  private let url: URL

  init() throws {
    directory = try TemporaryDirectory()
    url = directory.file("store.sqlite")
  }

  enum First {
    enum Grade: Int, CaseIterable { case low, high }

    final class Person: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.NotOptional var salary: Double = 1000
      @Attribute.Optional var phone: String?
      @Attribute.Enum var grade: Grade?
      @Relationship.ToMany(deleteRule: .nullify) var pets: Set<Pet>
    }

    final class Pet: DatastoreObject {
      @Attribute.NotOptional var name: String = "Rex"
      @Relationship.ToOne(inverse: \.$pets) var owner: Person?
    }
  }

  /// Everything that may change has changed: names in Swift, order, defaults, rules, counts, cases, indexes.
  enum Second {
    enum Grade: Int, CaseIterable {
      case low
      case middle = 5
      case high = 1
    }

    final class Pet: DatastoreObject {
      @Relationship.ToOne(inverse: \.$animals, deleteRule: .cascade, named: "owner")
      var keeper: Person?
      @Attribute.NotOptional(indexed: true, renamedFrom: "title", named: "name") var called: String
    }

    final class Person: DatastoreObject {
      override class var renamedFrom: String? { "Human" }
      override class var indexes: [Index] {
        [
          Index(\Person.$name, \Person.$telephone),
          Index(.descending(\Person.$pay), .ascending(\Person.$name)),
        ]
      }
      @Relationship.ToMany(deleteRule: .deny, maximumCount: 5, named: "pets") var animals: Set<Pet>
      @Attribute.Enum var grade: Grade?
      @Attribute.Optional(named: "phone") var telephone: String? = "none"
      @Attribute.NotOptional(named: "salary") var pay: Double = 2000.5
      @Attribute.NotOptional var name: String
    }
  }

  private func tables() throws -> [String] {
    try SQLiteFile.values("SELECT sql FROM sqlite_master WHERE type = 'table' ORDER BY 1", in: url)
  }

  private func metadata(_ key: String) throws -> [String] {
    try SQLiteFile.values(
      "SELECT value FROM _datastore WHERE key LIKE '\(key)' ORDER BY key", in: url)
  }

  @Test("They open the file, which describes itself by the new model then")
  func changes() async throws {
    let first = try SwiftDatastore(
      dataModel: SwiftDatastoreModel(from: First.Person.self, First.Pet.self), url: url)
    try await first.write { context in
      let person: First.Person = try context.createObject()
      person.name = "Ann"
      person.phone = "1"
      person.grade = .high
      let pet: First.Pet = try context.createObject()
      pet.owner = person
    }
    try first.close()
    let (tables, hashes) = (try tables(), try metadata("hash:%"))
    let rules = try metadata("rules:%")
    let model = try SwiftDatastoreModel(from: Second.Pet.self, Second.Person.self)
    let second = try SwiftDatastore(dataModel: model, url: url)
    try await second.write { context in
      let person: Second.Person = try #require(
        try context.fetchFirst(where: \.$telephone == "1" && \.$pay == 1000))
      #expect(person.animals.map(\.called) == ["Rex"])
      #expect(person.grade == .high)
      person.pay += 0.5
      let other: Second.Person = try context.createObject()
      other.name = "Bob"
      #expect(other.pay == 2000.5)
      let pets: [Second.Pet] = try context.fetch(where: \.$keeper ~ \.$pay > 1000)
      #expect(pets.count == 1)
    }
    try second.close()
    #expect(try self.tables() == tables)
    #expect(try metadata("hash:%") == hashes)
    #expect(try metadata("rules:%") != rules)
    #expect(
      try SQLiteFile.values("SELECT phone || ' ' || salary FROM Person ORDER BY _id", in: url)
        == ["1 1000.5", "none 2000.5"])
    #expect(
      try SQLiteFile.values(
        "SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name <> '_datastore' ORDER BY 1",
        in: url) == [
          #"CREATE INDEX "Person_name_phone_index" ON "Person" ("name", "phone")"#,
          #"CREATE INDEX "Person_salary_name_index" ON "Person" ("salary" DESC, "name")"#,
          #"CREATE INDEX "Pet_name_index" ON "Pet" ("name")"#,
          #"CREATE INDEX "Pet_owner_index" ON "Pet" ("owner")"#,
        ])
    // The file's description of itself equals the model.
    #expect(
      try SwiftDatastore(opening: url).schema.entity(named: "Person")?.slot(named: "pay") != nil)
    // And back.
    _ = try SwiftDatastore(
      dataModel: SwiftDatastoreModel(from: First.Person.self, First.Pet.self), url: url)
  }

  @Test("A file that may only be read is not written for it")
  func readOnly() throws {
    try SwiftDatastore(
      dataModel: SwiftDatastoreModel(from: First.Person.self, First.Pet.self), url: url
    ).close()
    let before = try Data(contentsOf: url)
    let model = try SwiftDatastoreModel(from: Second.Pet.self, Second.Person.self)
    try SwiftDatastore(dataModel: model, url: url, readOnly: true).close()
    #expect(try Data(contentsOf: url) == before)
  }

  @Test("A modifier makes another version, and so does what stores something else")
  func others() throws {
    try SwiftDatastore(
      dataModel: SwiftDatastoreModel(from: First.Person.self, First.Pet.self), url: url
    ).close()
    let before = try Data(contentsOf: url)
    for (type, differs) in [
      (Modified.Person.self as DatastoreObject.Type, true), (Valued.Person.self, true),
      (Removed.Person.self, true), (First.Person.self, false),
    ] {
      let pet: DatastoreObject.Type =
        switch type {
        case is Modified.Person.Type: Modified.Pet.self
        case is Valued.Person.Type: Valued.Pet.self
        case is Removed.Person.Type: Removed.Pet.self
        default: First.Pet.self
        }
      let model = try SwiftDatastoreModel(from: [type, pet])
      if differs {
        #expect(
          throws: StoreError.schemaMismatch(path: url.path, differences: ["Person differs"])
        ) { try SwiftDatastore(dataModel: model, url: url, migration: .none) }
      } else {
        try SwiftDatastore(dataModel: model, url: url).close()
      }
    }
    #expect(try Data(contentsOf: url) == before)
  }

  enum Modified {
    final class Person: DatastoreObject {
      override class var hashModifier: String? { "euros" }
      @Attribute.NotOptional var name: String
      @Attribute.NotOptional var salary: Double = 1000
      @Attribute.Optional var phone: String?
      @Attribute.Enum var grade: First.Grade?
      @Relationship.ToMany var pets: Set<Pet>
    }

    final class Pet: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Relationship.ToOne(inverse: \.$pets) var owner: Person?
    }
  }

  enum Valued {
    final class Person: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.NotOptional(hashModifier: "euros") var salary: Double = 1000
      @Attribute.Optional var phone: String?
      @Attribute.Enum var grade: First.Grade?
      @Relationship.ToMany var pets: Set<Pet>
    }

    final class Pet: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Relationship.ToOne(inverse: \.$pets) var owner: Person?
    }
  }

  enum Removed {
    final class Person: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.NotOptional(named: "wage") var salary: Double = 1000
      @Attribute.Optional var phone: String?
      @Attribute.Enum var grade: First.Grade?
      @Relationship.ToMany var pets: Set<Pet>
    }

    final class Pet: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Relationship.ToOne(inverse: \.$pets) var owner: Person?
    }
  }

  enum Indexed {
    final class Note: DatastoreObject {
      override class var indexes: [Index] { [Index(\Note.$title, \Note.$year)] }
      @Attribute.NotOptional(indexed: true) var title: String
      @Attribute.NotOptional var year: Int
    }
  }

  enum Unindexed {
    final class Note: DatastoreObject {
      @Attribute.NotOptional var title: String
      @Attribute.NotOptional(indexed: true) var year: Int
    }
  }

  @Test(
    "Indexes that a model has given up are dropped, whatever may be migrated; third-party ones stay",
    arguments: [MigrationPolicy.none, .instant])
  func indexesThatGo(_ policy: MigrationPolicy) throws {
    try SwiftDatastore(dataModel: SwiftDatastoreModel(from: Indexed.Note.self), url: url).close()
    try SQLiteFile.make(at: url, "CREATE INDEX mine ON Note (year, title)")
    let names =
      "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'Note' ORDER BY name"
    #expect(
      try SQLiteFile.values(names, in: url)
        == ["Note_title_index", "Note_title_year_index", "mine"])
    try SwiftDatastore(
      dataModel: SwiftDatastoreModel(from: Unindexed.Note.self), url: url, migration: policy
    ).close()
    #expect(try SQLiteFile.values(names, in: url) == ["Note_year_index", "mine"])
  }
}

/// Options that enter the tables.
@Suite("Tables by the options of a model")
struct ModelTableTests {
  class Animal: DatastoreObject {
    @Attribute.NotOptional var name: String = "it's"
    @Attribute.Optional var legs: Int? = -4
  }

  final class Dog: Animal {
    @Attribute.NotOptional var tricks: Int = 1
  }

  final class Stone: DatastoreObject {
    @Attribute.NotOptional var name: String = "a ‘stone’"
    @Attribute.NotOptional var weight: Double = -0.5
    @Attribute.NotOptional var exact: Double = 0.1 + 0.2
    @Attribute.NotOptional var isHeavy: Bool = true
    @Attribute.NotOptional var data: Data = Data([0, 255])
    @Attribute.NotOptional var price: Decimal = Decimal(string: "9999999999999999.01") ?? 0
    @Attribute.NotOptional var found: Date = Date(timeIntervalSinceReferenceDate: 86_400)
    @Attribute.NotOptional var least: Int = .min
    @Attribute.Coded var tags: [String]? = ["new"]
    @Attribute.NotOptional(initial: { UUID() }) var id: UUID
  }

  @Test("Another program's rows get the constant defaults, as ours do")
  func defaults() async throws {
    let directory = try TemporaryDirectory()
    let url = directory.file("stones.sqlite")
    let model = try SwiftDatastoreModel(from: Stone.self, Animal.self, Dog.self)
    let datastore = try SwiftDatastore(dataModel: model, url: url)
    try SQLiteCommand.run(
      """
      INSERT INTO Stone (exact, least, id) VALUES (1, 1, x'000102030405060708090a0b0c0d0e0f');
      INSERT INTO Animal (_entity, tricks) VALUES ('Animal', NULL), ('Dog', 3);
      """, on: url)
    let seen = try await datastore.write { context in
      let ours: Stone = try context.createObject()
      let animal: Animal = try context.createObject()
      let stones: [Stone] = try context.fetch(orderBy: [.asc(\.$exact)])
      let animals: [Animal] = try context.fetch()
      #expect(ours.least == .min && animal.legs == -4)
      return stones.map {
        "\($0.name) \($0.weight) \($0.isHeavy) \(Array($0.data)) \($0.price) "
          + "\($0.found.timeIntervalSinceReferenceDate) \($0.tags ?? [])"
      } + animals.map { "\($0.name) \($0.legs ?? 0) \(($0 as? Dog)?.tricks ?? 0)" }
    }
    let stone = "a ‘stone’ -0.5 true [0, 255] 9999999999999999.01 86400.0 [\"new\"]"
    #expect(seen == [stone, stone, "it's -4 0", "it's -4 3", "it's -4 0"])
    // A row has no values of properties that only others of its family have.
    #expect(
      try SQLiteCommand.run("SELECT count(*) FROM Animal WHERE tricks IS NOT NULL", on: url) == "1")
    #expect(
      try SQLiteCommand.run("SELECT sql FROM sqlite_master WHERE name = 'Stone'", on: url) == """
        CREATE TABLE "Stone" ("_id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL DEFAULT 'a ‘stone’', \
        "weight" REAL NOT NULL DEFAULT (-0.5), "exact" REAL NOT NULL, \
        "isHeavy" INTEGER NOT NULL DEFAULT 1, "data" BLOB NOT NULL DEFAULT X'00FF', \
        "price" NOT NULL DEFAULT '9999999999999999.01', "found" REAL NOT NULL DEFAULT 86400.0, \
        "least" INTEGER NOT NULL, "tags" BLOB DEFAULT X'5B226E6577225D', "id" BLOB NOT NULL)
        """)
  }

  @Test("What differs each time it is evaluated is no default")
  func changingDefaults() throws {
    final class Visit: DatastoreObject {
      @Attribute.NotOptional var name: String = "x"
      @Attribute.NotOptional var at: Date = Date()
      @Attribute.Optional var id: UUID? = UUID()
      @Attribute.NotOptional(initial: { Date() }) var seen: Date
    }
    final class Follow: DatastoreObject {
      @Attribute.NotOptional(named: "a") var first: Int = 0
      @Attribute.NotOptional(named: "a") var second: Int = 0
      @Relationship.ToMany var visits: Set<Visit>
      override class var indexes: [Index] { [Index(\Follow.$visits)] }
    }
    let error = try #require(throws: SchemaError.self) {
      try SwiftDatastoreModel(from: Visit.self, Follow.self)
    }
    #expect(
      error.faults.map(\.description) == [
        "Follow.first and Follow.second both claim the values of “a” from an older version of the "
          + "model; change `renamedFrom` of one of them.",
        "Index 1 in `indexes` of Follow names something at place 1 that is not an attribute or a "
          + "to-one relationship of it; write it like \\Follow.$property.",
        "The default of Visit.at is another value each time it is evaluated, so that it cannot be the "
          + "default of all objects; let a closure make the value of each new one: "
          + "`@Attribute.NotOptional(initial: { … }) var at`.",
        "The default of Visit.id is another value each time it is evaluated, so that it cannot be the "
          + "default of all objects; let a closure make the value of each new one: "
          + "`@Attribute.NotOptional(initial: { … }) var id`.",
        "Follow.first and Follow.second are both stored as “a”; change `named:` of one of them.",
      ])
  }
}
