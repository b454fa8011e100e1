import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

// The code of Migrations.md, to the letter.

private enum V1 {
  final class Person: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Attribute.Optional var tel: String?
  }

  static func model() throws -> SwiftDatastoreModel {
    try SwiftDatastoreModel(version: "V1", from: Person.self)
  }
}

private enum V2 {
  final class Person: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Attribute.Optional(renamedFrom: "tel") var phone: String?
    @Attribute.NotOptional var visits: Int = 0
    @Relationship.ToOne(inverse: \.$people) var company: Company?
  }

  final class Company: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Relationship.ToMany var people: Set<Person>
  }

  static func model() throws -> SwiftDatastoreModel {
    try SwiftDatastoreModel(version: "V2", from: Person.self, Company.self)
  }
}

private enum V3 {
  final class Person: DatastoreObject {
    @Attribute.NotOptional var first: String
    @Attribute.NotOptional var last: String
    @Attribute.Optional var phone: String?
    @Attribute.NotOptional var visits: Int = 0
    @Relationship.ToOne(inverse: \.$people) var company: Company?
  }

  final class Company: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Relationship.ToMany var people: Set<Person>
  }

  static func model() throws -> SwiftDatastoreModel {
    try SwiftDatastoreModel(version: "V3", from: Person.self, Company.self)
  }
}

/// With a version that says what it has given up.
private enum Employed {
  final class Person: DatastoreObject {
    @Attribute.NotOptional var name: String
  }

  final class Employment: DatastoreObject {
    @Attribute.NotOptional var since: CalendarDate
  }

  static func model() throws -> SwiftDatastoreModel {
    let model = try SwiftDatastoreModel(
      version: "V3", from: Person.self, Employment.self, removes: ["Visit", "Person.fax"])
    return model
  }
}

private let splitNames = CustomSchemaMappingProvider(
  from: "V2", to: "V3",
  entityMappings: [
    .transformEntity(V2.Person.self, into: V3.Person.self) { old, createPerson in
      let parts = old.name.split(separator: " ", maxSplits: 1).map(String.init)
      let person = try createPerson()
      person.first = parts.first ?? ""
      person.last = parts.count > 1 ? parts[1] : ""
      person.phone = old.phone
      person.visits = old.visits
      person.company = createPerson.counterpart(of: old.company)
    }
  ])

@Suite struct MigrationsExamples {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// A file that a program of the first version has left.
  private func firstFile() async throws -> URL {
    let url = folder.file("first.sqlite")
    let datastore = try SwiftDatastore(dataModel: V1.model(), url: url)
    try await datastore.write { context in
      let person: V1.Person = try context.createObject()
      person.name = "Ann Ames"
      person.tel = "12"
    }
    try datastore.close()
    return url
  }

  /// And one of the second.
  private func secondFile() async throws -> URL {
    let url = folder.file("second.sqlite")
    let datastore = try SwiftDatastore(dataModel: V2.model(), url: url)
    try await datastore.write { context in
      let person: V2.Person = try context.createObject()
      person.name = "Bob Bush"
      person.visits = 3
      let company: V2.Company = try context.createObject()
      company.name = "Acme"
      person.company = company
    }
    try datastore.close()
    return url
  }

  @Test func aVersionSaysWhatItRemoves() throws {
    #expect(try Employed.model().schema.removes == ["Visit", "Person.fax"])
  }

  @Test func filesOfBothOlderVersions() async throws {
    var found: [String] = []
    for url in [try await firstFile(), try await secondFile()] {
      let history = try SchemaHistory(
        V1.model(), V2.model(), V3.model(), migrationChain: ["V1", "V2", "V3"])
      let datastore = try await SwiftDatastore.open(
        history: history, url: url, mappings: [splitNames])
      found += try await datastore.newContext().perform { context in
        let people: [V3.Person] = try context.fetch()
        return people.map {
          "\($0.last), \($0.first) \($0.phone ?? "-") \($0.visits) \($0.company?.name ?? "-")"
        }
      }
      try datastore.close()
    }
    #expect(found == ["Ames, Ann 12 0 -", "Bush, Bob - 3 Acme"])
  }

  @Test func withoutAHistory() async throws {
    let url = try await firstFile()

    let datastore = try SwiftDatastore(dataModel: V2.model(), url: url, migration: .lossless)
    #expect(datastore.modelVersion == "V2")
    try datastore.close()
  }

  @Test func losing() async throws {
    let url = try await secondFile()
    let model = try SwiftDatastoreModel(from: OnlyNames.Person.self)

    let forecast = try SwiftDatastore.requiredMigrations(of: url, dataModel: model)
    for loss in forecast.losses { print(loss) }
    #expect(forecast.losses.map(\.name).sorted() == ["Company", "Person.company", "Person.visits"])

    let datastore = try await SwiftDatastore.open(
      dataModel: model, url: url,
      migration: .declared(["Company", "Person.company", "Person.visits"]))
    #expect(datastore.schema.entities.map(\.name) == ["Person"])
    try datastore.close()
    #expect(try folder.names() == ["second.before-migration.sqlite", "second.sqlite"])
  }

  private enum OnlyNames {
    final class Person: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.Optional var phone: String?
    }
  }

  @Test func watching() async throws {
    let url = try await firstFile()
    let history = try SchemaHistory(
      V1.model(), V2.model(), V3.model(), migrationChain: ["V1", "V2", "V3"])

    let opening = SwiftDatastore.opening(history: history, url: url, mappings: [splitNames])
    for await progress in opening {
      print("step \(progress.step): \(progress.rowsDone) of \(progress.rowsTotal) rows")
    }
    let datastore = try await opening.datastore
    #expect(datastore.modelVersion == "V3")
    try datastore.close()
  }

  @Test func locking() throws {
    let model = try SwiftDatastoreModel(
      version: "V1", from: V1.Person.self,
      lock: [
        "Person": [
          "attribute name string required",
          "attribute tel string optional",
        ]
      ])
    #expect(model.modelVersion == "V1")
  }

  @Test func byHand() async throws {
    let url = try await firstFile()
    let history = try SchemaHistory(V1.model(), V2.model(), migrationChain: ["V1", "V2"])

    let step = CustomSchemaMappingProvider(
      from: "V1", to: "V2",
      entityMappings: [
        .sqlBefore("UPDATE Person SET tel = NULL WHERE tel = ''"),
        .transformEntity(from: "Person", to: "Person") { source, createDestination in
          guard source["name"] != "nobody" else { return }
          let person = try createDestination()
          person.forEachProperty { property, sourceProperty in
            if let sourceProperty { person[property] = source[sourceProperty] }
          }
        },
        .insertEntity("Company") { context in
          let company: V2.Company = try context.createObject()
          company.name = "Acme"
        },
        .sqlAfter("UPDATE Person SET visits = 1"),
      ])
    let datastore = try await SwiftDatastore.open(history: history, url: url, mappings: [step])
    try datastore.close()
    #expect(
      try SQLiteFile.values(
        "SELECT p.name || phone || visits || c.name FROM Person AS p, Company AS c", in: url)
        == ["Ann Ames121Acme"])
  }
}
