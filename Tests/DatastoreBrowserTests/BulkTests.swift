import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Many objects changed at once.
@MainActor
@Suite struct BulkTests {
  @Test func selectedRowsGetOneValueAndOneUndo() async throws {
    let file = try TemporaryFile.company()
    let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Employee") }
    await browser.press("space", "down", "space", "right", "right", "B", "ctrl-u")
    #expect(browser.border(row: 0) == "✓")
    #expect(browser.border(row: 1) != "✓")
    #expect(browser.border(row: 2) == "✓")
    await browser.type("lead")
    await browser.press("enter")
    let shown = browser.picture.joined(separator: "\n")
    #expect(shown.contains("Set Employee.position to lead in 2 objects."))
    #expect(shown.contains("Ann: developer -> lead"))
    #expect(shown.contains("Cid: developer -> lead"))
    await browser.press("y")
    #expect(browser.toolbar.hasPrefix(" ● 2 changed"))
    await browser.press("u")
    #expect(browser.toolbar.contains("no unsaved changes"))
    await browser.press("U", "ctrl-s")
    #expect(
      try file.values("SELECT position FROM Employee WHERE position IS NOT NULL ORDER BY id")
        == ["lead", "designer", "lead", "tester"])
  }

  @Test("Selected rows that the filter hides are told before a bulk change")
  func hiddenSelection() async throws {
    let browser = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee") }
    await browser.press("space", "down", "space", "w")
    await browser.type("name == \"Dora\"\n")
    await browser.press("X")
    browser.expectShown("none of them is shown here.")
    await browser.press("n", "w", "ctrl-u")
    await browser.type("name == \"Ann\"\n")
    await browser.press("X")
    browser.expectShown("one of them is not shown here.")
  }

  @Test func aRowThatIsSelectedNoLongerIsLeftOutAlsoOfVeryMany() async throws {
    let file = try TemporaryFile.large(12_000)
    let browser = try await BrowserDriver(file)
    await browser.press("ctrl-a", "space", "X")
    browser.expectShown("DELETED AT ONCE")
    await browser.press("W")
    #expect(try file.values("SELECT group_concat(id) FROM Big") == ["1"])
  }

  @Test func shiftAndTheArrowsExtendTheSelection() async throws {
    let browser = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee") }
    func selected() -> [Int] { (0..<5).filter { browser.border(row: $0) == "✓" } }
    await browser.press("down", "space", "down", "shift-down", "shift-down")
    #expect(selected() == [1, 3, 4])
    await browser.press("shift-up")
    #expect(selected() == [1, 3])
    // Over the row that it began at, and over one that was selected before.
    await browser.press("shift-up", "shift-up", "shift-up")
    #expect(selected() == [0, 1, 2, 3])
    await browser.press("shift-down", "shift-down", "shift-down")
    #expect(selected() == [1, 3])
    // A step without shift ends it.
    await browser.press("up", "up", "shift-up")
    #expect(selected() == [0, 1, 3])
    #expect(browser.status.contains("3 selected"))
  }

  @Test func allRowsOfAFilterAreChangedOrDeleted() async throws {
    let file = try TemporaryFile.company()
    let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Task") }
    await browser.press("w")
    await browser.type("id < 3")
    await browser.press("enter", "right", "right", "B")
    await browser.type("Cid")
    await browser.press("enter")
    #expect(browser.picture.joined().contains("in 2 objects"))
    await browser.press("y", "X")
    #expect(browser.picture.joined().contains("Delete 2 Task"))
    browser.expectShown("These are all rows that are shown, where id < 3")
    await browser.press("y", "ctrl-s")
    #expect(try file.values("SELECT title FROM Task") == ["Test"])
  }

  @Test func aHeaderOfASectionIsNoRow() async throws {
    let browser = try await BrowserDriver(.company()) { _ in
      BrowserOptions(entity: "Employee", groupBy: ["position"])
    }
    await browser.press("home")
    for key in ["e", "B", "D"] {
      await browser.press(key)
      #expect(browser.status.contains("header of a section; go to one of its rows"), "\(key)")
    }
    // Rows can be deleted from anywhere in their table; a message names them.
    await browser.press("X")
    browser.expectShown("These are all rows of the table; none is selected.")
    await browser.press("n", "down", "space", "down", "space", "X")
    browser.expectShown("These are the selected rows.")
    await browser.press("n")
  }

  @Test func moreThanCanBeStagedIsWrittenAtOnceAndSaysSo() async throws {
    let file = try TemporaryFile.large(10_500)
    let browser = try await BrowserDriver(file)
    await browser.press("right", "right", "ctrl-a")
    #expect(browser.status.contains("10,500 selected"))
    await browser.press("B", "ctrl-u")
    await browser.type("same")
    await browser.press("enter")
    #expect(browser.picture.joined().contains("WRITTEN AT ONCE"))
    await browser.press("esc")
    #expect(try file.values("SELECT count(*) FROM Big WHERE kind = 'same'") == ["0"])
    await browser.press("B", "ctrl-u")
    await browser.type("same")
    await browser.press("enter", "W")
    #expect(browser.status.contains("Changed 10,500 objects of Big."))
    #expect(browser.table[1].hasSuffix("same"))
    await browser.press("X", "W")
    #expect(browser.status.contains("Deleted 10,500 objects of Big."))
    #expect(try file.values("SELECT count(*) FROM Big") == ["0"])
  }
}
