import DatastoreCore
import DatastoreTestSupport
import GRDB
import Testing

/// `SEARCH` finds what SQLite's full-text index finds.
@Suite("Searching for words")
struct WordSearchTests {
  private let database: DatabaseQueue

  init() throws {
    database = try DatabaseQueue()
    try database.write { try $0.execute(sql: "CREATE VIRTUAL TABLE texts USING fts5(text)") }
  }

  // Promise: a scalar is taken for something else than SQLite's tokenizer takes it for → all 1,112,063 are
  // compared with FTS5.
  @Test("Every scalar is what it is for the tokenizer unicode61")
  func scalars() throws {
    let scalars = (1...0x10FFFF as ClosedRange<UInt32>).compactMap { Unicode.Scalar($0) }
    let texts = stride(from: 0, to: scalars.count, by: 2_048).map { start in
      var text = ""
      for scalar in scalars[start..<min(start + 2_048, scalars.count)] {
        text.unicodeScalars.append("a")
        text.unicodeScalars.append(scalar)
        text += "b "
      }
      return text
    }
    let differences = try database.write { database in
      try database.execute(sql: "CREATE VIRTUAL TABLE words USING fts5vocab(texts, instance)")
      for text in texts {
        try database.execute(sql: "INSERT INTO texts VALUES (?)", arguments: [text])
      }
      var found = Array(repeating: [String](), count: texts.count)
      let rows = try Row.fetchCursor(
        database, sql: "SELECT doc, term FROM words ORDER BY doc, offset")
      while let row = try rows.next() { found[row[0] - 1].append(row[1]) }
      return zip(texts, found).filter { text, terms in
        let words = WordSearch.Words(text)
        return words.count != terms.count
          || terms.indices.contains { !words[$0].elementsEqual(terms[$0].unicodeScalars) }
      }
    }
    let first = differences.first?.0.unicodeScalars.dropFirst().first?.value ?? 0
    #expect(differences.isEmpty, "from U+\(String(first, radix: 16)) on")
  }

  // Promise: memory and an FTS5 index disagree → random texts and searches.
  // Also: `WordIndexTests.agreement`, `PredicateAgreementTests`
  @Test("Random searches find the same rows in memory and in an index")
  func agreement() throws {
    let seed = RandomCases.seed()
    var random = SeededRandom(seed: seed)
    let words = [
      "apple", "Äpfel", "apples", "app", "pie", "PIE", "cre\u{301}me", "crème", "don't", "a-b", "a",
      "b",
      "12", "1.5", "ß", "Straße", "Ω", "ω", "中文", "x_y", "—", "!", "é", "naïve", "\u{1F600}",
    ]
    func text(_ most: Int, _ separators: [String]) -> String {
      (0..<random.below(most)).map { _ in
        words[random.below(words.count)] + separators[random.below(separators.count)]
      }.joined()
    }
    let texts = (0..<300).map { _ in text(9, [" ", ", ", "  ", "\n", "", "-"]) }
    try database.write { database in
      for text in texts {
        try database.execute(sql: "INSERT INTO texts VALUES (?)", arguments: [text])
      }
    }
    var hits = 0
    for _ in 0..<RandomCases.count {
      let asked = text(4, [" ", "* ", "\" ", " \"", "*", "", " * "])
      let search = WordSearch(asked)
      let walked = texts.indices.filter { search.matches(texts[$0]) }.map { $0 + 1 }
      let found = try database.read { database in
        guard let expression = search.fullTextExpression else { return [Int]() }
        return try Int.fetchAll(
          database, sql: "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rowid",
          arguments: [expression])
      }
      try #require(walked == found, "seed \(seed): \(asked)")
      hits += found.count
    }
    #expect(hits > 0)
  }
}
