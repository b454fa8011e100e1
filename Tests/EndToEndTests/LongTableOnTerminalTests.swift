import DatastoreTestSupport
import Foundation
import Testing

// Promise: a summary (`t`, `i`, `I`, `b`) of a table of more than 20,000 rows → the browser goes on and
// shows all rows.
/// Tables of more rows than are summed up at once: a sample is shown while all are read.
@Suite("Long tables on a terminal", .enabled(if: TmuxSession.isPresent, TmuxSession.absence))
struct LongTableOnTerminalTests {
  @Test("Every summary of a table of 50,000 rows is shown, and the browser goes on")
  func summaries() async throws {
    let program = try Program()
    try SQLiteFile.make(
      at: program.directory.file("long.sqlite"),
      """
      CREATE TABLE reading (id INTEGER PRIMARY KEY, amount INTEGER, kind TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
      INSERT INTO reading SELECT i, i * 7 % 1000, 'kind ' || (i % 3) FROM n;
      """)
    let session = try TmuxSession(program)
    try await session.wait(for: "$")
    try session.enter("datastore long.sqlite")
    try await session.wait(for: "kind 1", "reading · 50")
    try session.press("l")
    let summaries = [
      ("t", "values of amount in reading"), ("i", "standard deviation"),
      ("I", "distribution of amount in reading"), ("b", "amount by kind in reading"),
    ]
    for (key, text) in summaries {
      try session.press(key)
      if key == "b" {
        try await session.wait(for: "Chart of amount by")
        try session.type("kind")
        try session.press("Enter")
      }
      // All rows are in it, not only the first ones.
      try await session.wait(for: text) { lines in
        lines.contains { $0.contains(text) }
          && !lines.contains { $0.contains("are being read") }
      }
      try session.press("Escape")
      try await session.wait(for: "the end of \(text)") { lines in
        !lines.contains { $0.contains(text) }
      }
    }
    #expect(try session.isAlternateScreen())
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
  }
}
