import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

// Promise: ranked search disagrees with bm25 or forgets unsaved changes → same order as sqlite3's, without
// sorting.
/// `search(_:for:where:offset:limit:)`: the best matches first.
@Suite("Searching by rank")
struct RankedSearchTests {
  final class Note: DatastoreObject {
    @Attribute.NotOptional(searchable: true) var text: String
    @Attribute.NotOptional var year: Int = 2000
    @Attribute.Optional var remark: String?
  }

  private let folder: TemporaryDirectory
  private let url: URL
  private let statements = Lock<[String]>([])

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("notes.sqlite")
  }

  /// 400 notes of random length with one to nine apples, and some without any.
  private func open() async throws -> SwiftDatastore {
    let statements = statements
    let datastore = try SwiftDatastore(
      dataModel: SwiftDatastoreModel(from: Note.self), url: url,
      options: .init(traceSQL: { sql in statements.withLock { $0.append(sql) } }))
    var random = SeededRandom(seed: RandomCases.seed())
    let texts = (0..<400).map { number in
      let apples = Array(repeating: "apple", count: number % 10)
      let others = (0..<random.below(30)).map { _ in ["pear", "plum", "fig"][random.below(3)] }
      return (apples + others + ["n\(number)"]).shuffled(using: &random).joined(separator: " ")
    }
    try await datastore.newContext().perform { context in
      try context.insertMany(Note.self, from: texts.enumerated()) { number, text in
        [.init(\.$text, text), .init(\.$year, 2000 + number % 7), .init(\.$remark, text)]
      }
    }
    return datastore
  }

  private func ranked(_ rest: String) throws -> [String] {
    try SQLiteCommand.run(
      """
      SELECT n.text FROM Note_words AS w JOIN Note AS n ON n._id = w.rowid \
      WHERE Note_words MATCH 'apple' \(rest)
      """, on: url
    ).split(separator: "\n").map(String.init)
  }

  @Test("The best come first, as FTS5 ranks them, also beside a condition and in pages")
  func order() async throws {
    let datastore = try await open()
    let all = try ranked("ORDER BY bm25(Note_words), w.rowid")
    #expect(all.count == 360)
    try await datastore.newContext().perform { context in
      let first = try context.search(\Note.$text, for: "apple", limit: 50)
      #expect(first.map(\.text) == Array(all.prefix(50)))
      let second = try context.search(\Note.$text, for: "apple", offset: 50, limit: 20)
      #expect(second.map(\.text) == Array(all[50..<70]))
      let rest = try context.search(\Note.$text, for: "apple", where: \.$year == 2003)
      #expect(
        try rest.map(\.text) == ranked("AND n.year = 2003 ORDER BY bm25(Note_words), w.rowid"))
      let none = try context.search(\Note.$text, for: " - ")
      #expect(none.isEmpty)
    }
    let asked = statements.withLock { $0.last { $0.contains(".rank") } }
    let plan = try SQLiteCommand.run("EXPLAIN QUERY PLAN \(try #require(asked))", on: url)
    #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
    try datastore.close()
  }

  @Test("Unsaved changes count: what does not fit any more is left out, what does now comes last")
  func unsaved() async throws {
    let datastore = try await open()
    let all = try ranked("ORDER BY bm25(Note_words), w.rowid")
    try await datastore.newContext().perform { context in
      let best = try context.search(\Note.$text, for: "apple", limit: 3)
      context.deleteObject(best[0])
      best[1].text = "pear"
      let new: Note = try context.createObject()
      new.text = "apple apple apple"
      let found = try context.search(\Note.$text, for: "apple")
      #expect(found.map(\.text) == Array(all.dropFirst(2)) + ["apple apple apple"])
      let page = try context.search(\Note.$text, for: "apple", offset: 1, limit: 2)
      #expect(page.map(\.text) == Array(all[3...4]))
      try context.saveChanges()
      let saved = try context.search(\Note.$text, for: "apple")
      #expect(try saved.map(\.text) == ranked("ORDER BY bm25(Note_words), w.rowid"))
      #expect(saved.contains(new))
    }
    try datastore.close()
  }

  @Test("A query is ordered by rank, beside other keys, as objects, rows, keys and text")
  func queries() async throws {
    let datastore = try await open()
    let query = From<Note>().where(.search(\.$text, "apple"))
    let best = query.orderBy(.rank).limit(20)
    #expect(best.description == "FROM Note WHERE text SEARCH \"apple\" ORDER BY @rank LIMIT 20")
    #expect(best == query.orderBy(.rank).limit(20) && best != query.limit(20))
    let bm25 = "bm25(Note_words)"
    try await datastore.newContext().perform { context in
      let first = try ranked("ORDER BY \(bm25), w.rowid LIMIT 20")
      #expect(try context.fetch(best).map(\.text) == first)
      #expect(try context.rows(best.select(\.$text)) == first)
      #expect(try context.fetchIDs(best) == context.fetch(best).map(\.objectID))
      #expect(try context.fetchFirst(best)?.text == first.first)
      #expect(try context.count(query.orderBy(.rank)) == 360)
      let yearly = try context.fetch(query.orderBy(.desc(\.$year), .rank))
      #expect(
        try yearly.map(\.text) == ranked("ORDER BY n.year DESC, \(bm25), w.rowid"))
      let equal = try context.fetch(query.orderBy(.rank, .desc(\.$year)))
      #expect(
        try equal.map(\.text) == ranked("ORDER BY \(bm25), n.year DESC, w.rowid"))
      let worst = try context.fetch(query.orderBy(.init(.init(["@rank"], ascending: false))))
      #expect(try worst.map(\.text) == ranked("ORDER BY \(bm25) DESC, w.rowid"))
      // Without a search that all objects meet, all are equal in it, and the next key decides.
      let condition: Where<Note> = .search(\.$text, "apple") || \.$year == 2003
      #expect(
        try context.fetch(From<Note>().where(condition).orderBy(.rank, .asc(\.$text)))
          == context.fetch(From<Note>().where(condition).orderBy(.asc(\.$text))))
    }
    try datastore.close()
  }

  @Test("Without an index nothing is ranked, and the same objects are found")
  func withoutIndex() async throws {
    let datastore = try await open()
    try await datastore.newContext().perform { context in
      let ranked = try context.search(\Note.$text, for: "apple pl*")
      let walked = try context.search(\Note.$remark, for: "apple pl*")
      #expect(Set(ranked) == Set(walked))
      #expect(!ranked.isEmpty)
    }
    try datastore.close()
  }
}
