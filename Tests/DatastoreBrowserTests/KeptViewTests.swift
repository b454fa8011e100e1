import DatastoreCore
import DatastoreTestSupport
import Foundation
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Views that are found again as they were left.
@MainActor
@Suite struct KeptViewTests {
  /// Puts the cursor of the list of entities on one and opens it.
  private func open(_ place: Int, _ browser: BrowserDriver) async {
    await browser.press("shift-tab", "home")
    for _ in 0..<place { await browser.press("down") }
    await browser.press("enter")
  }

  @Test func anotherEntityAndBack() async throws {
    let browser = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee") }
    // Sorted by name, grouped by position, filtered, one section folded, the cursor on a cell.
    await browser.press("right", "s", "right", "gb", "w")
    await browser.type("id < 5")
    await browser.press("enter", "home", "z", "end")
    // Except for the keys of the footer: there is a way back now.
    let before = browser.picture.dropLast()
    #expect(browser.status.contains("grouped by position"))
    #expect(browser.status.contains("sorted by name"))
    #expect(browser.table.contains { $0.contains("▸") })
    await open(0, browser)
    #expect(browser.table[1].contains("Acme"))
    await browser.press("down")
    await open(1, browser)
    #expect(browser.picture.dropLast() == before)
    // The other one has its cursor, too.
    await open(0, browser)
    #expect(browser.table[2].hasPrefix(">"))
    #expect(browser.table[2].contains("Borg"))
    await browser.press("backspace")
    #expect(browser.picture.dropLast() == before)
    await browser.press("=")
    #expect(browser.table[2].contains("Borg"))
  }

  @Test func theWayShowsRelationshipsOnly() async throws {
    let browser = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee") }
    await open(0, browser)
    await open(2, browser)
    await open(1, browser)
    #expect(browser.picture.contains { $0.contains("─ Employee ─") || $0.contains("━ Employee ━") })
    await browser.press("$", "o")
    browser.expectShown("Employee › Company")
    // A view that a relationship has led to is not the entity's own.
    await open(1, browser)
    await browser.press("s")
    await browser.press("backspace")
    browser.expectShown("Employee › Company")
    await browser.press("backspace")
    #expect(!browser.picture.contains { $0.contains("Employee › Company") })
    #expect(browser.browser.state.entity?.name == "Employee")
  }

  @Test func theDivisionOfTheScreenAndTheThemeAreKept() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("state-\(UUID().uuidString)", isDirectory: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let themes = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("themes")
    func start(_ theme: Theme? = nil) async throws -> BrowserDriver {
      try await BrowserDriver(.company()) { _ in
        BrowserOptions(theme: theme, stateDirectory: folder, themeFolders: [themes])
      }
    }
    let first = try await start()
    await first.press("v", "T", "end", "enter", "m", "shift-tab", "m", ")", ")")
    let width = first.browser.state.layout.entities.columns
    let chosen = first.terminal.theme
    #expect(chosen != .fallback)
    await first.press("q")
    let second = try await start()
    #expect(second.browser.state.layout.entities.columns == width)
    #expect(!second.browser.state.showsDetail)
    #expect(second.terminal.theme == chosen)
    // The command line and the configuration take precedence.
    let third = try await start(.fallback)
    #expect(third.terminal.theme == .fallback)
  }

  private func start(
    _ file: TemporaryFile, _ entity: String?, keeping folder: TemporaryDirectory
  ) async throws -> BrowserDriver {
    try await BrowserDriver(file) { _ in
      BrowserOptions(entity: entity, stateDirectory: folder.file("state"))
    }
  }

  // Promise: the program is killed → what views show is kept; only the cursors are lost.
  @Test func viewsOutliveTheProgram() async throws {
    let file = try TemporaryFile.company()
    let folder = try TemporaryDirectory()
    let first = try await start(file, "Employee", keeping: folder)
    await first.press("right", "s", "right", "gb", "w")
    await first.type("id < 5")
    await first.press("enter", "gg", "z", "end")
    let employees = first.picture.dropLast(2)
    await open(0, first)
    await first.press("down")
    let companies = first.picture.dropLast(2)
    await open(1, first)
    #expect(first.picture.dropLast(2) == employees)
    await first.press("q")
    // The entity that was shown is shown again, with a remark that not all rows are.
    let second = try await start(file, nil, keeping: folder)
    #expect(second.picture.dropLast(2) == employees)
    #expect(second.status.contains("as you left it, with its filter. Press x to show all rows."))
    await second.press("x")
    #expect(second.status.contains("5 rows"))
    await open(0, second)
    #expect(second.picture.dropLast(2) == companies)
    // A killed browser has kept its views; only the places of the cursors are lost.
    let third = try await start(file, "Employee", keeping: folder)
    #expect(third.status.contains("5 rows"))
    #expect(third.status.contains("grouped by position"))
  }

  // Promise: the file has changed since a view was kept → what no longer fits is left out, and a named view
  // says so.
  // Also: `KeptViewTests.viewsWithNames`
  @Test func whatTheCommandLineSaysComesFirst() async throws {
    let file = try TemporaryFile.company()
    let folder = try TemporaryDirectory()
    let first = try await start(file, "Employee", keeping: folder)
    await first.press("right", "gb", "q")
    let second = try await start(file, "Task", keeping: folder)
    #expect(second.browser.state.entity?.name == "Task")
    // A missing property makes no sections.
    await second.press("q")
    try file.execute("ALTER TABLE Employee RENAME COLUMN name TO title")
    let third = try await start(file, "Employee", keeping: folder)
    #expect(third.status.contains("5 rows"))
    #expect(!third.status.contains("grouped"))
  }

  @Test func tabsAreSideBySide() async throws {
    let file = try TemporaryFile.company()
    let folder = try TemporaryDirectory()
    let browser = try await start(file, "Employee", keeping: folder)
    await browser.press("gt")
    #expect(browser.status.contains("There is one tab only."))
    await browser.press("right", "s", "end", "2")
    #expect(browser.status.contains("Tab 2 begins with the same view."))
    browser.expectShown("1 [2]")
    await open(2, browser)
    #expect(browser.browser.state.entity?.name == "Task")
    await browser.press("1")
    browser.expectShown("[1] 2")
    #expect(browser.browser.state.entity?.name == "Employee")
    #expect(browser.status.contains("sorted by name"))
    #expect(browser.browser.state.table?.scroll.cursor == 4)
    // Each has a way back of its own.
    await browser.press("backspace")
    #expect(browser.status.contains("There is no place to go back to."))
    await browser.press("gt")
    #expect(browser.browser.state.entity?.name == "Task")
    await browser.press("backspace")
    #expect(browser.browser.state.entity?.name == "Employee")
    await browser.press("=", "5", "gT", "gT")
    browser.expectShown("[1] 2 5")
    await browser.press("5", "gc")
    browser.expectShown("1 [2]")
    await browser.press("q")
    let again = try await start(file, nil, keeping: folder)
    again.expectShown("1 [2]")
    #expect(again.browser.state.entity?.name == "Task")
    await again.press("1")
    #expect(again.status.contains("sorted by name"))
    await again.press("gc")
    #expect(!again.picture.contains { $0.contains("[") && $0.contains("━━ 1") })
  }

  @Test func viewsWithNames() async throws {
    let file = try TemporaryFile.company()
    let folder = try TemporaryDirectory()
    let browser = try await start(file, "Employee", keeping: folder)
    await browser.press("gv")
    browser.expectShown("There are no saved views.")
    await browser.press("esc", "right", "s", "w")
    await browser.type("salary > 2600")
    await browser.press("enter", "right", "-", ":")
    await browser.type("save-view  well paid")
    await browser.press("enter")
    #expect(browser.status.contains("The view “well paid” of Employee is saved."))
    await browser.press("x", "s", "s", ":")
    await browser.type("show-all-columns")
    await browser.press("enter")
    await open(2, browser)
    await browser.press("gw")
    await browser.type("tasks")
    await browser.press("enter")
    await browser.press("gv")
    browser.expectShown("Employee where salary > 2600")
    await browser.type("well")
    await browser.press("enter")
    #expect(browser.status.contains("3 rows"))
    #expect(browser.status.contains("sorted by name"))
    #expect(!browser.table[0].contains("position"))
    await browser.press("backspace")
    #expect(browser.browser.state.entity?.name == "Task")
    await browser.press("q")
    // The palette has them, the next time, too.
    let again = try await start(file, "Company", keeping: folder)
    await again.press(":")
    await again.type("well")
    again.expectShown("view of Employee")
    await again.press("enter")
    #expect(again.status.contains("3 rows"))
    await again.press(":")
    await again.type("view wel paid")
    await again.press("enter")
    #expect(again.status.contains("There is no view “wel paid”. Did you mean “well paid”?"))
    await again.press("gv", "down", "ctrl-x")
    again.expectShown("press again to delete “well paid”")
    await again.press("ctrl-x")
    again.expectShown("> tasks")
    #expect(!again.picture.contains { $0.contains("well paid") })
  }

  // Promise: the copy of a file is another store each time → views and names are kept for the files.
  // Also: `FilesOnTerminalTests.keeping`
  @Test func viewsOfFilesAreKeptThoughTheirCopyIsAnotherStoreEachTime() async throws {
    let folder = try TemporaryDirectory()
    func show(_ files: [String]) async throws -> BrowserDriver {
      try await BrowserDriver(.company()) { _ in
        var options = BrowserOptions(entity: "Employee", stateDirectory: folder.url)
        options.copiedFile = "2 files"
        options.queriedFiles = files
        return options
      }
    }
    let first = try await show(["/tmp/staff.csv", "/tmp/firms.csv"])
    await first.press("right", "s", "right", "-", "shift-tab", "home", "-", "tab")
    let before = first.picture.dropLast(2)
    #expect(first.status.contains("sorted by name"))
    await first.press("q")
    // Named the other way round, they are the same files.
    let second = try await show(["/tmp/firms.csv", "/tmp/./staff.csv"])
    #expect(second.status.contains("sorted by name"))
    #expect(!second.table[0].contains("position"))
    #expect(second.table == first.table)
    await second.press("q")
    let subject = KeptSubject(files: ["/tmp/staff.csv", "/tmp/firms.csv"])
    let said = try #require(AnnotationsFile(of: subject, in: folder.url)).read().annotations
    #expect(said.isHidden("Company"), "\(before)")
    // One of them alone is something else, and of a pipe nothing is kept.
    let kept = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted()
    for files in [["/tmp/staff.csv"], []] {
      let other = try await show(files)
      #expect(!other.status.contains("sorted by name"))
      if files.isEmpty { await other.press("s", "right", "-") }
      await other.press("q")
    }
    let left = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted()
    #expect(left.filter { !$0.hasPrefix("views/") } == kept.filter { !$0.hasPrefix("views/") })
  }
}
