import TerminalUI
import Testing

@testable import DatastoreBrowser

@MainActor
@Suite struct PaletteTests {
  @Test func theMarkGoesToTheBestMatchWhileOneTypes() async throws {
    let browser = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee") }
    // On “refresh”, as it would be from the last time one looked for something.
    await browser.press(":")
    await browser.type("refresh")
    for _ in 0..<5 { await browser.press("backspace") }
    await browser.type("v")
    let palette = browser.browser.state.overlay(as: PaletteState.self)
    #expect(palette?.command.map { .command($0.name) } == palette?.list.matches.first?.id)
    #expect(palette?.command?.name.hasPrefix("rev") == true)
  }

  @Test func aFewCharactersFindACommandAndEnterDoesIt() async throws {
    let driver = try await BrowserDriver(
      try .company(), options: { _ in BrowserOptions(entity: "Employee") })
    await driver.press("right", ":")
    await driver.type("grp")
    #expect(driver.browser.state.overlay(as: PaletteState.self)?.command?.name == "group")
    await driver.press("enter")
    #expect(driver.status.contains("grouped by name"))
  }

  @Test func namesBeatLabelsAndSentences() async throws {
    let driver = try await BrowserDriver(try .company())
    for (query, name) in [
      ("quit", "quit"), ("help", "help"), ("sort", "sort"), ("pgd", "page-down"),
    ] {
      await driver.press(":")
      await driver.type(query)
      #expect(driver.browser.state.overlay(as: PaletteState.self)?.command?.name == name)
      await driver.press("esc")
    }
  }

  @Test func whatCannotBeDoneSaysWhy() async throws {
    let driver = try await BrowserDriver(try .company())
    await driver.press("ctrl-p")
    await driver.type("back")
    #expect(driver.picture.contains { $0.contains("There is no place to go back to.") })
    await driver.press("enter")
    #expect(driver.status.contains("There is no place to go back to."))
    #expect(driver.browser.state.overlays.isEmpty)
  }

  @Test func aCommandOfAnotherPanelTakesTheFocusThere() async throws {
    let driver = try await BrowserDriver(try .company())
    await driver.press("shift-tab", ":")
    #expect(driver.browser.state.focus == .entities)
    await driver.type("last-column")
    await driver.press("enter")
    #expect(driver.browser.state.focus == .table)
    #expect(driver.browser.state.table?.currentColumn?.name == "founded")
  }

  @Test func nothingFoundIsSaidAndEnterClosesNothing() async throws {
    let driver = try await BrowserDriver(try .company())
    await driver.press(":")
    await driver.type("xyzzy")
    #expect(driver.picture.contains { $0.contains("Nothing is called that.") })
    await driver.press("enter", "esc")
    #expect(driver.browser.state.overlays.isEmpty)
  }

  @Test func messagesCanBeReadAgain() async throws {
    let driver = try await BrowserDriver(try .company())
    await driver.press("gl")
    #expect(driver.picture.contains { $0.contains("There has been no message yet.") })
    await driver.press("esc", "backspace", "down", "gl")
    #expect(driver.picture.contains { $0.contains("- There is no place to go back to.") })
    await driver.press("q")
    #expect(driver.browser.state.overlays.isEmpty)
  }

  @Test func messagesAreCopiedWhole() async throws {
    let driver = try await BrowserDriver(try .company())
    await driver.press("gl", "y")
    driver.expectShown("There is no value here to copy.")
    await driver.press("esc", "backspace", "U", "gl")
    // The cursor is on the newest one.
    await driver.press("y")
    #expect(driver.terminal.clipboard == "There is nothing to redo.")
    // That it was copied is a message as well, and the cursor stays where it was.
    driver.expectShown("- Copied 25 characters.")
    await driver.press("y")
    #expect(driver.terminal.clipboard == "There is nothing to redo.")
    await driver.press("up", "y")
    #expect(driver.terminal.clipboard == "There is no place to go back to.")
  }
}

@MainActor
@Suite struct MacroTests {
  @Test func recordedKeysArePressedAgainEachAfterTheOneBefore() async throws {
    let driver = try await BrowserDriver(
      try .company(), options: { _ in BrowserOptions(entity: "Employee") })
    // Opening another table takes a query; the keys after it need its rows.
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
}
