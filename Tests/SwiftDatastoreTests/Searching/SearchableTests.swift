import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// `searchable: true`: an index of words that every program keeps which writes the table.
@Suite("Searchable texts")
struct SearchableTests {
  class Paper: DatastoreObject {
    override class var isAbstract: Bool { self == Paper.self }
    @Attribute.NotOptional(searchable: true) var title: String
    @Attribute.Optional var year: Int?
  }

  final class Letter: Paper {
    @Attribute.Optional(searchable: true) var body: String?
    @Relationship.ToOne(inverse: \.$letters) var folder: Folder?
  }

  final class Receipt: Paper {
    @Attribute.NotOptional var sum: Double = 0
  }

  final class Folder: DatastoreObject {
    @Attribute.NotOptional(searchable: true) var name: String
    @Relationship.ToMany var letters: Set<Letter>
  }

  static func model() throws -> SwiftDatastoreModel {
    try SwiftDatastoreModel(from: Paper.self, Letter.self, Receipt.self, Folder.self)
  }

  private let folder: TemporaryDirectory
  private let url: URL
  private let statements = Lock<[String]>([])

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("papers.sqlite")
  }

  private func open(readOnly: Bool = false) throws -> SwiftDatastore {
    let statements = statements
    return try SwiftDatastore(
      dataModel: Self.model(), url: url, readOnly: readOnly,
      options: .init(traceSQL: { sql in statements.withLock { $0.append(sql) } }))
  }

  /// Whether an index was used since the last call.
  private func wasIndexAsked() -> Bool {
    statements.withLock { lines in
      defer { lines = [] }
      return lines.contains { $0.contains(" MATCH ") }
    }
  }

  /// FTS5 itself compares each index with the texts of its table.
  private func requireIntact() throws {
    for table in ["Paper_words", "Folder_words"] {
      _ = try SQLiteCommand.run(
        "INSERT INTO \(table) (\(table), rank) VALUES ('integrity-check', 1)", on: url)
    }
  }

  private func makeLetters(_ datastore: SwiftDatastore, _ titles: [String]) async throws {
    try await datastore.write { context in
      let folder: Folder = try context.createObject()
      folder.name = "in folder \(titles.count)"
      for title in titles {
        let letter: Letter = try context.createObject()
        (letter.title, letter.body, letter.folder) = (title, "body of \(title)", folder)
      }
      let receipt: Receipt = try context.createObject()
      receipt.title = titles.joined(separator: " ")
    }
  }

  private func titles(
    _ datastore: SwiftDatastore, _ condition: Where<Paper>
  ) async throws -> [String] {
    try await datastore.newContext().perform { context in
      let papers: [Paper] = try context.fetch(where: condition, orderBy: [.asc(\.$title)])
      return papers.map(\.title)
    }
  }

  @Test("The index is asked, through relationships and in families as well")
  func asked() async throws {
    let datastore = try open()
    try await makeLetters(datastore, ["Apple pie", "Plum tart", "ÄPFEL"])
    _ = wasIndexAsked()
    #expect(
      try await titles(datastore, .search(\.$title, "apple")) == [
        "Apple pie", "Apple pie Plum tart ÄPFEL",
      ])
    #expect(wasIndexAsked())
    try await datastore.newContext().perform { context in
      let letters: [Letter] = try context.fetch(where: .search(\.$body, "plum tar*"))
      #expect(letters.map(\.title) == ["Plum tart"])
      let found: [Letter] = try context.fetch(
        where: context.condition("folder.name SEARCH \"folder 3\""))
      #expect(found.count == 3)
      let text: [Letter] = try context.fetch(
        where: context.condition("title SEARCH \"äpfel\" AND folder.name SEARCH \"in\""))
      #expect(text.map(\.title) == ["ÄPFEL"])
      #expect(try context.count(From<Letter>().where(.search(\.$title, "tart"))) == 1)
    }
    #expect(wasIndexAsked())
    try datastore.close()
    try requireIntact()
    // Opens the file by its own description.
    let existing = try SwiftDatastore(opening: url, readOnly: true)
    #expect(
      existing.schema.entities.map(\.name).sorted() == ["Folder", "Letter", "Paper", "Receipt"])
    try existing.close()
  }

  // Promise: a word index finds something else than a walk through the rows → they agree for random texts,
  // saved, staged and written by the sqlite3 program; FTS5's own integrity-check passes.
  // Also: `SearchableTests.batches`
  @Test("What is found is what a walk finds, whoever has written, saved or not")
  func agreement() async throws {
    let seed = RandomCases.seed()
    var random = SeededRandom(seed: seed)
    let words = ["apple", "Äpfel", "pie", "PIE", "don't", "a-b", "crème", "12", "x", "—"]
    func text() -> String {
      (0..<random.below(6)).map { _ in
        words[random.below(words.count)] + [" ", ", ", ""][random.below(3)]
      }.joined()
    }
    let datastore = try open()
    for round in 0..<12 {
      let quoted = text().replacing("'", with: "''")
      _ = try SQLiteCommand.run(
        """
        UPDATE Paper SET title = '\(quoted)' WHERE _id % 7 = \(round % 7);
        DELETE FROM Paper WHERE _id % 31 = \(round);
        INSERT INTO Paper (_entity, title, body) VALUES ('Letter', 'of others', '\(quoted)');
        """, on: url)
      let edits = (0..<25).map { _ in (random.below(4), random.below(60), text(), text()) }
      let asked = (0..<20).map { _ in text() + (random.below(2) == 0 ? "*" : "") }
      try await datastore.newContext().perform { context in
        let letters: [Letter] = try context.fetch(orderBy: [.asc(\.$title)])
        for (kind, place, title, body) in edits {
          let letter = letters.indices.contains(place) ? letters[place] : nil
          if kind == 0, let letter, !letter.isDeleted {
            context.deleteObject(letter)
          } else if kind < 3, let letter, !letter.isDeleted {
            letter.body = kind == 1 ? body : nil
          } else {
            let letter: Letter = try context.createObject()
            (letter.title, letter.body) = (title, body)
          }
        }
        if round % 3 != 2 { try context.saveChanges() }
        let present: [Letter] = try context.fetch()
        for question in asked {
          let found: [Letter] = try context.fetch(where: .search(\.$body, question))
          let walked = present.filter { WordSearch(question).matches($0.body ?? "") }
          try #require(Set(found) == Set(walked), "seed \(seed), round \(round): \(question)")
        }
      }
    }
    try datastore.close()
    try requireIntact()
  }

  @Test("Batch operations keep the index")
  func batches() async throws {
    let datastore = try open()
    try await datastore.newContext().perform { context in
      try context.insertMany(
        Letter.self, from: 1...300
      ) { number in
        [.init(\.$title, "letter \(number)"), .init(\.$body, number % 2 == 0 ? "even" : "odd")]
      }
    }
    try await datastore.newContext().perform { context in
      let condition: Where<Letter> = .search(\.$body, "even")
      let updated = try context.updateMany(
        where: condition, propertiesToUpdate: [.init(\.$body, "both")])
      let deleted = try context.deleteMany(where: .search(\Letter.$body, "odd"))
      let left = try context.count(From<Letter>().where(.search(\.$body, "both")))
      #expect(updated == 150)
      #expect(deleted == 150)
      #expect(left == 150)
    }
    try datastore.close()
    try requireIntact()
  }

  @Test("Rows that are updated by a key have their new words")
  func upsert() async throws {
    final class Item: DatastoreObject {
      @Attribute.NotOptional(unique: true) var number: Int
      @Attribute.NotOptional(searchable: true) var text: String
    }
    let datastore = try SwiftDatastore(dataModel: SwiftDatastoreModel(from: Item.self), url: url)
    try await datastore.newContext().perform { context in
      for (round, range) in [1...100, 51...150].enumerated() {
        try context.upsert(Item.self, from: range, key: \.$number) { number in
          [.init(\.$number, number), .init(\.$text, "round\(round) n\(number)")]
        }
      }
      let first: [Item] = try context.fetch(where: .search(\.$text, "round0"))
      let second: [Item] = try context.fetch(where: .search(\.$text, "round1"))
      #expect(first.count == 50)
      #expect(second.count == 100)
    }
    try datastore.close()
    _ = try SQLiteCommand.run(
      "INSERT INTO Item_words (Item_words, rank) VALUES ('integrity-check', 1)", on: url)
  }

  // Promise: a word index or a trigger of it is missing → made again at opening; read-only opening walks
  // instead.
  @Test("An index that is gone is made again; a file that is only looked at is walked through")
  func missing() async throws {
    let datastore = try open()
    try await makeLetters(datastore, ["Apple pie", "Plum tart"])
    try datastore.close()
    let removals = [
      "DROP TABLE Paper_words; DROP TRIGGER Paper_words_insert; DROP TRIGGER Paper_words_update; DROP TRIGGER Paper_words_delete",
      "DROP TRIGGER Paper_words_update",
    ]
    for (number, removal) in removals.enumerated() {
      _ = try SQLiteCommand.run(removal, on: url)
      _ = try SQLiteCommand.run(
        "UPDATE Paper SET title = 'Cherry cake \(number)' WHERE _id = 1", on: url)
      let looking = try open(readOnly: true)
      _ = wasIndexAsked()
      #expect(
        try await titles(looking, .search(\.$title, "cherry")).contains("Cherry cake \(number)"))
      #expect(!wasIndexAsked())
      try looking.close()
      let existing = try SwiftDatastore(opening: url, readOnly: true)
      try await existing.newContext().perform { context in
        let entity = try #require(existing.schema.entity(named: "Letter"))
        let predicate = try Predicate.parse(
          "title SEARCH \"cake\"", entity: entity, in: existing.schema)
        let found: [DynamicObject] = try context.fetch(
          FetchRequest(entity: "Letter", predicate: predicate))
        #expect(found.count == 1)
      }
      try existing.close()
      let again = try open()
      _ = wasIndexAsked()
      #expect(
        try await titles(again, .search(\.$title, "cherry")).contains("Cherry cake \(number)"))
      #expect(wasIndexAsked())
      try again.close()
      try requireIntact()
    }
  }

  @Test(
    "A model that searches no text drops the index, and one that does makes it, without a migration"
  )
  func switching() async throws {
    enum Plain {
      final class Folder: DatastoreObject {
        @Attribute.NotOptional var name: String
      }
    }
    enum Searchable {
      final class Folder: DatastoreObject {
        @Attribute.NotOptional(searchable: true) var name: String
      }
    }
    let plain = try SwiftDatastoreModel(from: Plain.Folder.self)
    let searchable = try SwiftDatastoreModel(from: Searchable.Folder.self)
    #expect(plain.versionLock == searchable.versionLock)
    let datastore = try SwiftDatastore(dataModel: plain, url: url)
    try await datastore.write { context in
      for name in ["apple", "plum"] {
        let folder: Plain.Folder = try context.createObject()
        folder.name = name
      }
    }
    try datastore.close()
    let objects =
      "SELECT group_concat(name, ' ') FROM (SELECT name FROM sqlite_master WHERE name LIKE '%words%' ORDER BY name)"
    #expect(try SQLiteCommand.run(objects, on: url) == "")
    let forecast = try SwiftDatastore.requiredMigrations(of: url, dataModel: searchable)
    #expect(forecast.kind == .instant)
    #expect(
      forecast.entities.flatMap(\.changes).map(\.description) == [
        "Folder.name gets an index of its words"
      ])
    let indexed = try SwiftDatastore(dataModel: searchable, url: url)
    #expect(
      try SQLiteCommand.run(objects, on: url)
        == "Folder_words Folder_words_config Folder_words_data Folder_words_delete Folder_words_docsize "
        + "Folder_words_idx Folder_words_insert Folder_words_update")
    try await indexed.newContext().perform { context in
      let found: [Searchable.Folder] = try context.fetch(where: .search(\.$name, "plum"))
      #expect(found.count == 1)
    }
    try indexed.close()
    try await SwiftDatastore.open(dataModel: plain, url: url).close()
    #expect(try SQLiteCommand.run(objects, on: url) == "")
    try await SwiftDatastore.open(dataModel: searchable, url: url).close()
    #expect(try SQLiteCommand.run(objects, on: url) != "")
  }

  @Test("Only texts can be searchable, and no column that FTS5 has itself")
  func faults() throws {
    enum Wrong {
      final class Thing: DatastoreObject {
        @Attribute.NotOptional(searchable: true) var age: Int
        @Attribute.NotOptional(searchable: true) var rank: String
      }
    }
    let error = #expect(throws: SchemaError.self) {
      try SwiftDatastoreModel(from: Wrong.Thing.self)
    }
    #expect(
      error?.faults.map(\.description) == [
        "Thing.age cannot be searchable: only texts have words that are searched for.",
        "Thing.rank cannot be searchable: its name means something else in the index; store it under another one with "
          + "`named:`.",
      ])
  }
}
