import DatastoreCore
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreSQLite

/// Where a file has a full-text index of a column, `SEARCH` asks it.
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

  /// The keys of the rows that a condition finds, and whether an index was asked.
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
    // One column after another: what the right side is, is known in each row only.
    #expect(try keys("body SEARCH title", in: store) == ([], false))
    // The index is a table of its own, with its own words.
    #expect(try keys("body SEARCH \"pie\"", of: "note words", in: store) == ([1, 3], true))
  }

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
