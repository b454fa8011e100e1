import DatastoreTestSupport
import Foundation
import Testing

/// `datastore query` and `datastore schema` show columns of dates as the browser does.
@Suite("Dates on the command line")
struct DateCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
    try SQLiteFile.make(
      at: program.directory.url.appending(path: "d.sqlite"),
      """
      CREATE TABLE visit (id INTEGER PRIMARY KEY, visited_at INTEGER, opened DATETIME);
      INSERT INTO visit VALUES (1, 1704067200500, '2024-01-01 10:00:00'),
        (2, 0, NULL), (3, 1706745600000, '2024-02-01 10:00:00');
      """)
  }

  private func output(_ arguments: String...) async throws -> String {
    let outcome = try await program.start(arguments).outcome()
    #expect(outcome.status == 0 && outcome.errors == "", "\(outcome)")
    return outcome.output
  }

  @Test("Rows have dates, or what is stored")
  func rows() async throws {
    #expect(
      try await output("query", "d.sqlite", "visit")
        == """
        id,visited_at,opened
        1,2024-01-01T00:00:00.500Z,2024-01-01 10:00:00
        2,0,
        3,2024-02-01T00:00:00Z,2024-02-01 10:00:00

        """)
    #expect(
      try await output("query", "d.sqlite", "visit", "--columns", "visited_at", "--stored-dates")
        == "visited_at\n1704067200500\n0\n1706745600000\n")
    #expect(
      try await output(
        "query", "d.sqlite", "visit", "--columns", "visited_at", "--format", "jsonl", "--where",
        "visited_at > 2024-01-15")
        == "{\"visited_at\":\"2024-02-01T00:00:00Z\"}\n")
    #expect(
      try await output("query", "d.sqlite", "visit", "--format", "sql").contains("1704067200500"))
  }

  @Test(
    "A date in quotes is a date in a column of text, too",
    arguments: [
      ("ts >= \"2024-01-15T00:00:00Z\"", ["2", "3"]), ("ts == \"2024-01-15T08:00:00Z\"", ["2"]),
      ("ts <= \"2024-01-16\"", ["1", "2", "3"]),
      ("ts == \"2024-01-15T10:00:00+02:00\"", ["2"]),
      ("ts IN {\"2024-01-15T08:00:00Z\", \"2024-01-16\"}", ["2", "3"]),
      ("ts BETWEEN {\"2024-01-14T23:00:00Z\", \"2024-01-15T08:00:00Z\"}", ["1", "2"]),
    ])
  func quoted(condition: String, expected: [String]) async throws {
    try SQLiteFile.make(
      at: program.directory.url.appending(path: "log.sqlite"),
      """
      CREATE TABLE log (id INTEGER PRIMARY KEY, ts DATETIME);
      INSERT INTO log VALUES (1, '2024-01-14 23:00:00'), (2, '2024-01-15 08:00:00'),
        (3, '2024-01-16 00:00:00');
      """)
    #expect(
      try await output(
        "query", "log.sqlite", "log", "--columns", "id", "--where", condition, "--order-by", "id")
        == (["id"] + expected).map { $0 + "\n" }.joined())
    let refused = try await program.run(
      "query", "log.sqlite", "log", "--where", "ts > \"15.1.2023\"")
    #expect(
      refused.status == 64 && refused.errors.contains("is compared with a date such as"),
      "\(refused)")
  }

  @Test("Groups by month; the least and the mean of dates are dates")
  func groups() async throws {
    #expect(
      try await output(
        "query", "d.sqlite", "visit", "--group-by", "visited_at.@month", "--columns",
        "visited_at.@month, count, max(visited_at) AS last", "--order-by", "visited_at.@month")
          == """
          visited_at.@month,count,last
          ,1,0
          2024-01,1,2024-01-01T00:00:00.500Z
          2024-02,1,2024-02-01T00:00:00Z

          """)
  }

  @Test("What was written as CSV is loaded as it was stored")
  func roundTrip() async throws {
    let url = program.directory.url.appending(path: "d.sqlite")
    let dump = "SELECT id, quote(visited_at), quote(opened) FROM visit ORDER BY id"
    let before = try SQLiteFile.output(of: dump, at: url)
    _ = try await output("query", "d.sqlite", "visit", "--output", "v.csv")
    try SQLiteFile.make(at: url, "UPDATE visit SET visited_at = 1704067200501, opened = NULL")
    _ = try await program.run(
      "load", "v.csv", "--into", "d.sqlite", "--entity", "visit", "--key", "id")
    #expect(try SQLiteFile.output(of: dump, at: url) == before)
    // A date in another style is written in that of the column.
    try program.directory.write(
      "id,visited_at,opened\n4,2024-03-01,2024-03-01T12:30Z\n", to: "n.csv")
    _ = try await program.run(
      "load", "n.csv", "--into", "d.sqlite", "--entity", "visit", "--key", "id")
    #expect(
      try SQLiteFile.output(of: dump + " LIMIT 1 OFFSET 3", at: url)
        == "4|1709251200000|'2024-03-01 12:30:00'\n")
  }

  @Test("The browser can begin with sections of months")
  func browse() async throws {
    func errors(_ path: String) async throws -> String {
      try await program.run("browse", "d.sqlite", "--group-by", path).errors
    }
    // The missing terminal is the last fault that is reported.
    #expect(try await errors("visited_at.@month").contains("terminal"))
    #expect(
      try await errors("visited_at.@moth").contains("“@moth” is unknown; after a date there are"))
    #expect(try await errors("id.@month").contains("is not known to hold dates"))
  }

  @Test("The schema says the convention")
  func schema() async throws {
    let text = try await output("schema", "d.sqlite")
    #expect(text.contains("dates: Unix milliseconds"))
    #expect(text.contains("dates: text such as 2001-01-01 00:00:00"))
    let json = try await output("schema", "d.sqlite", "--format", "json")
    #expect(json.contains("\"unix-milliseconds\""))
  }
}
