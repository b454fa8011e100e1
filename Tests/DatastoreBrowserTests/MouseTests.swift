import Foundation
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Clicks outside of panels: keys of the footer, answers to questions.
@MainActor
@Suite struct MouseTests {
  /// Clicks on a text.
  private func click(_ text: String, _ browser: BrowserDriver) async throws {
    let picture = browser.picture
    let row = try #require(picture.lastIndex { $0.contains(text) })
    let line = picture[row]
    let place = try #require(line.range(of: text))
    await browser.click(column: line[..<place.lowerBound].displayWidth() + 1, row: row)
  }

  @Test func aKeyOfTheFooterDoesWhatItSays() async throws {
    let browser = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee") }
    try await click("a new", browser)
    #expect(browser.toolbar.contains("1 new"))
    await browser.press(":")
    try await click("esc close", browser)
    #expect(!browser.hasOverlay)
  }

  @Test func anAnswerOfAQuestionIsClickedOn() async throws {
    let file = try TemporaryFile.company()
    let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Task") }
    await browser.press("D")
    try await click("n keep", browser)
    #expect(!browser.hasOverlay)
    #expect(browser.toolbar.contains("no unsaved changes"))
    await browser.press("D")
    // Beside the answers nothing happens.
    await browser.click(column: 0, row: 0)
    #expect(browser.hasOverlay)
    try await click("y delete", browser)
    #expect(browser.toolbar.contains("1 deleted"))
  }
}
