import DatastoreCore
import DatastoreTestSupport
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// The list of what has changed since the file was opened, by others and by saves.
@MainActor
@Suite struct ChangesTests {
  private func employees(_ file: TemporaryFile) async throws -> BrowserDriver {
    try await BrowserDriver(file, size: Size(columns: 120, rows: 40)) { _ in
      BrowserOptions(entity: "Employee")
    }
  }

  private func edit(_ browser: BrowserDriver, _ text: String) async {
    await browser.press("e", "ctrl-u")
    await browser.type(text)
    await browser.press("enter")
  }

  /// What is in the list, without its frame.
  private func list(_ browser: BrowserDriver) -> [String] {
    let inside = ChangesScreen.area(in: browser.browser.state.size)
      .inset(horizontal: 2, vertical: 1)
    return browser.picture(of: inside).filter { !$0.isEmpty }
  }

  @Test func changesOfOthersAreListedWithOldAndNewValues() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file)
    await browser.press("gC")
    browser.expectShown("Changes since ")
    #expect(list(browser) == ["Nothing has changed."])
    // It follows what another program writes, in tables that are not shown, too.
    try file.execute(
      """
      UPDATE Employee SET name = 'Anna', company_id = 2 WHERE id = 1;
      DELETE FROM Employee WHERE id = 3;
      INSERT INTO Company VALUES (7, 'Cyber', 2020);
      """)
    await browser.browser.checkForExternalChanges()
    browser.expect(
      list(browser),
      """
      Company  1 new
      + Company Cyber (new)
          id                   ∅                                      →  7
          name                 ∅                                      →  Cyber
          founded              ∅                                      →  2020
      Employee  1 changed, 1 deleted
      * Employee Anna
          name                 Ann                                    →  Anna
          company              Acme                                   →  Borg
      - Employee Cid (deleted)
          id                   3                                      →  ∅
          name                 Cid                                    →  ∅
          position             developer                              →  ∅
          salary               3100.0                                 →  ∅
          company              Borg                                   →  ∅
      """)
    browser.expectShown("1 changed, 1 new, 1 deleted")
    // What is taken back has not changed.
    try file.execute("DELETE FROM Company WHERE id = 7")
    await browser.browser.checkForExternalChanges()
    #expect(list(browser).first == "Employee  1 changed, 1 deleted")
  }

  @Test func savesAreTold() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file)
    await browser.press("right")
    await edit(browser, "Zoe")
    await browser.press("down")
    await edit(browser, "Yan")
    await browser.press("ctrl-s")
    try file.execute(
      "UPDATE Employee SET salary = 1 WHERE id = 1; UPDATE Employee SET salary = 2 WHERE id = 3")
    await browser.browser.checkForExternalChanges()
    await browser.press("gC")
    browser.expect(
      list(browser),
      """
      Employee  3 changed
      * Employee Zoe (partly saved here)
          name                 Ann                                    →  Zoe
          salary               3000.0                                 →  1.0
      * Employee Yan (saved here)
          name                 Bob                                    →  Yan
      * Employee Cid
          salary               3100.0                                 →  2.0
      """)
  }

  @Test func enterGoesToTheObject() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file)
    try file.execute(
      "DELETE FROM Employee WHERE id = 4; UPDATE Task SET title = 'Shape' WHERE id = 2")
    await browser.browser.checkForExternalChanges()
    await browser.press("gC", "down")
    #expect(browser.browser.state.overlay(as: ChangesScreen.self)?.current?.slot == nil)
    // A deleted one is nowhere to go to.
    await browser.press("enter")
    #expect(browser.status.contains("is not there any more."))
    await browser.press("end", "enter")
    #expect(!browser.hasOverlay)
    #expect(browser.browser.state.entity?.name == "Task")
    #expect(browser.table.contains { $0.hasPrefix(">") && $0.contains("Shape") })
    #expect(browser.browser.state.table?.currentColumn?.name == "title")
    await browser.press("backspace")
    #expect(browser.browser.state.entity?.name == "Employee")
  }

  @Test func tablesThatCameAreTold() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file)
    try file.execute("UPDATE Employee SET name = 'Anna' WHERE id = 1")
    try file.execute("CREATE TABLE Room (id INTEGER PRIMARY KEY, name TEXT)")
    try file.execute("INSERT INTO Room VALUES (1, 'Attic')")
    // The file is opened again for it; what it was compared with stays.
    await browser.browser.checkForExternalChanges()
    await browser.press("gC")
    let lines = list(browser)
    #expect(lines.contains("Employee  1 changed"))
    #expect(lines.contains("+ Room Attic (new)"))
  }

  @Test func tablesWithTooManyRowsAreNamed() async throws {
    let browser = try await BrowserDriver(.large(250_001))
    await browser.press("gC")
    browser.expectShown(
      "Big is not compared: it had more than 250000 rows.")
  }
}
