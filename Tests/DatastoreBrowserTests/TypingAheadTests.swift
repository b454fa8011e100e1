import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Keys typed faster than the store answers reach the place for which they were typed.
@MainActor
@Suite struct TypingAheadTests {
  private func browser(_ file: TemporaryFile) async throws -> BrowserDriver {
    try await BrowserDriver(file) { _ in BrowserOptions(entity: "Employee") }
  }

  /// Sends all keys before anything that they bring about can begin.
  private func burst(_ browser: BrowserDriver, _ keys: String) async {
    for key in keys.split(separator: " ") {
      browser.terminal.press(Key(stringLiteral: String(key)))
    }
    await browser.browser.idle()
  }

  /// The first edit is reported as staged while the second one's editor has yet to open; `n`, `t` and `w`
  /// are commands of the table.
  @Test func editsOneAfterTheOther() async throws {
    let file = try TemporaryFile.company()
    let browser = try await browser(file)
    await burst(
      browser,
      "right e ctrl-u n t w enter down e ctrl-u w n D enter down e ctrl-u t t enter ctrl-s")
    #expect(browser.status.contains("Saved: 3 changed."))
    #expect(
      try file.values("SELECT name FROM Employee ORDER BY id") == ["ntw", "wnD", "tt", "Dora", ""])
  }

  @Test func aNewRowAfterAnEdit() async throws {
    let file = try TemporaryFile.company()
    let browser = try await browser(file)
    await burst(browser, "right e ctrl-u x enter a e N e o enter ctrl-s")
    #expect(browser.status.contains("Saved: 1 changed, 1 new."))
    #expect(
      try file.values("SELECT name FROM Employee ORDER BY id")
        == ["x", "Bob", "Cid", "Dora", "", "Neo"])
  }

  // Promise: Enter comes before the objects that were typed for are found → what was listed before is not
  // chosen; nothing is when there is none.
  /// Enter comes before the requested objects: an object of the former list is not chosen.
  @Test func anObjectThatIsStillLookedFor() async throws {
    let file = try TemporaryFile.company()
    let browser = try await browser(file)
    await browser.press("$", "e")
    await burst(browser, "B o r g enter")
    #expect(!browser.hasOverlay)
    await browser.press("ctrl-s", "down", "e")
    #expect(try file.values("SELECT company_id FROM Employee WHERE id = 1") == ["2"])
    // Without an object, nothing is chosen.
    await burst(browser, "x y z enter")
    browser.expectShown("No object has that name.")
    await browser.press("esc")
    #expect(browser.browser.state.editing.marks.isEmpty)
  }

  /// Escape ends the waiting; the first request must not open in the place of the second.
  @Test func whatWasGivenUpDoesNotCome() async throws {
    let file = try TemporaryFile.company()
    let browser = try await browser(file)
    await burst(browser, "right e esc down D")
    #expect(browser.browser.state.overlays.count == 1)
    #expect(browser.browser.state.overlays.first is Question)
    await browser.press("n")
    await burst(browser, "D esc e Z enter")
    #expect(browser.browser.state.overlays.isEmpty)
    #expect(browser.table[2].contains("*BobZ"))
  }

  // Promise: keys are typed faster than the table is sorted or grouped → they act as with pauses between.
  @Test(
    "Keys after a sort or a grouping are for the rows in that order",
    arguments: ["right right s G Y", "right s s j Y", "right right g b j Y"])
  func anotherOrder(_ keys: String) async throws {
    let file = try TemporaryFile.company()
    let fast = try await browser(file)
    await burst(fast, keys)
    let slow = try await browser(file)
    for key in keys.split(separator: " ") { await slow.press(String(key)) }
    #expect(fast.picture == slow.picture)
    #expect(fast.terminal.clipboard == slow.terminal.clipboard)
    #expect(slow.terminal.clipboard != nil)
  }

  // Promise: keys come while the table is sorted or read again, or a change is being staged → they act on
  // the row that comes, and the save takes the change with it; neither is refused.
  @Test("Keys for a row that is still being read wait for it", arguments: ["s", "r home"])
  func aRowThatIsStillRead(_ reading: String) async throws {
    let file = try TemporaryFile.company()
    let browser = try await browser(file)
    await burst(browser, "right \(reading) e ctrl-u N e w enter ctrl-s")
    #expect(browser.status.contains("Saved: 1 changed."), "\(browser.status)")
    let names = try file.values("SELECT name FROM Employee ORDER BY id")
    #expect(names.contains("New"), "\(names)")
  }

  // Promise: keys come while the file is opened again for new tables → they act on these, not on nothing.
  @Test func whileChangedTablesAreFollowed() async throws {
    let file = try TemporaryFile.company()
    let browser = try await browser(file)
    try file.execute("ALTER TABLE Employee RENAME COLUMN name TO title")
    browser.browser.level.runner.send(TablesChangedElsewhere())
    await burst(browser, "right e ctrl-u N e w enter ctrl-s")
    #expect(browser.status.contains("Saved: 1 changed."), "\(browser.status)")
    browser.expectShown("title")
    #expect(try file.values("SELECT title FROM Employee WHERE id = 1") == ["New"])
  }
}
