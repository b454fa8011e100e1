import Foundation
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Values that are picked from lists, written in the user's editor, or taken from files.
@MainActor
@Suite struct PickerTests {
  private func employees(_ file: TemporaryFile) async throws -> BrowserDriver {
    try await BrowserDriver(file) { _ in BrowserOptions(entity: "Employee") }
  }

  @Test func aRelationshipIsPickedByTypingAPartOfTheName() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file)
    await browser.press("$", "e")
    // Enter without a move changes nothing.
    browser.expectShown("> Acme")
    await browser.press("enter")
    #expect(browser.toolbar.contains("no unsaved changes"))
    await browser.press("e")
    await browser.type("or")
    #expect(browser.picture.contains { $0.contains("> Borg") })
    await browser.press("enter")
    #expect(browser.table[1].hasSuffix("*Borg"))
    #expect(browser.toolbar.hasPrefix(" ● 1 changed"))
    await browser.press("ctrl-s")
    #expect(try file.value("company_id", from: "Employee", id: 1) == "2")
    await browser.press("e", "ctrl-n", "ctrl-s")
    #expect(try file.value("company_id", from: "Employee", id: 1) == "NULL")
    await browser.press("e")
    await browser.type("#1")
    await browser.press("enter", "ctrl-s")
    #expect(try file.value("company_id", from: "Employee", id: 1) == "1")
    await browser.press("e")
    await browser.type("nobody")
    #expect(browser.picture.contains { $0.contains("No object has that name.") })
    await browser.press("esc")
    #expect(browser.toolbar.contains("no unsaved changes"))
  }

  @Test func aNumberIsWhatTheColumnRefersToAndNotTheRow() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE par (id INTEGER PRIMARY KEY, code INT UNIQUE);
      INSERT INTO par VALUES (1, 100), (100, 1);
      CREATE TABLE chi (id INTEGER PRIMARY KEY, code INT REFERENCES par (code));
      INSERT INTO chi VALUES (1, 100), (2, 1);
      """)
    let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: "chi") }
    await browser.press("down", "$", "e")
    await browser.type("100")
    await browser.press("enter", "ctrl-s")
    #expect(try file.values("SELECT code FROM chi ORDER BY id") == ["100", "100"])
    await browser.press("e")
    await browser.type("#100")
    await browser.press("enter", "ctrl-s")
    #expect(try file.values("SELECT code FROM chi ORDER BY id") == ["100", "1"])
  }

  @Test func theListBeginsOnThePresentObjectWhereverThatIs() async throws {
    let file = try TemporaryFile.company()
    try file.execute(
      """
      WITH RECURSIVE n (i) AS (VALUES (3) UNION ALL SELECT i + 1 FROM n WHERE i < 300)
      INSERT INTO Company (id, name) SELECT i, printf('A%03d', i) FROM n WHERE i <> 99;
      UPDATE Employee SET company_id = 300 WHERE id = 2;
      UPDATE Employee SET company_id = NULL WHERE id = 4;
      """)
    let browser = try await employees(file)
    // More companies than are listed; a missing one; none.
    for (row, shown) in [(1, "> A300"), (4, "> #99 is missing"), (3, "> None")] {
      await browser.press("home", "$")
      for _ in 0..<row { await browser.press("down") }
      await browser.press("e")
      browser.expectShown(shown)
      await browser.press("enter")
      #expect(browser.toolbar.contains("no unsaved changes"))
    }
  }

  @Test func membersAreAddedAndRemovedInTheDetails() async throws {
    let file = try TemporaryFile.company()
    let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Company") }
    await browser.press("tab", "end", "a")
    await browser.type("Cid")
    await browser.press("enter")
    #expect(browser.detail.contains { $0.contains("→ Cid") })
    await browser.press("end", "D", "ctrl-s")
    let owners = try file.values("SELECT quote(company_id) FROM Employee WHERE id < 4 ORDER BY id")
    #expect(owners.filter { $0 == "1" }.count == 2)
    #expect(owners.contains("NULL") || owners[2] == "1")
  }

  @Test func pairsOfAJoinTableCountAsAChange() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE Post (id INTEGER PRIMARY KEY, title TEXT);
      CREATE TABLE Tag (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE post_tag (
        post_id INTEGER REFERENCES Post (id), tag_id INTEGER REFERENCES Tag (id),
        PRIMARY KEY (post_id, tag_id));
      INSERT INTO Post VALUES (1, 'Hello');
      INSERT INTO Tag VALUES (1, 'red'), (2, 'blue');
      """)
    let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Post") }
    await browser.press("tab", "end", "e")
    await browser.type("blue")
    await browser.press("enter")
    #expect(browser.toolbar.hasPrefix(" ● 1 changed"))
    await browser.press("c")
    #expect(browser.picture.contains { $0.contains("with blue") })
    await browser.press("esc", "ctrl-s")
    #expect(try file.values("SELECT post_id || '-' || tag_id FROM post_tag") == ["1-2"])
    #expect(browser.status.contains("the relationships of 1 row"), "\(browser.status)")
  }

  @Test func booleansAndAllowedValuesArePicked() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE T (
        id INTEGER PRIMARY KEY, done BOOLEAN NOT NULL,
        size TEXT CHECK (size IN ('small', 'it''s large')));
      INSERT INTO T VALUES (1, 0, 'small');
      """)
    let browser = try await BrowserDriver(file)
    await browser.press("right", "e", "enter")
    #expect(browser.toolbar.contains("no unsaved changes"))
    await browser.press("e")
    browser.expectShown("> false")
    await browser.press("up", "enter")
    #expect(browser.table[1].contains("*true"))
    await browser.press("e", "ctrl-n")
    #expect(browser.status.contains("not optional"))
    await browser.press("esc", "right", "e")
    await browser.type("large")
    await browser.press("enter", "ctrl-s")
    #expect(try file.values("SELECT done || size FROM T") == ["1it's large"])
  }

  @Test func theEditorOfTheUserIsGivenTheTextAndItsStatusCounts() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file)
    var seen: [String] = []
    browser.terminal.runProgram = { command in
      seen = command
      let path = command[command.count - 1]
      try? "two\nlines\n".write(toFile: path, atomically: false, encoding: .utf8)
      return 0
    }
    await browser.press("right", "e", "ctrl-e")
    #expect(seen.first == "/bin/sh")
    #expect(!FileManager.default.fileExists(atPath: seen.last ?? "/"))
    #expect(browser.browser.state.overlays.isEmpty)
    await browser.press("ctrl-s")
    #expect(try file.value("name", from: "Employee", id: 1) == "'two\nlines'")
    browser.terminal.runProgram = { command in
      try? "lost".write(toFile: command[command.count - 1], atomically: false, encoding: .utf8)
      return 1
    }
    await browser.press("e", "ctrl-e")
    #expect(browser.status.contains("ended with status 1, so nothing was changed"))
    await browser.press("esc")
    #expect(browser.toolbar.contains("no unsaved changes"))
    // A fault in the edited text leaves the text in the line.
    browser.terminal.runProgram = { command in
      try? "much".write(toFile: command[command.count - 1], atomically: false, encoding: .utf8)
      return 0
    }
    await browser.press("right", "right", "e", "ctrl-e")
    #expect(browser.picture.last?.contains("“much” is not a number") == true)
    #expect(browser.browser.state.overlay(as: CellEditor.self)?.field.text == "much")
  }

  @Test func bytesGoToAndComeFromFiles() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE T (id INTEGER PRIMARY KEY, data BLOB);
      INSERT INTO T VALUES (1, X'89504E4700FF');
      """)
    let folder = file.url.deletingLastPathComponent().path
    let browser = try await BrowserDriver(file)
    await browser.press("right", "e")
    #expect(browser.picture.contains { $0.contains("PNG image, 6 bytes") })
    await browser.press("s")
    await browser.type("\(folder)/out.png")
    await browser.press("enter")
    #expect(browser.status.contains("Wrote 6 bytes"))
    let written = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/out.png"))
    #expect(Array(written) == [0x89, 0x50, 0x4E, 0x47, 0, 0xFF])
    await browser.press("e", "s")
    await browser.type("\(folder)/ou")
    await browser.press("tab")
    #expect(browser.browser.state.overlay(as: PathPrompt.self)?.field.text == "\(folder)/out.png")
    await browser.press("enter")
    #expect(browser.picture.contains { $0.contains("Replace it?") })
    await browser.press("n", "esc", "esc")
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: "\(folder)/in.bin"))
    await browser.press("e", "l")
    await browser.type("\(folder)/missing")
    await browser.press("enter")
    #expect(browser.picture.last?.contains("could not be read") == true)
    for _ in "missing" { await browser.press("backspace") }
    await browser.type("in.bin")
    await browser.press("enter", "ctrl-s")
    #expect(try file.value("data", from: "T", id: 1) == "X'010203'")
  }
}
