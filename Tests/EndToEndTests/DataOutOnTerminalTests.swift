import DatastoreTestSupport
import Foundation
import Testing

@Suite(
  "Data out, changes from outside, comfort", .serialized,
  .enabled(if: TmuxSession.isPresent, TmuxSession.absence)
)
struct DataOutOnTerminalTests {
  private static let sql = """
    CREATE TABLE employee (id INTEGER PRIMARY KEY, name TEXT, age INTEGER);
    INSERT INTO employee VALUES (1, 'Ada', 36), (2, 'Grace', 45), (3, 'Zoe', 28);
    """

  private let program: Program
  private let session: TmuxSession

  init() throws {
    program = try Program()
    try SQLiteFile.make(at: program.directory.url.appending(path: "f.sqlite"), Self.sql)
    session = try TmuxSession(program)
  }

  private func browse(_ arguments: String = "") async throws {
    try await session.wait(for: "$")
    try session.enter("datastore f.sqlite \(arguments)")
    try await session.wait(for: "employee Ada", "3 rows")
  }

  @Test("Export from the palette, asked before it is replaced; the same from a query in a pipe")
  func export() async throws {
    try await browse()
    try session.press(":")
    try await session.wait(for: "Commands")
    try session.enter("export out.csv")
    try await session.wait(for: "Wrote 3 rows")
    #expect(try session.file("out.csv") == "id,name,age\n1,Ada,36\n2,Grace,45\n3,Zoe,28\n")
    try session.press("E")
    try await session.wait(for: "fields separated by commas", "File: employee.csv")
    try session.press("C-u")
    try session.type("out.csv")
    try await session.wait(for: "File: out.csv")
    try session.press("Enter")
    try await session.wait(for: "out.csv already exists. Replace it?")
    try session.press("n")
    try await session.wait(for: "the question to go") { lines in
      !lines.contains { $0.contains("exists already") }
    }
    try session.press("Down", "Down")
    try await session.wait(for: "File: out.json", "> JSON ")
    try session.press("Enter")
    try await session.wait(for: "Wrote 3 rows")
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
    let queried = try await program.shell(
      "datastore query f.sqlite employee --format json | cat > q.json; cmp q.json out.json && echo same"
    )
    #expect(queried.output == "same\n", "\(queried)")
  }

  @Test("What another process writes is shown, and an unsaved edit stays")
  func liveChange() async throws {
    try await browse()
    try session.press("Right", "e")
    try await session.wait(for: "not changed")
    try session.press("C-u")
    try session.type("Adele")
    try session.press("Enter")
    try await session.wait(for: "*Adele", "● 1 changed")
    try SQLiteFile.make(
      at: program.directory.url.appending(path: "f.sqlite"),
      "UPDATE employee SET age = 99 WHERE id = 2; INSERT INTO employee VALUES (4, 'Eve', 1)")
    try await session.wait(for: "Changed by another process: 2 rows", "99", "Eve", "*Adele")
    try session.press("C-s")
    try await session.wait(for: "Saved: 1 changed.", "○ no unsaved changes")
    #expect(
      try SQLiteFile.values(
        "SELECT group_concat(name || ' ' || age, ', ') FROM employee",
        in: program.directory.url.appending(path: "f.sqlite")
      ).joined() == "Adele 36, Grace 99, Zoe 28, Eve 1")
  }

  @Test("Keys bound in the configuration, and a theme that is switched")
  func rebindingAndTheme() async throws {
    let folder = program.directory.url.appendingPathComponent(".config/datastore")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("config.yaml")
    try "identifiers: in-place\nkeys:\n  sort: [f6, ctrl-g]\nglyphs: ascii\nmouse: off\n".write(
      to: file, atomically: true, encoding: .utf8)
    try await browse()
    try session.press("Right", "C-g")
    try await session.wait(for: "sorted by name ^")
    #expect(try session.picture().allSatisfy { !$0.contains("─") && !$0.contains("━") })
    try session.press("T")
    try await session.wait(for: "Themes")
    try session.press("Down", "Enter")
    try await session.wait(for: "the list to go") { lines in
      !lines.contains { $0.contains("Themes") }
    }
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
    try "glyphs: fancy\n".write(to: file, atomically: true, encoding: .utf8)
    try session.enter("clear; datastore f.sqlite")
    // The path before it is long, so the terminal breaks the sentence somewhere.
    try await session.wait(for: "what is wrong with the configuration") { lines in
      lines.joined().filter { $0 != " " }.contains("glyphsmustbeunicodeorascii")
    }
  }

  @Test("A macro that is recorded from the palette and replayed")
  func paletteAndMacro() async throws {
    try await browse()
    try session.press(":")
    try await session.wait(for: "Commands")
    try session.enter("macro-record")
    try await session.wait(for: "the palette to go") { lines in
      !lines.contains { $0.contains("Commands") }
    }
    try session.press("Down", "Space")
    try await session.wait(for: "1 selected")
    try session.press("K")
    try session.press("Home", "@")
    // Selecting the second row again deselects it.
    try await session.wait(for: "no selection") { lines in
      !lines.contains { $0.contains("selected") } && lines.contains { $0.contains("3 rows") }
    }
  }

  @Test("SQL is answered in a table, and only reads")
  func console() async throws {
    try await browse()
    try session.press("Q")
    try await session.wait(for: "reads only")
    try session.enter("select sum(age) total from employee")
    try await session.wait(for: "total", "109", "1 row")
    try session.press("q", "C-u")
    try session.enter("delete from employee")
    try await session.wait(for: "This statement would change the file")
    try session.press("C-u")
    try session.enter(
      "with recursive n (i) as (values (1) union all select i + 1 from n where i < 100000) "
        + "select i from n")
    try await session.wait(for: "1 of 100,000")
    try session.press("G")
    try await session.wait(for: "100,000 of 100,000")
  }

  @Test("A screen reader hears plain lines, once each")
  func screenReader() async throws {
    try await session.wait(for: "$")
    try session.enter("datastore f.sqlite --screen-reader")
    try await session.wait(for: "employee, 3 rows.", "row 1 of 3.", "name: Ada", "age: 36")
    #expect(try session.isAlternateScreen() == false)
    try session.press("Down")
    try await session.wait(for: "row 2 of 3.", "name: Grace")
    try session.press("Right")
    try await session.wait(for: "the value under the cursor") { $0.last == "name: Grace" }
    let lines = try session.picture()
    #expect(lines.count { $0 == "row 2 of 3." } == 1)
    #expect(lines.allSatisfy { !$0.contains("│") && !$0.contains("━") })
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
  }
}
