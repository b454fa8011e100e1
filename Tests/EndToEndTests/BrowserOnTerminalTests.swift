import DatastoreTestSupport
import Foundation
import Testing

@Suite(
  "The browser on a terminal", .serialized, .enabled(if: TmuxSession.isPresent, TmuxSession.absence)
)
struct BrowserOnTerminalTests {
  /// A small file whose pictures are known.
  private static let sql = """
    CREATE TABLE department (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE employee (
      id INTEGER PRIMARY KEY, name TEXT, age INTEGER,
      department_id INTEGER REFERENCES department(id));
    INSERT INTO department VALUES (1, 'Research'), (2, 'Sales');
    INSERT INTO employee VALUES
      (1, 'Ada', 36, 1), (2, 'Grace', 45, 1), (3, 'Zoë', 28, 2), (4, '李小龍', 32, NULL);
    """

  private func session() throws -> TmuxSession {
    let program = try Program()
    try SQLiteFile.make(at: program.directory.url.appending(path: "f.sqlite"), Self.sql)
    return try TmuxSession(program)
  }

  /// The picture of the file's employees when everything has been read: the rows, the counts of the list of
  /// entities, the names of related objects and the details arrive one by one.
  private static let employees = """
    ┌─ f.sqlite ─────────┐┏━ employee ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
    │department         2│┃  id  name      age  department                         ┃
    │employee           4│┃   1  Ada        36  Research                           ┃
    │                    │┃   2  Grace      45  Research                           ┃
    │                    │┃   3  Zoë        28  Sales                              ┃
    │                    │┃   4  李小龍     32  ∅                                  ┃
    │                    │┃                                                        ┃
    │                    │┃                                                        ┃
    │                    │┃                                                        ┃
    │                    │┃                                                        ┃
    │                    │┃                                                        ┃
    │                    │┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1 of 4 ━┛
    │                    │┌─ employee Ada ─────────────────────────────────────────┐
    │                    ││id          integer     1                               │
    │                    ││name        text        Ada                             │
    │                    ││age         integer     36                              │
    │                    ││department  department  → Research                      │
    │                    ││                                                        │
    │                    ││                                                        │
    │                    ││                                                        │
    └─────────── 2 of 2 ─┘└────────────────────────────────────────────────────────┘
     ○ no unsaved changes   ^S Save  ^R Revert  u Undo  U Redo  c Review
     employee · 4 rows
    """

  /// A session with the file's employees on the screen, whole but for the footer.
  private func browsing() async throws -> TmuxSession {
    let session = try session()
    try await session.wait(for: "$")
    try session.enter("datastore f.sqlite --entity employee")
    try await session.wait(for: "the file's employees", until: Self.isEmployees)
    return session
  }

  private static func isEmployees(_ picture: [String]) -> Bool {
    picture.dropLast().joined(separator: "\n") == employees
  }

  // Promise: the machine lacks the locale, or the type of the terminal → UTF-8 and xterm-256color are used,
  // and said; refused only where that cannot work.
  // Also: `TerminalTests.localesAreKnownByTheirNames`
  @Test(
    "A locale that is not installed shows all letters, and an unknown terminal is used as most are")
  func unknownLocaleAndTerminal() async throws {
    let session = try session()
    try await session.wait(for: "$")
    try session.enter("LANG=xx_XX.UTF-8 TERM=unknown-term datastore f.sqlite --entity employee")
    try await session.wait(for: "the file's employees") { picture in
      // The status line shows it until the next key.
      picture.dropLast(2) == Self.employees.split(separator: "\n").map(String.init).dropLast()[...]
        && picture.joined().contains(
          "The locale xx_XX.UTF-8 is not installed on this machine; C.UTF-8")
    }
    try session.press("g")
    try await session.wait(for: "g, then")
    try session.press("l")
    try await session.wait(
      for: "The locale xx_XX.UTF-8 is not installed on this",
      "The terminal type unknown-term (environment")
    try session.press("Escape")
    try await session.wait(for: "the file's employees", until: Self.isEmployees)
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
    // A locale of another encoding has no Unicode, and a message says so; one with all letters has no
    // message.
    try session.enter("LC_ALL=xx_XX datastore f.sqlite --entity employee")
    try await session.wait(for: "The locale xx_XX is not installed", "+- f.sqlite", "|employee")
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
    try session.enter("TERM=dumb datastore f.sqlite --entity employee; echo refused $?")
    try await session.wait(for: "A terminal of type", "refused 69")
  }

  @Test("Lines that the terminal has moved are what a whole redraw shows")
  func scrolling() async throws {
    let program = try Program()
    try SQLiteFile.make(
      at: program.directory.url.appending(path: "long.sqlite"),
      """
      CREATE TABLE event (id INTEGER PRIMARY KEY, name TEXT, place TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
      INSERT INTO event SELECT i, 'event ' || (i * 7919 % 1000), substr('北京 Zürich Oslo', i % 9 + 1) FROM n;
      """)
    let session = try TmuxSession(program)
    try await session.wait(for: "$")
    try session.enter("datastore long.sqlite --entity event")
    try await session.wait(for: "1 of 300")
    let ways = [("j", Array(2...40)), ("k", (20...39).reversed()), ("j", Array(21...33))]
    for (key, rows) in ways {
      for row in rows {
        try session.press(key)
        try await session.wait(for: " \(row) of 300")
      }
    }
    try await session.wait(for: "event 327")
    let scrolled = try session.picture()
    try session.press("C-l", ":")
    try await session.wait(for: "Commands")
    try session.press("Escape")
    // The terminal may have drawn a part of it when the palette is gone.
    try await session.wait(for: "the picture before") { _ in
      (try? session.picture()) == scrolled
    }
  }

  @Test("The first picture of a file, whole, and keys that move in it")
  func firstPicture() async throws {
    let session = try await browsing()
    try session.press("Down")
    try await session.wait(for: "2 of 4", "employee Grace")
    try await leave(session)
  }

  @Test("The sample data is loaded once and shown in sections")
  func sampleData() async throws {
    let session = try session()
    try await session.wait(for: "$")
    try session.enter("datastore")
    try await session.wait(for: "Employee · 2,000 rows · 8 sections · grouped by position")
    try await leave(session)
    #expect(
      try session.picture().joined().contains("datastore: loading the sample data into"))
    try session.enter("clear; datastore")
    try await session.wait(for: "grouped by position", "no position (75)")
    try session.press("q")
    try await session.wait(for: "the shell") { $0 == ["$"] }
  }

  @Test("Moving, following a relationship, and going back")
  func follow() async throws {
    let session = try await browsing()
    try session.press("Down", "Down")
    try await session.wait(for: "employee Zoë", "→ Sales")
    try session.press("Right", "Right", "Right", "o")
    try await session.wait(for: "department Sales")
    try session.press("BSpace")
    try await session.wait(for: "employee Zoë", "→ Sales")
  }

  @Test("Grouping, from the keyboard and from the arguments")
  func group() async throws {
    let session = try await browsing()
    try session.press("Right", "Right", "Right", "g", "b")
    try await session.wait(for: "3 sections", "grouped by department")
    try await leave(session)
    try session.enter("clear; datastore f.sqlite --entity employee --group-by department.name")
    try await session.wait(for: "3 sections", "Research (2)", "Sales (1)")
    try await leave(session)
    try session.enter(
      "clear; datastore f.sqlite --entity employee --where 'age > 30' --order-by 'age desc'")
    try await session.wait(for: "3 rows", "sorted by age", "employee Grace")
  }

  private func leave(_ session: TmuxSession) async throws {
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
  }

  @Test("Quitting restores the screen and the terminal's settings")
  func quit() async throws {
    let session = try session()
    try await session.wait(for: "$")
    let before = try await session.settings("before")
    let screen = try session.picture()
    try session.enter("datastore f.sqlite")
    try await session.wait(for: "department · 2 rows")
    #expect(try session.isAlternateScreen())
    try session.press("q")
    let expected = screen.dropLast() + ["$ datastore f.sqlite", "$"]
    try await session.wait(for: "the shell's screen") { $0 == Array(expected) }
    #expect(try !session.isAlternateScreen())
    try session.enter("echo status-$?")
    try await session.wait(for: "status-0")
    #expect(try await session.settings("after") == before)
  }

  @Test("Ctrl-Z gives the shell back, and fg the browser")
  func suspend() async throws {
    let session = try await browsing()
    try session.press("C-z")
    try await session.wait(for: "the shell") { $0.last == "$" }
    #expect(try !session.isAlternateScreen())
    try session.enter("clear; echo here-$((40 + 2))")
    try await session.wait(for: "here-42")
    try session.enter("fg")
    try await session.wait(for: "the same picture", until: Self.isEmployees)
    try session.press("Down")
    try await session.wait(for: "employee Grace")
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
  }

  @Test("SIGTERM restores the terminal")
  func terminate() async throws {
    let session = try session()
    try await session.wait(for: "$")
    let before = try await session.settings("before")
    try session.enter("sh -c 'echo $$ > pid; exec datastore f.sqlite'; echo status-$?")
    try await session.wait(for: "department · 2 rows")
    let pid = try session.file("pid").trimmingCharacters(in: .whitespacesAndNewlines)
    kill(try #require(Int32(pid)), SIGTERM)
    // 128 and the number of the signal, as shells count.
    try await session.wait(for: "status-143")
    try await session.wait(for: "the shell") { $0.last == "$" }
    #expect(try !session.isAlternateScreen())
    #expect(try await session.settings("after") == before)
  }

  @Test("The picture follows the size of the terminal")
  func resize() async throws {
    let session = try await browsing()
    try session.tmux("resize-window", "-x", "130", "-y", "30")
    try await session.wait(for: "a wide picture") { lines in
      lines.count == 30 && lines.contains { $0.count > 100 }
    }
    try session.tmux("resize-window", "-x", "40", "-y", "10")
    try await session.wait(for: "a small picture") { lines in
      lines.count <= 10 && lines.allSatisfy { $0.count <= 40 } && !lines.isEmpty
    }
    try session.tmux("resize-window", "-x", "80", "-y", "24")
    try await session.wait(for: "the same picture", until: Self.isEmployees)
  }
}
