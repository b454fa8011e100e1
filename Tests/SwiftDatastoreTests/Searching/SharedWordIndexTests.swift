import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

// Promise: another process drops, replaces or makes again an index of words while the file is open → texts
// are walked, then the index is used again.
/// A file that several programs have open, not all of which search the same texts.
@Suite("Indexes of words that others drop and make")
struct SharedWordIndexTests {
  enum Plain {
    final class Folder: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.Optional var remark: String?
      @Attribute.Optional var year: Int?
    }
  }

  enum Searchable {
    final class Folder: DatastoreObject {
      @Attribute.NotOptional(searchable: true) var name: String
      @Attribute.Optional var remark: String?
      @Attribute.Optional var year: Int?
    }
  }

  enum Other {
    final class Folder: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.Optional(searchable: true) var remark: String?
      @Attribute.Optional var year: Int?
    }
  }

  private let folder: TemporaryDirectory
  private let url: URL
  private let statements = Lock<[String]>([])

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("folders.sqlite")
  }

  private func open(_ type: DatastoreObject.Type) throws -> SwiftDatastore {
    let statements = statements
    return try SwiftDatastore(
      dataModel: SwiftDatastoreModel(from: type), url: url,
      options: .init(traceSQL: { sql in statements.withLock { $0.append(sql) } }))
  }

  private func make(_ names: [String], in datastore: SwiftDatastore) async throws {
    try await datastore.write { context in
      for name in names {
        let folder: Searchable.Folder = try context.createObject()
        folder.name = name
      }
    }
  }

  /// The results, and whether an index was used.
  private func search(
    _ word: String, in datastore: SwiftDatastore
  ) async throws -> (names: [String], isIndexed: Bool) {
    statements.withLock { $0 = [] }
    let names = try await datastore.newContext().perform { context in
      let found = From<Searchable.Folder>().where(.search(\.$name, word))
      return try context.fetch(found.orderBy(.asc(\.$name))).map(\.name)
    }
    return (names, statements.withLock { $0.contains { $0.contains(" MATCH ") } })
  }

  @Test(
    "Who has the file open searches on while others drop the index, make another and make it again")
  func dropped() async throws {
    let datastore = try open(Searchable.Folder.self)
    try await make(["apple pie", "plum tart"], in: datastore)
    #expect(try await search("apple", in: datastore) == (["apple pie"], true))

    try await SwiftDatastore.open(
      dataModel: SwiftDatastoreModel(from: Plain.Folder.self), url: url
    ).close()
    try SQLiteCommand.run(
      "PRAGMA busy_timeout = 5000; UPDATE Folder SET name = 'plum pie' WHERE name = 'plum tart'",
      on: url)
    #expect(try await search("pie", in: datastore) == (["apple pie", "plum pie"], false))
    let count = try await datastore.write { context in
      let plums = From<Searchable.Folder>().where(.search(\.$name, "plum"))
      return try context.updateMany(plums, propertiesToUpdate: [.init(\.$year, 1999)])
    }
    #expect(count == 1)
    try await make(["pie"], in: datastore)
    try await datastore.newContext().perform { context in
      let ranked = try context.search(\Searchable.Folder.$name, for: "pie")
      #expect(ranked.count == 3)
    }

    try await SwiftDatastore.open(
      dataModel: SwiftDatastoreModel(from: Other.Folder.self), url: url
    ).close()
    #expect(try await search("pie", in: datastore) == (["apple pie", "pie", "plum pie"], false))

    let again = try open(Searchable.Folder.self)
    #expect(try await search("pie", in: datastore) == (["apple pie", "pie", "plum pie"], true))
    try again.close()
    try datastore.close()
    try SQLiteCommand.run(
      "INSERT INTO Folder_words (Folder_words, rank) VALUES ('integrity-check', 1)", on: url)
  }

  @Test("Who searches no text is not disturbed by an index that others make, and keeps it right")
  func made() async throws {
    let plain = try open(Plain.Folder.self)
    let searching = try open(Searchable.Folder.self)
    try await plain.write { context in
      let folder: Plain.Folder = try context.createObject()
      folder.name = "apple pie"
    }
    #expect(try await search("pie", in: searching) == (["apple pie"], true))
    #expect(
      try await plain.newContext().perform { context in
        try context.count(From<Plain.Folder>().where(.search(\.$name, "apple")))
      } == 1)
    try plain.close()
    try searching.close()
  }

  @Test("Many readers meet a missing index at once")
  func readers() async throws {
    let datastore = try open(Searchable.Folder.self)
    try await make(["apple pie"], in: datastore)
    try SQLiteCommand.run(
      """
      PRAGMA busy_timeout = 5000; DROP TABLE Folder_words; DROP TRIGGER Folder_words_insert;
      DROP TRIGGER Folder_words_update; DROP TRIGGER Folder_words_delete
      """, on: url)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<16 {
        group.addTask {
          try await datastore.newContext().perform { context in
            try context.count(From<Searchable.Folder>().where(.search(\.$name, "apple")))
          }
        }
      }
      for try await count in group { #expect(count == 1) }
    }
    try datastore.close()
  }

  @Test("A third-party file loses its FTS5 table while it is open, and gets it again")
  func thirdParty() async throws {
    let index = """
      CREATE VIRTUAL TABLE words USING fts5(body, content='note', content_rowid='id');
      INSERT INTO words (words) VALUES ('rebuild');
      """
    try SQLiteCommand.run(
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT);
      INSERT INTO note VALUES (1, 'apple pie'), (2, 'plum pie');
      """ + index, on: url)
    let statements = statements
    let datastore = try SwiftDatastore(
      opening: url, options: .init(traceSQL: { sql in statements.withLock { $0.append(sql) } }))
    let note = try #require(datastore.schema.entity(named: "note"))
    let request = FetchRequest(
      entity: "note",
      predicate: try .parse("body SEARCH \"pie\"", entity: note, in: datastore.schema),
      sortDescriptors: [.rank])
    func search() async throws -> (count: Int, isIndexed: Bool) {
      statements.withLock { $0 = [] }
      let count = try await datastore.newContext().perform { context in
        let found: [DynamicObject] = try context.fetch(request)
        return found.count
      }
      return (count, statements.withLock { $0.contains { $0.contains(" MATCH ") } })
    }
    #expect(try await search() == (2, true))
    try SQLiteCommand.run("DROP TABLE words", on: url)
    #expect(try await search() == (2, false))
    try SQLiteCommand.run(index, on: url)
    #expect(try await search() == (2, true))
    try datastore.close()
  }
}
