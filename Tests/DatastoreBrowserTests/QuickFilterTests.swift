import DatastoreCore
import TerminalUI
import Testing

@testable import DatastoreBrowser

@MainActor
@Suite struct QuickFilterTests {
  private func browsing() async throws -> BrowserDriver {
    try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee") }
  }

  private func filterText(_ browser: BrowserDriver) -> String? {
    browser.browser.state.table?.query.filterText
  }

  @Test func onlyRowsWithThisValueOrWithout() async throws {
    let browser = try await browsing()
    await browser.press("right", "right", "f")
    #expect(filterText(browser) == "position == \"developer\"")
    #expect(browser.status.contains("2 rows"))
    // Further conditions are added.
    await browser.press("right", "F")
    #expect(filterText(browser) == "position == \"developer\" AND salary != 3000.0")
    browser.expect(
      browser.table,
      """
          id  name    position      salary  company
      >    3  Cid     developer     3100.0  Borg
      """)
    await browser.press("x")
    #expect(browser.status.contains("5 rows"))
  }

  @Test func nothingAndEmptyTextAndRelatedObjects() async throws {
    let browser = try await browsing()
    await browser.press("down", "down", "down", "right", "right", "right", "f")
    #expect(filterText(browser) == "salary == NULL")
    #expect(browser.status.contains("1 row"))
    await browser.press("x", "end", "left", "left", "f")
    #expect(filterText(browser) == "name == \"\"")
    await browser.press("x", "home", "right", "right", "right", "f")
    #expect(filterText(browser) == "company == 1")
    #expect(browser.status.contains("2 rows"))
    await browser.press("f")
    #expect(browser.status.contains("The filter has this condition already."))
  }

  @Test func aSectionHeaderStandsForItsValue() async throws {
    let browser = try await browsing()
    await browser.press("right", "right", "gb", "home", "[", "f")
    #expect(filterText(browser) == "position == NULL")
  }

  @Test func aReferenceStandsForTheValueThatItStores() async throws {
    let browser = try await BrowserDriver(
      try TemporaryFile(
        """
        CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT);
        CREATE TABLE city (id INTEGER PRIMARY KEY, country TEXT REFERENCES country(code));
        INSERT INTO country VALUES ('FR', 'France'), ('DE', 'Germany');
        INSERT INTO city VALUES (1, 'DE'), (2, 'XX'), (3, 'DE');
        """),
      options: { _ in BrowserOptions(entity: "city") })
    await browser.go(to: "country")
    await browser.press("f")
    #expect(filterText(browser) == "country == \"DE\"")
    #expect(browser.status.contains("2 rows"))
    await browser.press("x", "down", "f")
    #expect(filterText(browser) == "country == \"XX\"")
    #expect(browser.status.contains("1 row"))
    await browser.press("x", "w")
    await browser.type("country == \"DE\"\n")
    #expect(browser.status.contains("2 rows"))
  }

  @Test func theDetailPaneFiltersTheTable() async throws {
    let browser = try await browsing()
    await browser.press("tab", "end", "f")
    #expect(filterText(browser) == "ANY Task == 2")
    #expect(browser.status.contains("1 row "))
    await browser.press("x", "end", "up", "up", "f")
    #expect(filterText(browser) == "Task.@count == 2")
    await browser.press("x", "home", "down", "down", "F")
    #expect(filterText(browser) == "position != \"developer\"")
  }

  @Test func exactNumbersBlobsAndDates() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE Odd (id INTEGER PRIMARY KEY, r REAL, big INTEGER, b BLOB);
      INSERT INTO Odd VALUES
        (1, 0.30000000000000004, 9007199254740993, x'00FF'), (2, 0.1, 2, randomblob(2000)),
        (3, 0.3, 3, NULL);
      """, name: "odd.sqlite")
    let browser = try await BrowserDriver(file)
    await browser.press("right", "f")
    #expect(browser.status.contains("1 row "))
    await browser.press("x", "right", "f")
    #expect(filterText(browser) == "big == 9007199254740993")
    await browser.press("x", "right", "f")
    #expect(filterText(browser) == "b == x'00FF'")
    await browser.press("x", "home", "down", "f")
    #expect(browser.status.contains("This value has 2 kB"))
    #expect(browser.browser.state.table?.query.filter == nil)
  }
}
