import DatastoreTestSupport
import Foundation
import Testing

@Suite(
  "Journeys through the table", .serialized,
  .enabled(if: TmuxSession.isPresent, TmuxSession.absence)
)
struct BrowsingJourneyTests {
  private static let sql = """
    CREATE TABLE department (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE employee (
      id INTEGER PRIMARY KEY, name TEXT, age INTEGER,
      department_id INTEGER REFERENCES department(id), notes TEXT);
    CREATE INDEX by_department ON employee (department_id);
    INSERT INTO department VALUES (1, 'Research'), (2, 'Sales');
    INSERT INTO employee VALUES
      (1, 'Ada', 36, 1, '{"likes": ["numbers"]}'), (2, 'Grace', 45, 1, NULL),
      (3, 'Zoe', 28, 2, ''), (4, 'Eve', 36, NULL, 'x');
    """

  private func browsing(_ session: TmuxSession, _ arguments: String = "") async throws {
    try session.enter("clear; datastore f.sqlite --entity employee \(arguments)")
    try await session.wait(for: "employee · 4 rows", "→ Research")
  }

  private func session() async throws -> TmuxSession {
    let program = try Program()
    try SQLiteFile.make(at: program.directory.url.appending(path: "f.sqlite"), Self.sql)
    let session = try TmuxSession(program)
    try await session.wait(for: "$")
    return session
  }

  @Test("Browse and follow, back and forward, and look at a whole value")
  func follow() async throws {
    let session = try await session()
    try await browsing(session)
    try session.press("Right", "Right", "Right", "o")
    try await session.wait(for: "employee › department", "department Research")
    // The relationship back is shown by its count, and leads to its members.
    try session.press("End", "Home", "$", "o")
    try await session.wait(for: "employee of Research", "employee · 2 rows")
    try session.press("BSpace", "BSpace")
    try await session.wait(for: "employee · 4 rows")
    try session.press("=")
    try await session.wait(for: "employee › department", "department · 2 rows")
    try session.press("BSpace", "$", "V")
    try await session.wait(for: "as JSON, 5 lines", "\"numbers\"")
    try session.press("Escape")
    try await session.wait(for: "employee · 4 rows")
  }

  @Test("Group, sort by two keys, hide a column, and find all of it again the next time")
  func arrange() async throws {
    let session = try await session()
    try await browsing(session)
    try session.press("Right", "Right", "s")
    try await session.wait(for: "sorted by age ▲")
    try session.press("Left", "S", "S")
    try await session.wait(for: "sorted by age ▲, name ▼", "name ▼2", "age ▲1")
    try session.press("$", "-")
    try await session.wait(for: "notes is hidden", "1 hidden")
    try session.press("$", "g", "b")
    try await session.wait(for: "3 sections", "Research (2)", "Sales (1)", "no department (1)")
    try session.press("'")
    try await session.wait(for: "Sections by department")
    try session.press("/")
    try session.type("sal")
    try await session.wait(for: "1 of 1")
    try session.press("Enter", "Enter", "z")
    try await session.wait(for: "▸ Sales (1)")
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
    try session.enter("clear; datastore f.sqlite")
    try await session.wait(
      for: "employee · 4 rows", "3 sections", "name ▼2", "age ▲1", "1 hidden", "▸ Sales (1)")
    #expect(try !session.picture().prefix(12).joined().contains("notes"))
  }

  @Test("Keys of vi, a search of the whole file, tabs and saved views, and all of it the next time")
  func habits() async throws {
    let session = try await session()
    try await browsing(session)
    try session.press("G", "g")
    try await session.wait(for: "g, then", "First line")
    try session.press("g", "d")
    try await session.wait(for: "d, then", "Delete object")
    // A key right after Escape would be one with Alt.
    try session.press("Escape")
    try await session.wait(for: "the hints to go") { lines in
      !lines.contains { $0.contains("d, then") }
    }
    try session.press("/")
    try session.type("zoe")
    try await session.wait(for: "Search all columns: zoe", "1 of 1")
    try session.press("C-u")
    try session.type("sales")
    try session.press("Tab")
    try await session.wait(for: "Search the file: sales")
    try session.press("Enter")
    try await session.wait(for: "“sales” in f.sqlite", "department")
    try session.press("Enter")
    try await session.wait(for: "department · 2 rows")
    try session.press("2")
    try await session.wait(for: "1 [2]")
    try session.press("BSpace")
    try await session.wait(for: "There is no place to go back to.")
    try session.press("1", "BSpace")
    try await session.wait(for: "[1] 2", "employee · 4 rows")
    try session.press("Right", "s", ":")
    try session.type("save-view by name")
    try session.press("Enter")
    try await session.wait(for: "The view “by name” of employee is saved.")
    try session.press("F12")
    try await session.wait(for: "f12 does nothing here.")
    try session.press("2", ":")
    try session.type("q")
    try session.press("Enter")
    try await session.wait(for: "the shell") { $0.last == "$" }
    try session.enter("clear; datastore f.sqlite")
    try await session.wait(for: "department · 2 rows", "1 [2]")
    try session.press("1")
    try await session.wait(for: "employee · 4 rows", "sorted by name ▲")
    try session.press("g", "v")
    try await session.wait(for: "Saved views", "by name")
  }

  @Test("Compute a column, total it, pivot the table, and find the column again the next time")
  func computing() async throws {
    let session = try await session()
    try await browsing(session)
    try session.press("g", "=")
    try await session.wait(for: "New column of employee", "uppercase(text)")
    try session.type("agee * 12 AS months")
    try session.press("Enter")
    try await session.wait(for: "employee has no property", "did you mean “age”? (character 1)")
    try session.press("C-u")
    try session.type("age * 12 AS months")
    try session.press("Enter")
    try await session.wait(for: "months", "432", "540", "336")
    try session.press("s", "s")
    try await session.wait(for: "sorted by age * 12 ▼")
    try session.press("w")
    try session.type("months > 400")
    try session.press("Enter")
    try await session.wait(for: "employee · 3 rows", "where months > 400")
    try session.press("g", "+")
    try await session.wait(for: "The sum of months", "Σ 1,404")
    try session.press("x", "g", "p")
    try await session.wait(for: "Pivot: a row for each")
    try session.type("depart")
    try session.press("Enter")
    try await session.wait(for: "Pivot: a column for each", "rows: department")
    try session.type("age")
    try session.press("Enter")
    try await session.wait(for: "Pivot: in the cells", "number of rows")
    try session.press("Enter")
    try await session.wait(for: "rows by department and age", "Research", "┃∅", "all")
    try session.press("End", "$", "Enter")
    try await session.wait(for: "employee · 1 row", "where department == 2")
    try session.press("x", "q")
    try await session.wait(for: "the shell") { $0.last == "$" }
    try session.enter(
      "clear; datastore query f.sqlite employee --columns 'name, age * 12 AS months' --where 'length(name) == 5' | cat"
    )
    try await session.wait(for: "Grace,540")
    try session.enter("clear; datastore f.sqlite")
    try await session.wait(for: "employee · 4 rows", "months", "Σ 1,740")
    try session.press("Q")
    try await session.wait(for: "SQL")
    try session.type("select name, age from employee")
    try session.press("Enter")
    // The answer is a table, above the statement.
    try await session.wait(for: "SQL at", "answer · 4 rows")
    try session.press("Right", "s")
    try await session.wait(for: "sorted by age ▲")
    try session.press("s")
    try await session.wait(for: "sorted by age ▼")
    try session.press("q")
    try await session.wait(for: "reads only", "select name, age from employee")
  }

  @Test("Wide, joined and combining characters keep the columns straight")
  func wideCharacters() async throws {
    let program = try Program()
    try SQLiteFile.make(
      at: program.directory.url.appending(path: "w.sqlite"),
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT);
      INSERT INTO t VALUES
        (1, 'plain', 'end'), (2, '日本語', 'end'), (3, 'e' || char(769) || 'e', 'end'),
        (4, char(128104, 8205, 128105, 8205, 128103) || 'x', 'end'),
        (5, char(127465, 127466) || 'x', 'end'), (6, char(10084, 65039) || 'x', 'end');
      """)
    let session = try TmuxSession(program)
    try await session.wait(for: "$")
    try session.enter("datastore w.sqlite")
    let picture = try await session.wait(for: "t · 6 rows", "plain")
    let rows = picture.filter { $0.contains("end") && $0.hasPrefix("│") }
    #expect(rows.count >= 6)
    // The terminal counts cells; a cell after a wide character has no text of its own.
    for number in 1...6 {
      let line = try session.tmux(
        "capture-pane", "-p", "-S", "\(number + 1)", "-E", "\(number + 1)")
      let text = line.components(separatedBy: "end").first ?? ""
      #expect(Self.cells(text) == Self.cells(rows[0].components(separatedBy: "end")[0]), "\(line)")
    }
  }

  /// The cells of a text of this test: two for East Asian characters and emoji.
  private static func cells(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { cells, scalar in
      switch scalar.value {
      case 0x300...0x36F, 0x200D, 0xFE0F: cells
      case 0x3000...0x9FFF, 0x1F300...0x1FAFF: cells + 2
      default: cells + 1
      }
    }
  }
}
