import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Steps between two versions with a part that is done by hand.
@Suite("Custom mappings")
struct CustomMappingTests {
  enum V1 {
    final class Person: DatastoreObject {
      @Attribute.NotOptional var first: String
      @Attribute.NotOptional var last: String
      @Attribute.Optional var street: String?
      @Attribute.NotOptional var isOld: Bool = false
      @Relationship.ToOne(inverse: \.$people) var company: Company?
      @Relationship.ToMany.Ordered(deleteRule: .cascade) var tasks: [Chore]
      @Relationship.ToMany(inverse: \.$fans) var idols: Set<Person>
      @Relationship.ToMany var fans: Set<Person>
    }

    final class Company: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Relationship.ToMany.Ordered var people: [Person]
    }

    final class Chore: DatastoreObject {
      @Attribute.NotOptional var title: String
      @Relationship.ToOne(inverse: \.$tasks) var owner: Person?
    }

    final class Draft: DatastoreObject {
      @Attribute.Optional var text: String?
    }

    static func model() throws -> SwiftDatastoreModel {
      try SwiftDatastoreModel(
        version: "V1", from: Person.self, Company.self, Chore.self, Draft.self)
    }
  }

  enum V2 {
    final class Person: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Relationship.ToOne(inverse: \.$resident) var address: Address?
      @Relationship.ToOne(inverse: \.$people) var company: Company?
      @Relationship.ToMany.Ordered(deleteRule: .cascade) var tasks: [Chore]
      @Relationship.ToMany(inverse: \.$fans) var idols: Set<Person>
      @Relationship.ToMany var fans: Set<Person>
    }

    final class Address: DatastoreObject {
      @Attribute.NotOptional var street: String
      @Relationship.ToOne var resident: Person?
    }

    final class Company: DatastoreObject {
      @Attribute.NotOptional(renamedFrom: "name") var title: String
      @Relationship.ToMany.Ordered var people: [Person]
    }

    final class Chore: DatastoreObject {
      @Attribute.NotOptional var title: String
      @Attribute.NotOptional var isDone: Bool = false
      @Relationship.ToOne(inverse: \.$tasks) var owner: Person?
    }

    static func model() throws -> SwiftDatastoreModel {
      try SwiftDatastoreModel(
        version: "V2", from: Person.self, Address.self, Company.self, Chore.self)
    }
  }

  private let folder: TemporaryDirectory
  private let url: URL
  private let history: SchemaHistory

  /// A file of the first version: three people, of whom the third is old.
  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("people.sqlite")
    history = try SchemaHistory(V1.model(), V2.model(), migrationChain: ["V1", "V2"])
    let datastore = try SwiftDatastore(dataModel: V1.model(), url: url)
    let done = DispatchSemaphore(value: 0)
    let failure = Lock<(any Error)?>(nil)
    datastore.newContext().perform { context in
      let company: V1.Company = try context.createObject()
      company.name = "Acme"
      let people = try ["Ann Ames", "Bob Bush", "Cid Cole"].map { name in
        let person: V1.Person = try context.createObject()
        let parts = name.split(separator: " ")
        (person.first, person.last) = (String(parts[0]), String(parts[1]))
        return person
      }
      people[0].street = "Main Street 1"
      people[2].isOld = true
      // Not in the order of their keys.
      company.people = [people[1], people[2], people[0]]
      people[0].idols = [people[1], people[2]]
      people[2].idols = [people[0]]
      for (title, owner) in [("wash", 0), ("cook", 0), ("dust", 2)] {
        let chore: V1.Chore = try context.createObject()
        chore.title = title
        people[owner].tasks.append(chore)
      }
      people[0].tasks.reverse()
      let _: V1.Draft = try context.createObject()
      try context.saveChanges()
    } success: {
      done.signal()
    } failure: { error in
      failure.withLock { $0 = error }
      done.signal()
    }
    done.wait()
    if let error = failure.withLock({ $0 }) { throw error }
    try datastore.close()
  }

  private func dump() throws -> String { try SQLiteCommand.run(".dump", on: url) }

  private func step(_ mappings: CustomMapping...) -> [any SchemaMappingProvider] {
    [CustomSchemaMappingProvider(from: "V1", to: "V2", entityMappings: mappings)]
  }

  /// Requires everything that should be there, by objects of the second version.
  private func requireMigrated() async throws {
    let datastore = try SwiftDatastore(history: history, url: url, migration: .none)
    try await datastore.newContext().perform { context in
      let people: [V2.Person] = try context.fetch(orderBy: [.asc(\.$name)])
      #expect(people.map(\.name) == ["Ann Ames", "Bob Bush"])
      #expect(people.map { $0.address?.street } == ["Main Street 1", nil])
      let addresses: [V2.Address] = try context.fetch()
      #expect(addresses.map(\.resident) == [people[0]])
      // The company was inferred, its people were made by hand: their order is that of before.
      let companies: [V2.Company] = try context.fetch()
      #expect(companies.map(\.title) == ["Acme"])
      #expect(companies[0].people.map(\.name) == ["Bob Bush", "Ann Ames"])
      #expect(people[0].tasks.map(\.title) == ["cook", "wash"])
      #expect(people[0].idols == [people[1]])
      #expect(people[0].fans == [])
      let chores: [V2.Chore] = try context.fetch(orderBy: [.asc(\.$title)])
      #expect(chores.map { $0.owner?.name } == ["Ann Ames", nil, "Ann Ames"])
    }
    try datastore.close()
    #expect(try SQLiteFile.values("PRAGMA integrity_check", in: url) == ["ok"])
    #expect(try SQLiteFile.values("PRAGMA foreign_key_check", in: url) == [])
    #expect(try Declarations.of(url) == freshDeclarations())
  }

  private func freshDeclarations() throws -> Set<String> {
    let fresh = folder.file("fresh.sqlite")
    try SwiftDatastore(dataModel: V2.model(), url: fresh).close()
    return try Declarations.of(fresh)
  }

  // Promise: a closure leaves objects out → references to them are cleared, pairs go, orders stay.
  // Also: `CustomMappingTests.byName`
  // Promise: a closure is wrong → the old file is kept beside the new one.
  @Test("Objects are made by classes of both versions: split, left out, and with all they lead to")
  func typed() async throws {
    let before = try dump()
    let datastore = try await SwiftDatastore.open(
      history: history, url: url,
      mappings: step(
        .deleteEntity("Draft"),
        .transformEntity(V1.Person.self, into: V2.Person.self) { old, createPerson in
          if old.isOld { return }
          let person = try createPerson()
          #expect(try createPerson() === person)
          person.name = "\(old.first) \(old.last)"
          // Read through the old relationships, and found again in the new version.
          #expect(old.company?.people.count == 3)
          person.company = createPerson.counterpart(of: old.company)
          #expect(person.company?.title == "Acme")
          if let street = old.street {
            let address: V2.Address = try createPerson.context.createObject()
            address.street = street
            person.address = address
          }
        }))
    try datastore.close()
    try await requireMigrated()
    // A closure may be wrong, so the old file is kept.
    let copy = folder.file("people.before-migration.sqlite")
    #expect(try SQLiteCommand.run(".dump", on: copy) == before)
  }

  @Test("The same by names, with an entity that is filled by a mapping of its own")
  func byName() async throws {
    let datastore = try await SwiftDatastore.open(
      history: history, url: url,
      mappings: step(
        .transformEntity(from: "Person", to: "Person") { source, createDestination in
          if source["isOld"] == 1 { return }
          let person = try createDestination()
          person.forEachProperty { property, sourceProperty in
            if let sourceProperty { person[property] = source[sourceProperty] }
          }
          person["name"] = .text("\(source["first"].plain) \(source["last"].plain)")
          #expect(source.object("company")?["name"] == "Acme")
          #expect(source.objects("idols").count == (source.key == 1 ? 2 : 0))
        },
        .transformEntity(from: "Person", to: "Address") { source, createDestination in
          guard case .text = source["street"] else { return }
          let address = try createDestination()
          address["street"] = source["street"]
          // The key of the old object; the new one has been made before.
          address["resident"] = .key(source.key)
        },
        .deleteEntity("Draft")))
    try datastore.close()
    try await requireMigrated()
  }

  @Test("Statements run on the old and on the new tables")
  func statements() async throws {
    let datastore = try await SwiftDatastore.open(
      history: history, url: url,
      mappings: step(
        .sqlBefore("DELETE FROM Draft", "UPDATE Chore SET title = upper(title)"),
        .transformEntity(from: "Person", to: "Person") { source, createDestination in
          try createDestination()["name"] = source["first"]
        },
        .sqlAfter("UPDATE Person SET name = name || '!' WHERE _id = 1; UPDATE Chore SET isDone = 1")
      ))
    try datastore.close()
    #expect(
      try SQLiteFile.values("SELECT name FROM Person ORDER BY _id", in: url)
        == ["Ann!", "Bob", "Cid"])
    #expect(
      try SQLiteFile.values("SELECT title || isDone FROM Chore ORDER BY _id", in: url)
        == ["WASH1", "COOK1", "DUST1"])
  }

  /// Mappings that fail, and the messages.
  private static let failing: [(CustomMapping, String)] = [
    (
      .transformEntity(from: "Person", to: "Person") { source, createDestination in
        if source.key == 2 { throw ObjectCountError(count: 2) }
        try createDestination()["name"] = "x"
      }, "the mapping of Person 2 failed: 2 objects are too many"
    ),
    (
      .transformEntity(from: "Person", to: "Person") { _, createDestination in
        _ = try createDestination()
      }, "the mapping of objects of Person failed: "
    ),
    (
      .sqlAfter("COMMIT"),
      "the statement “COMMIT” failed: Each statement is a transaction of its own here"
    ),
    (
      .sqlBefore("ATTACH 'other.sqlite' AS other"),
      "the statement “ATTACH 'other.sqlite' AS other” failed: Other files cannot be attached here."
    ),
    (.sqlBefore("UPDATE Absent SET a = 1"), "failed: no such table: Absent"),
  ]

  /// People get names, if nothing fails before.
  private static let naming = CustomMapping.transformEntity(from: "Person", to: "Person") {
    source, createDestination in
    try createDestination()["name"] = source["first"]
  }

  private struct ObjectCountError: Error, CustomStringConvertible {
    let count: Int
    var description: String { "\(count) objects are too many" }
  }

  // Promise: a statement of a mapping ends the transaction or attaches files → refused, nothing is changed.
  // Promise: a closure throws, or makes what cannot be saved → nothing is changed; the object is named.
  @Test("What fails changes nothing, and says for which object", arguments: 0..<5)
  func failures(_ index: Int) async throws {
    let (mapping, sentence) = Self.failing[index]
    let before = try dump()
    let error = try await #require(throws: MigrationError.self) {
      try await SwiftDatastore.open(
        history: history, url: url, mappings: step(.deleteEntity("Draft"), mapping, Self.naming),
        migration: .declared(.all), backup: .none)
    }
    #expect(error.description.contains(sentence), "\(error)")
    #expect(error.description.hasSuffix("Nothing was changed."))
    #expect(try dump() == before)
    #expect(try folder.names() == ["people.sqlite"])
  }

  @Test("The forecast says what a mapping makes of how many objects, and opening waits for leave")
  func forecast() throws {
    let before = try dump()
    let mappings = step(
      .deleteEntity("Draft"),
      .transformEntity(V1.Person.self, into: V2.Person.self) { old, createPerson in
        try createPerson().name = old.first
      })
    let forecast = try SwiftDatastore.requiredMigrations(
      of: url, history: history, mappings: mappings)
    #expect(forecast.losses.isEmpty && forecast.obstacles.isEmpty)
    #expect(forecast.kind == .lossless)
    let person = try #require(forecast.entities.first { $0.entity == "Person" })
    #expect(person.rows == 3 && person.rowsToWrite == 3)
    #expect(person.changes.map(\.description).contains("Person is made by a mapping from Person"))
    let error = try #require(throws: MigrationError.self) {
      try SwiftDatastore(history: history, url: url, mappings: mappings)
    }
    #expect(error.description.contains("that writes rows, which takes time"))
    #expect(try dump() == before)
  }

  @Test("Mappings that do not agree with the versions are one error with all of it")
  func faults() throws {
    let error = try #require(throws: SchemaError.self) {
      try SwiftDatastore(
        history: history, url: url,
        mappings: [
          CustomSchemaMappingProvider(
            from: "V1", to: "V2",
            entityMappings: [.deleteEntity("Persn"), .copyEntity("Person", to: "Human")]),
          CustomSchemaMappingProvider(
            from: "V2", to: "V3", entityMappings: [.deleteEntity("Person")]),
        ])
    }
    #expect(
      error.faults.map(\.description) == [
        "The mapping from “V1” to “V2” names the entity “Persn”, which “V1” does not have.",
        "The mapping from “V1” to “V2” names the entity “Human”, which “V2” does not have.",
        "The mapping from “V2” to “V3” is of versions that are not in the history (“V3”); add them, or "
          + "correct the names.",
      ])
  }
}

extension Value {
  /// A text without quotes.
  fileprivate var plain: String {
    if case .text(let text) = self { return text }
    return "\(self)"
  }
}
