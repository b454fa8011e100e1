import DatastoreCore
import Foundation
import TerminalUI
import Testing

@testable import DatastoreBrowser

@MainActor
@Suite struct PanelTests {
  @Test func panelsHideAndComeBack() async throws {
    let browser = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee") }
    let before = browser.picture
    await browser.press("ctrl-e")
    #expect(browser.picture[0].hasPrefix("┏━ Employee"))
    #expect(browser.browser.state.layout.entities.isEmpty)
    await browser.press("v")
    #expect(browser.browser.state.layout.table.columns == 80)
    #expect(browser.browser.state.layout.table.rows == 22)
    // The only panel keeps the focus.
    await browser.press("tab")
    #expect(browser.browser.state.focus == .table)
    await browser.press("ctrl-e", "v")
    #expect(browser.picture == before)
  }

  // Promise: a small screen is the table's alone → 20 rows at 80x24; one line says what is unsaved, what is
  // shown and where the cursor is.
  @Test func oneLineSaysEverythingBelowATableThatIsAlone() async throws {
    let browser = try await BrowserDriver(.company()) { _ in
      var options = BrowserOptions(entity: "Employee")
      options.panes = .byRoom
      return options
    }
    #expect(browser.browser.state.layout.tableBody.rows == 20)
    #expect(browser.status.hasPrefix(" Employee · 5 rows  "))
    #expect(browser.status.hasSuffix("  1 of 5"), "\(browser.status)")
    await browser.go(to: "name")
    await browser.press("e", "ctrl-u")
    await browser.type("Anna")
    await browser.press("enter", "down")
    #expect(browser.status.hasPrefix(" ● 1 changed · Employee · 5 rows  "))
    #expect(browser.status.hasSuffix("  2 of 5"))
    #expect(browser.picture[23].hasPrefix("ctrl-s Save  u Undo  enter details"))
    await browser.press("u")
    #expect(
      browser.status.hasPrefix(" Undone: name of Employee #1 is Ann again."), "\(browser.status)")
    await browser.press("v")
    #expect(browser.browser.state.layout.tableBody.rows < 15)
    #expect(browser.toolbar.hasPrefix(" ○ no unsaved changes"))
  }

  @Test func aNumberIsNotContinuedOnAnotherLine() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, quite_a_long_name_of_one_column_that_is_there INTEGER,
        quite_a_long_name_of_two_columns_that_is_there INTEGER);
      INSERT INTO t VALUES (1, 9223372036854775807, 5);
      """)
    // A number that has no room is shown in a shorter form, with a mark. Names may be cut.
    var shortened = 0
    for columns in [80, 100, 150] {
      let browser = try await BrowserDriver(file, size: Size(columns: columns, rows: 24))
      let detail = browser.detail
      let value = detail.first { $0.contains("quite") }?.split(separator: " ").last
      let isShortened = value?.wholeMatch(of: /~9\.22\d*e18/) != nil
      #expect(value == "9223372036854775807" || isShortened, "\(detail)")
      shortened += isShortened ? 1 : 0
    }
    #expect(shortened > 0)
  }

  @Test func namesInTheDetailsStayApart() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, ZNEEDSINITIALFETCHOFALLITEMS, ZNEEDSINITIALPUSHOFALLITEMS,
        ZNEEDSINITIALPUSHOFSOMEITEMS);
      INSERT INTO t VALUES (1, 10, 20, 30);
      """)
    let browser = try await BrowserDriver(file)
    let names = browser.detail.filter { $0.contains("ZNEEDS") }
      .compactMap { $0.split(separator: " ").first { $0.contains("ZNEEDS") } }
    #expect(names.count == 3)
    #expect(Set(names).count == 3, "\(names)")
  }

  @Test func aZoomedPanelFollowsTheFocus() async throws {
    let browser = try await BrowserDriver(.large(500))
    await browser.press("pgdn", "pgdn")
    let before = browser.picture
    await browser.press("m")
    #expect(browser.browser.state.layout.table.columns == 80)
    await browser.press("tab")
    #expect(browser.picture[0].hasPrefix("┏━ Big row"))
    #expect(browser.browser.state.layout.detail.rows == 21)
    await browser.press("tab")
    #expect(browser.picture[0].hasPrefix("┏━ big.sqlite"))
    await browser.press("tab", "(")
    #expect(browser.status.contains("Press m"))
    await browser.press("m")
    #expect(browser.table.contains { $0.hasPrefix(">") })
    #expect(browser.browser.state.layout.table.columns < 80)
    // Nothing of the table has moved meanwhile.
    #expect(browser.picture[1..<12] == before[1..<12])
  }

  @Test func panelsGrowAndShrinkWithinLimits() async throws {
    let browser = try await BrowserDriver(.company(), size: Size(columns: 160, rows: 48))
    let start = browser.browser.state.layout
    await browser.press("(", "(")
    #expect(browser.browser.state.layout.detail.columns == start.detail.columns + 4)
    await browser.press("shift-tab", ")")
    #expect(browser.browser.state.layout.entities.columns == start.entities.columns + 2)
    await browser.type(String(repeating: ")", count: 60))
    #expect(browser.status.contains("cannot become larger"))
    let wide = browser.browser.state.layout
    #expect(wide.table.columns >= 28 && wide.detail.columns >= 14)
    await browser.press("(")
    #expect(browser.browser.state.layout.entities.columns == wide.entities.columns - 2)
    await browser.resize(80, 24)
    let small = browser.browser.state.layout
    #expect(small.table.columns >= 28 && small.table.rows >= 6)
  }

  @Test func everySizeFromSmallestToLargestCanBeShown() async throws {
    let browser = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee") }
    for (columns, rows) in [(80, 24), (119, 40), (120, 24), (300, 100)] {
      await browser.resize(columns, rows)
      #expect(browser.picture.count == rows)
      #expect(browser.picture.joined().contains("Acme"))
      #expect(browser.picture.allSatisfy { $0.displayWidth() <= columns })
    }
  }

  @Test func placesAreGoneBackAndForwardThrough() async throws {
    let browser = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Task") }
    await browser.press("tab", "end", "enter")
    #expect(browser.browser.state.entity?.name == "Employee")
    await browser.press("home", "down", "down", "down", "down", "enter")
    #expect(browser.browser.state.entity?.name == "Company")
    #expect(browser.picture[0].contains("Task › Employee › Company"))
    await browser.press("backspace", "backspace")
    #expect(browser.browser.state.entity?.name == "Task")
    await browser.press("=")
    #expect(browser.browser.state.entity?.name == "Employee")
    #expect(browser.browser.state.table?.currentKey == 1)
    await browser.press("=")
    #expect(browser.picture[0].contains("Task › Employee › Company"))
    await browser.press("=")
    #expect(browser.status.contains("no place to go forward to"))
    // Going to a new place clears the forward history.
    await browser.press("backspace", "backspace", "end", "enter")
    #expect(browser.browser.state.forwardHistory.isEmpty)
  }

  @Test func ctrlLDrawsTheWholeScreen() async throws {
    let browser = try await BrowserDriver(.company())
    await browser.press("ctrl-l", "?", "ctrl-l")
    #expect(browser.terminal.redrawCount == 2)
  }
}
