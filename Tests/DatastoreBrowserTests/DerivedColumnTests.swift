import DatastoreCore
import DatastoreTestSupport
import Foundation
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Columns that are computed: the commands that other columns have work on them, too.
@MainActor
@Suite struct DerivedColumnTests {
  private func browser(
    _ file: TemporaryFile, keeping folder: TemporaryDirectory? = nil
  ) async throws -> BrowserDriver {
    try await BrowserDriver(file, size: Size(columns: 150, rows: 24)) { _ in
      BrowserOptions(entity: "Employee", stateDirectory: folder?.file("state"))
    }
  }

  private func derive(_ text: String, _ browser: BrowserDriver) async {
    await browser.press("g=")
    await browser.type(text)
    await browser.press("enter")
  }

  /// The texts of the rows in one column, from above.
  private func cells(_ name: String, _ browser: BrowserDriver) -> [String] {
    guard let table = browser.browser.state.table,
      let index = table.columns.firstIndex(where: { $0.name == name })
    else { return [] }
    return table.list.keys.map { table.rows[$0]?.cells[index].shown(Marks(.ascii)).text ?? "…" }
  }

  @Test func anExpressionIsAColumn() async throws {
    let file = try TemporaryFile.company()
    let browser = try await browser(file)
    await derive("salary * 12 AS yearly", browser)
    // It follows the column of the cursor, has the cursor, and numbers are numbers.
    #expect(browser.table[0].contains("yearly"))
    #expect(browser.browser.state.table?.currentColumn?.name == "yearly")
    #expect(cells("yearly", browser) == ["36000.0", "33606.0", "37200.0", "NULL", "30000.0"])
    browser.expectShown("36000.0")
    await browser.press("s", "s")
    #expect(cells("yearly", browser) == ["37200.0", "36000.0", "33606.0", "30000.0", "NULL"])
    #expect(browser.status.contains("sorted by salary * 12 ▼"))
    await browser.press("w")
    await browser.type("yearly > 33000")
    await browser.press("enter")
    #expect(cells("yearly", browser) == ["37200.0", "36000.0", "33606.0"])
    #expect(browser.status.contains("where yearly > 33000"))
    await browser.press("x", "f")
    #expect(cells("name", browser) == ["Ann"])
    #expect(browser.status.contains("where salary * 12 == 36000.0"))
    await browser.press("x", "i")
    // The sqlite3 way: the mean of four values.
    #expect(
      try file.values("SELECT avg(salary * 12) FROM Employee") == ["34201.5"])
    browser.expectShown("34,201.5")
    await browser.press("esc", "/")
    await browser.type("33606")
    await browser.press("enter")
    #expect(browser.browser.state.table?.currentKey == 2)
    #expect(browser.browser.state.table?.currentColumn?.name == "yearly")
  }

  @Test func pathsCountsAndTextsAreColumns() async throws {
    let file = try TemporaryFile.company()
    let browser = try await browser(file)
    await derive("company.name AS employer", browser)
    await derive("Task.@count * 10", browser)
    await derive("uppercase(left(name, 2)) AS code", browser)
    #expect(cells("employer", browser) == ["Acme", "Acme", "Borg", "NULL", "NULL"])
    #expect(cells("Task.@count * 10", browser) == ["20", "0", "10", "0", "0"])
    #expect(cells("code", browser) == ["AN", "BO", "CI", "DO", "''"])
    // Sections by a computed column; one computed column may name another one.
    await derive("length(code) AS size", browser)
    await browser.press("gb")
    #expect(browser.status.contains("2 sections"))
    browser.expectShown("▾ 2 (4)")
    await browser.press("gb")
    await derive("company", browser)
    browser.expectShown("There is a column “company” already; write AS and another name.")
    await browser.press("esc")
    await derive("company AS firm", browser)
    browser.expectShown("→ Acme")
    await browser.press("home", "o")
    #expect(browser.browser.state.entity?.name == "Company")
  }

  @Test func faultsAreSaidWithTheirPlace() async throws {
    let browser = try await browser(.company())
    await derive("1 + salry * 12", browser)
    browser.expectShown(
      "Employee has no property “salry”; did you mean “salary”? (character 5)")
    #expect(browser.hasOverlay)
    await browser.press("ctrl-u")
    await browser.type("length(salary")
    await browser.press("enter")
    browser.expectShown("found the end")
    // Functions and properties are completed.
    await browser.press("ctrl-u")
    await browser.type("upp")
    browser.expectShown("uppercase(text)")
    await browser.press("tab")
    browser.expectShown("uppercase(")
    await browser.type("name)")
    await browser.press("enter")
    #expect(!browser.hasOverlay)
    #expect(cells("uppercase(name)", browser).first == "ANN")
    // The value cannot be edited, and a message says so; the expression can.
    await browser.press("e")
    #expect(browser.status.contains("uppercase(name) is computed; edit its operands."))
    await browser.press("ge", "ctrl-u")
    await browser.type("lowercase(name) AS small")
    await browser.press("enter")
    #expect(cells("small", browser).first == "ann")
    #expect(cells("uppercase(name)", browser) == [])
    await browser.press("gx")
    #expect(cells("small", browser) == [])
    #expect(browser.browser.state.table?.settings.derived == [])
  }

  // Promise: a computed column depends on another object that is edited → its cells follow the staged
  // change, and undo.
  @Test func whatIsStagedShowsAtOnce() async throws {
    let file = try TemporaryFile.company()
    let browser = try await browser(file)
    await derive("company.name AS employer", browser)
    await derive("salary + 1 AS more", browser)
    // The object itself, and one that it leads to.
    while browser.browser.state.table?.currentColumn?.name != "salary" {
      await browser.press("right")
    }
    await browser.press("e", "ctrl-u")
    await browser.type("10")
    await browser.press("enter")
    #expect(cells("more", browser).first.flatMap { Double($0) } == 11)
    #expect(cells("more", browser).dropFirst() == ["2801.5", "3101.0", "NULL", "2501.0"])
    await browser.press("shift-tab", "home", "enter", "right", "e", "ctrl-u")
    await browser.type("Apex")
    await browser.press("enter", "backspace")
    #expect(browser.browser.state.entity?.name == "Employee")
    #expect(cells("employer", browser) == ["Apex", "Apex", "Borg", "NULL", "NULL"])
    #expect(try file.values("SELECT name FROM Company WHERE id = 1") == ["Acme"])
    await browser.press("u", "u")
    #expect(cells("employer", browser)[0] == "Acme")
    #expect(cells("more", browser)[0] == "3001.0")
  }

  // Promise: the file loses what a computed column is made of → it is left out, with a sentence; nothing
  // else is lost.
  @Test func columnsAreKeptForTheFile() async throws {
    let file = try TemporaryFile.company()
    let folder = try TemporaryDirectory()
    let first = try await browser(file, keeping: folder)
    await derive("salary * 12 AS yearly", first)
    await first.press("s", "w")
    await first.type("yearly > 33000")
    await first.press("enter", "gb", "q")
    let second = try await browser(file, keeping: folder)
    #expect(second.table[0].contains("yearly"))
    #expect(cells("yearly", second) == ["33606.0", "36000.0", "37200.0"])
    // The remark that not all rows are shown goes with the next key.
    await second.press("down")
    #expect(second.status.contains("3 sections"))
    #expect(second.status.contains("where yearly > 33000"))
    await second.press("q")
    // A column whose source the file no longer has is left out and reported.
    try file.execute("ALTER TABLE Employee RENAME COLUMN salary TO wage")
    let third = try await browser(file, keeping: folder)
    #expect(!third.table[0].contains("yearly"))
    #expect(third.status.contains("The column yearly is left out"))
    #expect(cells("name", third).count == 5)
  }

  @Test func computedColumnsAreExported() async throws {
    let file = try TemporaryFile.company()
    let folder = try TemporaryDirectory()
    let browser = try await browser(file)
    await derive("salary * 12 AS yearly", browser)
    await derive("company.name AS employer", browser)
    let path = folder.file("out.csv").path
    await browser.press(":")
    await browser.type("export \(path)")
    await browser.press("enter")
    let written = try String(contentsOf: folder.file("out.csv"), encoding: .utf8)
    let lines = written.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let header = try #require(lines.first)
    func column(_ name: String) throws -> [String] {
      let place = try #require(header.firstIndex(of: name))
      return lines.dropFirst().map { $0[place] }
    }
    #expect(
      try column("yearly")
        == file.values("SELECT coalesce(salary * 12, '') FROM Employee ORDER BY id"))
    #expect(
      try column("employer")
        == file.values(
          """
          SELECT coalesce(c.name, '') FROM Employee e LEFT JOIN Company c ON c.id = company_id
          ORDER BY e.id
          """))
  }

  // Promise: a column is computed while rows are being read → rows that come with the columns before are not
  // shown.
  @Test func rowsOfTheColumnsBeforeAreNotTaken() async throws {
    let browser = try await browser(.company())
    var state = browser.browser.state
    let table = try #require(state.table)
    let late = ListEvent.rowsLoaded(
      fetch: table.fetch, asked: Array(table.rows.keys), Array(table.rows.values),
      of: table.columns)
    state.table?.settings.derived = [DerivedColumn(name: "yearly", expression: "salary * 12")]
    _ = state.update(late)
    #expect(state.table?.rows.isEmpty == true)
    // Another column in its place has as many cells.
    let with = try #require(state.table)
    let row = try #require(table.rows[1])
    let other = ListEvent.rowsLoaded(
      fetch: with.fetch, asked: [1], [RowSnapshot(key: 1, cells: row.cells + [row.cells[0]])],
      of: with.columns)
    state.table?.settings.derived = [DerivedColumn(name: "monthly", expression: "salary / 12")]
    _ = state.update(other)
    #expect(state.table?.rows.isEmpty == true)
    var buffer = ScreenBuffer(size: state.size)
    _ = state.draw(into: &buffer)
  }
}
