import DatastoreTestSupport
import Foundation
import Testing

/// The browser and the sqlite3 program on one file at the same time: each sees the saves of the other.
@Suite(
  "Another program on the same file",
  .serialized, .enabled(if: SQLiteCommand.isPresent, "\(SQLiteCommand.absence)"))
struct OtherProcessTests {
  private let program: Program
  private var file: URL { program.directory.url.appending(path: "f.sqlite") }

  init() throws {
    program = try Program()
  }

  private func make(inWAL: Bool) throws {
    try SQLiteFile.make(
      at: file,
      (inWAL ? "PRAGMA journal_mode = WAL;" : "")
        + """
        CREATE TABLE employee (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        INSERT INTO employee (id, name) VALUES (1, 'Ada'), (2, 'Grace'), (3, 'Zoe');
        """)
  }

  /// SQL in the console opens the file again: no connection may lose a lock by that.
  @Test(
    arguments: [(true, .here), (false, .here), (true, .command)] as [(Bool, StorePlace)],
    [
      "create table extra (x)", "analyze", "create index by_name on employee (name)",
      "alter table employee add column note",
    ])
  func sqlAndThenASave(_ file: (inWAL: Bool, place: StorePlace), statement: String) async throws {
    let (inWAL, place) = file
    let file = self.file
    try make(inWAL: inWAL)
    let terminal = try PseudoTerminal(program, place.arguments(file))
    try await terminal.wait(for: "employee Ada", "no unsaved changes", "3 rows")
    terminal.press("right")
    try await rename(terminal, to: "Adele", rows: 3)
    terminal.press("Q")
    try await terminal.wait(for: "reads only")
    terminal.press("ctrl-t")
    try await terminal.wait(for: "SQL that writes")
    terminal.press("y")
    try await terminal.wait(for: "MAY WRITE")
    terminal.type(statement)
    terminal.press("enter")
    try await terminal.wait(for: "Done: ")
    try await leaveConsole(terminal)
    // The other program comes and goes. If it were alone, it would remove the log when it ends.
    try SQLiteCommand.run("INSERT INTO employee (name) VALUES ('Theirs')", on: file)
    if inWAL { #expect(FileManager.default.fileExists(atPath: file.path + "-wal")) }
    terminal.press("r")
    try await rename(terminal, to: "Adelheid", rows: 4)
    #expect(
      try SQLiteCommand.run("SELECT group_concat(name) FROM employee", on: file)
        == "Adelheid,Grace,Zoe,Theirs")
    terminal.press("q")
    #expect(try await terminal.end() == .status(0))
    #expect(try SQLiteCommand.run("PRAGMA integrity_check", on: file) == "ok")
    #expect(
      try SQLiteCommand.run("SELECT name FROM employee WHERE id = 1", on: file) == "Adelheid")
  }

  /// Escape leads from the answer to the statement, and from there to the table.
  private func leaveConsole(_ terminal: PseudoTerminal) async throws {
    func isOpen(_ lines: [String]) -> Bool {
      lines.contains { $0.contains("━ SQL ") || $0.contains("─ SQL ") }
    }
    while isOpen(terminal.lines) {
      let before = terminal.byteCount
      terminal.type(PseudoTerminal.text(of: "esc") + PseudoTerminal.endOfEscape)
      try await terminal.wait(for: "another screen") { _ in terminal.byteCount > before }
    }
  }

  /// Gives the first row another name, and saves.
  private func rename(_ terminal: PseudoTerminal, to name: String, rows: Int) async throws {
    try await terminal.wait(for: "\(rows) rows")
    terminal.press("home", "e")
    try await terminal.wait(for: "enter accept")
    terminal.press("ctrl-u")
    terminal.type(name)
    terminal.press("enter")
    try await terminal.wait(for: "*\(name)")
    terminal.press("ctrl-s")
    try await terminal.wait(for: "Saved: ", "no unsaved changes")
  }

  @Test func theConsoleDoesNotShutOthersOut() async throws {
    try make(inWAL: false)
    let terminal = try PseudoTerminal(program, ["f.sqlite"])
    try await terminal.wait(for: "employee Ada", "no unsaved changes", "3 rows")
    terminal.press("Q")
    try await terminal.wait(for: "reads only")
    terminal.type("pragma locking_mode = exclusive")
    terminal.press("enter")
    try await terminal.wait(for: "cannot be run here")
    terminal.press("ctrl-u")
    terminal.type("select count(*) from employee")
    terminal.press("enter")
    try await terminal.wait(for: "1 row")
    try SQLiteCommand.run("INSERT INTO employee (name) VALUES ('Theirs')", on: file)
    try await terminal.killNow()
  }

  /// Looking is not writing: every byte stays, and nothing is left beside the file.
  @Test(arguments: ["native", "native without WAL", "WAL", "no WAL"])
  func looking(kind: String) async throws {
    if kind.hasPrefix("native") {
      try program.directory.write("name,age\nAda,36\nGrace,45\nZoe,7\n", to: "employee.csv")
      let loaded = try await program.run("load", "employee.csv", "--into", "f.sqlite")
      #expect(loaded.status == 0, "\(loaded.errors)")
      if kind == "native without WAL" {
        try SQLiteCommand.run("PRAGMA journal_mode = DELETE", on: file)
      }
    } else {
      try make(inWAL: kind == "WAL")
    }
    let before = try Data(contentsOf: file)
    func requireUnchanged(_ what: String) throws {
      #expect(try Data(contentsOf: file) == before, "\(what)")
      let names = try program.directory.names().filter { $0.hasPrefix("f.sqlite") }
      #expect(names == ["f.sqlite"], "\(what)")
    }
    #expect(try await program.run("query", "f.sqlite", "employee").status == 0)
    try requireUnchanged("query")
    #expect(try await program.run("query", "f.sqlite", "--sql", "select 1").status == 0)
    try requireUnchanged("query --sql")
    #expect(try await program.run("schema", "f.sqlite").status == 0)
    try requireUnchanged("schema")
    for arguments in [["f.sqlite"], ["f.sqlite", "--read-only"]] {
      let terminal = try PseudoTerminal(program, arguments)
      try await terminal.wait(for: "Ada", "3 rows")
      terminal.press("right", "down", "Q")
      try await terminal.wait(for: "reads only")
      terminal.type("select count(*) from employee")
      terminal.press("enter")
      try await terminal.wait(for: "1 row")
      try await leaveConsole(terminal)
      terminal.press("q")
      #expect(try await terminal.end() == .status(0))
      try requireUnchanged("browse \(arguments)")
    }
  }
}
