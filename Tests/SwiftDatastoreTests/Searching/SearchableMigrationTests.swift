import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Indexes of words when the model changes.
@Suite("Searchable texts and migrations")
struct SearchableMigrationTests {
  private static func note(
    _ name: String = "Note", renamedFrom: String? = nil, parent: String? = nil,
    _ attributes: AttributeDescription...
  ) -> EntityDescription {
    EntityDescription(
      name: name, properties: attributes.map { .attribute($0) }, parent: parent,
      renamedFrom: renamedFrom)
  }

  private static func text(
    _ name: String, renamedFrom: String? = nil, isOptional: Bool = true,
    isSearchable: Bool = true
  ) -> AttributeDescription {
    AttributeDescription(
      name: name, type: .string, isOptional: isOptional, renamedFrom: renamedFrom,
      isSearchable: isSearchable)
  }

  private static func number(_ name: String, _ type: AttributeType) -> AttributeDescription {
    AttributeDescription(name: name, type: type)
  }

  struct Change: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let entities: [EntityDescription]
    /// The query afterwards: its entity, its condition, and the number of results.
    let question: (entity: String, condition: String, count: Int)
    /// Whether the former index is still the same.
    var isKept = false
    var losses: DeclaredLosses = []
  }

  private static let old = [
    note("Note", text("title"), text("body"), number("year", .string))
  ]

  static let changes: [Change] = [
    Change(
      testDescription: "an attribute is added",
      entities: [
        note("Note", text("title"), text("body"), number("year", .string), number("size", .double))
      ], question: ("Note", "body SEARCH \"apple\"", 2), isKept: true),
    Change(
      testDescription: "an attribute is removed",
      entities: [note("Note", text("title"), text("body"))],
      question: ("Note", "body SEARCH \"apple\"", 2), isKept: true, losses: .all),
    Change(
      testDescription: "a type is changed, so that the table is written",
      entities: [note("Note", text("title"), text("body"), number("year", .integer32))],
      question: ("Note", "body SEARCH \"apple\" AND year > 2000", 1)),
    Change(
      testDescription: "a searchable attribute is renamed",
      entities: [
        note("Note", text("title"), text("text", renamedFrom: "body"), number("year", .string))
      ], question: ("Note", "text SEARCH \"apple\"", 2)),
    Change(
      testDescription: "two of them swap their names",
      entities: [
        note(
          "Note", text("title", renamedFrom: "body"), text("body", renamedFrom: "title"),
          number("year", .string))
      ], question: ("Note", "title SEARCH \"apple\"", 2)),
    Change(
      testDescription: "one is removed",
      entities: [note("Note", text("body"), number("year", .string))],
      question: ("Note", "body SEARCH \"apple\"", 2), losses: .all),
    Change(
      testDescription: "one is no longer searchable",
      entities: [
        note("Note", text("title"), text("body", isSearchable: false), number("year", .string))
      ], question: ("Note", "body SEARCH \"apple\"", 2)),
    Change(
      testDescription: "another one is searchable, too",
      entities: [note("Note", text("title"), text("body"), text("year"))],
      question: ("Note", "year SEARCH \"2001\"", 1)),
    Change(
      testDescription: "the entity is renamed",
      entities: [
        note("Page", renamedFrom: "Note", text("title"), text("body"), number("year", .string))
      ], question: ("Page", "body SEARCH \"apple\"", 2)),
    Change(
      testDescription: "another entity takes the name of the index",
      entities: old + [note("Note_words", text("more"))],
      question: ("Note", "body SEARCH \"apple\"", 2)),
    Change(
      testDescription: "the entity gets a child with a text of its own",
      entities: old + [
        note(
          "Letter", parent: "Note", text("title"), text("body"), number("year", .string),
          text("sender"))
      ], question: ("Note", "body SEARCH \"apple\"", 2)),
    Change(
      testDescription: "the entity is removed",
      entities: [note("Other", text("name"))], question: ("Other", "name SEARCH \"apple\"", 0),
      losses: .all),
  ]

  // Promise: the model changes under a word index → it is as in a fresh file (renamed, swapped, removed,
  // switched off, inheritance, another entity takes its name), and kept where the table only gains or loses
  // other columns; a table of the user's with its name is an obstacle.
  // Also: `SearchableMigrationTests.inTheWay`
  @Test("The index has the words of the new table", arguments: changes)
  func change(_ change: Change) async throws {
    let folder = try TemporaryDirectory()
    let url = folder.file("notes.sqlite")
    let history = try SchemaHistory(FrozenSchema(Self.old))
    try SwiftDatastore(history: history, url: url).close()
    _ = try SQLiteCommand.run(
      """
      INSERT INTO Note (_id, title, body, year) VALUES (1, 'one', 'apple pie', '2000'), \
      (5, 'two', 'An Apple', '2001'), (9, 'three', 'plum', NULL);
      CREATE TABLE log (title); CREATE TRIGGER mine AFTER INSERT ON Note BEGIN INSERT INTO log VALUES ('x'); END;
      """, on: url)
    if change.losses == .all || change.entities.contains(where: { $0.name == "Page" }) {
      _ = try SQLiteCommand.run("DROP TRIGGER mine", on: url)
    }
    let page = "SELECT rootpage FROM sqlite_master WHERE name = 'Note_words_data'"
    let before = try SQLiteCommand.run(page, on: url)
    let datastore = try await SwiftDatastore.open(
      history: SchemaHistory(FrozenSchema(change.entities)), url: url,
      migration: .declared(change.losses), backup: .none)
    let question = change.question
    try await datastore.newContext().perform { context in
      let schema = datastore.schema
      let entity = try #require(schema.entity(named: question.entity))
      let predicate = try Predicate.parse(question.condition, entity: entity, in: schema)
      let found: [DynamicObject] = try context.fetch(
        FetchRequest(entity: question.entity, predicate: predicate))
      #expect(found.count == question.count)
    }
    try datastore.close()
    if change.isKept { #expect(try SQLiteCommand.run(page, on: url) == before) }
    // As a fresh file has them, and FTS5 itself finds nothing wrong.
    let fresh = folder.file("fresh.sqlite")
    try SwiftDatastore(history: SchemaHistory(FrozenSchema(change.entities)), url: fresh).close()
    let ours =
      "SELECT name, sql FROM sqlite_master WHERE name <> 'mine' AND (type = 'trigger' OR sql LIKE 'CREATE VIRTUAL%') ORDER BY name"
    #expect(try SQLiteCommand.run(ours, on: url) == SQLiteCommand.run(ours, on: fresh))
    let tables = try SQLiteCommand.run(
      "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL%'", on: url)
    for table in tables.split(separator: "\n") {
      _ = try SQLiteCommand.run(
        "INSERT INTO \(table) (\(table), rank) VALUES ('integrity-check', 1)", on: url)
    }
    #expect(try SQLiteCommand.run("PRAGMA integrity_check", on: url) == "ok")
  }

  @Test("A table of a user that has the name of a new index is in the way")
  func inTheWay() async throws {
    let folder = try TemporaryDirectory()
    let url = folder.file("notes.sqlite")
    let plain = [Self.note("Note", Self.text("title", isSearchable: false))]
    try SwiftDatastore(history: SchemaHistory(FrozenSchema(plain)), url: url).close()
    _ = try SQLiteCommand.run("CREATE TABLE Note_words (x)", on: url)
    let model = try SchemaHistory(FrozenSchema([Self.note("Note", Self.text("title"))]))
    let before = try SQLiteCommand.run(".dump", on: url)
    let forecast = try SwiftDatastore.requiredMigrations(of: url, history: model)
    #expect(
      forecast.obstacles.map(\.description) == [
        "the table “Note_words” is in the way: the model needs that name; rename it in the file"
      ])
    await #expect(throws: MigrationError.self) {
      try await SwiftDatastore.open(history: model, url: url)
    }
    #expect(try SQLiteCommand.run(".dump", on: url) == before)
  }
}
