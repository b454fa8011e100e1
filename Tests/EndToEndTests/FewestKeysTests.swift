import DatastoreTestSupport
import Foundation
import Testing

/// Common questions, in the fewest keys; `Documentation/ComingFromOtherBrowsers.md` has their numbers beside
/// those of VisiData.
@Suite(
  "Questions in few keys", .serialized, .enabled(if: TmuxSession.isPresent, TmuxSession.absence))
struct FewestKeysTests {
  private let program: Program
  private let shop: URL

  init() throws {
    program = try Program()
    shop = program.directory.url.appending(path: "shop.sqlite")
    var sql = """
      CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, country TEXT);
      CREATE TABLE sales (id INTEGER PRIMARY KEY, day TEXT, customer TEXT, country TEXT, amount REAL);
      """
    let countries = ["Belgium", "France", "Norway", "Spain"]
    var random = SeededRandom(seed: 32)
    for number in 1...40 {
      sql +=
        "INSERT INTO customer VALUES (\(number), 'Customer \(number)', '\(countries[number % 4])');"
    }
    sql += "INSERT INTO customer VALUES (41, 'Customer 7', 'France');"
    for number in 1...400 {
      let buyer = 1 + random.below(40)
      let day = "2024-\(String(101 + random.below(12)).suffix(2))-\(10 + random.below(18))"
      sql +=
        "INSERT INTO sales VALUES (\(number), '\(day)', 'Customer \(buyer)', '\(countries[buyer % 4])', "
        + "\(Double(1 + random.below(9_999)) / 100));"
    }
    try SQLiteFile.make(at: shop, sql)
    try program.directory.write(
      "id,day,customer,country,amount\n"
        + SQLiteCommand.run("SELECT * FROM sales", on: shop).replacing("|", with: ","),
      to: "sales.csv")
  }

  /// Opens a file.
  private func session(_ command: String, showing first: String) async throws -> TmuxSession {
    let session = try TmuxSession(program, identifiersLast: true)
    try await session.wait(for: "$")
    try session.enter("clear; datastore \(command)")
    try await session.wait(for: first)
    return session
  }

  /// Presses the keys that answer a question; the page has their number.
  ///
  /// - Parameter steps: keys, and the text to wait for after them.
  private func answer(
    _ question: String, _ steps: [(keys: [String], shows: String)], in session: TmuxSession
  ) async throws {
    let page = try String(
      contentsOf: Program.sampleData.deletingLastPathComponent()
        .appending(path: "Documentation/ComingFromOtherBrowsers.md"), encoding: .utf8)
    let row = page.split(separator: "\n").first { $0.hasPrefix("| \(question) |") }
    let count = steps.reduce(0) { $0 + $1.keys.count }
    #expect(row?.contains(": \(count) |") == true, "\(row ?? "no row")")
    for (keys, shows) in steps {
      for key in keys { try session.press(key) }
      try await session.wait(for: shows)
    }
  }

  private func values(_ sql: String) throws -> [String] {
    try SQLiteCommand.run(sql, on: shop).split(separator: "\n").map(String.init)
  }

  @Test("Which country brings most, and who buys there?")
  func revenue() async throws {
    let session = try await session("sales.csv", showing: "1 of 400")
    try await answer(
      "Which country brings most, and who buys there?",
      [
        (["Right", "Right", "Right", "g", "+"], "The sum of amount"),
        (["Left", "t"], "values of country"), (["Enter"], "where country =="),
        (["Left", "t"], "values of customer"),
      ], in: session)
    let best = try values(
      "SELECT country FROM sales GROUP BY country ORDER BY sum(amount) DESC LIMIT 1")[0]
    let buyer = try values(
      """
      SELECT customer || '|' || printf('%.2f', sum(amount)) FROM sales WHERE country = '\(best)' \
      GROUP BY customer ORDER BY sum(amount) DESC LIMIT 1
      """)[0].split(separator: "|")
    try await session.wait(for: "the best customer") { lines in
      lines[0].contains("country == \"\(best)\"")
        && lines[2].contains("\(buyer[0]) ")
        && lines[2].contains(buyer[1].replacing(".00", with: ""))
    }
  }

  @Test("Who is there twice? Delete one of them")
  func duplicates() async throws {
    let session = try await session(
      "shop.sqlite --entity customer", showing: "customer · 41 rows")
    try await answer(
      "Who is there twice? Delete one of them",
      [
        (["t"], "values of name"), (["Enter"], "customer · 2 rows"), (["Down", "D"], "y delete"),
        (["y"], "1 deleted"), (["C-s"], "no unsaved changes"),
      ], in: session)
    #expect(
      try values("SELECT count(*) || '|' || count(DISTINCT name) FROM customer") == ["40|40"])
  }

  @Test("What did my program just write?")
  func changes() async throws {
    let session = try await session(
      "shop.sqlite --entity customer", showing: "customer · 41 rows")
    _ = try values("UPDATE customer SET country = 'Italy' WHERE id = 3")
    try await session.wait(for: "Changed by another process: 1 row", "•Italy")
    try await answer(
      "What did my program just write?", [(["g", "C"], "Changes since")], in: session)
    try await session.wait(for: "Customer 3", "Spain", "Italy")
  }

  @Test("Sum by month, into a file")
  func months() async throws {
    let session = try await session("sales.csv", showing: "1 of 400")
    try await answer(
      "Sum by month, into a file",
      [
        (["Right", "Right", "Right", "b"], "Chart of amount by"),
        (["Down", "Down", "Enter"], "by day by month"), (["E"], "File: groups.csv"),
        (["Enter"], "Wrote 12 rows"),
      ], in: session)
    let lines = try String(
      contentsOf: program.directory.url.appending(path: "groups.csv"), encoding: .utf8
    ).split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
    let sums = lines.compactMap { fields in
      fields.count > 5 ? "\(fields[0])|\(Double(fields[5]) ?? 0)" : nil
    }
    #expect(
      try values(
        """
        SELECT substr(day, 1, 7) || '|' || round(sum(amount), 2) FROM sales GROUP BY substr(day, 1, 7) \
        ORDER BY substr(day, 1, 7)
        """) == sums)
  }
}
