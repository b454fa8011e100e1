import DatastoreCore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Values that are computed for many objects, and copied from the first of them.
@MainActor
@Suite struct ComputedChangeTests {
  private func employees(_ column: String) async throws -> (TemporaryFile, BrowserDriver) {
    let file = try TemporaryFile.company()
    let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Employee") }
    while browser.browser.state.table?.currentColumn?.name != column {
      await browser.press("right")
    }
    return (file, browser)
  }

  private func change(_ text: String, _ browser: BrowserDriver) async {
    await browser.press("B", "ctrl-u")
    await browser.type(text)
    await browser.press("enter")
  }

  @Test func anExpressionIsComputedForEach() async throws {
    let (file, browser) = try await employees("salary")
    await change("= salary * 1.5 + 1", browser)
    browser.expectShown("Set Employee.salary to = salary * 1.5 + 1 in 4 objects.")
    browser.expectShown("Ann: 3000.0 -> 4501.0")
    browser.expectShown("Bob: 2800.5 -> 4201.75")
    await browser.press("y")
    // Rows without a salary keep none. One undo reverts all changes.
    await browser.press("u")
    #expect(browser.browser.state.editing.marks.isEmpty)
    await browser.press("U", "ctrl-s")
    #expect(
      try file.values("SELECT quote(salary) FROM Employee ORDER BY id")
        == ["4501.0", "4201.75", "4651.0", "NULL", "3751.0"])
  }

  @Test func anExpressionFollowsRelationships() async throws {
    let (file, browser) = try await employees("position")
    await change("= company.name", browser)
    browser.expectShown("Ann: developer -> Acme")
    await browser.press("y", "ctrl-s")
    #expect(
      try file.values("SELECT quote(position) FROM Employee ORDER BY id")
        == ["'Acme'", "'Acme'", "'Borg'", "NULL", "NULL"])
  }

  @Test func matchesAreReplaced() async throws {
    let (file, browser) = try await employees("position")
    await change("s/(d)e(.)/$1E\\2/", browser)
    browser.expectShown("in 3 objects.")
    browser.expectShown("Ann: developer -> dEveloper")
    await browser.press("y", "ctrl-s")
    #expect(
      try file.values("SELECT quote(position) FROM Employee ORDER BY id")
        == ["'dEveloper'", "'dEsigner'", "'dEveloper'", "NULL", "'tester'"])
    await change("s/E/_/gi", browser)
    browser.expectShown("Ann: dEveloper -> d_v_lop_r")
    await browser.press("n")
    await change("s/nothing like it/x/", browser)
    #expect(browser.status.contains("Nothing would change."))
    #expect(browser.browser.state.editing.marks.isEmpty)
  }

  // Promise: a computed value does not fit its column → nothing is staged; the object is named.
  @Test func faultsStayInTheLineOrNameTheObject() async throws {
    let (_, browser) = try await employees("salary")
    await change("= salry * 2", browser)
    browser.expectShown("salry")
    #expect(browser.hasOverlay)
    await browser.press("ctrl-u")
    await browser.type("s/(/x/")
    await browser.press("enter")
    browser.expectShown("“(” is not a regular expression.")
    await browser.press("ctrl-u")
    await browser.type("= name")
    await browser.press("enter")
    #expect(!browser.hasOverlay)
    #expect(browser.status.contains("Employee Ann:"))
    #expect(browser.browser.state.editing.marks.isEmpty)
  }

  @Test func theFirstSelectedRowFillsTheOthers() async throws {
    let (file, browser) = try await employees("position")
    await browser.press("gd")
    #expect(browser.status.contains("Select the rows to fill first"))
    await browser.press("down", "space", "space", "space", "gd")
    browser.expectShown("Set Employee.position to designer in 3 objects.")
    browser.expectShown("Cid: developer -> designer")
    await browser.press("y", "ctrl-s")
    #expect(
      try file.values("SELECT quote(position) FROM Employee ORDER BY id")
        == ["'developer'", "'designer'", "'designer'", "'designer'", "'tester'"])
  }

  // Promise: what many rows get is computed, and they are too many to be staged → they are written in one
  // transaction, or none is.
  @Test func veryManyAreComputedAndWritten() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE Big (id INTEGER PRIMARY KEY, name TEXT, n INTEGER);
      WITH RECURSIVE i (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM i WHERE i < 10500)
      INSERT INTO Big SELECT i, 'row ' || i, i % 3 FROM i;
      """, name: "big.sqlite")
    let browser = try await BrowserDriver(file)
    await browser.go(to: "name")
    await change("s/row [0-9]*7$/seven/", browser)
    browser.expectShown("Set Big.name to s/row [0-9]*7$/seven/ in 10,500 objects.")
    browser.expectShown("WRITTEN AT ONCE")
    browser.expectShown("row 17 -> seven")
    await browser.press("W")
    #expect(browser.status.contains("Changed 1,050 objects of Big."), "\(browser.status)")
    #expect(try file.values("SELECT count(*) FROM Big WHERE name = 'seven'") == ["1050"])
    try file.execute("UPDATE Big SET name = id WHERE id < 10500")
    await browser.browser.checkForExternalChanges()
    await browser.go(to: "n")
    await change("=name", browser)
    await browser.press("W")
    browser.expectShown("Nothing was changed.")
    #expect(try file.values("SELECT count(*) FROM Big WHERE n = id AND id > 2") == ["0"])
  }

  @Test func otherTextsAreTexts() {
    let name = AttributeDescription(name: "name", type: .string)
    for text in ["=x", "s/a/b", "s//b/", "a s/a/b/", "s/a/b/x", ""] {
      #expect(!ComputedChange.isOne(text, for: name), "\(text)")
    }
    for text in ["= 1", "s/a/b/", "s/a//", "s/a\\/b/c/gi"] {
      #expect(ComputedChange.isOne(text, for: name), "\(text)")
    }
    #expect(ComputedChange.isOne("=x*2", for: AttributeDescription(name: "x", type: .double)))
  }
}
