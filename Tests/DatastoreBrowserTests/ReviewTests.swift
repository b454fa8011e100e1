import DatastoreCore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Reviewing staged changes, and the reasons why they cannot be saved.
@MainActor
@Suite struct ReviewTests {
  private func employees(_ file: TemporaryFile) async throws -> BrowserDriver {
    try await BrowserDriver(file) { _ in BrowserOptions(entity: "Employee") }
  }

  /// Changes the name of the first and the salary of the second employee, and deletes the third task.
  private func edited(_ file: TemporaryFile) async throws -> BrowserDriver {
    let browser = try await employees(file)
    await browser.press("right", "e")
    await browser.type("e")
    await browser.press("enter", "down", "right", "right", "e", "ctrl-u")
    await browser.type("9")
    await browser.press("enter")
    return browser
  }

  private func box(_ browser: BrowserDriver) -> [String] {
    let area = ReviewScreen.area(in: browser.browser.state.size).inset(horizontal: 2, vertical: 1)
    return browser.picture(of: area)
  }

  @Test func everyChangeIsListedWithOldAndNewValue() async throws {
    let browser = try await edited(.company())
    await browser.press("c")
    browser.expect(
      box(browser),
      """
      * Employee Anne
          name               Ann                    →  Anne
      * Employee Bob
          salary             2800.5                 →  9.0
      """)
    // One change, then one object.
    await browser.press("down", "u")
    browser.expect(
      box(browser),
      """
      * Employee Bob
          salary             2800.5                 →  9.0
      """)
    await browser.press("home", "d")
    browser.expect(box(browser), "There are none.")
    await browser.press("esc")
    #expect(browser.toolbar.contains("no unsaved changes"))
    await browser.press("u")
    #expect(browser.toolbar.hasPrefix(" ● 1 changed"))
    await browser.press("c", "down", "enter")
    #expect(browser.table[2].hasPrefix(">"))
    #expect(browser.browser.state.table?.currentColumn?.name == "salary")
  }

  private func click(
    _ browser: BrowserDriver, on text: String, clicks: Int = 1
  ) async throws {
    let shown = browser.picture
    let row = try #require(
      (2..<22).first { shown[$0].contains(text) }, "“\(text)” is in no line of the box")
    browser.terminal.send(
      .mouse(MouseEvent(.press(.left, clicks: clicks), at: Position(column: 20, row: row))))
    await browser.browser.idle()
  }

  @Test func linesAreClickedAndTheWheelScrolls() async throws {
    let browser = try await edited(.company())
    await browser.press("home", "c")
    try await click(browser, on: "* Employee Bob")
    #expect(browser.browser.state.overlay(as: ReviewScreen.self)?.scroll.cursor == 2)
    // A list that fits does not move, and neither does its cursor.
    browser.terminal.send(
      .mouse(MouseEvent(.wheelDown, at: Position(column: 20, row: 5))))
    #expect(browser.browser.state.overlay(as: ReviewScreen.self)?.scroll.cursor == 2)
    // A double click goes to the changed property, a click outside closes the list.
    try await click(browser, on: "2800.5", clicks: 2)
    #expect(browser.browser.state.overlays.isEmpty)
    #expect(browser.table[2].hasPrefix(">"))
    #expect(browser.browser.state.table?.currentColumn?.name == "salary")
    await browser.press("c")
    browser.terminal.send(
      .mouse(MouseEvent(.press(.left, clicks: 1), at: Position(column: 0, row: 0))))
    await browser.browser.idle()
    #expect(browser.browser.state.overlays.isEmpty)
  }

  @Test func refusalsOfTheStoreLeadToTheirProperty() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE Item (id INTEGER PRIMARY KEY, code TEXT UNIQUE, name TEXT, size INTEGER,
        note TEXT, box INTEGER REFERENCES Box (id),
        CONSTRAINT small CHECK (size < 10), UNIQUE (name, note));
      CREATE TABLE Box (id INTEGER PRIMARY KEY);
      INSERT INTO Box VALUES (1);
      INSERT INTO Item VALUES (1, 'a', 'one', 1, 'x', 1), (2, 'b', 'two', 2, 'y', 1);
      """)
    let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Item") }
    func edit(_ column: String, _ text: String) async {
      await browser.press("end", "0")
      while browser.browser.state.table?.currentColumn?.name != column {
        await browser.press("right")
      }
      await browser.press("e", "ctrl-u")
      await browser.type(text)
      await browser.press("enter")
    }
    await edit("code", "a")
    await browser.press("home", "0", "ctrl-s")
    #expect(browser.picture.joined().contains("another Item has the same code"))
    await browser.press("enter")
    #expect(browser.browser.state.table?.currentColumn?.name == "code")
    #expect(browser.browser.state.table?.currentKey == 2)
    await browser.press("u")
    await edit("size", "11")
    await browser.press("home", "0", "ctrl-s", "enter")
    #expect(browser.browser.state.table?.currentColumn?.name == "size")
    #expect(browser.browser.state.table?.currentKey == 2)
    await browser.press("u")
    await edit("name", "one")
    await edit("note", "x")
    await browser.press("home", "0", "ctrl-s", "down", "enter")
    #expect(browser.browser.state.table?.currentColumn?.name == "note")
    #expect(browser.browser.state.table?.currentKey == 2)
  }

  @Test func faultsAreListedAndEnterGoesThere() async throws {
    let browser = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Company") }
    await browser.press("a", "home", "ctrl-s")
    #expect(browser.picture.contains { $0.contains("Nothing was saved") })
    browser.expectShown("The new Company: name has no value")
    await browser.press("enter")
    #expect(browser.table[3].hasPrefix(">"))
    #expect(browser.browser.state.table?.currentColumn?.name == "name")
    await browser.press("e")
    await browser.type("New")
    await browser.press("ctrl-s")
    #expect(browser.status.contains("Saved: 1 new."))
  }

  @Test func newObjectsThatTheFileRefusesAreNamedAsTheyAreShown() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE, size INTEGER CHECK (size < 10));
      INSERT INTO item VALUES (1, 'one', 1);
      """)
    let browser = try await BrowserDriver(file)
    browser.terminal.send(.paste("name\tsize\ntwo\t11\n"))
    await browser.browser.idle()
    await browser.press("enter", "ctrl-s")
    browser.expectShown("The new item two cannot be saved, because it breaks the rule")
    #expect(!browser.picture.joined().contains("item 2 cannot"))
  }

  @Test func whatTheFileRefusesIsSaidWhole() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE T (id INTEGER PRIMARY KEY, n TEXT UNIQUE);
      INSERT INTO T VALUES (1, 'a'), (2, 'b');
      """)
    let browser = try await BrowserDriver(file)
    await browser.press("right", "e", "backspace", "b", "enter", "ctrl-s")
    #expect(browser.browser.state.derivedTable?.title == "Nothing was saved")
    browser.expectShown("another T has the same n")
    await browser.press("esc")
    #expect(browser.toolbar.hasPrefix(" ● 1 changed"))
  }

  @Test func aConflictIsSettledByProperty() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file)
    await browser.press("right", "e")
    await browser.type("e")
    await browser.press("enter", "right", "right", "e", "ctrl-u")
    await browser.type("1")
    await browser.press("enter")
    try file.execute("UPDATE Employee SET name = 'Anna', salary = 7, position = 'x' WHERE id = 1")
    await browser.press("ctrl-s")
    let shown = browser.picture
    #expect(shown.contains { $0.contains("Changed underneath") })
    #expect(shown.contains { $0.contains("Employee Anne") }, "\(shown)")
    #expect(
      shown.contains { $0.contains("(?) Anne") && $0.contains("(?) Anna") && $0.contains("Ann ") })
    await browser.press("enter")
    #expect(browser.status.contains("Choose m (mine) or t (theirs)"))
    // A click goes to a line; one outside of the box must not give the saving up.
    try await click(browser, on: "salary")
    #expect(browser.browser.state.overlay(as: ConflictScreen.self)?.scroll.cursor == 2)
    browser.terminal.send(
      .mouse(MouseEvent(.press(.left, clicks: 1), at: Position(column: 0, row: 0))))
    try await click(browser, on: "(?) Anne")
    await browser.press("m", "t", "enter")
    #expect(browser.status.contains("Saved: 1 changed."))
    #expect(
      try file.values("SELECT name || position || salary FROM Employee WHERE id = 1")
        == ["Annex7.0"])
    #expect(browser.table[1].contains("Anne"))
    #expect(browser.toolbar.contains("no unsaved changes"))
  }

  @Test func aRowThatWasDeletedUnderneathCanBeCreatedAgain() async throws {
    let file = try TemporaryFile.company()
    let browser = try await edited(file)
    try file.execute("DELETE FROM Employee WHERE id IN (1, 2)")
    await browser.press("ctrl-s")
    #expect(
      browser.picture.contains { $0.contains("Ann was deleted by someone else") }
        || browser.picture.contains { $0.contains("was deleted by someone else") })
    await browser.press("m", "t", "enter")
    #expect(
      try file.values("SELECT id || name FROM Employee WHERE id < 3") == ["1Anne"])
    #expect(browser.toolbar.contains("no unsaved changes"))
  }
}
