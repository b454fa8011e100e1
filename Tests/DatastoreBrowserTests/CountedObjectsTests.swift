import DatastoreTestSupport
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// The numbers of related objects are numbers in every summary, as the store counts them.
@MainActor
@Suite struct CountedObjectsTests {
  private func tasks(_ file: TemporaryFile) async throws -> BrowserDriver {
    // The table counts objects if that is cheap.
    try file.execute("CREATE INDEX tasks ON Task (employee_id)")
    let browser = try await BrowserDriver(file, size: Size(columns: 100, rows: 24)) { _ in
      BrowserOptions(entity: "Employee")
    }
    await browser.go(to: "Task")
    #expect(browser.browser.state.table?.currentColumn?.name == "Task")
    return browser
  }

  /// How many tasks each employee has, as the sqlite3 library counts them.
  private static let counted =
    "(SELECT (SELECT count(*) FROM Task WHERE employee_id = Employee.id) AS n FROM Employee)"

  @Test func frequencies() async throws {
    let file = try TemporaryFile.company()
    let browser = try await tasks(file)
    await browser.press("t")
    let expected = try file.values(
      "SELECT n || ' ' || count(*) FROM \(Self.counted) GROUP BY n ORDER BY count(*) DESC, n")
    #expect(browser.cells.map { $0.prefix(2).joined(separator: " ") }.sorted() == expected.sorted())
    #expect(expected.count == 3)
    // Enter shows the rows that have so many.
    await browser.press("enter")
    #expect(browser.status.contains("where Task.@count == 0"))
    #expect(browser.status.contains("3 rows"))
  }

  @Test func statistics() async throws {
    let file = try TemporaryFile.company()
    let browser = try await tasks(file)
    await browser.press("i")
    let cells = Dictionary(uniqueKeysWithValues: browser.cells.map { ($0[0], $0[1]) })
    #expect(try [cells["mean"]] == file.values("SELECT avg(n) FROM \(Self.counted)"))
    #expect(cells["greatest"] == "2")
  }

  @Test func distribution() async throws {
    let file = try TemporaryFile.company()
    let browser = try await tasks(file)
    await browser.press("I")
    #expect(browser.browser.levels.count == 2)
    #expect(browser.cells.compactMap { Int($0[2]) }.reduce(0, +) == 5)
  }

  @Test func sumsByGroups() async throws {
    let file = try TemporaryFile.company()
    let browser = try await tasks(file)
    await browser.go(to: "position")
    await browser.press("gb")
    await browser.go(to: "Task")
    await browser.press("b")
    let expected = try file.values(
      """
      SELECT sum((SELECT count(*) FROM Task WHERE employee_id = Employee.id)) FROM Employee
      WHERE position = 'developer'
      """)
    let row = try #require(browser.cells.first { $0[0] == "developer" })
    let sum = try #require(Double(expected[0]) as Double?)
    #expect(Double(row[5]) == sum)
  }

  @Test func pivot() async throws {
    let browser = try await tasks(.company())
    await browser.press("gp")
    for text in ["position", "Task.@count", "number of rows"] {
      await browser.press("ctrl-u")
      await browser.type(text)
      await browser.press("enter")
    }
    #expect(browser.browser.levels.count == 2)
    browser.expectShown("developer")
  }

  @Test func theGreatestIsOnTheScreenAfterSortingDownwards() async throws {
    let browser = try await BrowserDriver(.large(200))
    await browser.press("G")
    await browser.go(to: "id")
    await browser.press("s", "s")
    browser.expectShown("row 200")
  }

  @Test func detailsWriteNumbersAsTheirColumnDoes() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE T (id INTEGER PRIMARY KEY, price REAL);
      INSERT INTO T VALUES (1, 1234.5);
      """)
    let browser = try await BrowserDriver(file, size: Size(columns: 120, rows: 40))
    await browser.go(to: "price")
    await browser.press(",", "ctrl-u")
    await browser.type("#,##0.00 €")
    await browser.press("enter")
    let line = browser.detail.first { $0.contains("price") }
    #expect(line?.hasSuffix("1,234.50 €") == true, "\(browser.detail)")
  }
}
