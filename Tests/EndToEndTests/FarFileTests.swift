import DatastoreTestSupport
import Foundation
import Testing

/// A SQLite file at the other end of a pipe, with the program that ships at both ends.
@Suite("A file at the other end of a pipe") struct FarFileTests {
  private static let sql = """
    CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE employee (id INTEGER PRIMARY KEY, name TEXT NOT NULL, salary REAL CHECK (salary >= 0),
      team_id INTEGER REFERENCES team (id));
    INSERT INTO team VALUES (1, 'Sales'), (2, 'It''s "R&D"');
    INSERT INTO employee VALUES (1, 'Ada', 10.5, 1), (2, 'Grace', NULL, 2), (3, 'Zoë', 0, NULL);
    """

  private let program: Program
  private var file: URL { program.directory.url.appending(path: "a file.sqlite") }

  init() throws {
    program = try Program()
    try SQLiteFile.make(at: file, Self.sql)
  }

  /// The questions of a person with a shell.
  private static let questions: [[String]] = [
    ["query", "FILE"],
    ["query", "FILE", "employee", "--format", "csv"],
    ["query", "FILE", "employee", "--where", "team.name BEGINSWITH \"It\"", "--format", "json"],
    [
      "query", "FILE", "employee", "--group-by", "team.name", "--columns",
      "team.name, count, avg(salary)", "--order-by", "count desc",
    ],
    ["query", "FILE", "--sql", "SELECT name, salary FROM employee ORDER BY salary DESC"],
    ["query", "FILE", "employee", "--show-sql"],
    ["query", "FILE", "employee", "--format", "sql"],
    ["query", "FILE", "nothing"],
    ["query", "FILE", "--sql", "SELEC 1"],
    ["schema", "FILE"],
    ["schema", "FILE", "--format", "swift"],
    ["schema", "FILE", "team"],
  ]

  // Promise: A SQLite file at the other end of a command → query and schema answer as for a file here, to the
  // byte
  @Test("query and schema answer as they do here", arguments: questions)
  func asHere(_ words: [String]) async throws {
    func outcome(_ address: String, _ more: [String]) async throws -> Program.Outcome {
      let words = words.map { $0 == "FILE" ? address : $0 } + more
      var outcome = try await program.start(words).outcome()
      // Sentences name the file as it was given.
      outcome.errors = outcome.errors.replacingOccurrences(of: address, with: "FILE")
      outcome.output = outcome.output.replacingOccurrences(of: address, with: "FILE")
      return outcome
    }
    let here = try await outcome(file.path, [])
    #expect(try await outcome(file.path, ["--via", "env"]) == here)
  }

  @Test(
    "ssh leads there, with what is configured for the host",
    .enabled(if: SSHServer.isPresent, "\(SSHServer.absence)"))
  func ssh() async throws {
    let server = try SSHServer(program)
    func run(_ command: String) async throws -> Program.Outcome {
      try await program.shell("PATH=\(server.programs.path):$PATH; export PATH; \(command)")
    }
    let far = "--far-program '\(Program.executable.path)'"
    let here = try await program.run("query", file.path, "employee", "--format", "csv")
    #expect(here.status == 0)
    #expect(
      try await run("datastore query 'ssh://far\(file.path)' employee --format csv \(far)") == here)
    let loaded = try await run(
      "printf 'id,name\\n7,Seven\\n' | datastore load - --into 'ssh://far\(file.path)' --entity team --key id \(far)"
    )
    #expect(loaded.status == 0, "\(loaded)")
    #expect(try SQLiteCommand.run("SELECT name FROM team WHERE id = 7", on: file) == "Seven")
    let examined = try await run("datastore doctor 'ssh://far\(file.path)' \(far)")
    #expect(examined.output.contains("All is well."))
    let made = program.directory.path("made.sqlite")
    let sent = try await run("datastore copy '\(file.path)' --into 'ssh://far\(made)' \(far)")
    #expect(sent.output == "Copied \(file.path) into ssh://far\(made).\n", "\(sent)")
    #expect(
      try SQLiteCommand.run("SELECT count(*) FROM team", on: URL(fileURLWithPath: made)) == "3")
    // The end that meets the obstacle reports it.
    let missing = try await run("datastore query 'ssh://far/no/such/file.sqlite' \(far)")
    #expect(missing.status == 66)
    #expect(missing.errors.contains("There is no file at /no/such/file.sqlite"))
    let unknown = try await run(
      "datastore query 'ssh://far\(file.path)' --far-program /no/datastore")
    #expect(unknown.status == 74)
    #expect(unknown.errors.contains("“datastore” is not installed there"))
    let nobody = try await run("datastore query ssh://nobody.invalid/f.sqlite")
    #expect(nobody.status == 69)
    #expect(nobody.errors.contains("nobody.invalid"))
  }

  @Test("Edits are staged here and saved there; what others write is shown, and not overwritten")
  func browsing() async throws {
    let terminal = try PseudoTerminal(
      program, [file.path, "--via", "env", "--write", "--entity", "team"])
    try await terminal.wait(for: "team Sales", "no unsaved changes", "2 rows")
    // Another program on the same file.
    try SQLiteFile.make(at: file, "INSERT INTO team VALUES (3, 'Theirs')")
    try await terminal.wait(for: "Theirs", "1 of 3", "Changed by another process")
    try await rename(terminal, to: "Mine")
    terminal.press("ctrl-s")
    try await terminal.wait(for: "Saved: ", "no unsaved changes")
    #expect(try SQLiteFile.values("SELECT name FROM team WHERE id = 1", in: file) == ["Mine"])
    // The same row, in both programs.
    try await rename(terminal, to: "Again")
    try SQLiteFile.make(at: file, "UPDATE team SET name = 'Changed' WHERE id = 1")
    terminal.press("ctrl-s")
    try await terminal.wait(for: "Changed", "Again")
    #expect(try SQLiteFile.values("SELECT name FROM team WHERE id = 1", in: file) == ["Changed"])
    terminal.hangUp()
    _ = try await terminal.end()
  }

  /// A command that notes the process at the far end, and leads nowhere while there is a file.
  private var command: String {
    "sh -c '[ ! -e \(wall) ] || exit 1; echo $$ > \(note); exec \"$@\"' far"
  }

  private var note: String { program.directory.path("far.pid") }
  private var wall: String { program.directory.path("wall") }

  /// Kills the far end, and waits until nothing is left of it.
  private func killTheFarEnd() async throws {
    let number = try String(contentsOfFile: note, encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let process = try #require(pid_t(number))
    let end = try Readiness.end(of: process)
    kill(process, SIGKILL)
    while await !Readiness.wait(for: [end], milliseconds: 250) {}
    close(end)
  }

  // Promise: a far end that is killed under a browser → what was staged is saved over the next line, or,
  // where there is none, found by the next session
  @Test("A far end that is killed is begun again, and what was staged is saved")
  func killed() async throws {
    let terminal = try PseudoTerminal(
      program, [file.path, "--via", command, "--write", "--entity", "team"])
    try await terminal.wait(for: "team Sales", "no unsaved changes")
    try await rename(terminal, to: "Staged")
    try await killTheFarEnd()
    terminal.press("ctrl-s")
    try await terminal.wait(for: "the save, or that the line was lost") { lines in
      lines.contains { $0.contains("Saved: ") || $0.contains("was lost") }
    }
    if terminal.lines.contains(where: { $0.contains("was lost") }) {
      try await terminal.dismiss("was lost")
      terminal.press("ctrl-s")
      try await terminal.wait(for: "Saved: ")
    }
    #expect(try SQLiteFile.values("SELECT name FROM team WHERE id = 1", in: file) == ["Staged"])
    terminal.hangUp()
    _ = try await terminal.end()
  }

  @Test("Where nothing leads there any more, that is told, and what was staged is kept here")
  func lost() async throws {
    let arguments = [file.path, "--via", command, "--write", "--entity", "team"]
    let terminal = try PseudoTerminal(program, arguments)
    try await terminal.wait(for: "team Sales", "no unsaved changes")
    try await rename(terminal, to: "Staged")
    try "".write(toFile: wall, atomically: true, encoding: .utf8)
    try await killTheFarEnd()
    terminal.press("ctrl-s")
    try await terminal.wait(for: "was lost")
    #expect(try SQLiteFile.values("SELECT name FROM team WHERE id = 1", in: file) == ["Sales"])
    terminal.hangUp()
    _ = try await terminal.end()
    try FileManager.default.removeItem(atPath: wall)
    let next = try PseudoTerminal(program, arguments)
    try await next.wait(for: "Unsaved changes from an earlier session")
    next.hangUp()
    _ = try await next.end()
  }

  // Promise: a line stalls → that is shown after a second, what was read can be looked at and edited, and
  // nothing waits for an answer on the screen
  @Test("A far end that does not answer is told, and the browser goes on with what it has")
  func silence() async throws {
    let terminal = try PseudoTerminal(
      program, [file.path, "--via", command, "--write", "--entity", "team"])
    try await terminal.wait(for: "team Sales", "no unsaved changes")
    let process = try #require(
      pid_t(
        String(contentsOfFile: note, encoding: .utf8)
          .trimmingCharacters(in: .whitespacesAndNewlines)))
    kill(process, SIGSTOP)
    try await rename(terminal, to: "Silent")
    terminal.press("ctrl-s")
    try await terminal.wait(for: "does not answer")
    terminal.press("down")
    try await terminal.wait(for: "no answer…", "2 of 2 ━┛")
    terminal.press("?")
    try await terminal.wait(for: "━ Help ━")
    try await terminal.dismiss("━ Help ━")
    kill(process, SIGCONT)
    try await terminal.wait(for: "Saved: ")
    #expect(try SQLiteFile.values("SELECT name FROM team WHERE id = 1", in: file) == ["Silent"])
    terminal.hangUp()
    _ = try await terminal.end()
  }

  @Test("A new object, whose key comes from there, does not hold up the screen")
  func silenceOnTheScreen() async throws {
    let terminal = try PseudoTerminal(
      program, [file.path, "--via", command, "--write", "--entity", "team"])
    try await terminal.wait(for: "team Sales", "no unsaved changes")
    let process = try #require(
      pid_t(
        String(contentsOfFile: note, encoding: .utf8)
          .trimmingCharacters(in: .whitespacesAndNewlines)))
    kill(process, SIGSTOP)
    terminal.press("a")
    try await terminal.wait(for: "does not answer")
    // Other requests wait there, too, and none of them is taken for an answer.
    for place in ["2 of 2", "1 of 2", "2 of 2"] {
      terminal.press(place == "2 of 2" ? "down" : "up")
      // In the border of the table, not that of the entities.
      try await terminal.wait(for: "no answer…", "\(place) ━┛")
    }
    kill(process, SIGCONT)
    try await terminal.wait(for: "answers again")
    terminal.press("a")
    try await terminal.wait(for: "3 of 3")
    terminal.hangUp()
    _ = try await terminal.end()
  }

  @Test("Files are copied from there and to there, of any kind")
  func copying() async throws {
    func run(_ words: String...) async throws -> Program.Outcome {
      try await program.start(words).outcome()
    }
    let copied = try await run("copy", file.path, "--via", "env", "--into", "here.sqlite")
    #expect(copied.output == "Copied \(file.path) into here.sqlite.\n", "\(copied)")
    let all = "SELECT team.id, team.name, count(employee.id) FROM team, employee GROUP BY 1"
    let here = program.directory.file("here.sqlite")
    #expect(try SQLiteFile.values(all, in: here) == SQLiteFile.values(all, in: file))
    let again = try await run("copy", file.path, "--via", "env", "--into", "here.sqlite")
    #expect(again.status == 73, "\(again)")
    let missing = try await run("copy", "/no/file", "--via", "env", "--into", "b.sqlite")
    #expect(missing.status == 66, "\(missing)")
    #expect(try program.directory.names().allSatisfy { !$0.hasPrefix("b.sqlite") })
  }

  /// Renames the first team, and saves nothing.
  private func rename(_ terminal: PseudoTerminal, to name: String) async throws {
    terminal.press("g", "g", "home", "right", "e")
    try await terminal.wait(for: "enter accept")
    terminal.press("ctrl-u")
    terminal.type(name)
    terminal.press("enter")
    try await terminal.wait(for: "*\(name)")
  }

  @Test("What leads nowhere is said in a sentence")
  func wrongAddresses() async throws {
    let cases: [([String], Int32, String)] = [
      (["query", "ssh://host"], 64, "it lacks the path of the file"),
      (["query", "ssh://host:99999/f.sqlite"], 64, "its port must be a number"),
      (["query", "ssh://-oProxyCommand=true/f.sqlite"], 64, "it lacks the name of the host"),
      (["query", "f.sqlite", "--via", "false"], 74, "no datastore answers at the other end"),
      (["query", "f.sqlite", "--via", "/no/such/command"], 74, "/no/such/command"),
      (["query", "f.sqlite", "--via", "env", "--store-name", "a"], 64, "--store-name"),
      (["serve", "f.sqlite"], 64, "give --stdio"),
      (["migrate", "ssh://host/f.sqlite", "--to", "new.json"], 64, "lies elsewhere"),
      (["copy", "ssh://host:x/f.sqlite", "--into", "new.sqlite"], 64, "its port must be a number"),
      (["copy", "f.sqlite", "--into", "ssh://host:x/new.sqlite"], 64, "its port must be a number"),
    ]
    for (words, status, sentence) in cases {
      let outcome = try await program.start(words).outcome()
      #expect(outcome.status == status, "\(words): \(outcome)")
      #expect(outcome.errors.contains(sentence), "\(words): \(outcome)")
    }
  }
}
