import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// An entity that becomes two.
@Suite("Splitting an entity")
struct SplitEntityTests {
  enum V1 {
    final class Person: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.Optional var phone: String?
      @Attribute.Optional var note: String?
    }

    static func model() throws -> SwiftDatastoreModel {
      try SwiftDatastoreModel(version: "V1", from: Person.self)
    }
  }

  enum V2 {
    final class Person: DatastoreObject {
      @Attribute.NotOptional var name: String
    }

    final class Details: DatastoreObject {
      @Attribute.Optional var phone: String?
    }

    static func model() throws -> SwiftDatastoreModel {
      try SwiftDatastoreModel(version: "V2", from: Person.self, Details.self)
    }
  }

  private let folder: TemporaryDirectory
  private let url: URL
  private let history: SchemaHistory
  private let mapping = CustomSchemaMappingProvider(
    from: "V1", to: "V2", entityMappings: [.copyEntity("Person", to: "Details")])

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("people.sqlite")
    history = try SchemaHistory(V1.model(), V2.model(), migrationChain: ["V1", "V2"])
  }

  private func fill(note: String?) throws {
    let datastore = try SwiftDatastore(dataModel: V1.model(), url: url)
    try datastore.writeAndWait { context in
      for (name, phone) in [("Ann", "1"), ("Bob", nil)] as [(String, String?)] {
        let person: V1.Person = try context.createObject()
        (person.name, person.phone, person.note) = (name, phone, note)
      }
    }
    try datastore.close()
  }

  @Test("What a copy takes to the second entity is not lost by the first")
  func copied() async throws {
    try fill(note: nil)
    let forecast = try SwiftDatastore.requiredMigrations(
      of: url, history: history, mappings: [mapping])
    #expect(forecast.losses.isEmpty && forecast.obstacles.isEmpty)
    let datastore = try await SwiftDatastore.open(history: history, url: url, mappings: [mapping])
    let details = try await datastore.newContext().perform { context in
      (try context.fetch() as [V2.Details]).map { "\($0.objectID.key) \($0.phone ?? "-")" }
    }
    #expect(details == ["1 1", "2 -"])
    #expect(
      try SQLiteFile.values("SELECT name FROM Person ORDER BY _id", in: url) == ["Ann", "Bob"])
  }

  @Test("What neither of the two has is still a loss, which is refused")
  func lost() async throws {
    try fill(note: "kept")
    let forecast = try SwiftDatastore.requiredMigrations(
      of: url, history: history, mappings: [mapping])
    #expect(forecast.losses.map(\.property) == ["note"])
    #expect(forecast.losses.map(\.count) == [2])
    await #expect(throws: MigrationError.self) {
      try await SwiftDatastore.open(history: history, url: url, mappings: [mapping])
    }
    #expect(
      try SQLiteFile.values("SELECT note FROM Person ORDER BY _id", in: url) == ["kept", "kept"])
  }
}
