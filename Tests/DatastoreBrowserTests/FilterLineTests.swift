import DatastoreCore
import DatastoreTestSupport
import Foundation
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// The filter as text.
@MainActor
@Suite struct FilterLineTests {
  private func browsing(
    size: Size = Size(columns: 80, rows: 24), glyphs: GlyphSet = .unicode
  ) async throws -> BrowserDriver {
    try await BrowserDriver(.company(), size: size, glyphs: glyphs) { _ in
      BrowserOptions(entity: "Employee")
    }
  }

  private func filter(_ browser: BrowserDriver) -> FilterState? {
    browser.browser.state.overlay(as: FilterState.self)
  }

  @Test func theScreenAt80x24() async throws {
    let browser = try await browsing()
    await browser.press("w")
    await browser.type("salary > 2600 AND na")
    browser.expect(
      Array(browser.picture.suffix(9)),
      """
      │                  ┌───────────┐ext     developer                              █
      │                  │name   TEXT│eal     3000.0                                 █
      │                  └───────────┘ompany  → Acme                                 █
      ┏━ Employee where ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
      ┃ salary > 2600 AND na                                                         ┃
      ┃                                                                              ┃
      ┃                                                                              ┃
      ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
      enter apply  tab complete  ctrl-t form or text  ctrl-o saved  esc cancel
      """)
  }

  @Test func theWildcardsOfSQLAreTold() async throws {
    let browser = try await browsing()
    await browser.press("w")
    await browser.type("name LIKE \"%nn%\"")
    browser.expect(
      Array(browser.picture.suffix(6)),
      """
      ┏━ Employee where ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
      ┃ name LIKE "%nn%"                                                             ┃
      ┃ The wildcards of LIKE are * (any text) and ? (one character), not % and _.   ┃
      ┃ Write name LIKE "*nn*"; for the sign itself, CONTAINS or ==.                 ┃
      ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 0 of 5 ━┛
      enter apply  tab complete  ctrl-t form or text  ctrl-o saved  esc cancel
      """)
    // The same condition as a form.
    await browser.press("ctrl-t")
    browser.expectShown("not % and _")
    await browser.press("ctrl-t", "enter")
    browser.expectShown(
      "The wildcards of LIKE are * (any text) and ? (one character), not % and _.")
    #expect(browser.browser.state.table?.lines.count == 0)
    await browser.press("w", "ctrl-u")
    await browser.type("name LIKE \"*nn*\"")
    #expect(!browser.picture.contains { $0.contains("wildcards") })
    await browser.press("enter")
    #expect(browser.status.contains("1 row"))
  }

  @Test func matchesAreCountedWhileTyping() async throws {
    let browser = try await browsing()
    await browser.press("w")
    #expect(browser.picture[22].contains("5 of 5"))
    await browser.type("salary > 2900")
    #expect(browser.picture[22].contains("2 of 5"))
    await browser.type(" AND")
    #expect(!browser.picture[22].contains("of 5"))
    await browser.type(" name == \"Ann\"")
    #expect(browser.picture[22].contains("1 of 5"))
    // Only the last of many counts is applied.
    await browser.type(" OR salary > 1")
    #expect(browser.picture[22].contains("4 of 5"))
    await browser.press("esc")
    #expect(browser.status.contains("5 rows"))
  }

  @Test func completionsAreTakenWithTabAndEnter() async throws {
    let browser = try await browsing()
    await browser.press("w")
    await browser.type("na")
    await browser.press("tab")
    #expect(filter(browser)?.line.field.text == "name ")
    await browser.type("beg")
    await browser.press("down", "enter")
    #expect(filter(browser)?.line.field.text == "name BEGINSWITH ")
    await browser.type("\"D")
    // A value of the store.
    await browser.press("down", "enter")
    #expect(filter(browser)?.line.field.text == "name BEGINSWITH \"Dora\"")
    await browser.press("enter")
    #expect(browser.table[1].contains("Dora"))
    #expect(browser.status.contains("1 row"))
  }

  @Test func objectsAreOfferedByTheirNames() async throws {
    let browser = try await browsing()
    await browser.press("w")
    await browser.type("company ==")
    #expect(filter(browser)?.line.menu.items.prefix(2).map(\.detail) == ["Acme", "Borg"])
    await browser.press("down", "down", "enter", "enter")
    #expect(browser.status.contains("where company == 2"))
    #expect(browser.table[1].contains("Cid"))
  }

  @Test func escapeUnmarksFirst() async throws {
    let browser = try await browsing()
    await browser.press("w", "down", "esc")
    #expect(filter(browser)?.line.menu.selected == nil)
    #expect(filter(browser) != nil)
    await browser.press("esc")
    #expect(filter(browser) == nil)
  }

  @Test func theHistoryIsThatOfTheEntity() async throws {
    let browser = try await browsing()
    for text in ["salary > 1", "salary > 2"] {
      await browser.press("w", "ctrl-u")
      await browser.type(text + "\n")
    }
    await browser.press("x", "w")
    await browser.type("na")
    await browser.press("up")
    #expect(filter(browser)?.line.field.text == "salary > 2")
    await browser.press("up", "up")
    #expect(filter(browser)?.line.field.text == "salary > 1")
    await browser.press("down", "down")
    #expect(filter(browser)?.line.field.text == "na")
    await browser.press("esc", "shift-tab", "home", "enter", "w", "up")
    #expect(browser.browser.state.entity?.name == "Company")
    #expect(filter(browser)?.line.field.text == "")
  }

  @Test func faultsAreMarkedBehindWideCharacters() async throws {
    let browser = try await browsing()
    await browser.press("w")
    await browser.type("name == \"李小龍👍🏽é\" AND salry > 3 AND id > 1")
    let marked = browser.terminal.lastBuffer?.styleRuns(ofRow: 19).first { $0.role == .error }
    #expect(marked?.text == "salry")
    #expect(browser.picture[20].contains("did you mean “salary”?"))
    await browser.press("enter")
    #expect(filter(browser) != nil)
    #expect(filter(browser)?.line.fault?.isUnfinished == false)
  }

  @Test func whatIsNotFinishedIsNoErrorYet() async throws {
    let browser = try await browsing()
    await browser.press("w")
    await browser.type("salary >")
    let runs = browser.terminal.lastBuffer?.styleRuns(ofRow: 19) ?? []
    #expect(!runs.contains { $0.role == .error })
    #expect(browser.picture[20].contains("Expected"))
    await browser.press("enter")
    #expect(
      browser.terminal.lastBuffer?.styleRuns(ofRow: 20).contains { $0.role == .error } == true)
  }

  @Test func aLongConditionScrolls() async throws {
    let browser = try await browsing()
    await browser.press("w")
    let long = (1...12).map { "salary != \($0)000" }.joined(separator: " AND ")
    await browser.type(long)
    #expect(browser.picture[19].contains("AND salary != 12000"))
    #expect(!browser.picture[19].contains("salary != 1000 "))
    await browser.press("home")
    #expect(browser.picture[19].contains("salary != 1000 AND"))
    await browser.press("end", "enter")
    #expect(browser.status.contains("4 rows") || browser.status.contains("5 rows"))
  }

  @Test func asciiAndASmallTerminal() async throws {
    let browser = try await browsing(glyphs: .ascii)
    await browser.press("w")
    await browser.type("position == ")
    let picture = browser.picture.joined(separator: "\n")
    #expect(picture.contains("\"designer\""))
    #expect(picture.unicodeScalars.allSatisfy { $0.isASCII })
    await browser.resize(30, 8)
    await browser.resize(200, 60)
    #expect(browser.picture[55].contains("position =="))
    await browser.press("esc")
  }
}
