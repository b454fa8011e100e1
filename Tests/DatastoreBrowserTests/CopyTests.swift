import DatastoreCore
import DatastoreExport
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Values on their way to the clipboard.
@MainActor
@Suite struct CopyTests {
  private func employees(_ file: TemporaryFile? = nil) async throws -> BrowserDriver {
    try await BrowserDriver(file ?? .company()) { _ in BrowserOptions(entity: "Employee") }
  }

  @Test func aCellIsCopiedWhole() async throws {
    let file = try TemporaryFile.company()
    let long = String(repeating: "long ", count: 1_000)
    try file.execute("UPDATE Employee SET name = '\(long)', salary = 0.1 + 0.2 WHERE id = 1")
    let browser = try await employees(file)
    await browser.press("right", "yy")
    #expect(browser.terminal.clipboard == long)
    #expect(browser.status.contains("Copied 5,000 characters."))
    await browser.press("right", "right", "yy")
    #expect(browser.terminal.clipboard == "0.30000000000000004")
    await browser.press("right", "yy")
    #expect(browser.terminal.clipboard == "Acme")
    await browser.press("left", "left", "left", "V", "y")
    #expect(browser.terminal.clipboard == long)
    await browser.press("esc", "tab", "down", "down", "yy")
    #expect(browser.terminal.clipboard == "developer")
    await browser.press("shift-tab", "down", "down", "down", "right", "yy")
    #expect(browser.status.contains("Copied NULL as an empty text."), "\(browser.status)")
  }

  @Test func rowsAreCopiedForSpreadsheets() async throws {
    let browser = try await employees()
    await browser.press("Y")
    #expect(browser.terminal.clipboard == "1\tAnn\tdeveloper\t3000.0\t1\n")
    #expect(browser.status.contains("Copied 1 row."))
    await browser.press("space", "down", "space", "ctrl-y")
    #expect(
      browser.terminal.clipboard == """
        id\tname\tposition\tsalary\tcompany_id
        1\tAnn\tdeveloper\t3000.0\t1
        3\tCid\tdeveloper\t3100.0\t2

        """)
    #expect(browser.status.contains("Copied 2 rows with a header."))
  }

  @Test("y lists what can be copied, and says why something cannot")
  func everyCopyIsListed() async throws {
    let browser = try await employees()
    await browser.press("y")
    for line in [
      "y, then", "y  Copy value", "r  Copy rows", "h  Copy with header", "m  Copy as Markdown",
      "j  Copy as JSON", "c  Copy as command", "s  Copy as SQL",
    ] {
      browser.expectShown(line)
    }
    await browser.press("m")
    #expect(!browser.hasOverlay)
    let markdown = try #require(browser.terminal.clipboard)
    #expect(markdown.hasPrefix("| id | name | position |"), "\(markdown)")
    #expect(markdown.contains("| 1 | Ann | developer |"), "\(markdown)")
    #expect(markdown.split(separator: "\n").count == 3)
    #expect(browser.status.contains("Copied 1 row as Markdown."), "\(browser.status)")
    await browser.press("space", "down", "space", "yj")
    let json = try #require(browser.terminal.clipboard)
    #expect(json.contains("\"name\":\"Ann\"") && json.contains("\"name\":\"Cid\""), "\(json)")
    #expect(browser.status.contains("Copied 2 rows as JSON."), "\(browser.status)")
    await browser.press("yr")
    #expect(browser.status.contains("Copied 2 rows."), "\(browser.status)")
    await browser.press("ys")
    #expect(browser.terminal.clipboard?.contains("Employee") == true)
    // Computed rows have no statement.
    await browser.press("t", "ys")
    let reason = browser.browser.state.message?.text ?? ""
    #expect(reason.contains("no statement finds them"), "\(reason)")
    #expect(browser.browser.levels.count == 2)
  }

  @Test func tooMuchIsRefusedAndTmuxIsMentioned() async throws {
    let browser = try await BrowserDriver(.large(20_000))
    await browser.press("ctrl-a", "Y")
    #expect(
      browser.status.contains("Terminals take at most 74 kB at a time"), "\(browser.status)")
    #expect(browser.terminal.clipboard == nil)
    var state = browser.browser.state
    state.clipboardHint = ClipboardSequence.tmuxHint
    state.apply(copied: .success(CopiedText(text: "a", subject: "1 character")))
    let effects = state.takeRequests()
    guard case .terminal(.putOnClipboard("a"))? = effects.first, effects.count == 1 else {
      Issue.record("nothing was put on the clipboard: \(effects)")
      return
    }
    #expect(
      state.message?.text
        == "Copied 1 character. Inside tmux this needs “set -g set-clipboard on”.")
  }
}
