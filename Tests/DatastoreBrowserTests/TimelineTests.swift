import DatastoreTestSupport
import Foundation
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// The saves of a session; new edits can undo any of them.
@MainActor
@Suite struct TimelineTests {
  private func employees(_ file: TemporaryFile) async throws -> BrowserDriver {
    try await BrowserDriver(file, size: Size(columns: 120, rows: 40)) { _ in
      BrowserOptions(entity: "Employee")
    }
  }

  @Test("Times are those of the user's clock, with its zone")
  func zones() {
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    #expect(date.timeOfDay(secondsFromUTC: 0) == "22:13:20 UTC")
    #expect(date.timeOfDay(secondsFromUTC: 19_800) == "03:43:20 +05:30")
    #expect(date.timeOfDay(secondsFromUTC: -12_600) == "18:43:20 -03:30")
  }

  private func edit(_ browser: BrowserDriver, _ text: String) async {
    await browser.press("e", "ctrl-u")
    await browser.type(text)
    await browser.press("enter")
  }

  private func rows(_ file: TemporaryFile) throws -> [String] {
    try file.values(
      "SELECT id || ':' || ifnull(name, '-') || ':' || ifnull(salary, '-') || ':' || ifnull(company_id, '-') "
        + "FROM Employee ORDER BY id")
  }

  @Test func anEarlierSaveIsUndoneAndLaterOnesStay() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file)
    await browser.press("gC")
    #expect(!browser.picture[0].contains("Saves"))
    await browser.press("q")
    let before = try rows(file)
    // Three saves: a name, another name, a salary.
    await browser.press("right")
    await edit(browser, "Zoe")
    await browser.press("ctrl-s", "down")
    await edit(browser, "Yan")
    await browser.press("ctrl-s", "right", "right")
    await edit(browser, "1")
    await browser.press("ctrl-s", "gC", "gt")
    #expect(
      browser.table.map { $0.split(separator: " ").filter { !$0.contains(":") && $0 != "UTC" } }
        .map { $0.joined(separator: " ") }.filter { !$0.isEmpty } == [
          "save at entity object change property old new",
          "> 3 Employee Yan changed salary 2800.5 1.0", "2 Employee Yan changed name Bob Yan",
          "1 Employee Zoe changed name Ann Zoe",
        ])
    // The first one is the last in the list.
    await browser.press("end", "enter")
    #expect(browser.status.contains("Save 1 is undone by unsaved changes of 1 object."))
    #expect(try rows(file)[0] == "1:Zoe:3000.0:1")
    await browser.press("ctrl-s")
    #expect(try rows(file)[0] == before[0])
    #expect(try rows(file)[1] == "2:Yan:1.0:1")
    // That was a save, too.
    await browser.press("gC", "gt")
    browser.expectShown("4 rows")
    #expect(browser.table[1].contains("Zoe") && browser.table[1].contains("Ann"))
  }

  @Test func changesAndSavesAreTabsOfOneHistory() async throws {
    let browser = try await employees(try .company())
    await browser.press("right")
    await edit(browser, "Zoe")
    await browser.press("ctrl-s", "gC")
    browser.expectShown("[Changes] Saves")
    browser.expectShown("saves here")
    await browser.press("gt")
    browser.expectShown("Changes [Saves]")
    browser.expectShown("Saves of this session")
    await browser.press("gT")
    browser.expectShown("Changes since ")
    await browser.press("q")
    #expect(browser.browser.levels.count == 1)
  }

  // Promise: a save is undone after others have changed its objects → those are named and left.
  // Also: `TimelineTests.anObjectThatIsGoneIsNamed`
  @Test func whatWasChangedSinceIsAConflict() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file)
    await browser.press("right")
    await edit(browser, "Zoe")
    await browser.press("down")
    await edit(browser, "Yan")
    await browser.press("ctrl-s")
    // Another program gives one of them another name.
    try file.execute("UPDATE Employee SET name = 'Other' WHERE id = 1")
    await browser.press("r", "gC", "gt", "enter")
    #expect(browser.status.contains("Employee Other: name was changed since."))
    #expect(browser.status.contains("Undone for 1 object."))
    await browser.press("ctrl-s")
    #expect(try file.values("SELECT name FROM Employee WHERE id < 3") == ["Other", "Bob"])
  }

  @Test func newObjectsGoAndDeletedOnesComeBack() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file)
    let before = try rows(file)
    let tasks = "SELECT id || title || ifnull(employee_id, '-') FROM Task ORDER BY id"
    await browser.press("down", "D", "y", "home", "A", "right")
    await edit(browser, "Copy")
    await browser.press("ctrl-s")
    #expect(try rows(file) != before)
    await browser.press("gC", "gt", "enter", "ctrl-s")
    #expect(try rows(file) == before)
    let left = try file.values(tasks)
    #expect(try file.values("SELECT count(*) FROM Task") == ["3"], "\(left)")
    // And again the other way: the undoing is a save like any other.
    await browser.press("gC", "gt", "enter")
    #expect(browser.status.contains("Save 2 is undone"))
    await browser.press("ctrl-s")
    #expect(try file.values("SELECT count(*) FROM Employee WHERE name = 'Copy'") == ["1"])
  }

  @Test func aRelationshipIsUndone() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file)
    await browser.press("$", "e")
    await browser.type("Borg")
    await browser.press("enter", "ctrl-s")
    #expect(try file.values("SELECT company_id FROM Employee WHERE id = 1") == ["2"])
    await browser.press("gC", "gt", "enter", "ctrl-s")
    #expect(try file.values("SELECT company_id FROM Employee WHERE id = 1") == ["1"])
  }

  @Test func anObjectThatIsGoneIsNamed() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file)
    await browser.press("end", "right")
    await edit(browser, "Last")
    await browser.press("ctrl-s")
    try file.execute("DELETE FROM Employee WHERE id = 5")
    await browser.press("r", "gC", "gt", "enter")
    #expect(browser.status.contains("is not there any more."))
    #expect(browser.browser.state.editing.marks.isEmpty)
  }

  @Test func allOfASaveIsUndoneByOneUndoableStep() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE Team (id INTEGER PRIMARY KEY, name TEXT, size INTEGER DEFAULT 5);
      CREATE TABLE Player (id INTEGER PRIMARY KEY, name TEXT,
        team_id INTEGER REFERENCES Team (id) ON DELETE CASCADE);
      INSERT INTO Team VALUES (1, 'Reds', NULL), (2, 'Blues', 11);
      INSERT INTO Player VALUES (1, 'Ann', 1), (2, 'Bob', 2);
      """)
    func rows() throws -> [String] {
      try file.values("SELECT id || name || ifnull(size, '-') FROM Team ORDER BY id")
        + file.values("SELECT id || name || team_id FROM Player ORDER BY id")
    }
    let before = try rows()
    let browser = try await BrowserDriver(file, size: Size(columns: 120, rows: 40)) { _ in
      BrowserOptions(entity: "Team")
    }
    await browser.press("D", "y", "ctrl-s")
    #expect(try rows() == ["2Blues11", "2Bob2"])
    await browser.press("gC", "gt", "end", "enter")
    #expect(
      browser.status.contains("is undone by unsaved changes of 2 objects."), "\(browser.status)")
    await browser.press("u")
    #expect(browser.browser.state.editing.marks.isEmpty)
    await browser.press("U", "ctrl-s")
    // The value that the column starts with is not that of the row.
    #expect(try rows() == before)
  }

  @Test func aNewObjectWithMembersOfOthersIsNotDeleted() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE Team (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE Player (id INTEGER PRIMARY KEY, name TEXT,
        team_id INTEGER REFERENCES Team (id) ON DELETE CASCADE);
      INSERT INTO Team VALUES (1, 'Reds');
      """)
    let browser = try await BrowserDriver(file, size: Size(columns: 120, rows: 40)) { _ in
      BrowserOptions(entity: "Team")
    }
    await browser.press("A", "right")
    await edit(browser, "Blues")
    await browser.press("ctrl-s")
    try file.execute("INSERT INTO Player SELECT 1, 'Ann', id FROM Team WHERE name = 'Blues'")
    await browser.press("r", "gC", "gt", "enter")
    #expect(browser.status.contains("is not deleted: 1 row of Player"), "\(browser.status)")
    #expect(browser.browser.state.editing.marks.isEmpty)
  }
}
