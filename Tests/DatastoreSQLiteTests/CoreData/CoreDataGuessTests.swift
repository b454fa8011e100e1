import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreSQLite

/// The guessed model of a store, compared with its own model.
@Suite("Core Data stores without a model") struct CoreDataGuessTests {
  private let folder: TemporaryDirectory
  private let url: URL

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("Old.sqlite")
  }

  private func open(
    _ cache: CoreDataSample.Cache = .absent, model: CoreDataModel? = nil
  ) throws -> SQLiteStore {
    var sample = CoreDataSample.office()
    (sample.cache, sample.frameworkVersion) = (cache, 419)
    try sample.write(to: url)
    return try SQLiteStore(existing: url, coreDataModel: model)
  }

  private func relationship(
    _ store: SQLiteStore, _ entity: String, _ name: String
  ) throws -> RelationshipDescription {
    let entity = try #require(store.schema.entity(named: entity))
    return try #require(
      entity.description.properties.first { $0.name == name }?.relationship, "\(name)")
  }

  @Test("Entities and what they inherit are those that the file lists")
  func entities() throws {
    let store = try open()
    #expect(
      store.schema.entities.map(\.name) == [
        "Address", "Company", "Document", "Employee", "Manager", "Person", "Tag", "Trainee",
        "eMail",
      ])
    #expect(store.schema.entity(named: "Trainee")?.description.parent == "Employee")
    #expect(try store.count(FetchRequest(entity: "Employee")) == 3)
    #expect(store.modelNotes[0].hasPrefix("This Core Data store has no model in it"))
    #expect(store.modelNotes[0].contains("guessed"))
  }

  @Test("Columns say what their types are")
  func attributes() throws {
    let store = try open()
    let person = try #require(store.schema.entity(named: "Person"))
    func type(_ name: String) -> AttributeType? {
      person.description.properties.first { $0.name == name }?.attribute?.type
    }
    #expect(type("name") == .string && type("born") == .date && type("pay") == .decimal)
    #expect(type("size") == .double && type("photo") == .data && type("visits") == .integer64)
    #expect(type("title1") == .string)
  }

  @Test("References, lists and pairs lead where they do")
  func relationships() throws {
    let store = try open()
    let company = try relationship(store, "Person", "company")
    #expect(company.kind == .toOne && company.destination == "Company")
    let staff = try relationship(store, "Company", "Person_company")
    #expect(staff.kind == .toMany && staff.inverse == "company")
    #expect(try relationship(store, "Person", "spouse").destination == "Person")
    // Neither name nor values show its destination: it stays a number.
    let seat = store.schema.entity(named: "Company")?.description.properties.first {
      $0.name == "seat"
    }
    #expect(seat?.attribute?.type == .integer64)
    #expect(try relationship(store, "Company", "archive").destination == "Document")
    let tags = try relationship(store, "Person", "tags")
    #expect(tags.destination == "Tag" && tags.inverse == "people")
    #expect(try relationship(store, "Tag", "children").kind == .orderedToMany)
    #expect(try relationship(store, "Person", "friends").inverse == "friends")
    let tag = try #require(store.schema.entity(named: "Tag"))
    let found = try Predicate.parse("ANY people.name == \"Cyd\"", entity: tag, in: store.schema)
    #expect(try store.fetchKeys(FetchRequest(entity: "Tag", predicate: found)).sorted() == [2])
  }

  @Test("The model that is named takes the place of the one that is not there, or damaged")
  func named() throws {
    let model = try CoreDataModel(archive: CoreDataSample.office().archivedModel())
    let whole = try open(.model).schema.entities.map(\.description)
    for cache in [CoreDataSample.Cache.null, .absent, .bytes([1])] {
      try FileManager.default.removeItem(at: url)
      let store = try open(cache, model: model)
      #expect(store.schema.entities.map(\.description) == whole)
      #expect(store.modelNotes.isEmpty)
      try store.close()
    }
  }

  @Test("A named model of another program is refused")
  func strange() throws {
    let other = try CoreDataModel(
      archive: CoreDataSample([CoreDataSample.Entity("Planet")]).archivedModel())
    #expect(throws: StoreError.self) { _ = try open(.model, model: other) }
  }

  @Test("Where the file lists nothing that has a table, its tables are shown")
  func nothingListed() throws {
    try open().close()
    try SQLiteFile.make(at: url, "DELETE FROM Z_PRIMARYKEY")
    let store = try SQLiteStore(existing: url)
    #expect(store.schema.entity(named: "ZPERSON") != nil)
    #expect(store.modelNotes[0].contains("its tables are shown as they are"))
  }
}
