import DatastoreCore
import DatastoreTestSupport
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// All columns at once, as a derived table.
@MainActor
@Suite struct OverviewTests {
  private func employees() async throws -> BrowserDriver {
    try await BrowserDriver(.company(), size: Size(columns: 120, rows: 30)) { _ in
      var options = BrowserOptions(entity: "Employee")
      options.panes = .byRoom
      return options
    }
  }

  @Test func everyColumnHasARow() async throws {
    let browser = try await employees()
    await browser.press("O")
    browser.expectShown("columns in Employee")
    browser.expect(
      browser.table,
      """
        column    NULL    different    least     greatest    most frequent      share  distribution
      > id             0            5       1           5    ∅                      ∅  █████
        name           0            5  ‘’        Dora        ∅                      ∅  ∅
        position       1            3  designer  tester      developer         40.0 %  ∅
        salary         1            4    2500.0      3100.0  ∅                      ∅  █       █    █ █
        company        1            3  ∅         ∅           Acme              40.0 %  ∅
      """)
    // It is sorted like any other table.
    await browser.go(to: "different")
    await browser.press("s")
    #expect(browser.cells.map { $0[2] } == ["3", "3", "4", "5", "5"])
  }

  @Test func enterShowsTheRowsOfAFact() async throws {
    let browser = try await employees()
    // The most frequent position.
    await browser.press("O", "down", "down")
    await browser.go(to: "most frequent")
    await browser.press("enter")
    #expect(browser.status.contains("where position == \"developer\""))
    #expect(browser.status.contains("2 rows"))
    #expect(browser.browser.state.table?.currentColumn?.name == "position")
    // The rows without one.
    await browser.press("x", "O", "down", "down")
    await browser.go(to: "NULL")
    await browser.press("enter")
    #expect(browser.status.contains("1 row"))
    #expect(browser.table.contains { $0.contains("Dora") })
    // All values, and their distribution.
    await browser.press("x", "O", "down", "down")
    await browser.go(to: "different")
    await browser.press("enter")
    browser.expectShown("values of position")
    await browser.press("q", "O", "down", "down", "down")
    await browser.go(to: "distribution")
    await browser.press("enter")
    browser.expectShown("distribution of salary")
    await browser.press("q")
    #expect(browser.browser.levels.count == 1)
    // A column's own name leads to the column.
    await browser.press("O", "end", "0", "enter")
    #expect(browser.browser.state.table?.currentColumn?.name == "company")
  }

  /// The facts are those that the sqlite3 program finds.
  @Test func factsAgreeWithSQL() async throws {
    let file = try TemporaryFile.company()
    let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Employee") }
    await browser.press("O")
    for row in browser.cells where row[0] != "company" {
      let name = row[0]
      let expected = try file.values(
        """
        SELECT sum("\(name)" IS NULL) || ' ' || count(DISTINCT "\(name)") || ' ' \
        || coalesce(min("\(name)"), 'NULL') || ' ' || coalesce(max("\(name)"), 'NULL')
        FROM Employee
        """)
      let found = row[1...4].map { $0 == "''" ? "" : $0 }.joined(separator: " ")
      #expect(found == expected[0], "\(name)")
    }
  }
}
