import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreSQLite

/// If a file has a full-text index of a column, `SEARCH` uses it.
@Suite("Searching in full-text indexes")
struct WordIndexTests {
  private let directory: TemporaryDirectory
  private let statements = Lock<[String]>([])
  private var url: URL { directory.file("notes.db") }

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// A table of notes in folders, and an index of their titles and texts that triggers keep.
  private static let notes = """
    CREATE TABLE folder (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE note (
      id INTEGER PRIMARY KEY, title TEXT, body TEXT, folder INTEGER REFERENCES folder(id));
    CREATE VIRTUAL TABLE "note words" USING fts5(
      title, [body], content='note', content_rowid="id", prefix='2 3');
    CREATE TRIGGER note_new AFTER INSERT ON note BEGIN
      INSERT INTO "note words"(rowid, title, body) VALUES (new.id, new.title, new.body);
    END;
    CREATE TRIGGER note_gone AFTER DELETE ON note BEGIN
      INSERT INTO "note words"("note words", rowid, title, body)
        VALUES ('delete', old.id, old.title, old.body);
    END;
    CREATE TRIGGER note_changed AFTER UPDATE ON note BEGIN
      INSERT INTO "note words"("note words", rowid, title, body)
        VALUES ('delete', old.id, old.title, old.body);
      INSERT INTO "note words"(rowid, title, body) VALUES (new.id, new.title, new.body);
    END;
    INSERT INTO folder VALUES (1, 'a'), (2, 'b');
    """

  private func open(_ sql: String) throws -> SQLiteStore {
    try SQLiteFile.make(at: url, sql)
    let statements = statements
    return try SQLiteStore(
      existing: url, trace: { sql in statements.withLock { $0.append(sql) } })
  }

  /// The keys of the rows that a condition finds, and whether an index was used.
  private func keys(
    _ condition: String, of entity: String = "note", in store: SQLiteStore
  ) throws -> (keys: [Int64], isIndexed: Bool) {
    let described = try #require(store.schema.entity(named: entity))
    let predicate = try Predicate.parse(condition, entity: described, in: store.schema)
    statements.withLock { $0 = [] }
    let found = try store.fetchKeys(FetchRequest(entity: entity, predicate: predicate))
    let isIndexed = statements.withLock { $0.contains { $0.contains(" MATCH ") } }
    return (found.map(\.rawValue), isIndexed)
  }

  @Test("The index finds what a walk through the rows finds, after any change")
  func agreement() throws {
    let seed = RandomCases.seed()
    var random = SeededRandom(seed: seed)
    let store = try open(Self.notes)
    let note = try #require(store.schema.entity(named: "note"))
    let words = ["apple", "Äpfel", "pie", "PIE", "don't", "a-b", "crème", "12", "x", "—"]
    func text() -> String {
      (0..<random.below(6)).map { _ in
        words[random.below(words.count)] + [" ", ", ", ""][random.below(3)]
      }
      .joined()
    }
    for round in 0..<12 {
      var statements: [String] = []
      for _ in 0..<40 {
        let quoted = text().replacing("'", with: "''")
        let id = 1 + random.below(200)
        switch random.below(4) {
        case 0: statements.append("DELETE FROM note WHERE id = \(id)")
        case 1: statements.append("UPDATE note SET body = '\(quoted)' WHERE id = \(id)")
        case 2: statements.append("INSERT OR IGNORE INTO note VALUES (\(id), NULL, 12, 1)")
        default:
          statements.append(
            "INSERT OR IGNORE INTO note VALUES (\(id), 't \(id)', '\(quoted)', \(1 + id % 2))")
        }
      }
      try SQLiteFile.make(at: url, statements.joined(separator: ";\n"))
      for _ in 0..<20 {
        let asked = "\(text())\(random.below(2) == 0 ? "*" : "")"
        let literal = asked.replacing("\"", with: "\\\"")
        let (found, isIndexed) = try keys("body SEARCH \"\(literal)\"", in: store)
        var walked: [Int64] = []
        for page in try store.fetch(FetchRequest(entity: "note")) {
          for row in 0..<page.rowCount {
            guard let slot = note.slot(named: "body"),
              case .text(let text) = page.value(row: row, slot: slot),
              WordSearch(asked).matches(text)
            else { continue }
            walked.append(page.key(ofRow: row).rawValue)
          }
        }
        try #require(found == walked, "seed \(seed), round \(round): \(asked)")
        #expect(isIndexed == (WordSearch(asked).fullTextExpression != nil))
      }
    }
  }

  @Test("Also beside other conditions, and through relationships")
  func paths() throws {
    let store = try open(
      Self.notes + """
        INSERT INTO note VALUES (1, 'one', 'apple pie', 1), (2, 'two', 'apple tart', 2),
          (3, 'three', 'plum pie', 2), (4, 'apple', 'nothing', NULL);
        """)
    #expect(try keys("body SEARCH \"apple\" AND title != \"one\"", in: store) == ([2], true))
    #expect(try keys("NOT body SEARCH \"apple\"", in: store) == ([3, 4], true))
    #expect(
      try keys("title SEARCH \"APPLE\" OR body SEARCH \"plum\"", in: store) == ([3, 4], true))
    #expect(try keys("ANY note.body SEARCH \"apple pie\"", of: "folder", in: store) == ([1], true))
    #expect(try keys("NONE note.body SEARCH \"apple pie\"", of: "folder", in: store) == ([2], true))
    #expect(try keys("body SEARCH \"!\"", in: store) == ([], false))
    // One column after another: the right side is known in each row only.
    #expect(try keys("body SEARCH title", in: store) == ([], false))
    // The index is a table of its own, with its own words.
    #expect(try keys("body SEARCH \"pie\"", of: "note words", in: store) == ([1, 3], true))
  }

  // Promise: an FTS5 table has another tokenizer, no positions, other keys → not asked.
  @Test(
    "An index with words or keys of its own is not asked, and the rows are walked",
    arguments: [
      "title, body, content='note', content_rowid='id', tokenize='porter'",
      "title, body, content='note', content_rowid='id', tokenize=\"unicode61 tokenchars '-'\"",
      "title, body, content='note', content_rowid='id', detail=none",
      "title, body, content='', content_rowid='id'",
      "title, body, content='folder', content_rowid='id'",
      "title, body UNINDEXED, content='note', content_rowid='id'",
    ])
  func others(declaration: String) throws {
    let store = try open(
      """
      CREATE TABLE folder (id INTEGER PRIMARY KEY, title TEXT, body TEXT);
      CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT, body TEXT);
      INSERT INTO note VALUES (1, 'a', 'apple pies'), (2, 'b', 'apple pie');
      CREATE VIRTUAL TABLE words USING fts5(\(declaration));
      """)
    #expect(try keys("body SEARCH \"pie\"", in: store) == ([2], false))
  }

  // Promise: ranks disagree with FTS5's → random texts, AND and OR, pages, sections, other keys before and
  // after: the order of the sqlite3 program.
  // Also: `RankedSearchTests.queries`, `QueryCommandTests.ranks`
  @Test(
    "Rows are ranked by all the searches that they meet, as FTS5 ranks them",
    arguments: [
      ("title SEARCH \"apple\" AND body SEARCH \"pie*\"", "title : apple AND body : pie *"),
      ("title SEARCH \"apple\" OR body SEARCH \"apple\"", "title : apple OR body : apple"),
      (
        "(title SEARCH \"plum\" OR body SEARCH \"apple pie\") AND body SEARCH \"pie\"",
        "(title : plum OR body : (apple AND pie)) AND body : pie"
      ),
    ])
  func ranks(condition: String, expression: String) throws {
    let seed = RandomCases.seed()
    var random = SeededRandom(seed: seed)
    let words = ["apple", "pie", "pies", "plum", "tart", "cake"]
    let inserts = (1...300).map { id in
      let texts = (0..<2).map { _ in
        (0..<random.below(9)).map { _ in words[random.below(words.count)] }.joined(separator: " ")
      }
      return "INSERT INTO note VALUES (\(id), '\(texts[0])', '\(texts[1])', \(1 + id % 2));"
    }
    // A value that is no text is in the index, and SEARCH does not find it.
    let store = try open(
      Self.notes + inserts.joined() + "INSERT INTO note VALUES (900, x'6170706c65', x'706965', 1);")
    let note = try #require(store.schema.entity(named: "note"))
    var request = FetchRequest(
      entity: "note", predicate: try .parse(condition, entity: note, in: store.schema),
      sortDescriptors: [.rank])
    func asked(_ rest: String) throws -> [Int64] {
      try SQLiteCommand.run(
        """
        SELECT w.rowid FROM "note words" AS w JOIN note AS n ON n.id = w.rowid \
        LEFT JOIN folder AS f ON f.id = n.folder \
        WHERE "note words" MATCH '\(expression)' AND n.id < 900 \(rest)
        """, on: url
      ).split(separator: "\n").compactMap { Int64($0) }
    }
    let bm25 = "bm25(\"note words\")"
    let all = try asked("ORDER BY \(bm25), w.rowid")
    #expect(all.count > 5, "seed \(seed)")
    #expect(try store.fetchKeys(request).map(\.rawValue) == all, "seed \(seed)")
    let rows = try store.fetch(request).flatMap { page in
      (0..<page.rowCount).map { page.key(ofRow: $0).rawValue }
    }
    #expect(rows == all, "seed \(seed)")
    request.sortDescriptors = [SortDescriptor(["folder", "name"], ascending: false), .rank]
    #expect(
      try store.fetchKeys(request).map(\.rawValue)
        == asked("ORDER BY f.name DESC, \(bm25), w.rowid"), "seed \(seed)")
    request.sortDescriptors = [.rank]
    let sections = try store.answer(KeyListQuestion(request, groupBy: ["folder"]))
    #expect(
      try sections.keys.map(\.rawValue) == asked("ORDER BY n.folder, \(bm25), w.rowid"),
      "seed \(seed)")
    (request.offset, request.limit) = (2, 3)
    #expect(try store.fetchKeys(request).map(\.rawValue) == Array(all[2..<5]), "seed \(seed)")
    #expect(try store.count(request) == 3)
  }

  @Test("@rank is an order of rows that SEARCH has found, and nothing else")
  func rankAsText() throws {
    let store = try open(Self.notes)
    let schema = store.schema
    let note = try #require(schema.entity(named: "note"))
    let order = try SortDescriptor.parse("@rank, title desc", entity: note, in: schema)
    #expect(order == [.rank, SortDescriptor(["title"], ascending: false)])
    #expect(order.map(\.description) == ["@rank", "title desc"])
    #expect(
      try SortDescriptor.parse("@rank desc", entity: note, in: schema).map(\.description)
        == ["@rank desc"])
    for (condition, order, group, message) in [
      ("@rank < 0", nil, nil, "@rank is an order"),
      ("title == \"a\"", "@rank", nil, "needs a SEARCH"),
      ("NOT title SEARCH \"a\"", "title, @rank", nil, "needs a SEARCH"),
      ("title SEARCH \"a\"", "@rank", "folder", "Groups have no rank"),
      ("title SEARCH \"a\"", "@rank + 1", nil, "“,”"),
      ("title SEARCH \"a\"", "folder.@rank", nil, "@rank"),
    ] as [(String, String?, String?, String)] {
      var text = ValueQueryText()
      (text.predicate, text.order, text.groupBy) = (condition, order, group)
      let fault = #expect(throws: PredicateSyntaxError.self) {
        try ValueQuery(text, entity: note, in: schema)
      }
      #expect(fault?.message.contains(message) == true, "\(fault?.message ?? "")")
    }
  }

  @Test("Ten thousand texts are not walked for one word")
  func plan() throws {
    let store = try open(
      Self.notes + """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
        INSERT INTO note SELECT i, 't', 'word' || i || ' and more', NULL FROM n;
        """)
    let (found, isIndexed) = try keys("body SEARCH \"word777\"", in: store)
    #expect(found == [777] && isIndexed)
    let sql = try #require(statements.withLock { $0.first { $0.contains(" MATCH ") } })
    let plan = try SQLiteCommand.run(
      "EXPLAIN QUERY PLAN " + sql.replacing(#/\?[0-9]*/#, with: "'\"body\" : (\"word777\")'"),
      on: url)
    #expect(plan.contains("SEARCH t0 USING INTEGER PRIMARY KEY"), "\(plan)")
    #expect(plan.contains("VIRTUAL TABLE INDEX"), "\(plan)")
  }
}
