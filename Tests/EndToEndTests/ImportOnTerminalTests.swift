import DatastoreTestSupport
import Foundation
import Testing

@Suite(
  "Importing on a terminal", .serialized, .enabled(if: TmuxSession.isPresent, TmuxSession.absence)
)
struct ImportOnTerminalTests {
  private let program: Program
  private let session: TmuxSession

  init() throws {
    program = try Program()
    session = try TmuxSession(program)
  }

  private var store: URL { program.directory.url.appending(path: "f.sqlite") }

  private func count() throws -> Int? {
    Int(try SQLiteFile.values("SELECT CAST(count(*) AS TEXT) FROM employee", in: store).joined())
  }

  @Test("Who looks at a file sees all of its records, and exports them as they stand there")
  func looking() async throws {
    try program.directory.write(
      """
      # made by a program
      name,born,alive,score
      Ann,1872-11-30,FALSE,22
      Bob,,TRUE
      Cid,1900-01-01 10:00:00,TRUE,22.5,extra

      """, to: "people.csv")
    try await session.wait(for: "$")
    try session.enter("datastore people.csv")
    try await session.wait(for: "Ann", "1872-11-30", "FALSE", "Cid", "3 rows")
    try session.press("$")
    try await session.wait(for: "3 fields", "5 fields")
    try session.press("E")
    try await session.wait(for: "File:")
    try session.enter("out.csv")
    try await session.wait(for: "Wrote")
    try session.press("q")
    try await session.wait(for: "2 records are irregular")
    let out = try String(
      contentsOf: program.directory.url.appending(path: "out.csv"), encoding: .utf8)
    #expect(
      out == """
        name,born,alive,score,irregular,column_5
        Ann,1872-11-30,FALSE,22,,
        Bob,,TRUE,,3 fields,
        Cid,1900-01-01 10:00:00,TRUE,22.5,5 fields,extra

        """, "\(out)")
  }

  @Test("The files of a folder are tables beside each other")
  func folder() async throws {
    try program.directory.write("customer_id,amount\n1,10.50\n2,3\n", to: "shop/sales.csv")
    try program.directory.write(
      "[{\"id\":1,\"name\":\"Ada\"},{\"id\":2,\"name\":\"Bo\"}]", to: "shop/customers.json")
    try await session.wait(for: "$")
    try session.enter("datastore shop --entity customers")
    try await session.wait(for: "customers", "Ada", "2 rows")
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
    try session.enter("clear; datastore shop --entity sales")
    try await session.wait(for: "sales", "10.5", "2 rows")
  }

  @Test("A file with faults is imported, and a long import is cancelled")
  func importWithErrorsAndCancel() async throws {
    try SQLiteFile.make(
      at: store,
      """
      CREATE TABLE employee (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER);
      INSERT INTO employee VALUES (1, 'Ada', 36), (2, 'Grace', 45), (3, 'Zoe', 28);
      """)
    try program.directory.write(
      "id;name;age\n2;Gracia;46\n4;Dan;17\n5;Eve;young\n6;;30\n", to: "staff.csv")
    // So long that nothing reads it in the time that a few keys take.
    try program.directory.write(
      String(repeating: #"{"name":"n","age":7}"# + "\n", count: 3_000_000), to: "long.jsonl")
    try await session.wait(for: "$")
    try session.enter("datastore f.sqlite")
    try await session.wait(for: "employee Ada", "3 rows")
    try session.enter(":import staff.csv")
    try await session.wait(for: "Import staff.csv", "Delimiter    semicolon", "→ name", "Gracia")
    // The key: the eighth line.
    try session.press("Down", "Down", "Down", "Down", "Down", "Down", "Down", "Down", "Down")
    try session.press("Enter")
    try await session.wait(for: "type to search")
    try session.enter("id")
    try await session.wait(for: "id: rows with the same value are updated")
    try session.press("I")
    try await session.wait(for: "Imported 2 of 4 rows into employee: 1 new, 1 updated, 2 left out.")
    try await session.wait(for: "Gracia", "Dan")
    #expect(try count() == 4)
    try session.press("C-t")
    try await session.wait(
      for: "Left out by the import of staff.csv into employee", "“young” is not an integer",
      "“name” must have")
    try session.press("Escape")
    try await session.wait(for: "the table") { lines in
      !lines.contains { $0.contains("Left out by") }
    }
    try session.press("P")
    try await session.wait(for: "Import file:")
    try session.enter("long.jsonl")
    try await session.wait(for: "Import long.jsonl", "→ age")
    try session.press("I")
    try await session.wait(for: "Importing long.jsonl:", "/s", "left")
    try session.press("Escape")
    try await session.wait(for: "Cancel the import of long.jsonl?")
    try session.press("y")
    let lines = try await session.wait(for: "The import was cancelled.")
    // It left nothing out, so there is no table to show.
    try session.press("C-t")
    try await session.wait(for: "The import was cancelled.", "no unsaved changes")
    let sentence = try #require(lines.first { $0.contains("The import was cancelled.") })
    let digits = sentence.split(separator: "rows had been")[0].filter(\.isNumber)
    #expect(try count() == 4 + (Int(String(digits)) ?? -1), "\(sentence)")
    try await session.wait(for: "no unsaved changes")
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
  }

  // Promise: a file that cannot be changed → the reason that is said is the real one.
  @Test(
    "What keeps a file from being changed is said as it is",
    arguments: [
      ("data.json", "--read-only", "open the file without --read-only to change it."),
      ("packed.json.gz", "", "which is not written: it is compressed; export the rows instead."),
    ])
  func readOnlyCopies(file: String, option: String, reason: String) async throws {
    try program.directory.write(#"[{"city": "Paris", "born": 1815}]"#, to: "data.json")
    try await session.wait(for: "$")
    try session.enter(
      "gzip < data.json > packed.json.gz; tput clear; datastore browse \(file) \(option)")
    try await session.wait(for: "a read-only copy of \(file)", "Paris")
    try session.press("Right", "e")
    // Lines of the message log are whole if the status line has no room.
    try await session.wait(for: "This is a read-only copy of \(file)")
    try session.press("g", "l")
    try await session.wait(for: "the reason") { lines in
      lines.joined(separator: " ").split(whereSeparator: { " │┃".contains($0) })
        .joined(separator: " ").contains(reason)
    }
    #expect(try !session.picture().joined().contains("JSON is not written back"))
    try session.press("Escape")
    try await session.wait(for: "the table") { !$0.joined().contains("Messages") }
    try session.press("q")
    try await session.wait(for: "nothing of \(file) was stored")
  }

  @Test("A CSV file is browsed from a copy, or kept in a store")
  func browseFile() async throws {
    try program.directory.write("city;born\nParis;1815-12-10\nOslo;\n", to: "data.csv")
    try await session.wait(for: "$")
    try session.enter(
      "datastore data.csv --read-only; ls -d datastore-browse-*; echo end-$((40 + 2))")
    try await session.wait(
      for: "Read 2 rows of data.csv. Nothing is stored; --into FILE keeps it.",
      "a read-only copy of data.csv", "Paris", "1815-12-10")
    try session.press("Right", "e")
    try await session.wait(for: "This is a read-only copy of data.csv")
    try session.press("q")
    try await session.wait(for: "nothing of data.csv was stored", "end-42")
    let left = try program.directory.names().filter { $0.hasPrefix("datastore-browse") }
    #expect(left == [])
    try session.enter("clear; datastore browse data.csv --into kept.sqlite --entity city")
    try await session.wait(for: "Imported 2 rows into city: 2 new.", "no unsaved changes")
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
    #expect(
      try SQLiteFile.values(
        "SELECT city FROM city ORDER BY 1", in: program.directory.url.appending(path: "kept.sqlite")
      ) == ["Oslo", "Paris"])
    try program.directory.write("n\n7\n", to: "more.csv")
    let both = program.directory.url.appending(path: "both.sqlite")
    try session.enter(
      "clear; python3 -m zipfile -c both.zip data.csv more.csv; "
        + "datastore browse both.zip --into both.sqlite")
    try await session.wait(for: "Paris")
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
    #expect(
      try SQLiteFile.values("SELECT city FROM data ORDER BY 1", in: both) == ["Oslo", "Paris"])
    #expect(try SQLiteFile.values("SELECT n FROM more", in: both) == ["7"])
    try session.enter("clear; datastore browse both.zip --into both.sqlite; echo end-$((40 + 2))")
    try await session.wait(for: "end-42")
    #expect(try SQLiteFile.values("SELECT count(*) FROM data", in: both) == ["2"])
    try session.enter("clear; printf '[{\"a\": 1}, {\"a\": 2}]' | datastore browse -")
    try await session.wait(for: "Read 2 rows of input. Nothing is stored")
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
  }
}
