import DatastoreCore
import DatastoreTestSupport
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// All columns at once.
@MainActor
@Suite struct OverviewTests {
  private func lines(_ browser: BrowserDriver) -> [String] {
    browser.picture(
      of: OverviewScreen.area(in: browser.terminal.size).inset(horizontal: 2, vertical: 1))
  }

  @Test func everyColumnHasALine() async throws {
    let browser = try await BrowserDriver(.company(), size: Size(columns: 120, rows: 30)) { _ in
      BrowserOptions(entity: "Employee")
    }
    await browser.press("O")
    browser.expect(
      lines(browser),
      """
      all rows; enter shows the rows of the marked fact
      column         NULL  different  least         greatest      most frequent       distribution
      id                      unique             1             5                      █████
      name                    unique  ‘’            Dora
      position          1          3  designer      tester        developer   40.0 %
      salary            1          4        2500.0        3100.0                      █       █    █ █
      company           1          3                              Acme        40.0 %
      """)
  }

  @Test func enterShowsTheRowsOfAFact() async throws {
    let browser = try await BrowserDriver(.company(), size: Size(columns: 120, rows: 30)) { _ in
      BrowserOptions(entity: "Employee")
    }
    // The most frequent position.
    await browser.press("right", "right", "O", "enter")
    #expect(browser.status.contains("2 rows"))
    #expect(browser.browser.state.table?.currentColumn?.name == "position")
    // The rows without one.
    await browser.press("x", "O", "left", "left", "left", "left", "left", "enter")
    #expect(browser.status.contains("1 row"))
    #expect(browser.table.contains { $0.contains("Dora") })
    // All values, and their distribution.
    await browser.press("x", "O", "left", "left", "left", "enter")
    browser.expectShown("Frequencies of position")
    await browser.press("esc", "right", "O", "right", "enter")
    browser.expectShown("Histogram of salary")
    await browser.press("esc")
    #expect(!browser.hasOverlay)
  }

  // Promise: an overview of other rows comes late → it is ignored.
  @Test func theFirstRowsOfALongTableComeFirst() async throws {
    let browser = try await BrowserDriver(.large(30_000))
    var state = browser.browser.state
    let effects = state.update(UserInput(.key("O")))
    let events = await answers(to: effects, over: browser.datastore)
      .compactMap { $0 as? ColumnOverviewed }
    #expect(events.map(\.column) == [0, 1, 2, 0, 1, 2])
    #expect(events.map(\.isPartial) == [true, true, true, false, false, false])
    for event in events.prefix(4) { _ = state.update(event) }
    let screen = try #require(state.overlay(as: OverviewScreen.self))
    #expect(screen.completeCount == 1)
    var buffer = ScreenBuffer(size: state.size)
    _ = state.draw(into: &buffer)
    #expect(buffer.picture.joined().contains("1 of 3 columns"))
    // Another overview is not answered by these.
    _ = state.update(UserInput(.key("esc")))
    _ = state.update(UserInput(.key("O")))
    _ = state.update(events[5])
    #expect(state.overlay(as: OverviewScreen.self)?.results.isEmpty == true)
  }

  /// The facts are those that the sqlite3 program finds.
  @Test func factsAgreeWithSQL() async throws {
    let file = try TemporaryFile.company()
    let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Employee") }
    await browser.press("O")
    let screen = try #require(browser.browser.state.overlay(as: OverviewScreen.self))
    for (index, column) in screen.request.columns where column.destination == nil {
      let overview = try #require(screen.results[index]).get()
      let name = column.name
      let expected = try file.values(
        """
        SELECT count(*) || ' ' || sum("\(name)" IS NULL) || ' ' || count(DISTINCT "\(name)") || ' ' \
        || quote(min("\(name)")) || ' ' || quote(max("\(name)")) FROM Employee
        """)
      let least = try file.values("SELECT quote(min(\"\(name)\")) FROM Employee")
      #expect(
        expected[0].hasPrefix("\(overview.rows) \(overview.nulls) \(overview.distinct) \(least[0])")
      )
    }
  }
}
