import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreSQLite

// Promise: a Core Data store is opened → no byte of it or of what lies beside it is changed, and saving is
// refused.
// Also: `TrustedSchemaTests.coreData`
@Suite("Opening Core Data stores") struct CoreDataStoreTests {
  private let folder: TemporaryDirectory
  private let url: URL

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("Model.sqlite")
  }

  private func open(_ change: (inout CoreDataSample) -> Void = { _ in }) throws -> SQLiteStore {
    var sample = CoreDataSample.office()
    change(&sample)
    try sample.write(to: url)
    return try SQLiteStore(existing: url)
  }

  private func entity(_ store: SQLiteStore, _ name: String) throws -> EntityDescription {
    try #require(store.schema.entity(named: name)).description
  }

  @Test("Entities have the names, types and rules of the model")
  func schema() throws {
    let store = try open()
    #expect(
      store.schema.entities.map(\.name) == [
        "Address", "Company", "Document", "Employee", "Manager", "Person", "Tag", "Trainee",
        "eMail",
      ])
    let person = try entity(store, "Person")
    #expect(person.isAbstract && person.parent == nil && person.uniqueness == [["name"]])
    let types = Dictionary(
      uniqueKeysWithValues: person.properties.compactMap { property in
        property.attribute.map { ($0.name, $0.type) }
      })
    #expect(
      types == [
        "name": .string, "born": .date, "isActive": .boolean, "id": .uuid, "home": .url,
        "pay": .decimal, "size": .double, "weight": .float, "floor": .integer16,
        "room": .integer32, "visits": .integer64, "photo": .data, "note": .data,
        "initial": .string,
      ])
    func attribute(_ name: String) -> AttributeDescription? {
      person.properties.first { $0.name == name }?.attribute
    }
    #expect(attribute("name")?.isOptional == false)
    #expect(attribute("room")?.defaultValue == 7)
    #expect(attribute("isActive")?.defaultValue == 1)
    let trainee = try entity(store, "Trainee")
    #expect(trainee.parent == "Employee")
    #expect(trainee.properties.map(\.name).suffix(2) == ["boss", "term"])
    let reports = try #require(
      try entity(store, "Manager").properties.first { $0.name == "reports" }?.relationship)
    #expect(reports.kind == .orderedToMany && reports.inverse == "boss")
    let company = try entity(store, "Company").properties.compactMap(\.relationship)
    #expect(company.map(\.name) == ["archive", "seat", "staff"])
    #expect(company.map(\.kind) == [.toMany, .toOne, .toMany])
    #expect(company.map(\.deleteRule) == [.nullify, .nullify, .cascade])
    #expect(company.map(\.inverse) == [nil, "company", "company"])
    #expect(store.modelNotes == [])
  }

  @Test("What the file has no place for is left out, and told")
  func missingPlaces() throws {
    try CoreDataSample.office().write(to: url)
    try SQLiteFile.make(
      at: url, "DROP TABLE ZEMAIL; ALTER TABLE ZPERSON DROP COLUMN ZPAY; DROP TABLE Z_5FRIENDS;")
    let store = try SQLiteStore(existing: url)
    #expect(store.schema.entity(named: "eMail") == nil)
    #expect(
      store.modelNotes == [
        "Of the model in this Core Data store, the file has no place for eMail, Person.pay, Person.friends."
      ])
    #expect(try store.count(FetchRequest(entity: "Person")) == 4)
  }

  @Test("A row of no entity is left out, and the others are read")
  func rowOfNoEntity() throws {
    try CoreDataSample.office().write(to: url)
    try SQLiteFile.make(at: url, "UPDATE ZPERSON SET Z_ENT = 77 WHERE Z_PK = 2")
    let store = try SQLiteStore(existing: url)
    let person = try #require(store.schema.entity(named: "Person"))
    let keys = Array(try store.fetchKeys(FetchRequest(entity: "Person")))
    #expect(keys.sorted() == [1, 3, 4])
    #expect(try store.rows(entity: person.index, keys: keys).map(\.rowCount) == [3])
    #expect(try store.rows(entity: person.index, keys: [2]).allSatisfy { $0.rowCount == 0 })
    #expect(try store.count(FetchRequest(entity: "Person")) == 3)
  }

  @Test(
    "Without a model that can be read, entities are guessed, with the reason",
    arguments: [
      (CoreDataSample.Cache.null, "has no model in it"),
      (.absent, "has no model in it"),
      (.bytes([1, 2, 3]), "its compressed bytes are damaged"),
      (.bytes([UInt8]("nothing".utf8).deflated), "it is not a binary property list"),
    ])
  func withoutModel(cache: CoreDataSample.Cache, reason: String) throws {
    let store = try open { $0.cache = cache }
    #expect(try store.count(FetchRequest(entity: "Person")) == 4)
    #expect(store.modelNotes.count == 1 && store.modelNotes[0].contains(reason))
    #expect(store.modelNotes[0].contains("is guessed from its tables"))
    #expect(store.isReadOnly)
  }

  @Test("A model of other tables is not this store's")
  func strangeModel() throws {
    let other = CoreDataSample([CoreDataSample.Entity("Planet")])
    let store = try open { $0.cache = .bytes(other.archivedModel().deflated) }
    #expect(store.schema.entity(named: "Person") != nil)
    #expect(store.modelNotes[0].contains("none of its entities has a table in the file"))
  }

  @Test("Looking leaves the file, its log and its folder alone", arguments: [false, true])
  func untouched(isInLogOnly: Bool) throws {
    try CoreDataSample.office().write(to: url, isInLogOnly: isInLogOnly)
    func content() throws -> [String: Data] {
      let names = try folder.names().filter { !$0.hasSuffix("-shm") }
      return Dictionary(
        uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: folder.file($0))) })
    }
    let before = try content()
    let store = try SQLiteStore(existing: url)
    for entity in store.schema.entities {
      let keys = Array(try store.fetchKeys(FetchRequest(entity: entity.name)))
      _ = try store.rows(entity: entity.index, keys: keys)
    }
    var changes = Changes(store)
    try changes.insert("Tag", ["label": "green"])
    #expect(throws: StoreError.coreData(path: url.path)) { try changes.save() }
    try store.close()
    #expect(try content() == before)
    #expect(before.keys.contains("Model.sqlite-wal") == isInLogOnly)
  }
}
