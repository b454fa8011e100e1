import Foundation
import SwiftDatastore
import SwiftDatastoreTerminal
import TerminalUI
import Testing

/// Questions, messages and effects of commands.
@MainActor
@Suite struct CommandTests {
  private final class View: TerminalView {
    var heard: [String] = []
    var isEnabled = false
    /// Holds a slow command until the test continues it.
    var gate: CheckedContinuation<Void, Never>?

    var body: [any Widget] {
      for text in heard { Line(text, note: "\(text.count)") }
    }

    var commands: [Command] {
      [
        Command("a", "insert", label: "ask") { [self] terminal in
          let texts = await terminal.ask("Two", ["First": "1", "Second": ""])
          heard.append(texts?.joined(separator: "+") ?? "cancelled")
        },
        Command("c", label: "confirm") { [self] terminal in
          heard.append("\(await terminal.confirm("Is it so?"))")
        },
        Command("f", label: "fail") { _ in throw Failure() },
        Command("w", label: "wait") { [self] _ in
          await withCheckedContinuation { gate = $0 }
          heard.append("waited")
        },
        Command("n") { [self] _ in heard.append("n") },
        Command("x", label: "never", isEnabled: isEnabled) { [self] _ in heard.append("x") },
        Command("s", label: "say") { $0.say("Well done.", role: .success) },
        Command("q", label: "quit") { $0.quit() },
      ]
    }
  }

  private struct Failure: Error, CustomStringConvertible {
    var description: String { "It cannot be done." }
  }

  @Test func aForm() async throws {
    let view = View()
    let application = TerminalApplication(view)
    await application.send("a")
    #expect(
      await application.picture(columns: 40, rows: 8) == [
        "",
        "┏━ Two ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓",
        "┃First  1                              ┃",
        "┃Second                                ┃",
        "┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛",
        "",
        "",
        "enter next  ctrl-s done  esc cancel",
      ])
    await application.type("0\n2")
    await application.send("enter")
    #expect(view.heard == ["10+2"])
    await application.send("insert", "tab", "n", "shift-tab", "backspace", "ctrl-s")
    #expect(view.heard == ["10+2", "+n"])
    await application.send("a", "esc", "n")
    #expect(view.heard == ["10+2", "+n", "cancelled", "n"])
    #expect(await application.picture(columns: 10, rows: 5)[1] == "+n       2")
  }

  @Test func aFormWithoutRoom() async throws {
    let application = TerminalApplication(View())
    await application.send("a", "enter")
    let picture = await application.picture(columns: 20, rows: 2)
    #expect(picture == ["Second", "enter done"])
  }

  @Test(arguments: [("y", true), ("enter", true), ("n", false), ("esc", false)])
  func aDecision(_ key: String, _ answer: Bool) async throws {
    let view = View()
    let application = TerminalApplication(view)
    await application.send("c", "x")
    #expect(await application.picture(columns: 40, rows: 9).contains { $0.contains("Is it so?") })
    #expect(view.heard.isEmpty)
    await application.send(key)
    #expect(view.heard == ["\(answer)"])
  }

  @Test func whatIsThrownIsSaid() async throws {
    let application = TerminalApplication(View())
    await application.send("f")
    #expect(await application.picture(columns: 40, rows: 3).last == "It cannot be done.")
    await application.send("down")
    let foot = await application.picture(columns: 60, rows: 3).last
    #expect(foot == "a ask  c confirm  f fail  w wait  s say  q quit")
    await application.send("s")
    #expect(await application.picture(columns: 40, rows: 3).last == "Well done.")
  }

  // Promise: keys are pressed while a command works → they wait in order, also for the form that it opens.
  @Test func keysWaitForTheCommandThatRuns() async throws {
    let view = View()
    let application = TerminalApplication(view)
    let terminal = MemoryTerminal(size: Size(columns: 40, rows: 8))
    try application.start(on: terminal)
    terminal.press("w", "n", "a", "7", "enter", "8", "enter", "n")
    while view.gate == nil { await Task.yield() }
    #expect(view.heard.isEmpty)
    view.gate?.resume()
    await application.settled()
    #expect(view.heard == ["waited", "n", "17+8", "n"])
    #expect(terminal.picture[2].hasPrefix("17+8"))
    terminal.press("x")
    view.isEnabled = true
    terminal.press("x")
    await application.settled()
    #expect(view.heard.last == "x" && view.heard.count == 5)
    application.quit()
  }

  @Test func leavingAnswersWhatIsAsked() async throws {
    let view = View()
    let application = TerminalApplication(view)
    let terminal = MemoryTerminal(size: Size(columns: 40, rows: 8))
    try application.start(on: terminal)
    terminal.press("a")
    await application.settled()
    terminal.send(.terminate(signal: SIGTERM))
    await application.settled()
    #expect(view.heard == ["cancelled"] && !terminal.isRunning)
  }

  @Test func theEndByKeys() async throws {
    let first = TerminalApplication(View())
    let terminal = MemoryTerminal(size: Size(columns: 40, rows: 8))
    try first.start(on: terminal)
    terminal.press("ctrl-c")
    #expect(!terminal.isRunning)
    let second = TerminalApplication(View())
    try second.start(on: terminal)
    #expect(terminal.isRunning)
    await second.send("q")
    #expect(!terminal.isRunning)
  }
}
