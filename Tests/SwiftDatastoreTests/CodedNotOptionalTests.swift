import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// `@Attribute.Coded.NotOptional`.
@Suite("Coded attributes that always have a value")
struct CodedNotOptionalTests {
  struct Address: Codable, Sendable, Equatable {
    var street = ""
    var city = "Lund"
  }

  enum V1 {
    final class Person: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.Coded var address: Address?
      @Attribute.Coded var tags: [String]?
    }
    static func model() throws -> SwiftDatastoreModel {
      try SwiftDatastoreModel(version: "V1", from: Person.self)
    }
  }

  enum V2 {
    final class Person: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.Coded.NotOptional var address = Address()
      @Attribute.Coded.NotOptional(coder: .propertyList, initial: { ["new"] }) var words: [String]
      @Attribute.Coded.NotOptional var tags: [String] = ["a"]
    }
    static func model() throws -> SwiftDatastoreModel {
      try SwiftDatastoreModel(version: "V2", from: Person.self)
    }
  }

  struct PersonValue: Codable, DatastoreValue {
    typealias Object = V2.Person
    var name: String
    var address: Address
    var words: [String]
  }

  private let folder: TemporaryDirectory
  private let url: URL

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("people.sqlite")
  }

  @Test("The column is NOT NULL and has the default, so that other tools keep the rule")
  func table() throws {
    try SwiftDatastore(dataModel: V2.model(), url: url).close()
    let columns = try SQLiteCommand.run(
      "SELECT name, \"notnull\", dflt_value IS NOT NULL FROM pragma_table_info('Person')", on: url)
    #expect(columns == "_id|0|0\nname|1|0\naddress|1|1\nwords|1|0\ntags|1|1")
    let model = try V2.model()
    #expect(model.versionLock.entities["Person"]?.first == "attribute address coded required")
  }

  @Test("It has a value from the beginning, and keeps what is assigned, also in place")
  func values() async throws {
    let datastore = try SwiftDatastore(dataModel: V2.model(), url: url)
    let id = try await datastore.write { context in
      let person: V2.Person = try context.createObject()
      person.name = "Ann"
      #expect(person.address == Address())
      #expect(person.words == ["new"])
      person.address.street = "Kungsgatan 1"
      return person.objectID
    }
    try await datastore.newContext().perform { context in
      context.isUndoEnabled = true
      let person: V2.Person = try context.object(with: id)
      #expect(person.address == Address(street: "Kungsgatan 1"))
      #expect(person.words == ["new"])
      var seen: [String] = []
      let token: PropertyObservation = person.$address.observe { seen.append($0.city) }
      context.undoGroup { person.address.city = "Umeå" }
      context.undo()
      token.cancel()
      #expect(seen == ["Umeå", "Lund"])
      #expect(!context.hasChanges)
      let found: V2.Person? = try context.fetchFirst(
        where: \.$address == Address(street: "Kungsgatan 1"))
      #expect(found === person)
      let rows = try context.rows(From<V2.Person>().select(\.$address, \.$words))
      #expect(rows.map(\.0) == [Address(street: "Kungsgatan 1")])
      #expect(rows.map(\.1) == [["new"]])
      let fetched = try context.fetch(
        V2.Person.self, properties: [PropertyToFetch(\.$address), PropertyToFetch(\.$words)])
      #expect(fetched.count == 1)
      var snapshot = try #require(ObjectSnapshot(of: person))
      #expect(snapshot.$words == ["new"])
      snapshot.$words = ["later"]
      #expect(snapshot.$words == ["later"])
      var value = try PersonValue(person)
      value.words = ["one", "two"]
      try value.assign(to: person, in: context)
      #expect(person.words == ["one", "two"])
      #expect(person.$words.decoded == ["one", "two"])
    }
    try datastore.close()
  }

  // Promise: bytes of a required coded attribute cannot be decoded → it reads as that of a new object,
  // nothing is overwritten, `select` and values throw.
  @Test(
    "Bytes that cannot be decoded read as the value of a new object, and stay until another is assigned"
  )
  func unreadable() async throws {
    let datastore = try SwiftDatastore(dataModel: V2.model(), url: url)
    let id = try await datastore.write { context in
      let person: V2.Person = try context.createObject()
      person.name = "Ann"
      return person.objectID
    }
    try datastore.close()
    _ = try SQLiteCommand.run(
      "UPDATE Person SET address = x'7b', words = x'00', name = 'Bo'", on: url)
    let again = try SwiftDatastore(dataModel: V2.model(), url: url)
    try await again.newContext().perform { context in
      let person: V2.Person? = try context.fetchFirst()
      let bo = try #require(person)
      #expect(bo.objectID.key == id.key)
      #expect(bo.address == Address())
      #expect(bo.words == ["new"])
      #expect(bo.$address.decoded == nil)
      #expect(ObjectSnapshot(of: bo)?.$words == ["new"])
      bo.name = "Cy"
      try context.saveChanges()
      #expect(throws: SelectedValueError.self) {
        try context.rows(From<V2.Person>().select(\.$address))
      }
      #expect(throws: DatastoreValueError.self) { try PersonValue(bo) }
    }
    #expect(
      try SQLiteCommand.run("SELECT name, hex(address), hex(words) FROM Person", on: url)
        == "Cy|7B|00")
    try again.close()
  }

  // Promise: optional and required coded attributes become each other → defaults fill what is missing, same
  // table as a fresh one.
  @Test("Optional and required become each other: what is missing gets the value of a new object")
  func migrations() async throws {
    let old = try SwiftDatastore(dataModel: V1.model(), url: url)
    try await old.write { context in
      for (name, city) in [("Ann", "Kiruna"), ("Bo", nil)] {
        let person: V1.Person = try context.createObject()
        person.name = name
        person.address = city.map { Address(city: $0) }
      }
    }
    try old.close()
    let datastore = try await SwiftDatastore.open(dataModel: V2.model(), url: url)
    try await datastore.newContext().perform { context in
      let people: [V2.Person] = try context.fetch(orderBy: [.asc(\.$name)])
      #expect(people.map(\.address.city) == ["Kiruna", "Lund"])
      #expect(people.map(\.words) == [["new"], ["new"]])
      #expect(people.map(\.tags) == [["a"], ["a"]])
    }
    try datastore.close()
    let fresh = folder.file("fresh.sqlite")
    try SwiftDatastore(dataModel: V2.model(), url: fresh).close()
    let columns =
      "SELECT name, type, \"notnull\", dflt_value FROM pragma_table_info('Person') ORDER BY 1"
    #expect(try SQLiteCommand.run(columns, on: url) == SQLiteCommand.run(columns, on: fresh))
    let back = try await SwiftDatastore.open(
      dataModel: SwiftDatastoreModel(
        version: "V3", from: V1.Person.self, removes: ["Person.words"]),
      url: url, backup: .none)
    try await back.newContext().perform { context in
      let people: [V1.Person] = try context.fetch(orderBy: [.asc(\.$name)])
      #expect(people.map { $0.address?.city } == ["Kiruna", "Lund"])
    }
    try back.close()
  }
}
