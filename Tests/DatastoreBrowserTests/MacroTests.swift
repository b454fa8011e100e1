import DatastoreTestSupport
import Foundation
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Keys that are recorded, and pressed again.
@MainActor
@Suite struct MacroTests {
  @Test func recordedKeysArePressedAgainEachAfterTheOneBefore() async throws {
    let driver = try await BrowserDriver(
      try .company(), options: { _ in BrowserOptions(entity: "Employee") })
    // Opening another table needs a query; the keys after it need its rows.
    await driver.press("K", "right", "gb", "end", "K", "gb", "home", "0", "@")
    await driver.browser.replaying?.value
    #expect(driver.status.contains("grouped by name"))
    #expect(
      driver.browser.state.table?.scroll.cursor == (driver.browser.state.table?.lines.count ?? 0)
        - 1)
  }

  @Test func aStepThatCannotBeDoneEndsTheReplay() async throws {
    let driver = try await BrowserDriver(try .company())
    await driver.press("K", "down", "K")
    #expect(driver.status.contains("Recorded 1 key."))
    await driver.press("K", "backspace", "down", "K", "home", "@")
    await driver.browser.replaying?.value
    #expect(driver.status.contains("no place to go back to"))
    #expect(driver.browser.state.table?.scroll.cursor == 0)
  }

  @Test func nothingIsReplayedBeforeSomethingIsRecorded() async throws {
    let driver = try await BrowserDriver(try .company())
    await driver.press("@")
    #expect(driver.status.contains("Nothing has been recorded yet."))
    await driver.press("K", "@")
    #expect(driver.status.contains("still being recorded"))
  }

  @Test func pastedTextIsRecordedToo() async throws {
    let driver = try await BrowserDriver(
      try .company(), options: { _ in BrowserOptions(entity: "Employee") })
    await driver.press("right", "K", "e")
    driver.terminal.send(.paste("ZZ"))
    await driver.browser.idle()
    await driver.press("enter", "down", "K")
    #expect(driver.status.contains("Recorded 3 keys and 1 paste."))
    #expect(driver.table.count { $0.contains("ZZ") } == 1)
    await driver.press("@")
    await driver.browser.replaying?.value
    await driver.browser.idle()
    #expect(driver.table.count { $0.contains("ZZ") } == 2)
  }

  @Test func aRecordingDoesNotCallItself() async throws {
    let driver = try await BrowserDriver(
      try .company(), options: { _ in BrowserOptions(entity: "Employee") })
    await driver.press("K", "down", "@")
    #expect(driver.status.contains("still being recorded"))
    await driver.press(":")
    await driver.type("macro-replay")
    await driver.press("enter", "K")
    #expect(driver.status.contains("Recorded 1 key."))
    await driver.press("home", "@")
    await driver.browser.replaying?.value
    #expect(driver.browser.state.table?.scroll.cursor == 1)
  }
}
