import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

/// Rules of attributes and coders on the command line.
@Suite("Rules on the command line")
struct RuleCommandTests {
  private static let person = EntityDescription(
    name: "Person",
    properties: [
      .attribute(
        AttributeDescription(
          name: "name", type: .string, isOptional: false,
          rules: [.length(minimum: 1, maximum: 5), .matches("[A-Z].*")])),
      .attribute(
        AttributeDescription(
          name: "age", type: .integer64,
          rules: [.range(minimum: .integer(0), maximum: .integer(150))])),
      .attribute(
        AttributeDescription(
          name: "height", type: .double, rules: [.range(minimum: .real(0.5), maximum: nil)])),
      .attribute(AttributeDescription(name: "email", type: .string, rules: [.email])),
      .attribute(AttributeDescription(name: "place", type: .coded, coder: "propertyList")),
    ])

  private let program: Program

  init() throws {
    program = try Program()
    try SQLiteStore(try Schema([Self.person]), at: url("ruled.sqlite")).close()
    try SQLiteStore(
      try Schema([
        EntityDescription(
          name: "Person",
          properties: [
            attribute("name", isOptional: false), attribute("age", .integer64),
            attribute("height", .double), attribute("email"), attribute("place", .coded),
          ])
      ]), at: url("plain.sqlite")
    ).close()
  }

  private func url(_ name: String) -> URL { program.directory.file(name) }

  private func output(_ arguments: String...) async throws -> String {
    let outcome = try await program.start(arguments).outcome()
    #expect(outcome.errors == "")
    return outcome.output
  }

  @Test("datastore schema shows them in every form")
  func shown() async throws {
    let text = try await output("schema", "ruled.sqlite")
    for words in [
      "required, 1 to 5 characters, matches “[A-Z].*”", "from 0 to 150", "at least 0.5",
      "mail address", "coded by propertyList",
    ] { #expect(text.contains(words), "\(words) in\n\(text)") }
    let swift = try await output("schema", "ruled.sqlite", "--format", "swift")
    for words in [
      "(validate: [.length(1...5), .matches(\"[A-Z].*\")]) var name: String",
      "(validate: .range(0...150)) var age: Int?", "(validate: .range(0.5...)) var height: Double?",
      "(validate: .email) var email: String?", "(coder: .propertyList) var place",
    ] { #expect(swift.contains(words), "\(words) in\n\(swift)") }
    let lock = try await output("schema", "ruled.sqlite", "--format", "lock")
    #expect(lock.contains("attribute age integer64 optional - range i0 i150"))
    #expect(lock.contains("attribute name string required - length 1 5"))
    #expect(lock.contains("attribute height double optional - range r0.5\""))
    #expect(lock.contains("\"attribute email string optional\""))
  }

  @Test("A store is brought to rules that are written as JSON, once its values keep them")
  func migrated() async throws {
    let json = try await output("schema", "ruled.sqlite", "--format", "json")
    try program.directory.write(json, to: "model.json")
    try SQLiteFile.make(
      at: url("plain.sqlite"),
      "INSERT INTO Person (name, age, height) VALUES ('Ann', 151, 2), ('ann', 3, NULL), ('Robert', 4, 0.25)"
    )
    let before = try SQLiteCommand.run(".dump", on: url("plain.sqlite"))
    let refused = try await program.run("migrate", "plain.sqlite", "--to", "model.json")
    #expect(refused.status == 2)
    for sentence in [
      "1 of 3 Persons has a name that breaks its rule: it must have 1 to 5 characters (such as “Robert”)",
      "1 of 3 Persons has a age that breaks its rule: it must be from 0 to 150 (such as “151”)",
      "1 of 3 Persons has a height that breaks its rule: it must be at least 0.5 (such as “0.25”)",
    ] { #expect(refused.errors.contains(sentence), "\(refused.errors)") }
    #expect(try SQLiteCommand.run(".dump", on: url("plain.sqlite")) == before)
    _ = try SQLiteCommand.run(
      "UPDATE Person SET age = 1, height = 1, name = 'Bob' WHERE age > 150 OR height < 0.5",
      on: url("plain.sqlite"))
    let done = try await program.run("migrate", "plain.sqlite", "--to", "model.json")
    #expect(done.status == 0, "\(done.errors)")
    #expect(throws: (any Error).self) {
      try SQLiteCommand.run("UPDATE Person SET age = 151", on: url("plain.sqlite"))
    }
    #expect(try Declarations.of(url("plain.sqlite")) == Declarations.of(url("ruled.sqlite")))
    #expect(
      try await output("schema", "plain.sqlite", "--compare", "ruled.sqlite")
        == output("schema", "ruled.sqlite", "--compare", "plain.sqlite"))
  }

  @Test(
    "A forecast says who has the file open", .enabled(if: SQLiteCommand.isPresent, "no sqlite3"))
  func openElsewhere() async throws {
    let json = try await output("schema", "ruled.sqlite", "--format", "json")
    try program.directory.write(json, to: "model.json")
    let alone = try await program.run(
      "migrate", "plain.sqlite", "--to", "model.json", "--forecast")
    #expect(!alone.output.contains("Open in process"), "\(alone.output)")
    // The sqlite3 program waits for the program that it starts, with the file open.
    let outcome = try await program.shell(
      "sqlite3 plain.sqlite 'SELECT count(*) FROM Person' "
        + "'.shell datastore migrate plain.sqlite --to model.json --forecast'")
    #expect(outcome.output.contains("Open in process "), "\(outcome.output)")
  }

  @Test("Rows that break a rule are not loaded")
  func loaded() async throws {
    try program.directory.write("name,age\nAnn,3\nBob,151\n", to: "Person.csv")
    let outcome = try await program.run("load", "Person.csv", "--into", "ruled.sqlite")
    #expect(outcome.status != 0)
    #expect(outcome.errors.contains("age is 151, but must be from 0 to 150"), "\(outcome.errors)")
    #expect(try SQLiteCommand.run("SELECT count(*) FROM Person", on: url("ruled.sqlite")) == "0")
  }
}
