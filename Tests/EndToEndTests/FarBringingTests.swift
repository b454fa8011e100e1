import DatastoreTestSupport
import Foundation
import Testing

/// A machine without `datastore`, to which the program that ships brings itself.
@Suite("A machine on which datastore is not installed") struct FarBringingTests {
  private let program: Program
  private var file: URL { program.directory.url.appending(path: "a file.sqlite") }

  init() throws {
    program = try Program()
    try SQLiteFile.make(
      at: file,
      "CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO team VALUES (1, 'Sales')")
  }

  private func run(_ words: String..., over command: String, _ more: String...) async throws
    -> Program.Outcome
  {
    try await program.start(words + ["--via", command] + more).outcome()
  }

  // Promise: datastore is not installed on another machine → the program is copied there, if that is wanted,
  // and no file of it is left there
  // Also: `FarBringingTests.killed`
  @Test("Every command works there, and nothing is left")
  func commands() async throws {
    let far = try FarMachine(program)
    let here = try await program.run("query", file.path, "team", "--format", "csv")
    let there = try await run(
      "query", file.path, "team", "--format", "csv", over: far.command, "--when-missing", "bring")
    #expect(there == here)
    let schema = try await run(
      "schema", file.path, over: far.command, "--when-missing", "bring")
    #expect(schema.status == 0 && schema.output.contains("team"), "\(schema)")
    let loaded = try await program.start(
      [
        "load", "-", "--into", file.path, "--entity", "team", "--key", "id", "--via", far.command,
        "--when-missing", "bring",
      ], input: "id,name\n7,Seven\n"
    ).outcome()
    #expect(loaded.status == 0, "\(loaded)")
    #expect(try SQLiteFile.values("SELECT name FROM team WHERE id = 7", in: file) == ["Seven"])
    let examined = try await run(
      "doctor", file.path, over: far.command, "--when-missing", "bring")
    #expect(examined.output.contains("All is well."), "\(examined)")
    #expect(try far.leftovers() == [])
    try await far.end()
  }

  @Test("Machines with few tools are enough", arguments: [[], ["gzip"], ["shasum", "perl"]])
  func tools(_ more: [String]) async throws {
    let far = try FarMachine(program, tools: FarMachine.basic + more)
    let there = try await run(
      "query", file.path, "team", "--format", "csv", over: far.command, "--when-missing", "bring")
    #expect(there.output == "id,name\n1,Sales\n", "\(there)")
    #expect(try far.leftovers() == [])
  }

  @Test(
    "ssh brings it, too", .enabled(if: SSHServer.isPresent, "\(SSHServer.absence)"))
  func ssh() async throws {
    let server = try SSHServer(program)
    let outcome = try await program.shell(
      "PATH=\(server.programs.path):$PATH; export PATH; "
        + "datastore query 'ssh://far\(file.path)' team --format csv --when-missing bring")
    #expect(outcome == Program.Outcome(status: 0, output: "id,name\n1,Sales\n", errors: ""))
    let refused = try await program.shell(
      "PATH=\(server.programs.path):$PATH; export PATH; datastore query 'ssh://far\(file.path)'")
    #expect(refused.status == 74)
    #expect(refused.errors.contains("--when-missing bring copies this program there"))
    let copied = try await program.shell(
      "PATH=\(server.programs.path):$PATH; export PATH; "
        + "datastore query 'ssh://far\(file.path)' team --format csv --when-missing copy")
    #expect(copied.output == "id,name\n1,Sales\n", "\(copied)")
  }

  @Test("A terminal is asked before the screen is taken, and what is edited is saved there")
  func asked() async throws {
    let far = try FarMachine(program)
    let terminal = try PseudoTerminal(
      program, [file.path, "--via", far.command, "--write", "--entity", "team"])
    try await terminal.wait(for: "Copy this program there", "[y/N]")
    terminal.type("y")
    terminal.press("enter")
    try await terminal.wait(for: "team Sales", "no unsaved changes")
    #expect(try far.leftovers() == [])
    #expect(far.users().count == 2)
    try await edit(terminal, to: "Theirs")
    terminal.press("ctrl-s")
    try await terminal.wait(for: "Saved: ", "no unsaved changes")
    #expect(try SQLiteFile.values("SELECT name FROM team", in: file) == ["Theirs"])
    terminal.hangUp()
    _ = try await terminal.end()
    try await far.end()
    #expect(try far.leftovers() == [])
  }

  @Test("Whoever says no is told what else there is")
  func refused() async throws {
    let far = try FarMachine(program)
    let terminal = try PseudoTerminal(
      program, [file.path, "--via", far.command, "--write"])
    try await terminal.wait(for: "Copy this program there", "[y/N]")
    terminal.press("enter")
    #expect(try await terminal.end() == .status(74))
    #expect(String(decoding: terminal.tail, as: UTF8.self).contains("--when-missing"))
    #expect(far.users() == [])
  }

  @Test(
    "Whatever is killed, nothing of it is left there; a line that is begun again brings it again")
  func killed() async throws {
    let far = try FarMachine(program)
    let terminal = try PseudoTerminal(
      program,
      [
        file.path, "--via", far.command, "--when-missing", "bring", "--write", "--entity", "team",
      ])
    try await terminal.wait(for: "team Sales", "no unsaved changes")
    try await edit(terminal, to: "Staged")
    let first = Set(far.users())
    #expect(first.count == 2)
    // The shell that keeps it, and the program.
    for process in first { kill(process, SIGKILL) }
    try await far.end()
    #expect(try far.leftovers() == [])
    terminal.press("ctrl-s")
    try await terminal.wait(for: "the save, or that the line was lost") { lines in
      lines.contains { $0.contains("Saved: ") || $0.contains("was lost") }
    }
    if terminal.lines.contains(where: { $0.contains("was lost") }) {
      try await terminal.dismiss("was lost")
      terminal.press("ctrl-s")
      try await terminal.wait(for: "Saved: ")
    }
    #expect(try SQLiteFile.values("SELECT name FROM team", in: file) == ["Staged"])
    #expect(Set(far.users()).isDisjoint(with: first))
    kill(terminal.process, SIGKILL)
    _ = try await terminal.end()
    try await far.end()
    #expect(try far.leftovers() == [])
  }

  @Test("Who kills the shell while the program is on its way finds nothing there")
  func killedOnTheWay() async throws {
    // It stops where the program would be compared.
    let note = program.directory.path("reached")
    let far = try FarMachine(
      program,
      others: ["sha256sum": "echo $PPID > '\(note)'; mv '\(note)' '\(note).pid'; exec sleep 600"])
    try FileManager.default.createSymbolicLink(
      atPath: far.programs.appending(path: "mv").path, withDestinationPath: "/bin/mv")
    let running = try program.start([
      "query", file.path, "--via", far.command, "--when-missing", "bring",
    ])
    while !FileManager.default.fileExists(atPath: "\(note).pid") { await Task.yield() }
    #expect(try far.leftovers() == [])
    for process in far.users() { kill(process, SIGKILL) }
    let outcome = try await running.outcome()
    #expect(outcome.status == 74, "\(outcome)")
    try await far.end()
    #expect(try far.leftovers() == [])
  }

  /// What is in the way, by which programs the machine has of its own, and what its environment has.
  private static let obstacles: [(name: String, others: [String: String], sentence: String)] = [
    ("another processor", ["uname": "echo Linux sparc64"], "that machine is Linux sparc64"),
    ("no folder", ["mktemp": "exit 1"], "cannot be written to"),
    (
      "a full disk", ["df": "echo Filesystem; echo none 9 9 3 100% /"],
      "has too little room"
    ),
    (
      "a folder without programs", ["chmod": "exit 0"], "lets no programs run"
    ),
    (
      "a spoilt copy",
      ["zstd": "cat > /dev/null; echo spoilt", "gzip": "cat > /dev/null; echo spoilt"],
      "what arrived there is not what was sent"
    ),
    (
      "another sum", ["sha256sum": "echo 0000  -"],
      "what arrived there is not what was sent"
    ),
  ]

  @Test("What is in the way is a sentence", arguments: obstacles.indices)
  func obstacle(_ index: Int) async throws {
    let (name, others, sentence) = Self.obstacles[index]
    let far = try FarMachine(program, others: others)
    let outcome = try await run(
      "query", file.path, over: far.command, "--when-missing", "bring")
    #expect(outcome.status == 74, "\(name): \(outcome)")
    #expect(outcome.errors.contains(sentence), "\(name): \(outcome)")
    #expect(try far.leftovers() == [], "\(name)")
  }

  @Test("A machine without SQLite’s library says so in the words of its loader")
  func noLibrary() async throws {
    let libraries = program.directory.url.appending(path: "libraries")
    let far = try FarMachine(program, environment: "LD_LIBRARY_PATH='\(libraries.path)'")
    try FileManager.default.createDirectory(at: libraries, withIntermediateDirectories: true)
    try Data().write(to: libraries.appending(path: "libsqlite3.so.0"))
    let outcome = try await run(
      "query", file.path, over: far.command, "--when-missing", "bring")
    #expect(outcome.status == 74)
    #expect(outcome.errors.contains("cannot run"), "\(outcome)")
    #expect(outcome.errors.contains("libsqlite3.so.0: file too short"), "\(outcome)")
    #expect(try far.leftovers() == [])
  }

  /// Whether the program was linked with archives: see `.ci/archives`.
  private static let hasArchives = FileManager.default.fileExists(
    atPath: Program.executable.deletingLastPathComponent().appending(path: "libncursesw.a").path)

  @Test(
    "The program that ships needs the C library and SQLite of a machine",
    .enabled(if: hasArchives, "there was no archive of ncurses to link"))
  func libraries() async throws {
    let outcome = try await program.shell("ldd '\(Program.executable.path)'")
    for name in ["ncurses", "tinfo", "libz", "stdc++", "gcc_s", "swift"] {
      #expect(!outcome.output.contains(name), "\(outcome.output)")
    }
    #expect(outcome.output.contains("libsqlite3"))
  }

  /// Renames the first team, and saves nothing.
  private func edit(_ terminal: PseudoTerminal, to name: String) async throws {
    terminal.press("g", "g", "home", "right", "e")
    try await terminal.wait(for: "enter accept")
    terminal.press("ctrl-u")
    terminal.type(name)
    terminal.press("enter")
    try await terminal.wait(for: "*\(name)")
  }
}
