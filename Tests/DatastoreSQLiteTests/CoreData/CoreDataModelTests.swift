import DatastoreCore
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreSQLite

@Suite("Models in archives of Core Data") struct CoreDataModelTests {
  private func model(_ writing: CoreDataSample.Writing) throws -> CoreDataModel {
    var sample = CoreDataSample.office()
    sample.writing = writing
    return try CoreDataModel(compressed: sample.archivedModel().deflated)
  }

  @Test("Both ways of writing a model say the same")
  func sameModel() throws {
    #expect(try model(.plain) == model(.withProxies))
  }

  @Test("A model says what is declared, and where")
  func content() throws {
    let model = try model(.withProxies)
    let person = try #require(model.entities.first { $0.name == "Person" })
    #expect(person.fetchedProperties == ["neighbours"])
    #expect(person.uniqueness == [["name"]])
    #expect(person.attributes.filter(\.isTransient).map(\.name) == ["isDirty"])
    #expect(person.attributes.filter(\.mayBeExternal).map(\.name) == ["photo"])
    #expect(person.attributes.first { $0.name == "initial" }?.derivation == "name")
    #expect(person.attributes.first { $0.name == "room" }?.defaultValue == 7)
    let employee = try #require(model.entities.first { $0.name == "Employee" })
    #expect(employee.parent == "Person")
    #expect(employee.attributes.map(\.name) == ["title"])
    #expect(employee.relationships.map(\.name) == ["boss"])
  }

  @Test("More than a model can be is refused before it fills the memory")
  func limits() throws {
    let zeros = [UInt8](repeating: 0, count: 1 << 20).deflated
    #expect(throws: CoreDataModelFault.tooGreat) {
      try RawInflation.inflated(zeros, limit: 1 << 19)
    }
    #expect(try RawInflation.inflated(zeros, limit: 1 << 20).count == 1 << 20)
    let archive = CoreDataSample.office().archivedModel()
    #expect(throws: CoreDataModelFault.tooGreat) {
      let root = try KeyedArchive(archive, mostSteps: 40).root()
      for entity in try root.member("NSEntities")?.entries() ?? [] {
        _ = try entity.value.member("NSProperties")?.entries()
      }
    }
  }

  @Test("Whatever is cut off is said to be damaged")
  func truncated() throws {
    let whole = CoreDataSample.office().archivedModel().deflated
    for count in stride(from: 0, to: whole.count, by: 97) {
      #expect(throws: CoreDataModelFault.damagedCompression) {
        try CoreDataModel(compressed: Array(whole.prefix(count)))
      }
    }
  }

  @Test("An archive whose objects lead in a circle comes to an end")
  func circle() throws {
    var writer = KeyedArchiveWriter()
    let proxy = writer.reserve()
    _ = writer.object(
      ["_NSPropertyDescriptionProxy"], [("NSUnderlyingProperty", .object(proxy))], at: proxy)
    let properties = writer.dictionary([("name", proxy)])
    let entity = writer.object(
      ["NSEntityDescription"],
      [("NSEntityName", .object(writer.text("A"))), ("NSProperties", .object(properties))])
    let entities = writer.dictionary([("A", entity)])
    let root = writer.object(["NSManagedObjectModel"], [("NSEntities", .object(entities))])
    let bytes = writer.archive(root: root)
    #expect(throws: CoreDataModelFault.tooGreat) { try CoreDataModel(archive: bytes) }
  }
}
