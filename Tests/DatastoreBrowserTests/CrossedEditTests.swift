import TerminalUI
import Testing

@testable import DatastoreBrowser

// Promise: another program writes a row while an editor, a preview or a question about it is open → the edit
// begins from what was seen, so the save asks; nothing of the other program is overwritten unsaid.
/// Another program writes while something is open here that shows what it writes.
@MainActor
@Suite struct CrossedEditTests {
  private func employees(
    _ file: TemporaryFile, at column: String
  ) async throws -> BrowserDriver {
    let browser = try await BrowserDriver(file, size: Size(columns: 100, rows: 30)) { _ in
      BrowserOptions(entity: "Employee")
    }
    await browser.go(to: column)
    return browser
  }

  /// Lets another program write, and the browser notice.
  private func write(
    _ sql: String, _ file: TemporaryFile, _ browser: BrowserDriver
  ) async throws {
    try file.execute(sql)
    await browser.browser.checkForExternalChanges()
    await browser.browser.idle()
  }

  private func expectConflict(
    _ browser: BrowserDriver, _ file: TemporaryFile, _ sql: String, stays value: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    await browser.press("ctrl-s")
    browser.expectShown("Changed underneath", sourceLocation: sourceLocation)
    #expect(try file.values(sql) == [value], sourceLocation: sourceLocation)
  }

  @Test func whatIsTypedMeanwhile() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file, at: "salary")
    await browser.press("e", "ctrl-u")
    await browser.type("150")
    try await write("UPDATE Employee SET salary = salary + 1000 WHERE id = 1", file, browser)
    await browser.press("enter")
    #expect(browser.toolbar.contains("1 changed (1 in conflict)"), "\(browser.toolbar)")
    let salary = "SELECT salary || '' FROM Employee WHERE id = 1"
    try await expectConflict(browser, file, salary, stays: "4000.0")
    browser.expectShown("4000")
    browser.expectShown("3000")
    await browser.press("m", "enter")
    #expect(browser.status.contains("Saved: 1 changed."), "\(browser.status)")
    #expect(try file.values(salary) == ["150.0"])
  }

  @Test func whatIsTypedIntoARowWithOtherUnsavedChanges() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file, at: "name")
    await browser.press("e", "ctrl-u")
    await browser.type("Anna")
    await browser.press("enter")
    await browser.go(to: "salary")
    await browser.press("e", "ctrl-u")
    await browser.type("150")
    try await write("UPDATE Employee SET salary = 4000 WHERE id = 1", file, browser)
    await browser.press("enter")
    try await expectConflict(
      browser, file, "SELECT name || salary FROM Employee WHERE id = 1", stays: "Ann4000.0")
  }

  @Test func anEqualValueIsAConflictAndIsTakenBack() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file, at: "salary")
    await browser.press("e", "ctrl-u")
    await browser.type("3001")
    try await write("UPDATE Employee SET salary = 3001 WHERE id = 1", file, browser)
    await browser.press("enter")
    #expect(browser.toolbar.contains("1 changed (1 in conflict)"), "\(browser.toolbar)")
    await browser.press("u")
    #expect(browser.toolbar.contains("no unsaved changes"), "\(browser.toolbar)")
    await browser.press("U")
    #expect(browser.toolbar.contains("1 changed (1 in conflict)"), "\(browser.toolbar)")
  }

  @Test func whatElseIsWrittenIsNoConflictAndStays() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file, at: "salary")
    await browser.press("e", "ctrl-u")
    await browser.type("150")
    try await write("UPDATE Employee SET position = 'boss' WHERE id = 1", file, browser)
    await browser.press("enter", "ctrl-s")
    #expect(browser.status.contains("Saved: 1 changed."), "\(browser.status)")
    #expect(
      try file.values("SELECT position || salary FROM Employee WHERE id = 1") == ["boss150.0"])
  }

  @Test func aRelatedObjectIsChosenMeanwhile() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file, at: "company")
    await browser.press("e")
    await browser.type("Borg")
    try await write("UPDATE Employee SET company_id = NULL WHERE id = 1", file, browser)
    await browser.press("enter")
    try await expectConflict(
      browser, file, "SELECT ifnull(company_id, 'none') FROM Employee WHERE id = 1", stays: "none")
  }

  @Test func aComputationThatWasPreviewed() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file, at: "salary")
    await browser.press("space", "B", "ctrl-u")
    await browser.type("= salary + 1")
    await browser.press("enter")
    browser.expectShown("Ann: 3000.0 -> 3001")
    try await write("UPDATE Employee SET salary = 7777 WHERE id = 1", file, browser)
    await browser.press("y")
    try await expectConflict(
      browser, file, "SELECT salary || '' FROM Employee WHERE id = 1", stays: "7777.0")
  }

  /// Computes the salary of Ann from her name, up to the question.
  private func computeFromName(_ browser: BrowserDriver) async {
    await browser.press("space", "B", "ctrl-u")
    await browser.type("= salary + length(name)")
    await browser.press("enter")
    browser.expectShown("Ann: 3000.0 -> 3003")
  }

  @Test func whatAPreviewWasComputedFrom() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file, at: "salary")
    await computeFromName(browser)
    try await write("UPDATE Employee SET name = 'Annabel' WHERE id = 1", file, browser)
    await browser.press("y")
    #expect(browser.toolbar.contains("1 changed (1 in conflict)"), "\(browser.toolbar)")
    try await expectConflict(
      browser, file, "SELECT name || salary FROM Employee WHERE id = 1", stays: "Annabel3000.0")
    await browser.press("m", "enter")
    #expect(browser.status.contains("Saved: 1 changed."), "\(browser.status)")
    #expect(
      try file.values("SELECT name || salary FROM Employee WHERE id = 1") == ["Annabel3003.0"])
  }

  @Test(arguments: [false, true])
  func whatAStagedValueWasComputedFrom(isNoticed: Bool) async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file, at: "salary")
    await computeFromName(browser)
    await browser.press("y")
    #expect(browser.toolbar.contains("1 changed"), "\(browser.toolbar)")
    let sql = "UPDATE Employee SET name = 'Annabel' WHERE id = 1"
    if isNoticed {
      try await write(sql, file, browser)
      #expect(browser.toolbar.contains("1 in conflict"), "\(browser.toolbar)")
    } else {
      try file.execute(sql)
    }
    try await expectConflict(
      browser, file, "SELECT name || salary FROM Employee WHERE id = 1", stays: "Annabel3000.0")
  }

  @Test func whatNothingWasComputedFromIsNoConflict() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file, at: "salary")
    await computeFromName(browser)
    await browser.press("y")
    try await write("UPDATE Employee SET position = 'boss' WHERE id = 1", file, browser)
    await browser.press("ctrl-s")
    #expect(browser.status.contains("Saved: 1 changed."), "\(browser.status)")
    // What was saved is not compared any more.
    try await write("UPDATE Employee SET name = 'Annabel' WHERE id = 1", file, browser)
    #expect(browser.toolbar.contains("no unsaved changes"), "\(browser.toolbar)")
  }

  @Test func fieldsPastedIntoRows() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file, at: "position")
    browser.terminal.send(.paste("cook\t1\n"))
    await browser.browser.idle()
    await browser.press("r")
    browser.expectShown("Ann: position developer -> cook")
    try await write("UPDATE Employee SET position = 'boss' WHERE id = 1", file, browser)
    await browser.press("enter")
    try await expectConflict(
      browser, file, "SELECT position || salary FROM Employee WHERE id = 1", stays: "boss3000.0")
  }

  @Test func rowsFilledDown() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file, at: "position")
    await browser.press("space", "space", "gd")
    browser.expectShown("Bob: designer -> developer")
    try await write("UPDATE Employee SET position = 'boss' WHERE id = 2", file, browser)
    await browser.press("y")
    try await expectConflict(
      browser, file, "SELECT position FROM Employee WHERE id = 2", stays: "boss")
  }

  @Test(arguments: [false, true])
  func aDeletionThatIsAsked(isOfMany: Bool) async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file, at: "name")
    await browser.press("down")
    if isOfMany { await browser.press("space", "X") } else { await browser.press("D") }
    browser.expectShown("Delete ")
    try await write("UPDATE Employee SET salary = 1 WHERE id = 2", file, browser)
    await browser.press("y")
    #expect(browser.toolbar.contains("1 deleted"), "\(browser.toolbar)")
    try await expectConflict(
      browser, file, "SELECT name || salary FROM Employee WHERE id = 2", stays: "Bob1.0")
    browser.expectShown("was changed by someone else")
  }

  @Test func aDeletionThatIsTakenBackShowsTheOthersValue() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file, at: "name")
    await browser.press("down", "D")
    try await write("UPDATE Employee SET salary = 1 WHERE id = 2", file, browser)
    await browser.press("y", "u")
    #expect(browser.toolbar.contains("no unsaved changes"), "\(browser.toolbar)")
    #expect(browser.cells[1].contains("1.0"), "\(browser.cells[1])")
  }
}
