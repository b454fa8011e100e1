import DatastoreTestSupport
import Foundation
import Testing

/// Unsaved changes of CSV and JSON files, whose rows are shown from a temporary copy, outlive the program.
@Suite("Files of rows when the program is ended", .serialized)
struct FileRecoveryOnTerminalTests {
  private static let texts = [
    "e.csv": "name,age\nAda,36\nGrace,45\nZoe,28\n",
    "e.json": "[\n {\"name\": \"Ada\", \"age\": 36},\n {\"name\": \"Grace\", \"age\": 45}\n]\n",
  ]

  private let program: Program

  init() throws {
    program = try Program()
    for (name, text) in Self.texts { try program.directory.write(text, to: name) }
  }

  private func recovery(_ name: String) -> String {
    program.directory.path(".\(name).datastore-recovery")
  }

  /// Shows the file and edits the first name; waits until the edit is kept.
  private func edit(_ name: String) async throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(program, [name])
    try await terminal.wait(for: "Grace", "no unsaved changes", "Saving writes into it.")
    terminal.press("e", "ctrl-u")
    terminal.type("Adele")
    terminal.press("enter")
    try await terminal.wait(for: "● 1 changed", "*Adele")
    try await terminal.wait(for: "the recovery file") { _ in
      let text = try? String(contentsOfFile: recovery(name), encoding: .utf8)
      return text?.contains("\"Adele\"") ?? false
    }
    return terminal
  }

  /// Opens the file again, accepts what is offered, and saves it.
  private func takeUp(_ name: String) async throws {
    let text = try #require(Self.texts[name])
    #expect(try String(contentsOf: program.directory.file(name), encoding: .utf8) == text)
    let terminal = try PseudoTerminal(program, [name])
    try await terminal.wait(for: "Unsaved changes from an earlier session", "1 changed")
    terminal.press("r")
    // The report comes after the changes, and would replace what the next key says.
    try await terminal.wait(for: "● 1 changed", "*Adele", "Restored: 1 changed.")
    terminal.press("ctrl-s")
    try await terminal.wait(for: "These changes go into \(name)")
    terminal.press("ctrl-s")
    try await terminal.wait(for: "Wrote \(name): 1 record changed.")
    terminal.press("q")
    #expect(try await terminal.end() == .status(0))
    #expect(
      try String(contentsOf: program.directory.file(name), encoding: .utf8)
        == text.replacing("Ada", with: "Adele"))
    #expect(!FileManager.default.fileExists(atPath: recovery(name)))
  }

  @Test(
    "Changes are offered after every signal that ends the program",
    arguments: [SIGTERM, SIGHUP, SIGINT, SIGKILL], ["e.csv", "e.json"])
  func ended(signal: Int32, name: String) async throws {
    let terminal = try await edit(name)
    terminal.send(signal: signal)
    let end = try await terminal.end()
    #expect(end == (signal == SIGKILL ? .signal(signal) : .status(128 + signal)))
    try await takeUp(name)
  }

  @Test("Changes are offered after the terminal was closed")
  func closed() async throws {
    let terminal = try await edit("e.csv")
    terminal.hangUp()
    #expect(try await terminal.end() == .status(128 + SIGHUP))
    try await takeUp("e.csv")
  }

  @Test("Changes can be kept for the next time")
  func kept() async throws {
    let terminal = try await edit("e.csv")
    terminal.press("q")
    try await terminal.wait(for: "keep for next time")
    terminal.press("k")
    #expect(try await terminal.end() == .status(0))
    try await takeUp("e.csv")
  }
}
