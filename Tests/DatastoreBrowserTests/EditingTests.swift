import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Changes are staged, marked, undone and saved.
@MainActor
@Suite struct EditingTests {
  private func employees(_ file: (any BrowsedDatabase)? = nil) async throws -> BrowserDriver {
    try await BrowserDriver(file ?? TemporaryFile.company()) { _ in
      BrowserOptions(entity: "Employee")
    }
  }

  @Test(arguments: TestEngine.allCases)
  func aCellIsEditedInItsPlaceMarkedAndSaved(on engine: TestEngine) async throws {
    let file = try engine.company()
    let browser = try await employees(file)
    #expect(browser.toolbar.hasPrefix(" ○ no unsaved changes   ^S Save  ^R Revert  u Undo"))
    await browser.press("right", "e")
    browser.expect(
      browser.table,
      """
          id  name    position      salary  company
      >    1  Ann                     00.0  Acme
           2  Bob     designer      2800.5  Acme
           3  Cid     developer     3100.0  Borg
           4  Dora    ∅                  ∅  ∅
           5  ‘’      tester        2500.0  #99 is missing
      """)
    #expect(browser.status.contains("Employee.name, text: not changed"))
    await browser.type("e")
    #expect(browser.status.contains("Employee.name, text: changed"))
    await browser.press("enter")
    browser.expect(
      browser.table,
      """
          id  name    position      salary  company
      >    1 *Anne    developer     3000.0  Acme
           2  Bob     designer      2800.5  Acme
           3  Cid     developer     3100.0  Borg
           4  Dora    ∅                  ∅  ∅
           5  ‘’      tester        2500.0  #99 is missing
      """)
    #expect(browser.border(row: 0) == "*")
    #expect(browser.border(row: 1) == "┃")
    #expect(browser.detail.contains("  name      text    *Anne"))
    #expect(browser.toolbar.hasPrefix(" ● 1 changed   ^S Save"))
    #expect(try file.shown("name", of: "Employee", id: 1) == "Ann")
    await browser.press("ctrl-s")
    #expect(browser.status.contains("Saved: 1 changed."))
    #expect(browser.toolbar.hasPrefix(" ○ no unsaved changes"))
    #expect(browser.border(row: 0) == "┃")
    #expect(try file.shown("name", of: "Employee", id: 1) == "Anne")
  }

  // Promise: a text is changed to another normalization → it is staged and saved.
  /// Swift holds both texts equal; a store, and whoever searches in it, does not.
  @Test(arguments: TestEngine.allCases)
  func anotherNormalizationIsAChange(on engine: TestEngine) async throws {
    let file = try engine.company()
    let browser = try await employees(file)
    await browser.press("right")
    for name in ["caf\u{E9}", "cafe\u{301}", "caf\u{E9}"] {
      await browser.press("e", "ctrl-u")
      await browser.type(name)
      await browser.press("enter", "ctrl-s")
      #expect(browser.status.contains("Saved: 1 changed."))
      let stored = try file.shown("name", of: "Employee", id: 1) ?? ""
      #expect(stored.utf8.elementsEqual(name.utf8))
    }
  }

  @Test(arguments: TestEngine.allCases)
  func undoAndRedoFollowEachOther(on engine: TestEngine) async throws {
    let browser = try await employees(engine.company())
    await browser.press("u")
    #expect(browser.status.contains("There is nothing to undo."))
    await browser.press("right", "e", "ctrl-u")
    await browser.type("Zoe")
    await browser.press("enter", "u")
    #expect(browser.status.contains("Undone: name of Employee "))
    #expect(browser.status.contains(" is Ann again."))
    #expect(browser.table[1].contains("Ann"))
    #expect(browser.toolbar.contains("no unsaved changes"))
    await browser.press("U")
    #expect(browser.status.contains("Redone: name of Employee "))
    #expect(browser.status.contains(" is Zoe."))
    #expect(browser.table[1].contains("*Zoe"))
    await browser.press("U")
    #expect(browser.status.contains("There is nothing to redo"))
    await browser.press("ctrl-r")
    #expect(browser.picture.joined().contains("Revert all unsaved changes: 1 changed?"))
    await browser.press("n")
    #expect(browser.table[1].contains("*Zoe"))
    await browser.press("ctrl-r", "y")
    #expect(browser.table[1].contains("Ann"))
  }

  @Test func theEditorHoldsTheExactNumberAndUnchangedTextChangesNothing() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE T (id INTEGER PRIMARY KEY, n REAL, i INTEGER, t TEXT, u);
      INSERT INTO T VALUES (1, 0.1 + 0.2, 9007199254740993, '  x  ', '12');
      """)
    let others = "SELECT quote(i) || quote(t) || quote(u) FROM T"
    let before = try file.values(others)
    let browser = try await BrowserDriver(file)
    for column in ["0.30000000000000004", "9007199254740993", "  x  ", "12"] {
      await browser.press("right", "e")
      #expect(browser.browser.state.overlay(as: CellEditor.self)?.field.text == column)
      await browser.press("enter")
      #expect(browser.toolbar.contains("no unsaved changes"))
    }
    await browser.press("0", "right", "e", "backspace", "4", "enter")
    #expect(browser.toolbar.contains("no unsaved changes"), "the same number, typed again")
    await browser.press("e", "backspace", "enter", "ctrl-s")
    #expect(try file.values("SELECT n = 0.3 FROM T") == ["1"])
    #expect(try file.values(others) == before)
  }

  @Test func aFaultLeavesTheEditorOpenAndSaysWhatIsWanted() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE T (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, u);
      INSERT INTO T VALUES (1, 5, NULL);
      """)
    let browser = try await BrowserDriver(file)
    await browser.press("right", "e", "ctrl-u")
    await browser.type("abc")
    await browser.press("enter")
    #expect(
      browser.picture.last == " “abc” is not a whole number; n takes a whole number such as 42.")
    await browser.press("ctrl-n")
    #expect(browser.picture.last == " n is not optional, so it cannot be NULL.")
    await browser.press("esc")
    #expect(browser.toolbar.contains("no unsaved changes"))
    // A column without a type accepts any value.
    await browser.press("right", "e")
    await browser.type("abc")
    await browser.press("enter", "ctrl-s")
    #expect(try file.value("u", from: "T", id: 1) == "'abc'")
    await browser.press("e", "ctrl-n", "ctrl-s")
    #expect(try file.value("u", from: "T", id: 1) == "NULL")
    await browser.press("left", "left", "e")
    #expect(browser.status.contains("id is part of the primary key"))
  }

  @Test func aDeletedRowStaysVisibleUntilItIsSaved() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE Employee (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE Task (
        id INTEGER PRIMARY KEY, title TEXT,
        employee_id INTEGER REFERENCES Employee (id) ON DELETE SET NULL);
      CREATE TABLE Note (
        id INTEGER PRIMARY KEY, task_id INTEGER REFERENCES Task (id) ON DELETE CASCADE);
      INSERT INTO Employee VALUES (1, 'Ann'), (2, 'Bob');
      INSERT INTO Task VALUES (1, 'Plan', 1), (2, 'Build', 1), (3, 'Test', 2);
      INSERT INTO Note VALUES (1, 3), (2, 3), (3, 1);
      """)
    let browser = try await employees(file)
    await browser.press("D")
    #expect(browser.picture.joined().contains("No longer related to it: 2 Task."))
    await browser.press("y")
    browser.expect(
      browser.table,
      """
          id  name
      >    1  Ann
           2  Bob
      """)
    #expect(browser.border(row: 0) == "-")
    #expect(browser.toolbar.hasPrefix(" ● 2 changed, 1 deleted"))
    await browser.press("e")
    #expect(browser.status.contains("is marked for deletion"))
    await browser.press("u")
    #expect(browser.toolbar.contains("no unsaved changes"))
    #expect(browser.border(row: 0) == "┃")
    await browser.press("U", "ctrl-s")
    #expect(browser.status.contains("Saved: 2 changed, 1 deleted."))
    #expect(browser.table[1] == ">    2  Bob")
    #expect(
      try file.values("SELECT quote(employee_id) FROM Task ORDER BY id") == ["NULL", "NULL", "2"])
    #expect(browser.entities.contains { $0.hasPrefix("Employee") && $0.hasSuffix("1") })
    await browser.press("shift-tab", "down", "enter", "end", "D")
    #expect(browser.picture.joined().contains("Deleted with it: 2 Note."))
    await browser.press("n")
  }

  @Test(arguments: TestEngine.allCases)
  func aNewObjectShowsWhatItNeedsAndIsSavedWithIt(on engine: TestEngine) async throws {
    let file = try engine.company()
    let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Company") }
    await browser.press("a")
    #expect(browser.table[3].hasPrefix(">"))
    #expect(browser.border(row: 2) == "+")
    #expect(browser.detail.contains("  name      text     !∅ needs a value"))
    await browser.press("ctrl-s")
    #expect(browser.picture.joined().contains("name has no value, but must have one"))
    await browser.press("esc", "right", "e")
    await browser.type("Cyberdyne")
    await browser.press("ctrl-s")
    #expect(browser.status.contains("Saved: 1 new."))
    #expect(try file.shown("name", of: "Company", id: 3) == "Cyberdyne")
    await browser.press("A", "ctrl-s")
    #expect(
      try file.values(#"SELECT CAST(id AS TEXT) || name FROM "Company" WHERE id > 2 ORDER BY id"#)
        == ["3Cyberdyne", "4Cyberdyne"])
  }

  @Test func everyWayOfLeavingIsShownInNarrowWindows() async throws {
    let browser = try await employees()
    await browser.press("right", "e")
    await browser.type("!")
    await browser.press("enter", "q")
    for (columns, rows) in [(80, 24), (60, 20), (50, 20), (40, 10), (24, 8)] {
      await browser.resize(columns, rows)
      for answer in ["s save and leave", "k keep for next time", "d discard and leave", "esc stay"]
      {
        browser.expectShown(answer)
      }
    }
    await browser.press("d")
    #expect(!browser.terminal.isRunning)
  }

  @Test(arguments: TestEngine.allCases)
  func leavingAsks(on engine: TestEngine) async throws {
    let file = try engine.company()
    let browser = try await employees(file)
    await browser.press("right", "e")
    await browser.type("!")
    await browser.press("enter", "q")
    #expect(browser.picture.joined().contains("There are unsaved changes: 1 changed."))
    await browser.press("esc")
    #expect(browser.terminal.isRunning)
    await browser.press("q", "s")
    #expect(!browser.terminal.isRunning)
    #expect(try file.shown("name", of: "Employee", id: 1) == "Ann!")
    let other = try await employees(file)
    await other.press("right", "e")
    await other.type("?")
    await other.press("enter")
    await other.resize(20, 5)
    await other.press("ctrl-c", "d")
    #expect(!other.terminal.isRunning)
    #expect(try file.shown("name", of: "Employee", id: 1) == "Ann!")
  }

  @Test(arguments: TestEngine.allCases)
  func keysThatComeBeforeTheEditorIsOpenAreForTheEditor(on engine: TestEngine) async throws {
    let browser = try await employees(engine.company())
    await browser.press("right")
    // All in one turn: the editor opens when the object has been read.
    await browser.type("eXD\n")
    #expect(browser.table[1].contains("*AnnXD"))
    #expect(browser.browser.state.overlays.isEmpty)
    await browser.press("0")
    // If nothing can be edited, typed text has no effect.
    await browser.type("eXDy\n")
    #expect(browser.status.contains("part of the primary key"))
    #expect(browser.toolbar.hasPrefix(" ● 1 changed "))
  }

  @Test(arguments: TestEngine.allCases)
  func marksShowWithoutUnicodeAndColour(on engine: TestEngine) async throws {
    let browser = try await BrowserDriver(engine.company(), glyphs: .ascii) { _ in
      BrowserOptions(entity: "Employee")
    }
    await browser.press("right", "e", "x", "enter", "end", "D", "y", "a", "home", "down", "space")
    #expect((0..<6).map { browser.border(row: $0) } == ["*", "x", "#", "#", "-", "+"])
    #expect(browser.toolbar.hasPrefix(" * 1 changed, 1 new, 1 deleted"))
    await browser.press("c")
    #expect(browser.picture.joined().utf8.allSatisfy { $0 < 0x80 })
    await browser.press("esc", "q")
    #expect(browser.picture.joined().utf8.allSatisfy { $0 < 0x80 })
  }

  @Test(arguments: TestEngine.allCases)
  func aClickOnAButtonDoesWhatItSays(on engine: TestEngine) async throws {
    let browser = try await employees(engine.company())
    await browser.press("right", "e", "x", "enter")
    let row = browser.browser.state.layout.toolbar.top
    let column = try #require(browser.toolbar.firstRange(of: "u Undo"))
    let place = browser.toolbar.distance(
      from: browser.toolbar.startIndex, to: column.lowerBound)
    await browser.click(column: place + 1, row: row)
    #expect(browser.toolbar.contains("no unsaved changes"))
  }
}

extension BrowserDriver {
  /// The line of unsaved changes.
  var toolbar: String { picture[picture.count - 3] }

  /// The cell of the table's left border before a row of its body.
  func border(row: Int) -> String {
    let body = browser.state.layout.tableBody
    return terminal.lastBuffer?[Position(column: body.left - 1, row: body.top + row)].text ?? ""
  }
}
