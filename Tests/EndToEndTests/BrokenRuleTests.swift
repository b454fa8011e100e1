import DatastoreTestSupport
import Foundation
import Testing

// Promise: a rule of the library is broken in a release program → it ends with the sentence; with a screen,
// after the terminal is given back.
/// A program that breaks a rule of the library ends with a sentence that names the rule, also in a release
/// build, in which Swift's own traps print nothing. `Tests/BrokenRules` is the program.
@Suite("Rules that a release program breaks")
struct BrokenRuleTests {
  init() throws { try BuiltProgram.require(BuiltProgram.brokenRules) }

  @Test(
    "It ends with the sentence of the rule",
    arguments: [
      ("value", "Author.name was read before it was given a value; give it a default"),
      ("queue", "was touched outside its context. An object is used only inside `perform`"),
      ("context", "Book.author was given an object of another context"),
      ("order", "needs an order"),
      ("key", "\"ctrl-no\" is not the name of a key; write for example \"ctrl-z\" or \"pgdn\""),
    ])
  func sentence(rule: String, sentence: String) async throws {
    let folder = try TemporaryDirectory()
    let errors = folder.file("errors")
    let status = await Task.detached {
      try? spawn(
        BuiltProgram.brokenRules.path, [rule],
        environment: ["HOME": folder.url.path, "SWIFT_BACKTRACE": "enable=no"],
        output: folder.file("output"), errors: errors)
    }.value
    let said = try String(contentsOf: errors, encoding: .utf8)
    // The instruction that traps: ud2 of Intel's processors, brk of ARM's.
    #expect([SIGILL, SIGTRAP].contains(status), "\(said)")
    #expect(said.contains(sentence), "\(said)")
    #expect(said.contains(": Fatal error: "), "\(said)")
  }

  @Test("The terminal is given back first, so that the sentence can be read")
  func onATerminal() async throws {
    let program = try Program()
    // stty shows the state of the terminal, not the program's output.
    let script = "stty -g > before; \"$0\" screen; stty -g > after; echo ended-$?"
    let terminal = try PseudoTerminal(
      program, [], columns: 160, environment: ["SWIFT_BACKTRACE": "enable=no"],
      command: ["/bin/bash", "-c", script, BuiltProgram.brokenRules.path])
    try await terminal.wait(for: "A screen", "x break")
    terminal.press("x")
    try await terminal.wait(for: "ended-0", "Author.name was read before it was given a value")
    #expect(!terminal.screen.isAlternate)
    let modes = try ["before", "after"].map {
      try String(contentsOf: program.directory.file($0), encoding: .utf8)
    }
    #expect(modes[0] == modes[1])
    #expect(try await terminal.end() == .status(0))
  }

  // Promise: something writes on standard error while the browser has the screen → it does not stand among
  // the cells, and is written afterwards.
  /// Output that curses does not know is kept, too: a line of a library, or of a shared one that the loader
  /// writes.
  @Test("What is written on standard error meanwhile is on the terminal afterwards")
  func errorsAreKept() async throws {
    let program = try Program()
    try SQLiteFile.make(
      at: program.directory.file("f.sqlite"), "CREATE TABLE t (a); INSERT INTO t VALUES (1);")
    let terminal = try PseudoTerminal(program, ["f.sqlite"])
    try await terminal.wait(for: "1 row")
    let errors = try #require(
      FileHandle(forWritingAtPath: "/proc/\(terminal.process)/fd/\(STDERR_FILENO)"))
    try errors.seekToEnd()
    try errors.write(contentsOf: Data("a line of a library\n".utf8))
    terminal.press("ctrl-l")
    try await terminal.wait(for: "a drawing") { _ in terminal.screen.clearCount > 1 }
    #expect(!terminal.lines.contains { $0.contains("a line of a library") })
    terminal.press("q")
    #expect(try await terminal.end() == .status(0))
    #expect(terminal.lines.contains { $0.contains("a line of a library") })
  }
}
