import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// A session is saved as a script, and replayed without a screen.
@MainActor
@Suite struct SessionTests {
  private func employees(_ file: TemporaryFile) async throws -> BrowserDriver {
    try await BrowserDriver(file) { _ in BrowserOptions(entity: "Employee") }
  }

  /// Does a script with another file, and returns how that has ended and the last screen.
  private func replay(
    _ script: SessionScript, _ file: TemporaryFile
  ) async throws -> (outcome: SessionOutcome, picture: [String]) {
    let terminal = MemoryTerminal()
    var options = BrowserOptions(entity: "Employee")
    options.configuration.keepsIdentifiersInPlace = true
    let browser = Browser(
      try SwiftDatastore(opening: file.url), terminal: terminal, options: options)
    let outcome = try await browser.run(script)
    try browser.datastore.close()
    return (outcome, terminal.picture)
  }

  @Test func aSessionIsSavedReadAndDoneAgain() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file)
    let directory = try TemporaryDirectory()
    let script = directory.file("work.session")
    // Sorting, a filter, an edit, a question, keys in a row, and a save.
    await browser.press("right", "s", "w")
    await browser.type("salary > 2600")
    await browser.press("enter", "home", "e", "ctrl-u")
    await browser.type("Zoë \\ Q")
    await browser.press(
      "enter", "gb", "gb", "right", "e", "ctrl-n", "enter", "ctrl-r", "esc", "ctrl-s")
    let picture = browser.picture
    await browser.press("gS")
    await browser.type(script.path)
    await browser.press("enter")
    #expect(browser.status.contains("written to"))
    let text = try String(contentsOf: script, encoding: .utf8)
    #expect(text.hasPrefix("# datastore session of company.sqlite\nsize 80x24\nbegin {"))
    #expect(text.contains("}\nright\nsort\nfilter\n"))
    #expect(text.contains("\ntype Zoë \\\\ Q\naccept\n"))
    #expect(text.contains("\ngroup\ngroup\n") && text.hasSuffix("save\n"))
    let again = try TemporaryFile.company()
    let (outcome, last) = try await replay(SessionScript(contentsOfFile: script.path), again)
    #expect(outcome.failure == nil && outcome.unsaved == nil)
    // All but the last message, which the key after it has removed.
    #expect(Array(last.prefix(20)) == Array(picture.prefix(20)))
    let sql = "SELECT group_concat(id || name || ifnull(position, '-')) FROM Employee"
    #expect(try again.values(sql) == file.values(sql))
    #expect(try again.values("SELECT count(*) FROM Employee WHERE name = 'Zoë \\ Q'") == ["1"])
  }

  /// Saves the session of a browser as a script, and returns it with its text.
  private func saved(
    _ browser: BrowserDriver, in directory: TemporaryDirectory
  ) async throws -> (script: SessionScript, text: String) {
    let file = directory.file("saved.session")
    await browser.press("gS")
    await browser.type(file.path)
    await browser.press("enter")
    return (
      try SessionScript(contentsOfFile: file.path), try String(contentsOf: file, encoding: .utf8)
    )
  }

  // Promise: a session began with a view of an earlier run or of the command line → the replay begins there.
  @Test func aReplayBeginsWhereTheSessionBegan() async throws {
    let file = try TemporaryFile.company()
    let directory = try TemporaryDirectory()
    func employees() async throws -> BrowserDriver {
      try await BrowserDriver(file) { _ in
        BrowserOptions(entity: "Employee", stateDirectory: directory.file("state"))
      }
    }
    let first = try await employees()
    await first.press("w")
    await first.type("salary < 2900")
    await first.press("enter", "q")
    let second = try await employees()
    #expect(second.status.contains("as you left it"))
    await second.press("X", "y", "ctrl-s")
    let ids = "SELECT group_concat(id) FROM Employee"
    #expect(try file.values(ids) == ["1,3,4"])
    let (script, text) = try await saved(second, in: directory)
    #expect(text.contains("salary < 2900"))
    let again = try TemporaryFile.company()
    let (outcome, _) = try await replay(script, again)
    #expect(outcome.failure == nil && outcome.unsaved == nil)
    #expect(try again.values(ids) == ["1,3,4"])

    let third = try await BrowserDriver(.company()) { schema in
      let task = try #require(schema.entity(named: "Task"))
      return BrowserOptions(
        entity: "Task",
        predicate: try DatastoreCore.Predicate.parse("title == 'Build'", entity: task, in: schema))
    }
    await third.press("X", "y", "ctrl-s")
    let other = try TemporaryFile.company()
    let ended = try await replay(saved(third, in: directory).script, other).outcome
    #expect(ended.failure == nil)
    #expect(try other.values("SELECT group_concat(title) FROM Task") == ["Plan,Test"])
    #expect(try other.values("SELECT count(*) FROM Employee") == ["5"])
  }

  // Promise: the place where a session began is not there → a sentence, and nothing is done.
  @Test func aReplayThatCannotBeginWhereTheSessionBeganDoesNothing() async throws {
    let file = try TemporaryFile.company()
    let directory = try TemporaryDirectory()
    func employees() async throws -> BrowserDriver {
      try await BrowserDriver(file) { _ in
        BrowserOptions(entity: "Employee", stateDirectory: directory.file("state"))
      }
    }
    let first = try await employees()
    await first.press("w")
    await first.type("salary < 2900")
    await first.press("enter", "home", "q")
    let second = try await employees()
    await second.press("X", "y", "ctrl-s")
    let script = try await saved(second, in: directory).script

    let withoutRow = try TemporaryFile.company()
    try withoutRow.execute("DELETE FROM Employee WHERE id = 2")
    let firstOutcome = try await replay(script, withoutRow).outcome
    #expect(firstOutcome.failure?.contains("begins on row 2 of Employee") == true)
    #expect(try withoutRow.values("SELECT count(*) FROM Employee") == ["4"])

    let withoutColumn = try TemporaryFile.company()
    try withoutColumn.execute("ALTER TABLE Employee RENAME COLUMN salary TO pay")
    let secondOutcome = try await replay(script, withoutColumn).outcome
    #expect(secondOutcome.failure?.contains("salary < 2900, which cannot be shown") == true)
    #expect(try withoutColumn.values("SELECT count(*) FROM Employee") == ["5"])
  }

  // Promise: a step did nothing in the session → the replay does not stop at it.
  @Test func aStepThatDidNothingIsARemark() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file)
    let directory = try TemporaryDirectory()
    let script = directory.file("work.session")
    await browser.press("right", "o", ":")
    await browser.type("follow-cell")
    await browser.press("enter", "esc", "e", "ctrl-u")
    await browser.type("Zoë")
    await browser.press("enter", "ctrl-s", "gS")
    await browser.type(script.path)
    await browser.press("enter")
    let text = try String(contentsOf: script, encoding: .utf8)
    #expect(text.contains("\nright\n# follow-cell\n# palette\n# type follow-cell\n# accept\n"))
    let again = try TemporaryFile.company()
    let (outcome, _) = try await replay(SessionScript(contentsOfFile: script.path), again)
    #expect(outcome.failure == nil && outcome.unsaved == nil)
    #expect(try again.values("SELECT id FROM Employee WHERE name = 'Zoë'") == ["1"])
  }

  @Test func scriptsAreWrittenByPeopleToo() async throws {
    let file = try TemporaryFile.company()
    let script = try SessionScript(
      parsing: "# two rows\nsize 100x30\r\n\n  # and the help\n"
        + "paste name\\tsalary\\nTom\\t5\\n\naccept\nsave\nhelp sort\n",
      commands: .standard)
    let (outcome, picture) = try await replay(script, file)
    #expect(outcome.failure == nil)
    #expect(picture.count == 30)
    #expect(try file.values("SELECT name FROM Employee WHERE salary = 5") == ["Tom"])
  }

  // Promise: a script has a step that cannot be done → it is the last one; its line and reason are told;
  // nothing is left beside the file.
  @Test func theStepThatFailsIsTheLastOne() async throws {
    let file = try TemporaryFile.company()
    let script = try SessionScript(
      parsing: "right\nedit\ntype x\naccept\nfollow-cell\nsave\n", commands: .standard)
    let (outcome, _) = try await replay(script, file)
    #expect(
      outcome.failure?.hasPrefix("Line 5 of the session, “follow-cell”, was not done: ") == true)
    #expect(outcome.unsaved == "1 changed")
    #expect(try file.values("SELECT name FROM Employee WHERE id = 1") == ["Ann"])
    // Nothing is left beside the file that would be offered the next time.
    let folder = file.url.deletingLastPathComponent()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["company.sqlite"])
  }

  @Test(arguments: [
    ("sortt", "there is no command “sortt”. Did you mean “sort”?"),
    ("key hyper-x", "“hyper-x” is not a key such as enter or ctrl-s."),
    ("type a\\x", "after a backslash, n, r, t, u{…} or a backslash is expected."),
    ("click 3", "a column and a row are expected after “click”."),
    ("size 0x5", "a size such as 80x24 is expected after “size”."),
  ])
  func whatIsNoStepIsNamed(_ line: String, _ reason: String) {
    #expect(throws: SessionScriptFault(line: 2, reason: reason)) {
      try SessionScript(parsing: "sort\n\(line)\n", commands: .standard)
    }
  }

  @Test func stepsAreReadAsTheyAreWritten() throws {
    let steps: [SessionStep] = [
      .begin(#"{"filter":"a = \"b\"\n"}"#), .command("sort"),
      .command("import", argument: "a b\\c.csv"), .type(" a\tb\\n"),
      .key("ctrl-u"), .key("space"), .paste("a\tb\nc\n"), .click(column: 3, row: 7, clicks: 2),
      .click(column: 0, row: 0, clicks: 1), .size(Size(columns: 20, rows: 5)),
    ]
    let script = SessionScript(steps)
    let text = script.text(of: "x", size: Size(columns: 80, rows: 24))
    let read = try SessionScript(parsing: text, commands: .standard)
    #expect(Array(read.steps.map(\.step).dropFirst()) == steps)
  }

  // Promise: a text of a session has line ends of any kind → one step stays one step.
  /// VT, FF, NEL, U+2028 and U+2029 end lines for many who read them, and a file may be called anything.
  @Test func aTextIsOneStepWhateverIsInIt() throws {
    var random = SeededRandom(seed: RandomCases.seed())
    var texts = (0..<500).map { _ in HostileText.draw(using: &random) }
    texts += [
      "\u{B}export x", "\u{C}save", "\u{85}save", "\u{2028}save\u{2029}", "\r\nsave\rsave\n",
      "\u{301}",
    ]
    let steps = texts.flatMap { text -> [SessionStep] in
      [.paste(text), .type(text), .command("import", argument: "x" + text)]
    }
    let text = SessionScript(steps).text(
      of: "a\nexport b\u{2028}c", size: Size(columns: 80, rows: 24))
    #expect(
      text.unicodeScalars.count { $0.properties.isWhitespace && $0 != " " } == steps.count + 2)
    let read = try SessionScript(parsing: text, commands: .standard)
    #expect(read.steps.count == steps.count + 1)
    for ((line, found), step) in zip(read.steps.dropFirst(), steps) {
      #expect("\(found)".utf8.elementsEqual("\(step)".utf8), "line \(line), seed \(random.seed)")
    }
    for case (.paste(let found), let expected) in zip(
      read.steps.map(\.step).filter { if case .paste = $0 { true } else { false } }, texts)
    {
      #expect(found.utf8.elementsEqual(expected.utf8), "\(expected.debugDescription)")
    }
  }

  // Promise: a session is saved over something else → refused.
  @Test func otherFilesAreNotReplaced() async throws {
    let file = try TemporaryFile.company()
    let browser = try await BrowserDriver(file, size: Size(columns: 160, rows: 24)) { _ in
      BrowserOptions(entity: "Employee")
    }
    await browser.press("s", ":")
    await browser.type("save-session \(file.path)")
    await browser.press("enter")
    #expect(browser.status.contains("is not a session"))
    #expect(try file.values("SELECT count(*) FROM Employee") == ["5"])
  }

  @Test func aSessionIsReplayedInTheBrowserItself() async throws {
    let file = try TemporaryFile.company()
    let directory = try TemporaryDirectory()
    let script = directory.file("a.session")
    try "right\nsort\nsort\n".write(to: script, atomically: true, encoding: .utf8)
    let browser = try await employees(file)
    await browser.press("gR")
    await browser.type(script.path)
    await browser.press("enter")
    await browser.browser.replaying?.value
    await browser.browser.idle()
    #expect(browser.table[0].contains("name ▼"))
  }

  // Promise: a session does not say where it begins, and the table is filtered → a question first.
  @Test func aSessionWithoutABeginningIsNotDoneWithFilteredRowsUnasked() async throws {
    let directory = try TemporaryDirectory()
    let script = directory.file("old.session")
    try "# datastore session of company.sqlite\nsize 80x24\nright\nsort\nsort\n"
      .write(to: script, atomically: true, encoding: .utf8)
    let browser = try await employees(.company())
    await browser.press("w")
    await browser.type("salary < 2900")
    await browser.press("enter")
    for (answer, isDone) in [("n", false), ("y", true)] {
      await browser.press("gR")
      await browser.type(script.path)
      await browser.press("enter")
      browser.expectShown("The session does not say where it begins")
      await browser.press(answer)
      await browser.browser.replaying?.value
      await browser.browser.idle()
      #expect(browser.table[0].contains("name ▼") == isDone, "\(browser.picture)")
    }
  }
}
