import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

// Promise: another process moves rows (`VACUUM`) or uses keys again, while an editor is open, a question is
// asked, rows are selected → what is done is done to the rows that were shown, or told.
/// Another process gives rows other numbers while this one works with them: an editor is open, a question is
/// open, rows are selected.
@MainActor
@Suite struct MovedRowTests {
  private func makeFile() throws -> TemporaryFile {
    try TemporaryFile(
      """
      CREATE TABLE t (name TEXT, n INT);
      INSERT INTO t VALUES ('a', 1), ('b', 2), ('c', 3), ('d', 4), ('e', 5);
      """)
  }

  private func open(_ file: TemporaryFile) async throws -> BrowserDriver {
    try await BrowserDriver(file) { _ in BrowserOptions(entity: "t") }
  }

  private func contents(_ file: TemporaryFile) throws -> [String] {
    try SQLiteFile.output(of: "SELECT name || n FROM t ORDER BY name, n", at: file.url)
      .split(separator: "\n").map(String.init)
  }

  private func expect(
    _ rows: [String], in file: TemporaryFile, _ browser: BrowserDriver,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let found = try? contents(file)
    #expect(
      found == rows, "\(browser.picture.joined(separator: "\n"))", sourceLocation: sourceLocation)
  }

  private func run(_ sql: String, in file: TemporaryFile) throws {
    #expect(try SQLiteFile.output(of: sql, at: file.url) == "")
  }

  @Test(arguments: [false, true])
  func whatIsTypedGoesToTheRowThatTheEditorShows(isNoticed: Bool) async throws {
    let file = try makeFile()
    let browser = try await open(file)
    await browser.press("down", "down", "right", "e")
    #expect(browser.hasOverlay)
    try run("DELETE FROM t WHERE name = 'a'; VACUUM;", in: file)
    if isNoticed {
      await browser.browser.checkForExternalChanges()
      await browser.browser.idle()
    }
    await browser.press("ctrl-u")
    await browser.type("30")
    await browser.press("enter")
    #expect(browser.toolbar.hasPrefix(" ● 1 changed"))
    await browser.press("ctrl-s")
    #expect(browser.status.contains("Saved: 1 changed."))
    expect(["b2", "c30", "d4", "e5"], in: file, browser)
  }

  @Test func whatIsTypedForARowThatWasChangedIsAConflictAndNotLost() async throws {
    let file = try makeFile()
    let browser = try await open(file)
    await browser.press("down", "down", "right", "e")
    try run("UPDATE t SET name = 'other', n = 99 WHERE name = 'c';", in: file)
    await browser.browser.checkForExternalChanges()
    await browser.browser.idle()
    await browser.press("ctrl-u")
    await browser.type("30")
    await browser.press("enter", "ctrl-s")
    browser.expectShown("is a different row now")
    browser.expectShown("name")
    browser.expectShown("other")
    expect(["a1", "b2", "d4", "e5", "other99"], in: file, browser)
  }

  @Test func aDeletionThatIsAnsweredLaterDeletesTheRowThatTheQuestionNames() async throws {
    let file = try makeFile()
    let browser = try await open(file)
    await browser.press("down", "down", "D")
    browser.expectShown("Delete")
    try run("DELETE FROM t WHERE name = 'a'; VACUUM;", in: file)
    await browser.browser.checkForExternalChanges()
    await browser.browser.idle()
    await browser.press("y", "ctrl-s")
    expect(["b2", "d4", "e5"], in: file, browser)
  }

  @Test func selectedRowsStaySelectedWhereverTheyAre() async throws {
    let file = try makeFile()
    let browser = try await open(file)
    await browser.press("down", "space", "down", "space")
    #expect((0..<5).map { browser.border(row: $0) == "✓" } == [false, true, false, true, false])
    try run("DELETE FROM t WHERE name = 'a'; VACUUM;", in: file)
    await browser.browser.checkForExternalChanges()
    await browser.browser.idle()
    #expect(
      browser.table.dropFirst().prefix(4).map { $0.contains("b") || $0.contains("d") }
        == [true, false, true, false])
    #expect(
      (0..<4).map { browser.border(row: $0) == "✓" } == [true, false, true, false],
      "\(browser.picture.joined(separator: "\n"))")
    await browser.press("X", "y", "ctrl-s")
    expect(["c3", "e5"], in: file, browser)
  }

  @Test func aSelectedRowThatSomebodyChangedIsSelectedNoLonger() async throws {
    let file = try makeFile()
    let browser = try await open(file)
    await browser.press("down", "space", "down", "space")
    try run("UPDATE t SET n = 99 WHERE name = 'b';", in: file)
    await browser.browser.checkForExternalChanges()
    await browser.browser.idle()
    #expect((0..<5).map { browser.border(row: $0) == "✓" } == [false, false, false, true, false])
    #expect(
      browser.status.contains("1 selected row was changed or deleted by someone else"),
      "\(browser.status)")
  }

  @Test func aChangeOfManyRowsThatIsAnsweredLaterChangesThoseThatWereShown() async throws {
    let file = try makeFile()
    let browser = try await open(file)
    await browser.press("w")
    await browser.type("n > 3")
    await browser.press("enter", "right", "B", "ctrl-u")
    await browser.type("7")
    await browser.press("enter")
    browser.expectShown("in 2 objects")
    try run(
      "DELETE FROM t WHERE name IN ('a', 'b'); INSERT INTO t VALUES ('x', 1); VACUUM;", in: file)
    await browser.browser.checkForExternalChanges()
    await browser.browser.idle()
    await browser.press("y", "ctrl-s")
    expect(["c3", "d7", "e7", "x1"], in: file, browser)
  }

  @Test func whatIsStagedGoesWithItsRowAtOnce() async throws {
    let file = try makeFile()
    let browser = try await open(file)
    await browser.press("down", "down", "right", "e", "ctrl-u")
    await browser.type("30")
    await browser.press("enter")
    try run("DELETE FROM t WHERE name = 'a'; VACUUM;", in: file)
    await browser.browser.checkForExternalChanges()
    await browser.browser.idle()
    // All rows are shown once, and the mark is at the row that was edited.
    let rows = browser.table.dropFirst().filter { !$0.allSatisfy(\.isWhitespace) }
    #expect(rows.count == 4, "\(rows)")
    #expect(rows.map { $0.contains("30") } == [false, true, false, false], "\(rows)")
    #expect(!browser.status.contains("changed elsewhere"))
    await browser.press("u")
    #expect(browser.toolbar.contains("no unsaved changes"))
    await browser.press("U", "ctrl-s")
    expect(["b2", "c30", "d4", "e5"], in: file, browser)
  }

  /// Leaves the file that a crash would leave.
  private func crash(_ browser: BrowserDriver, _ file: TemporaryFile) async throws {
    let path = file.url.deletingLastPathComponent().appendingPathComponent(
      ".\(file.url.lastPathComponent).datastore-recovery")
    let kept = try Data(contentsOf: path)
    await browser.press("q", "d")
    try kept.write(to: path)
  }

  @Test func whatIsRestoredGoesToTheRowsThatWereShown() async throws {
    let file = try makeFile()
    let browser = try await open(file)
    await browser.press("down", "down", "right", "e", "ctrl-u")
    await browser.type("30")
    await browser.press("enter", "down", "D", "y")
    #expect(browser.toolbar.hasPrefix(" ● 1 changed, 1 deleted"))
    try await crash(browser, file)
    try run("DELETE FROM t WHERE name = 'a'; VACUUM;", in: file)
    let second = try await open(file)
    await second.press("r")
    #expect(second.toolbar.hasPrefix(" ● 1 changed, 1 deleted"))
    await second.press("ctrl-s")
    expect(["b2", "c30", "e5"], in: file, second)
  }

  // Promise: a restored edit's row is gone and its number is free → no new row gets it.
  @Test func aNewRowDoesNotGetTheNumberOfOneThatIsGone() async throws {
    let file = try makeFile()
    let browser = try await open(file)
    await browser.press("down", "down", "down", "down", "right", "e", "ctrl-u")
    await browser.type("50")
    await browser.press("enter", "a", "0", "e")
    await browser.type("new")
    await browser.press("enter")
    #expect(browser.toolbar.hasPrefix(" ● 1 changed, 1 new"))
    try await crash(browser, file)
    // The greatest number is free now.
    try run("DELETE FROM t WHERE name = 'e';", in: file)
    let second = try await open(file)
    await second.press("r", "esc")
    #expect(second.toolbar.hasPrefix(" ● 1 changed, 1 new"))
    await second.press("ctrl-s")
    second.expectShown("was deleted, or changed and moved, by someone else")
    await second.press("t", "enter")
    #expect(second.status.contains("Saved: 1 new."))
    #expect(
      try SQLiteFile.output(of: "SELECT name, n IS NULL FROM t WHERE name = 'new'", at: file.url)
        == "new|1\n")
    expect(["a1", "b2", "c3", "d4"], in: file, second)
  }

  @Test(arguments: [false, true])
  func aNewRowThatWasSavedBeforeTheCrashIsNotMadeAgainUnsaid(isMoved: Bool) async throws {
    let file = try makeFile()
    let browser = try await open(file)
    await browser.press("a", "0", "e")
    await browser.type("new")
    await browser.press("enter")
    try await crash(browser, file)
    try run("INSERT INTO t (name) VALUES ('new');", in: file)
    if isMoved { try run("DELETE FROM t WHERE name = 'a'; VACUUM;", in: file) }
    let second = try await open(file)
    await second.press("r")
    if isMoved {
      second.expectShown("A new t is there again, and t 5 holds the same")
    } else {
      #expect(second.toolbar.contains("no unsaved changes"))
    }
  }

  @Test func aDestinationThatIsAnotherRowByNowIsNotTaken() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE country (code TEXT UNIQUE, name TEXT);
      CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT, code TEXT REFERENCES country (code));
      INSERT INTO country VALUES ('AT', 'Austria'), ('DE', 'Germany');
      INSERT INTO city VALUES (1, 'Berlin', NULL);
      """)
    let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: "city") }
    await browser.press("$", "e")
    await browser.type("Germ")
    browser.expectShown("Germany")
    try run(
      "DELETE FROM country WHERE code = 'DE'; INSERT INTO country VALUES ('FR', 'France');",
      in: file)
    await browser.browser.checkForExternalChanges()
    await browser.browser.idle()
    await browser.press("enter")
    #expect(
      browser.status.contains("The chosen country is a different row now"), "\(browser.status)")
    #expect(browser.toolbar.contains("no unsaved changes"))
  }
}
