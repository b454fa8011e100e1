import DatastoreCore
import DatastoreTestSupport
import Foundation
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Totals in the footer and in the headers of sections, sections in the order of them, and round steps.
@MainActor
@Suite struct TotalTests {
  private func start(
    _ file: TemporaryFile, keeping folder: TemporaryDirectory? = nil
  ) async throws -> BrowserDriver {
    try await BrowserDriver(file, size: Size(columns: 150, rows: 24)) { _ in
      BrowserOptions(entity: "Employee", stateDirectory: folder?.file("state"))
    }
  }

  private func go(to column: String, _ browser: BrowserDriver) async {
    await browser.press("0")
    while browser.browser.state.table?.currentColumn?.name != column {
      await browser.press("right")
    }
  }

  /// The names of the sections, from above.
  private func sections(_ browser: BrowserDriver) -> [Value] {
    browser.browser.state.table?.list.sections.map(\.value) ?? []
  }

  @Test func theFooterShowsTotals() async throws {
    let file = try TemporaryFile.company()
    let browser = try await start(file)
    await go(to: "salary", browser)
    await browser.press("g+")
    #expect(try file.values("SELECT sum(salary) FROM Employee") == ["11400.5"])
    browser.expectShown("Σ 11,400.5")
    await browser.press("g+")
    browser.expectShown("ø 2,850.125")
    // It is that of the rows that are shown.
    await browser.press("w")
    await browser.type("company.name == \"Acme\"")
    await browser.press("enter")
    browser.expectShown("ø 2,900.25")
    await browser.press("x", "g+")
    browser.expectShown("min 2,500.0")
    await browser.press("g+")
    browser.expectShown("max 3,100.0")
    await browser.press("g+")
    #expect(browser.status.contains("No total of salary any more."))
    #expect(!browser.picture.contains { $0.contains("max 3,100.0") })
    await go(to: "name", browser)
    await browser.press("g+")
    #expect(browser.status.contains("name holds no numbers or dates."))
  }

  @Test func keysAreNeitherAddedNorAveraged() async throws {
    let browser = try await start(TemporaryFile.company())
    await go(to: "id", browser)
    await browser.press("g+")
    browser.expectShown("min 1")
    await browser.press("g+")
    browser.expectShown("max 5")
    await browser.press("g+")
    #expect(browser.status.contains("No total of id any more."))
    await browser.press("i")
    browser.expectShown("greatest")
    for word in ["mean", "median", "deviation", "sum"] {
      #expect(!browser.picture.contains { $0.contains(word) }, "\(word)")
    }
    await browser.press("q", "b")
    #expect(browser.status.contains("id identifies objects"), "\(browser.status)")
  }

  @Test func whatIsSavedChangesTotals() async throws {
    let file = try TemporaryFile.company()
    let browser = try await start(file)
    await go(to: "salary", browser)
    await browser.press("g+", "home", "e", "ctrl-u")
    await browser.type("1000")
    await browser.press("enter", "ctrl-s")
    #expect(try file.values("SELECT sum(salary) FROM Employee") == ["9400.5"])
    browser.expectShown("Σ 9,400.5")
  }

  // Promise: sections sorted by totals while rows change → the list is put in order again when the totals
  // come.
  @Test func headersShowTotalsAndSectionsAreInTheirOrder() async throws {
    let file = try TemporaryFile.company()
    let folder = try TemporaryDirectory()
    let browser = try await start(file, keeping: folder)
    await go(to: "salary", browser)
    await browser.press("g+")
    await go(to: "position", browser)
    await browser.press("gb")
    let header = try #require(browser.picture.first { $0.contains("▾ developer (2)") })
    #expect(header.contains("Σ 6,100"))
    // By the number of rows; those of the same number by their values.
    await browser.press("go")
    #expect(sections(browser) == [.text("developer"), .null, .text("designer"), .text("tester")])
    #expect(browser.status.contains("sections by rows ▼"))
    #expect(browser.browser.state.table?.list.keys.map(\.rawValue) == [1, 3, 4, 2, 5])
    await browser.press("go")
    #expect(sections(browser) == [.null, .text("designer"), .text("tester"), .text("developer")])
    // By the total of the column under the cursor.
    await go(to: "salary", browser)
    await browser.press("go")
    #expect(browser.status.contains("sections by the total of salary ▼"))
    let expected = try file.values(
      """
      SELECT coalesce(position, 'none') FROM Employee GROUP BY position
      ORDER BY sum(salary) DESC NULLS LAST
      """)
    #expect(
      sections(browser).map { if case .text(let text) = $0 { text } else { "none" } } == expected)
    await browser.press("q")
    let second = try await start(file, keeping: folder)
    #expect(second.status.contains("sections by the total of salary ▼"))
    #expect(
      sections(second).map { if case .text(let text) = $0 { text } else { "none" } } == expected)
    await second.press("go", "go")
    #expect(sections(second) == [.null, .text("designer"), .text("developer"), .text("tester")])
  }

  @Test func longNamesOfSectionsHideNoTotals() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE Fruit (id INTEGER PRIMARY KEY, kg INTEGER, name TEXT);
      INSERT INTO Fruit VALUES (1, 5, 'Apple'), (2, 8, 'Fig'),
        (3, 9, 'A fruit with a name that is much longer than the lines of a small terminal are');
      """)
    let browser = try await BrowserDriver(file, size: Size(columns: 80, rows: 24)) { _ in
      BrowserOptions(entity: "Fruit")
    }
    await go(to: "kg", browser)
    await browser.press("g+")
    await go(to: "name", browser)
    await browser.press("gb")
    for (name, total) in [("Apple (1)", "Σ 5"), ("Fig (1)", "Σ 8"), ("A fruit with", "Σ 9")] {
      let header = try #require(
        browser.picture.first { $0.contains("▾ \(name)") }, "\(browser.picture)")
      #expect(header.contains(total), "\(header)")
    }
  }

  @Test func numbersAreGroupedInRoundSteps() async throws {
    let file = try TemporaryFile.company()
    let browser = try await start(file)
    await go(to: "salary", browser)
    await browser.press("gB")
    browser.expectShown("in steps of 500")
    await browser.type("of 500")
    await browser.press("enter")
    #expect(browser.status.contains("grouped by salary in steps of 500"))
    #expect(
      try file.values(
        "SELECT (CAST(salary / 500 AS INTEGER) * 500) || ' ' || count(*) FROM Employee "
          + "WHERE salary NOT NULL GROUP BY CAST(salary / 500 AS INTEGER) ORDER BY 1")
        == ["2500 2", "3000 2"])
    browser.expectShown("▾ 2,500 to less than 3,000 (2)")
    browser.expectShown("▾ 3,000 to less than 3,500 (2)")
    browser.expectShown("no salary in steps of 500 (1)")
    // A section leads to its rows.
    await browser.press("end", "[", "f")
    #expect(browser.status.contains("2 rows"))
  }

  @Test(arguments: [
    (0.0, [0.1, 1, 10, 100]), (37.0, [0.1, 0.2, 0.5, 1, 2, 5, 10]),
    (3100.5, [10, 20, 50, 100, 200, 500, 1000]),
    (0.7, [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1]),
  ])
  func stepsAreRound(greatest: Double, steps: [Double]) throws {
    let found = NumberSteps.steps(for: greatest)
    #expect(zip(found, steps).allSatisfy { abs($0 - $1) < 1e-12 } && found.count == steps.count)
    for step in found {
      let path = NumberSteps.operand(of: .keyPath(["salary"]), step: step).path
      let read = try #require(NumberSteps(path))
      #expect(read == NumberSteps(of: .keyPath(["salary"]), step: step))
    }
    #expect(NumberSteps(["=floor(salary / 3.0) * 4"]) == nil)
    #expect(NumberSteps(["salary"]) == nil)
  }
}
