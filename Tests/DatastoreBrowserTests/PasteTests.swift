import DatastoreCore
import DatastoreTestSupport
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Rows of a spreadsheet that are pasted into the table, and fields that are filled one after the other.
@MainActor
@Suite struct PasteTests {
  private func employees(
    _ file: TemporaryFile, size: Size = Size(columns: 100, rows: 30)
  ) async throws -> BrowserDriver {
    try await BrowserDriver(file, size: size) { _ in BrowserOptions(entity: "Employee") }
  }

  private func paste(_ text: String, into browser: BrowserDriver) async {
    browser.terminal.send(.paste(text))
    await browser.browser.idle()
  }

  @Test func rowsWithNamesOfColumnsBecomeObjects() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file)
    await paste(
      "Salary\tName\tcompany\tPosition\n4000.5\tEve\tBorg\tpilot\n\tFay\t#1\t\n", into: browser)
    browser.expectShown("Paste 2 new objects of Employee")
    browser.expectShown("first row names the columns")
    // Nothing is staged before the user accepts the preview.
    #expect(browser.browser.state.editing.marks.isEmpty)
    await browser.press("enter")
    #expect(browser.status.contains("2 objects pasted. Press u to undo."))
    #expect(browser.table.contains { $0.contains("Eve") && $0.contains("Borg") })
    await browser.press("ctrl-s")
    #expect(
      try file.values(
        "SELECT name || ':' || ifnull(salary, '-') || ':' || company_id || ':' || ifnull(position, '-') "
          + "FROM Employee WHERE id > 5 ORDER BY name") == ["Eve:4000.5:2:pilot", "Fay:-:1:-"])
  }

  @Test func withoutNamesColumnsBeginUnderTheCursor() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file)
    await browser.press("right")
    await paste("Gus\tcook\t1200\r\n\"Hal\tor\"\"so\"\tcook\t900\r\n", into: browser)
    browser.expectShown("columns from the cursor on")
    await browser.press("enter", "ctrl-s")
    #expect(
      try file.values("SELECT name || salary FROM Employee WHERE position = 'cook' ORDER BY id")
        == ["Gus1200.0", "Hal\tor\"so900.0"])
    // Both came in one step.
    await paste("Ivy\ta\t1\nJan\tb\t2\n", into: browser)
    await browser.press("enter")
    #expect(browser.browser.state.editing.marks.description.contains("2 new"))
    await browser.press("u")
    #expect(browser.browser.state.editing.marks.isEmpty)
  }

  @Test func aFieldIsWhatTheForeignKeyHolds() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE par (id INTEGER PRIMARY KEY, code INT UNIQUE);
      INSERT INTO par VALUES (1, 100), (100, 1);
      CREATE TABLE chi (id INTEGER PRIMARY KEY, note TEXT, code INT REFERENCES par (code));
      INSERT INTO chi VALUES (1, 'a', 100);
      """)
    let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: "chi") }
    await paste("note\tcode\nb\t100\nc\t#100\nd\t7\n", into: browser)
    browser.expectShown("Row 3: there is no par with the code “7”")
    await browser.press("enter", "ctrl-s")
    #expect(
      try file.values("SELECT note || code FROM chi ORDER BY id") == ["a100", "b100", "c1"])
  }

  // Promise: pasted rows have faults → their rows are left out and named; names that several objects have
  // are not guessed; nothing is staged before it is seen.
  // Also: `PasteTests.namesThatAreNotUniqueAreNotGuessed`
  @Test func faultsAreToldAndTheirRowsLeftOut() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file)
    await paste(
      "name\tsalary\tcompany\nKim\tmuch\t\nLea\t5\tNobody\nMia\t6\t\nNed\t7\tAcme\tmore\n",
      into: browser)
    browser.expectShown("Paste 1 new object of Employee")
    browser.expectShown("3 rows left out")
    browser.expectShown("Row 1: “much” is not a number")
    browser.expectShown("More faulty rows: 2, 4")
    await browser.press("down")
    browser.expectShown("Row 2: there is no Company “Nobody”")
    await browser.press("down", "down")
    browser.expectShown("Row 4: there is no column for “more”")
    await browser.press("enter")
    #expect(browser.status.contains("1 object pasted. 3 rows left out."))
    await browser.press("ctrl-s")
    #expect(try file.values("SELECT name FROM Employee WHERE id > 5") == ["Mia"])
  }

  @Test func namesThatAreNotUniqueAreNotGuessed() async throws {
    let file = try TemporaryFile.company()
    try file.execute("INSERT INTO Company VALUES (3, 'Acme', 2000)")
    let browser = try await employees(file)
    await paste("name\tcompany\nOle\tAcme\n", into: browser)
    browser.expectShown("2 objects of Company are called “Acme”; write a key such as #")
  }

  @Test func theFirstRowMayBeARowLikeTheOthers() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file)
    await browser.press("right")
    await paste("name\tposition\nPia\tcook\n", into: browser)
    browser.expectShown("Paste 1 new object")
    await browser.press("h")
    browser.expectShown("Paste 2 new objects")
    await browser.press("esc")
    #expect(browser.browser.state.editing.marks.isEmpty && !browser.hasOverlay)
  }

  @Test func objectsOfARelationshipBecomeItsMembers() async throws {
    let file = try TemporaryFile.company()
    let browser = try await BrowserDriver(file, size: Size(columns: 100, rows: 30)) { _ in
      BrowserOptions(entity: "Company")
    }
    await browser.press("enter", "end", "up", "up", "o")
    try #require(browser.browser.state.entity?.name == "Employee")
    await browser.press("shift-tab")
    await paste("name\nQuin\nRoy\n", into: browser)
    await browser.press("enter", "ctrl-s")
    #expect(
      try file.values("SELECT DISTINCT company_id FROM Employee WHERE name IN ('Quin', 'Roy')")
        == ["1"])
  }

  @Test func whereNothingCanBePastedTheReasonIsSaid() async throws {
    let file = try TemporaryFile("CREATE VIEW v AS SELECT 1 AS a, 2 AS b")
    let browser = try await BrowserDriver(file)
    await paste("1\t2\n", into: browser)
    #expect(browser.status.contains("cannot be changed"))
    let other = try await employees(TemporaryFile.company())
    await other.press("enter")
    await paste("1\t2\n", into: other)
    #expect(other.status.contains("Rows are pasted into the table; go to it first."))
    await other.press("shift-tab")
    await paste(String(repeating: "x\n", count: 10_001), into: other)
    #expect(other.status.contains("These are 10,001 rows; at most 10,000 are pasted."))
  }

  // Promise: fields are pasted over rows that are there → each row's old and new values are shown before,
  // rows with faults and rows that do not exist are left out and named, and one undo takes all of it back.
  @Test func fieldsGoIntoTheRowsFromTheCursorOn() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file)
    await browser.press("right", "right")
    await paste("cook\t1\nchef\t\ntaster\tmuch\n", into: browser)
    browser.expectShown("Paste 2 new objects of Employee")
    await browser.press("r")
    browser.expectShown("Paste 4 values into rows of Employee")
    browser.expectShown("1 row left out")
    browser.expectShown("Ann: position developer -> cook, salary 3000.0 -> 1")
    await browser.press("down")
    browser.expectShown("Bob: position designer -> chef, salary 2800.5 -> nothing")
    await browser.press("down")
    browser.expectShown("Row 3: “much” is not a number")
    #expect(browser.browser.state.editing.marks.isEmpty)
    await browser.press("enter")
    #expect(
      browser.status.contains("4 values of 2 objects pasted. 1 row left out. Press u to undo."))
    await browser.press("u")
    #expect(browser.browser.state.editing.marks.isEmpty)
    await browser.press("U", "ctrl-s")
    #expect(
      try file.values(
        "SELECT name || ':' || position || ':' || ifnull(salary, '-') FROM Employee WHERE id < 4")
        == ["Ann:cook:1.0", "Bob:chef:-", "Cid:developer:3100.0"])
  }

  @Test func relatedObjectsOfRowsAreNamedAndUnchangedValuesAreNotStaged() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file)
    await paste("name\tcompany\nAnn\tBorg\nBob\tAcme\nCid\tNobody\nDora\t#1\n", into: browser)
    await browser.press("r")
    browser.expectShown("Paste 2 values into rows of Employee")
    browser.expectShown("Ann: company Acme -> Borg")
    await browser.press("down", "down")
    browser.expectShown("Row 3: there is no Company “Nobody”")
    await browser.press("enter", "ctrl-s")
    #expect(
      try file.values("SELECT name || company_id FROM Employee WHERE company_id < 9 ORDER BY id")
        == ["Ann2", "Bob1", "Cid2", "Dora1"])
    // The same again changes nothing.
    await paste("name\tcompany\nAnn\tBorg\nBob\tAcme\n", into: browser)
    await browser.press("r", "enter")
    #expect(browser.status.contains("Nothing would change."))
    await browser.press("r")
    browser.expectShown("Paste 2 new objects of Employee")
  }

  @Test func rowsBelowTheLastOneAreLeftOut() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file)
    await browser.press("right", "G")
    await paste("Eve\nFay\n", into: browser)
    await browser.press("r", "down")
    browser.expectShown("Row 2: the table has no row for it")
    await browser.press("enter", "ctrl-s")
    #expect(try file.values("SELECT name FROM Employee WHERE id >= 5") == ["Eve"])
  }

  @Test func rowsOfALongListAreReadBeforeTheyTakeFields() async throws {
    let file = try TemporaryFile.large(5_000)
    let browser = try await BrowserDriver(file) { _ in
      var options = BrowserOptions(entity: "Big")
      options.mostKeys = 1_000
      return options
    }
    let names = (0..<1_500).map { "n\($0)" }
    await paste("name\n" + names.joined(separator: "\n"), into: browser)
    await browser.press("r", "enter", "ctrl-s")
    #expect(
      try file.values("SELECT count(*) FROM Big WHERE name = 'n' || (id - 1)") == ["1500"])
    #expect(try file.values("SELECT count(*) FROM Big WHERE name LIKE 'n%'") == ["1500"])
  }

  nonisolated static let texts: [(text: String, rows: [[String]])] = [
    ("a\tb\nc\td", [["a", "b"], ["c", "d"]]),
    ("a\t\"b\nc\"\n", [["a", "b\nc"]]),
    ("\"a \"\"b\"\"\"\tc", [["a \"b\"", "c"]]),
    ("5\"\t6\"\n", [["5\"", "6\""]]),
    ("\"x\ty\n", [["\"x", "y"]]),
    ("\n\na\t\n\n", [["a", ""]]),
    ("", []),
    ("a\r\nb\rc", [["a"], ["b"], ["c"]]),
  ]

  @Test(arguments: texts.indices)
  func fieldsAreThoseOfSpreadsheets(_ index: Int) {
    #expect(PastedTable(Self.texts[index].text).rows == Self.texts[index].rows)
  }

  @Test func tabGoesToTheNextField() async throws {
    let file = try TemporaryFile.company()
    let browser = try await employees(file)
    await browser.press("right", "e", "ctrl-u")
    await browser.type("Zoe")
    await browser.press("tab")
    #expect(browser.browser.state.table?.currentColumn?.name == "position")
    await browser.press("ctrl-u")
    await browser.type("boss")
    await browser.press("tab", "ctrl-u")
    await browser.type("many")
    // A fault keeps the field.
    await browser.press("tab")
    #expect(browser.browser.state.table?.currentColumn?.name == "salary")
    await browser.press("ctrl-u")
    await browser.type("1")
    await browser.press("tab")
    // The next one is a relationship, which has a list.
    #expect(browser.browser.state.overlay(as: ObjectPicker.self) != nil)
    await browser.type("Borg")
    await browser.press("tab")
    #expect(!browser.hasOverlay)
    #expect(browser.status.contains("This was the last property."))
    await browser.press("ctrl-s")
    #expect(
      try file.values("SELECT name || position || salary || company_id FROM Employee WHERE id = 1")
        == ["Zoeboss1.02"])
    // Back, and in the details.
    await browser.press("left", "e", "shift-tab")
    #expect(browser.browser.state.overlay(as: CellEditor.self)?.field.text == "boss")
    await browser.press("esc", "enter", "home", "down", "e", "tab")
    #expect(browser.browser.state.detail.currentField?.name == "position")
    #expect(browser.browser.state.overlay(as: CellEditor.self)?.field.text == "boss")
  }
}
