import DatastoreTestSupport
import Foundation
import Testing

/// Faults of the terminal: the program ends or continues in order, and staged changes are kept.
@Suite("A terminal in trouble", .serialized)
struct TerminalFaultTests {
  private let program: Program
  private var recovery: String { program.directory.path(".f.sqlite.datastore-recovery") }

  init() throws {
    program = try Program()
    try SQLiteFile.make(
      at: program.directory.url.appending(path: "f.sqlite"),
      """
      CREATE TABLE employee (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      INSERT INTO employee VALUES (1, 'Ada'), (2, 'Grace'), (3, 'Zoe');
      """)
  }

  /// Edits names and does not wait until the edits are kept.
  private func edit(_ terminal: PseudoTerminal, _ texts: String...) async throws {
    try await terminal.wait(for: "employee Ada", "no unsaved changes", "3 rows")
    terminal.press("right")
    for text in texts {
      terminal.press("e", "ctrl-u")
      terminal.type(text)
      terminal.press("enter", "down")
    }
    try await terminal.wait(for: "● \(texts.count) changed")
  }

  private func expectOffer(_ changes: String) async throws {
    #expect(FileManager.default.fileExists(atPath: recovery))
    let terminal = try PseudoTerminal(program, ["f.sqlite"])
    try await terminal.wait(for: "Unsaved changes from an earlier session", changes)
    terminal.press("r")
    try await terminal.wait(for: "● \(changes)", "*Adele", "*Zora")
    terminal.press("ctrl-s")
    try await terminal.wait(for: "Saved: \(changes).")
    terminal.press("q")
    #expect(try await terminal.end() == .status(0))
    let names = try SQLiteFile.values(
      "SELECT name FROM employee ORDER BY id", in: program.directory.url.appending(path: "f.sqlite")
    )
    #expect(names == ["Adele", "Grethe", "Zora"])
  }

  @Test func closed() async throws {
    let terminal = try PseudoTerminal(program, ["f.sqlite"])
    try await edit(terminal, "Adele", "Grethe", "Zora")
    terminal.hangUp()
    // 128 and SIGHUP: it has ended by itself, after writing the changes to be kept.
    #expect(try await terminal.end() == .status(129))
    try await expectOffer("3 changed")
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func askedToEnd(signal: Int32) async throws {
    let terminal = try PseudoTerminal(program, ["f.sqlite"])
    try await edit(terminal, "Adele", "Grethe", "Zora")
    terminal.send(signal: signal)
    #expect(try await terminal.end() == .status(128 + signal))
    #expect(!terminal.screen.isAlternate)
    try await expectOffer("3 changed")
  }

  /// A shell with job control, which reports the end of its job.
  @Test func stoppedAndContinued() async throws {
    let script = "\"$0\" f.sqlite; echo stopped-$?; read answer; fg; echo ended-$?"
    let terminal = try PseudoTerminal(
      program, [], command: ["/bin/bash", "-mc", script, Program.executable.path])
    try await edit(terminal, "Adele", "Grethe", "Zora")
    let job = try #require(terminal.foregroundGroup)
    kill(-job, SIGTSTP)
    try await terminal.wait(for: "stopped-148") { lines in
      !terminal.screen.isAlternate && lines.contains { $0.contains("stopped-148") }
    }
    terminal.type("\r")
    try await terminal.wait(for: "the picture") { lines in
      terminal.screen.isAlternate && lines.contains { $0.contains("● 3 changed") }
    }
    terminal.press("ctrl-s")
    try await terminal.wait(for: "Saved: 3 changed.")
    terminal.press("q")
    #expect(try await terminal.end() == .status(0))
    #expect(String(decoding: terminal.tail.suffix(40), as: UTF8.self).contains("ended-0"))
  }

  @Test func resizedToAnything() async throws {
    let terminal = try PseudoTerminal(program, ["f.sqlite"])
    try await edit(terminal, "Adele", "Grethe", "Zora")
    for (columns, rows) in [(1, 1), (500, 200), (2, 300), (400, 2), (79, 24), (120, 40)] {
      terminal.resize(columns: columns, rows: rows)
      if columns >= 80, rows >= 24 {
        try await terminal.wait(for: "● 3 changed", "*Adele")
      } else if columns >= 20 {
        try await terminal.wait(for: "3 changed")
      }
    }
    terminal.resize(columns: 80, rows: 24)
    try await terminal.wait(for: "● 3 changed", "*Adele")
    #expect(terminal.screen.unknown.isEmpty, "\(terminal.screen.unknown)")
    terminal.press("ctrl-s")
    try await terminal.wait(for: "Saved: 3 changed.")
    terminal.press("q")
    #expect(try await terminal.end() == .status(0))
  }
}
