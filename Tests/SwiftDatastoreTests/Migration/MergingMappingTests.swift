import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Several old entities that become one new entity, over several steps, and many rows.
@Suite("Custom mappings that merge, and many rows", .serialized)
struct MergingMappingTests {
  enum V1 {
    final class Cat: DatastoreObject {
      @Attribute.NotOptional var name: String
    }

    final class Dog: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Relationship.ToOne(inverse: \.$dogs) var owner: Owner?
    }

    final class Owner: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Relationship.ToMany var dogs: Set<Dog>
      @Relationship.ToMany var favourites: Set<Cat>
    }

    static func model() throws -> SwiftDatastoreModel {
      try SwiftDatastoreModel(version: "V1", from: Cat.self, Dog.self, Owner.self)
    }
  }

  enum V2 {
    final class Pet: DatastoreObject {
      static let living = Lock((count: 0, most: 0))

      @Attribute.NotOptional var name: String
      @Attribute.NotOptional var kind: String
      @Relationship.ToOne(inverse: \.$pets) var owner: Owner?

      required init(managedObject: ManagedObjectLogic) {
        super.init(managedObject: managedObject)
        Self.living.withLock { living in
          living.count += 1
          living.most = max(living.most, living.count)
        }
      }

      deinit { Self.living.withLock { $0.count -= 1 } }
    }

    final class Owner: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Relationship.ToMany(renamedFrom: "dogs") var pets: Set<Pet>
    }

    static func model() throws -> SwiftDatastoreModel {
      try SwiftDatastoreModel(version: "V2", from: Pet.self, Owner.self)
    }
  }

  /// With one attribute more.
  enum V3 {
    final class Pet: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.NotOptional var kind: String
      @Attribute.NotOptional var legs: Int = 4
      @Relationship.ToOne(inverse: \.$pets) var owner: Owner?
    }

    final class Owner: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.Optional var mostPets: Int?
      @Relationship.ToMany var pets: Set<Pet>
    }

    static func model() throws -> SwiftDatastoreModel {
      try SwiftDatastoreModel(version: "V3", from: Pet.self, Owner.self)
    }
  }

  private let folder: TemporaryDirectory
  private let url: URL

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("pets.sqlite")
    try SwiftDatastore(dataModel: V1.model(), url: url).close()
  }

  private static let merging = CustomSchemaMappingProvider(
    from: "V1", to: "V2",
    entityMappings: [
      .transformEntity(V1.Dog.self, into: V2.Pet.self) { dog, createPet in
        let pet = try createPet()
        (pet.name, pet.kind) = (dog.name, "dog")
        pet.owner = createPet.counterpart(of: dog.owner)
      },
      .transformEntity(V1.Cat.self, into: V2.Pet.self) { cat, createPet in
        let pet = try createPet()
        (pet.name, pet.kind) = (cat.name, "cat")
      },
    ])

  // Promise: two entities become one → keys that overlap are moved apart with everything that refers to
  // them.
  @Test(
    "Two entities become one, keys that overlap are moved apart, and further steps find them there")
  func merged() async throws {
    try SQLiteFile.make(
      at: url,
      """
      INSERT INTO Owner (_id, name) VALUES (1, 'Ann'), (2, 'Bob');
      INSERT INTO Dog (_id, name, owner) VALUES (1, 'Rex', 2), (7, 'Ace', 1);
      INSERT INTO Cat (_id, name) VALUES (1, 'Tom'), (3, 'Kit');
      """)
    let history = try SchemaHistory(
      V1.model(), V2.model(), V3.model(), migrationChain: ["V1", "V2", "V3"])
    let counting = CustomSchemaMappingProvider(
      from: "V2", to: "V3",
      entityMappings: [
        .transformEntity(V2.Owner.self, into: V3.Owner.self) { old, createOwner in
          let owner = try createOwner()
          owner.name = old.name
          owner.mostPets = old.pets.count
        }
      ])
    let opening = SwiftDatastore.opening(
      history: history, url: url, mappings: [Self.merging, counting])
    var steps: [String] = []
    for await state in opening where state.phase == .copying {
      steps.append(
        "\(state.step)/\(state.stepCount) \(state.entity ?? "") \(state.rowsDone)/\(state.rowsTotal)"
      )
    }
    #expect(
      steps == [
        "1/2 Owner 2/6", "1/2 Pet 4/6", "1/2 Pet 6/6", "2/2 Pet 4/6", "2/2 Owner 6/6",
      ] || steps == ["1/2 Pet 2/4", "1/2 Pet 4/4", "2/2 Owner 2/2"], "\(steps)")
    let datastore = try await opening.datastore
    try await datastore.newContext().perform { context in
      let pets: [V3.Pet] = try context.fetch(orderBy: [.asc(\.$name)])
      #expect(pets.map(\.name) == ["Ace", "Kit", "Rex", "Tom"])
      #expect(pets.map(\.kind) == ["dog", "cat", "dog", "cat"])
      #expect(pets.map { $0.owner?.name } == ["Ann", nil, "Bob", nil])
      #expect(pets.map(\.legs) == [4, 4, 4, 4])
      let owners: [V3.Owner] = try context.fetch(orderBy: [.asc(\.$name)])
      #expect(owners.map(\.mostPets) == [1, 1])
      #expect(owners[1].pets == [pets[2]])
    }
    try datastore.close()
    #expect(
      try SQLiteFile.values("SELECT _id || name FROM Pet ORDER BY _id", in: url)
        == ["1Rex", "7Ace", "8Tom", "10Kit"])
    #expect(try SQLiteFile.values("PRAGMA foreign_key_check", in: url) == [])
  }

  // Promise: many rows go through a closure → objects are released batch by batch.
  @Test("Objects are released on the way, so that memory does not grow with the rows")
  func streaming() async throws {
    try SQLiteFile.make(
      at: url,
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000) \
      INSERT INTO Dog (_id, name) SELECT i, 'D' || i FROM n
      """)
    let history = try SchemaHistory(V1.model(), V2.model(), migrationChain: ["V1", "V2"])
    // Behind the model, which keeps a prototype of each class.
    V2.Pet.living.withLock { $0 = (0, 0) }
    try await SwiftDatastore.open(history: history, url: url, mappings: [Self.merging]).close()
    let living = V2.Pet.living.withLock { $0 }
    #expect(living.count == 0)
    #expect(living.most <= 10_000, "\(living.most)")
    #expect(
      try SQLiteFile.values("SELECT count(*) || ' ' || count(DISTINCT name) FROM Pet", in: url)
        == ["60000 60000"])
  }

  @Test("A migration that is cancelled in a closure leaves the old file")
  func cancelled() async throws {
    try SQLiteFile.make(
      at: url, "INSERT INTO Dog (_id, name) VALUES (1, 'Rex'), (2, 'Ace'), (3, 'Max')")
    let before = try SQLiteCommand.run(".dump", on: url)
    let history = try SchemaHistory(V1.model(), V2.model(), migrationChain: ["V1", "V2"])
    let begun = Lock<StoreOpening?>(nil)
    let step = CustomSchemaMappingProvider(
      from: "V1", to: "V2",
      entityMappings: [
        .transformEntity(from: "Dog", to: "Pet") { source, createPet in
          let pet = try createPet()
          pet["name"] = source["name"]
          pet["kind"] = "dog"
          if source.key == 2 {
            while begun.withLock({ $0 == nil }) { sched_yield() }
            begun.withLock { $0?.cancel() }
          }
        }
      ])
    let opening = SwiftDatastore.opening(history: history, url: url, mappings: [step])
    begun.withLock { $0 = opening }
    await #expect(throws: CancellationError.self) { try await opening.datastore }
    #expect(try SQLiteCommand.run(".dump", on: url) == before)
  }
}
