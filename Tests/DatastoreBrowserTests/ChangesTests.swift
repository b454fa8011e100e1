import DatastoreCore
import DatastoreTestSupport
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// The table of changes since the file was opened, by others and by saves.
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

  @Test func changesOfOthersAreListedWithOldAndNewValues() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file)
    await browser.press("gC")
    browser.expectShown("Changes since ")
    #expect(browser.browser.state.table?.list.keys.isEmpty == true)
    await browser.press("q")
    try file.execute(
      """
      UPDATE Employee SET name = 'Anna', company_id = 2 WHERE id = 1;
      DELETE FROM Employee WHERE id = 3;
      INSERT INTO Company VALUES (7, 'Cyber', 2020);
      """)
    await browser.browser.checkForExternalChanges()
    await browser.press("gC")
    browser.expect(
      browser.table,
      """
        written by    entity    object    change    property    old        new
      > others        Company   Cyber     new       id          ∅              7
        others        Company   Cyber     new       name        ∅          Cyber
        others        Company   Cyber     new       founded     ∅           2020
        others        Employee  Anna      changed   name        Ann        Anna
        others        Employee  Anna      changed   company     Acme       Borg
        others        Employee  Cid       deleted   id                3    ∅
        others        Employee  Cid       deleted   name        Cid        ∅
        others        Employee  Cid       deleted   position    developer  ∅
        others        Employee  Cid       deleted   salary         3100.0  ∅
        others        Employee  Cid       deleted   company     Borg       ∅
      """)
    // A reverted change does not count; r compares again.
    try file.execute("DELETE FROM Company WHERE id = 7")
    await browser.press("r")
    browser.expectShown("7 rows")
    #expect(!browser.table.contains { $0.contains("Cyber") })
    // It is a table like any other.
    await browser.press("w")
    await browser.type("change == \"deleted\" AND property == \"name\"")
    await browser.press("enter")
    browser.expectShown("1 row")
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
      browser.table,
      """
        written by             entity    object    change    property    old     new
      > saves here and others  Employee  Zoe       changed   name        Ann     Zoe
        saves here and others  Employee  Zoe       changed   salary      3000.0    1.0
        saves here             Employee  Yan       changed   name        Bob     Yan
        others                 Employee  Cid       changed   salary      3100.0    2.0
      """)
  }

  @Test func enterGoesToTheObject() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file)
    try file.execute(
      "DELETE FROM Employee WHERE id = 4; UPDATE Task SET title = 'Shape' WHERE id = 2")
    await browser.browser.checkForExternalChanges()
    // A deleted one is nowhere to go to.
    await browser.press("gC", "enter")
    #expect(browser.status.contains("is not there any more."))
    await browser.press("gC", "end", "enter")
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
    // The change opens the file again; the copy for the comparison stays.
    await browser.browser.checkForExternalChanges()
    await browser.press("gC")
    browser.expectShown("Anna")
    browser.expectShown("Attic")
  }

  @Test func tablesWithTooManyRowsAreNamed() async throws {
    let browser = try await BrowserDriver(.large(250_001))
    await browser.press("gC")
    browser.expectShown("not compared: it had more than 250000 rows")
  }
}
