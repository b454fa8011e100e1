import DatastoreTestSupport
import Foundation
import Testing

/// `Tests/ContactBook`, the program that opens the pages of SwiftDatastoreTerminal, on a terminal.
@Suite(
  "The contact book on a terminal", .serialized,
  .enabled(if: TmuxSession.isPresent, TmuxSession.absence),
  .enabled(if: SQLiteCommand.isPresent, "\(SQLiteCommand.absence)"))
struct ContactBookTests {
  private static let executable = BuiltProgram.debugFolder.appending(path: "ContactBook")
  /// By which the shell starts it in its folder.
  private static let program = "./ContactBook"

  private func session() async throws -> (TmuxSession, URL) {
    let program = try Program()
    try FileManager.default.createSymbolicLink(
      at: program.directory.file("ContactBook"), withDestinationURL: Self.executable)
    let session = try TmuxSession(program)
    try await session.wait(for: "$")
    let file = URL(fileURLWithPath: program.directory.path("data/ContactBook/contacts.sqlite"))
    return (session, file)
  }

  @Test("Adding, editing, searching and deleting, and what others do meanwhile")
  func journey() async throws {
    let (session, file) = try await session()
    try session.enter(Self.program)
    try await session.wait(for: "None.", "a add  / search  q quit")
    try session.press("a")
    try await session.wait(for: "New contact", "enter next")
    try session.enter("Grace")
    try session.enter("555 1")
    try session.enter("grace@example.com")
    try await session.wait(for: "grace@example.com", "1 of 1", "a add  e edit")
    #expect(
      try SQLiteCommand.run("SELECT name, letter, phone FROM Contact", on: file) == "Grace|G|555 1")
    // Somebody else writes.
    try SQLiteCommand.run(
      "INSERT INTO Contact(name, letter, phone) VALUES ('Ada', 'A', '555 2'), ('Gus', 'G', NULL)",
      on: file)
    try await session.wait(for: "Ada", "2 of 3", "grace@example.com")
    try SQLiteCommand.run("UPDATE Contact SET phone = '555 9' WHERE name = 'Grace'", on: file)
    try await session.wait(for: "Phone  555 9")
    try session.press("Up", "e")
    try await session.wait(for: "Ada ━")
    try session.enter(" L.")
    try session.press("C-s")
    try await session.wait(for: "Name   Ada L.", "1 of 3")
    try session.press("/")
    try await session.wait(for: "Search")
    try session.enter("Gr")
    try await session.wait(for: "1 of 1", "Name   Grace")
    try session.press("d")
    try await session.wait(for: "Delete this contact?")
    try session.press("y")
    try await session.wait(for: "None.")
    try session.press("/")
    try await session.wait(for: "Search")
    try session.press("Enter")
    try await session.wait(for: "Ada L.", "of 2")
    #expect(
      try SQLiteCommand.run("SELECT name FROM Contact ORDER BY 1", on: file) == "Ada L.\nGus")
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
  }

  @Test("A small terminal, another size, and a theme by name")
  func sizes() async throws {
    let (session, file) = try await session()
    try session.enter("\(Self.program) paper")
    try await session.wait(for: "None.")
    try SQLiteCommand.run(
      """
      WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 59)
      INSERT INTO Contact(name, letter) SELECT 'N' || i, 'N' FROM n
      """, on: file)
    try await session.wait(for: "1 of 50", "N10", "N29", "Name   N10")
    try session.tmux("resize-window", "-x", "20", "-y", "5")
    try await session.wait(for: "a small picture") { lines in
      lines.first?.hasPrefix("N ") == true && lines.contains { $0.hasPrefix("N12") }
        && lines.allSatisfy { $0.count <= 20 } && lines.count == 5
    }
    try session.press("G")
    try await session.wait(for: "the end") { $0.prefix(4).last?.hasPrefix("N59") == true }
    try session.tmux("resize-window", "-x", "80", "-y", "24")
    try await session.wait(for: "50 of 50", "Name   N59")
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
  }

  // Promise: the program ends by q, ctrl-c, SIGTERM, or is suspended → the terminal is as before; a
  // question is answered with nothing.
  // Also: `CommandTests.leavingAnswersWhatIsAsked`
  @Test("The terminal is given back: to q, ctrl-c, SIGTERM, and ctrl-z for a while")
  func waysOut() async throws {
    let (session, _) = try await session()
    let before = try await session.settings("before")
    for key in ["q", "C-c"] {
      try session.enter("clear; \(Self.program)")
      try await session.wait(for: "None.")
      try session.press(key)
      try await session.wait(for: "the shell") { $0.last == "$" && !$0.joined().contains("None.") }
      #expect(try !session.isAlternateScreen())
    }
    try session.enter("clear; sh -c 'echo $$ > pid; exec \(Self.program)'")
    try await session.wait(for: "None.")
    try session.press("C-z")
    try await session.wait(for: "the shell") { $0.last == "$" }
    try session.enter("clear; echo here-$((40 + 2))")
    try await session.wait(for: "here-42")
    try session.enter("fg")
    try await session.wait(for: "None.")
    let pid = try session.file("pid").trimmingCharacters(in: .whitespacesAndNewlines)
    kill(try #require(Int32(pid)), SIGTERM)
    try await session.wait(for: "the shell") { $0.last == "$" && !$0.joined().contains("None.") }
    #expect(try !session.isAlternateScreen())
    #expect(try await session.settings("after") == before)
  }

  @Test("Only what has changed is written; a terminal that is closed ends the program")
  func bytes() async throws {
    let program = try Program()
    let file = URL(fileURLWithPath: program.directory.path("data/ContactBook/contacts.sqlite"))
    let terminal = try PseudoTerminal(program, [], command: [Self.executable.path])
    try await terminal.wait(for: "None.")
    try SQLiteCommand.run(
      """
      WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 59)
      INSERT INTO Contact(name, letter) SELECT 'N' || i, 'N' FROM n
      """, on: file)
    try await terminal.wait(for: "1 of 50", "Name   N10")
    var before = terminal.byteCount
    try SQLiteCommand.run("UPDATE Contact SET phone = '555' WHERE name = 'N10'", on: file)
    try await terminal.wait(for: "Phone  555")
    #expect(terminal.byteCount - before < 80, "three characters in one place")
    before = terminal.byteCount
    try SQLiteCommand.run("INSERT INTO Contact(name, letter) VALUES ('N99', 'N')", on: file)
    try await terminal.wait(for: "1 of 51")
    #expect(terminal.byteCount - before < 80, "the row is below the screen")
    terminal.hangUp()
    #expect(try await terminal.end() == .status(0))
  }
}
