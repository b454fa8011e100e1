import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// `validate:` of the wrappers.
@Suite("Rules of attributes")
struct ValidationRuleTests {
  final class Person: DatastoreObject {
    @Attribute.NotOptional(validate: .length(1...5)) var name: String
    @Attribute.NotOptional(validate: .range(0...150)) var age: Int = 0
    @Attribute.Optional(validate: .range(1.5...)) var height: Double?
    @Attribute.Optional(validate: .range(...Date(timeIntervalSinceReferenceDate: 0)))
    var born: Date?
    @Attribute.Optional(validate: [.email, .length(...20)]) var email: String?
    @Attribute.Optional(validate: .matches("[A-Z]{2}[0-9]+")) var code: String?
    @Attribute.Optional(validate: .length(2...2)) var hash: Data?
    @Attribute.Optional(validate: .range(0...Decimal(9))) var balance: Decimal?
    @Attribute.Optional(validate: .range("a"..."m")) var letter: String?
  }

  /// The same without a rule.
  enum Plain {
    final class Person: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.NotOptional var age: Int = 0
    }
  }

  enum Ruled {
    final class Person: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.NotOptional(validate: .range(0...150)) var age: Int = 0
    }
  }

  /// Without it again, in another version than the first.
  enum Freed {
    final class Person: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.NotOptional var age: Int = 0
      @Attribute.Optional var note: String?
    }
  }

  private let folder: TemporaryDirectory
  private let url: URL

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("people.sqlite")
  }

  // Promise: a value breaks a rule → nothing is saved, the sentence names object, property, value and rule.
  @Test("Everything that breaks a rule is named, with what it must be")
  func saving() async throws {
    let datastore = try SwiftDatastore(inMemory: SwiftDatastoreModel(from: Person.self))
    try await datastore.newContext().perform { context in
      let person: Person = try context.createObject()
      person.name = ""
      person.age = 151
      person.height = 1.25
      person.born = Date(timeIntervalSinceReferenceDate: 0.5)
      person.email = "ann at example.org, somewhere"
      person.code = "Ab1"
      person.hash = Data([1])
      person.balance = 10
      person.letter = "n"
      let error = try #require(throws: ValidationError.self) { try context.saveChanges() }
      #expect(
        error.faults.map(\.description) == [
          "Person 1: name is \"\", but must have 1 to 5 characters.",
          "Person 1: age is 151, but must be from 0 to 150.",
          "Person 1: height is 1.25, but must be at least 1.5.",
          "Person 1: born is \"2001-01-01T00:00:00.500Z\", but must be at most \"2001-01-01T00:00:00Z\".",
          "Person 1: email is \"ann at example.org, somewhere\", but must be a mail address.",
          "Person 1: email is \"ann at example.org, somewhere\", but must have at most 20 characters.",
          "Person 1: code is \"Ab1\", but must match “[A-Z]{2}[0-9]+”.",
          "Person 1: hash is 1 bytes, but must have exactly 2 bytes.",
          "Person 1: balance is 10, but must be from 0 to 9.",
          "Person 1: letter is \"n\", but must be from \"a\" to \"m\".",
        ])
      person.name = "Åsa 1"
      person.age = 150
      (person.height, person.born) = (1.5, Date(timeIntervalSinceReferenceDate: 0))
      (person.email, person.code, person.hash) = ("ann@example.org", "AB12", Data([1, 2]))
      (person.balance, person.letter) = (9, "m")
      try context.saveChanges()
      // A missing value breaks no rule.
      (person.height, person.born, person.email) = (nil, nil, nil)
      try context.saveChanges()
      person.age = -1
      #expect(throws: ValidationError.self) { try context.saveChanges() }
      context.revertChanges()
      #expect(throws: StoreError.self) {
        try context.updateMany(Person.self, propertiesToUpdate: [PropertyToUpdate(\.$age, 200)])
      }
    }
  }

  // Promise: another program writes what breaks a range or length → SQLite refuses.
  @Test("The file keeps ranges and lengths by itself, also against other programs")
  func constraints() throws {
    try SwiftDatastore(dataModel: SwiftDatastoreModel(from: Person.self), url: url).close()
    for (column, value) in [
      ("age", "151"), ("age", "'old'"), ("name", "'sixsix'"), ("height", "1"), ("born", "1"),
      ("hash", "x'01'"), ("letter", "'n'"), ("email", "printf('%21d', 1)"),
    ] {
      let columns = column == "name" ? "name" : "name, \(column)"
      let values = column == "name" ? value : "'a', \(value)"
      #expect(throws: (any Error).self, "\(column) = \(value)") {
        try SQLiteCommand.run("INSERT INTO Person (\(columns)) VALUES (\(values))", on: url)
      }
    }
    // Rules that SQL cannot express are checked by the library alone.
    _ = try SQLiteCommand.run(
      "INSERT INTO Person (name, email, code, balance) VALUES ('a', 'x', 'y', 99)", on: url)
    #expect(try SQLiteCommand.run("SELECT count(*) FROM Person", on: url) == "1")
    #expect(try SQLiteCommand.run("PRAGMA integrity_check", on: url) == "ok")
  }

  // Promise: a model gives a rule up / gains an attribute with a rule → plain change / touches no row.
  // Also: `ValidationRuleTests.added`
  // Promise: a model gains a rule that stored values break → refused with count and examples, file
  // unchanged.
  @Test("A rule that is new is checked against the values, and one that is given up goes")
  func migrating() async throws {
    let plain = try SwiftDatastoreModel(from: Plain.Person.self)
    let ruled = try SwiftDatastoreModel(from: Ruled.Person.self)
    try SwiftDatastore(dataModel: plain, url: url).close()
    _ = try SQLiteCommand.run(
      "INSERT INTO Person (name, age) VALUES ('a', 1), ('b', 151), ('c', -1), ('d', 150)", on: url)
    let before = try SQLiteCommand.run(".dump", on: url)
    let forecast = try SwiftDatastore.requiredMigrations(of: url, dataModel: ruled)
    let sentence =
      "2 of 4 Persons have a age that breaks its rule: it must be from 0 to 150 (such as “151”, “-1”); correct "
      + "them first, or leave the rule out"
    #expect(forecast.obstacles.map(\.description) == [sentence])
    let error = await #expect(throws: MigrationError.self) {
      try await SwiftDatastore.open(dataModel: ruled, url: url)
    }
    #expect(error?.obstacles.map(\.description) == [sentence])
    #expect(try SQLiteCommand.run(".dump", on: url) == before)

    _ = try SQLiteCommand.run("UPDATE Person SET age = 7 WHERE age NOT BETWEEN 0 AND 150", on: url)
    try await SwiftDatastore.open(dataModel: ruled, url: url).close()
    #expect(
      try SQLiteCommand.run("SELECT name, age FROM Person ORDER BY name", on: url)
        == "a|1\nb|7\nc|7\nd|150")
    #expect(throws: (any Error).self) {
      try SQLiteCommand.run("UPDATE Person SET age = 151", on: url)
    }
    let freed = try SwiftDatastoreModel(from: Freed.Person.self)
    let next = try SwiftDatastore.requiredMigrations(of: url, dataModel: freed)
    #expect(
      next.entities.flatMap(\.changes).map(\.description)
        == ["Person.age need not be from 0 to 150 any more", "Person.note is new"])
    #expect(next.kind == .lossless && next.losses.isEmpty && next.obstacles.isEmpty)
    try await SwiftDatastore.open(dataModel: freed, url: url).close()
    _ = try SQLiteCommand.run("UPDATE Person SET age = 151 WHERE name = 'a'", on: url)
    #expect(try SQLiteCommand.run("SELECT sum(age) FROM Person", on: url) == "315")
  }

  @Test("A new attribute with a rule touches no row")
  func added() throws {
    final class Other: DatastoreObject {
      @Attribute.NotOptional var name: String
      override class var entityName: String { "Person" }
    }
    try SwiftDatastore(dataModel: SwiftDatastoreModel(from: Other.self), url: url).close()
    _ = try SQLiteCommand.run("INSERT INTO Person (name) VALUES ('a')", on: url)
    // The default policy of this form writes no row.
    try SwiftDatastore(dataModel: SwiftDatastoreModel(from: Ruled.Person.self), url: url).close()
    #expect(try SQLiteCommand.run("SELECT name, age FROM Person", on: url) == "a|0")
    #expect(throws: (any Error).self) {
      try SQLiteCommand.run("UPDATE Person SET age = 151", on: url)
    }
  }

  @Test("A new rule of texts compares numbers that become texts as texts")
  func convertedValues() async throws {
    final class Texts: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.NotOptional(validate: .range("-1"..."9")) var age: String = "0"
      override class var entityName: String { "Person" }
    }
    try SwiftDatastore(dataModel: SwiftDatastoreModel(from: Plain.Person.self), url: url).close()
    _ = try SQLiteCommand.run(
      "INSERT INTO Person (name, age) VALUES ('a', -30), ('b', 80), ('c', -5)", on: url)
    let model = try SwiftDatastoreModel(from: Texts.self)
    #expect(try SwiftDatastore.requiredMigrations(of: url, dataModel: model).obstacles.isEmpty)
    try await SwiftDatastore.open(dataModel: model, url: url).close()
    #expect(
      try SQLiteCommand.run("SELECT age, typeof(age) FROM Person ORDER BY name", on: url)
        == "-30|text\n80|text\n-5|text")
  }

  // Promise: files without rules → description, lock and hash as before, so files of the present format
  // open.
  // Also: `KeptFileTests` (literal hashes unchanged)
  @Test("Rules are in the schema, in the lock and in JSON; without any nothing is")
  func described() throws {
    let model = try SwiftDatastoreModel(from: Person.self)
    let lines = try #require(model.versionLock.entities["Person"])
    #expect(lines.contains("attribute age integer64 required - range i0 i150"))
    #expect(lines.contains("attribute email string optional - length - 20"))
    #expect(lines.contains("attribute code string optional"))
    #expect(lines.contains("attribute balance decimal optional"))
    let plain = try SwiftDatastoreModel(from: Plain.Person.self)
    #expect(
      plain.versionLock.entities["Person"] == [
        "attribute age integer64 required", "attribute name string required",
      ])
    let json = String(
      decoding: try JSONEncoder().encode(plain.schema.entities[0].description), as: UTF8.self)
    #expect(!json.contains("validation") && !json.contains("coder"))
  }

  @Test("A rule that cannot be is a fault of the model")
  func faults() throws {
    final class Odd: DatastoreObject {
      @Attribute.NotOptional(validate: .range(1...2)) var age: Int = 3
      @Attribute.Optional(validate: .matches("(")) var code: String?
    }
    let error = try #require(throws: SchemaError.self) { try SwiftDatastoreModel(from: Odd.self) }
    #expect(
      error.faults.map(\.description) == [
        "Odd.age has a rule in `validate:` that cannot be: the default 3 must be from 1 to 2.",
        "Odd.code has a rule in `validate:` that cannot be: “(” is not a regular expression.",
      ])
    let range = AttributeDescription(
      name: "flag", type: .boolean, rules: [.range(minimum: .integer(0), maximum: nil)])
    #expect(throws: SchemaError.self) {
      try Schema([EntityDescription(name: "Thing", properties: [.attribute(range)])])
    }
  }
}
