import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

// Promise: a version declares what it removes → every way of opening may lose it without saying so again,
// and keeps the old file; names are those of the version before, through several versions.
/// `removes:` of a version.
@Suite("What a version declares to be gone")
struct RemovingVersionTests {
  enum V1 {
    final class Person: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.Optional var tel: String?
      @Attribute.Optional var note: String?
    }

    final class Visit: DatastoreObject {
      @Attribute.NotOptional var day: String
    }

    static func model() throws -> SwiftDatastoreModel {
      try SwiftDatastoreModel(version: "V1", from: Person.self, Visit.self)
    }
  }

  /// With another name, and without visits.
  enum V2 {
    final class Person: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.Optional(renamedFrom: "tel") var phone: String?
      @Attribute.Optional var note: String?
    }

    static func model(removes: DeclaredLosses = ["Visit"]) throws -> SwiftDatastoreModel {
      try SwiftDatastoreModel(version: "V2", from: Person.self, removes: removes)
    }
  }

  /// Without V2's phone, and without notes.
  enum V3 {
    final class Person: DatastoreObject {
      @Attribute.NotOptional var name: String
    }

    static func model(_ removes: DeclaredLosses) throws -> SwiftDatastoreModel {
      try SwiftDatastoreModel(version: "V3", from: Person.self, removes: removes)
    }
  }

  private let folder: TemporaryDirectory
  private let url: URL

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("people.sqlite")
    try SwiftDatastore(dataModel: V1.model(), url: url).close()
    _ = try SQLiteCommand.run(
      "INSERT INTO Person (name, tel) VALUES ('a', '1'), ('b', NULL); INSERT INTO Visit (day) VALUES ('x')",
      on: url)
  }

  private func history(_ removes: DeclaredLosses) throws -> SchemaHistory {
    try SchemaHistory(
      V1.model(), V2.model(), V3.model(removes), migrationChain: ["V1", "V2", "V3"])
  }

  @Test("It is lost without a word where the file is opened, and the old file is kept")
  func declared() async throws {
    let model = try V2.model()
    let forecast = try SwiftDatastore.requiredMigrations(of: url, dataModel: model)
    #expect(
      forecast.losses.map(\.description)
        == ["1 Visit would be lost, since the model has no Visit, as the version declares"])
    #expect(forecast.losses.allSatisfy { $0.isDeclared })
    try await SwiftDatastore.open(dataModel: model, url: url).close()
    #expect(try SQLiteCommand.run("SELECT name, phone FROM Person", on: url) == "a|1\nb|")
    #expect(
      try folder.names() == ["people.before-migration.sqlite", "people.sqlite"])
  }

  @Test("Each version names things as the one before it does, through several of them")
  func chained() async throws {
    try await SwiftDatastore.open(history: history(["Person.phone"]), url: url).close()
    #expect(try SQLiteCommand.run("SELECT * FROM Person", on: url) == "1|a\n2|b")
    #expect(!(try SQLiteCommand.run(".schema", on: url)).contains("Visit"))
  }

  @Test("What no version declares is kept, and told")
  func undeclared() async throws {
    let before = try SQLiteCommand.run(".dump", on: url)
    // By a name of the file, which the version before does not have any more.
    let history = try history(["Person.tel"])
    let error = await #expect(throws: MigrationError.self) {
      try await SwiftDatastore.open(history: history, url: url)
    }
    let sentence =
      "1 value of Person.tel would be lost, since the model does not have it; if that is meant, declare it with "
      + "`removes: [\"Person.tel\"]` in the version of the model, or with "
      + "`migration: .declared([\"Person.tel\"])`"
    #expect(error?.obstacles.map(\.description) == [sentence])
    #expect(try SQLiteCommand.run(".dump", on: url) == before)
    let none = try V2.model(removes: [])
    await #expect(throws: MigrationError.self) {
      try await SwiftDatastore.open(dataModel: none, url: url)
    }
    #expect(try SQLiteCommand.run(".dump", on: url) == before)
  }

  @Test("A version that was written down declares it, too")
  func frozen() throws {
    let json = """
      {"version": "V2", "removes": ["Visit"], "entities": [{"name": "Person", "attributes": [
      {"name": "name", "type": "string", "optional": false},
      {"name": "phone", "type": "string", "optional": true, "renamedFrom": "tel"},
      {"name": "note", "type": "string", "optional": true}], "relationships": []}]}
      """
    let frozen = try FrozenSchema(json: Data(json.utf8))
    let history = try SchemaHistory(V1.model(), frozen, migrationChain: ["V1", "V2"])
    let forecast = try SwiftDatastore.requiredMigrations(of: url, history: history)
    #expect(forecast.losses.map(\.isDeclared) == [true])
  }
}
