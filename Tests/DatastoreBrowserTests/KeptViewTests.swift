import DatastoreCore
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
    await browser.press("right", "s", "right", "g", "w")
    await browser.type("id < 5")
    await browser.press("enter", "home", "z", "end")
    // But for the keys of the footer: there is a way back now.
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
        BrowserOptions(theme: theme, themeFolders: [themes], stateDirectory: folder)
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
    // What the command line or the configuration names comes first.
    let third = try await start(.fallback)
    #expect(third.terminal.theme == .fallback)
  }
}
