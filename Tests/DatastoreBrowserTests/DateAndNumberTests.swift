import DatastoreCore
import DatastoreTestSupport
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Dates and numbers in the table and its summaries.
@MainActor
@Suite struct DateAndNumberTests {
  private func orders() throws -> TemporaryFile {
    try TemporaryFile(
      """
      CREATE TABLE sale (id INTEGER PRIMARY KEY, amount REAL, sold_at DATETIME);
      WITH RECURSIVE n (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 99)
      INSERT INTO sale SELECT i + 1, i / 4.0, datetime('2024-01-01', (i * 7) || ' days', (i % 24) || ' hours')
      FROM n;
      INSERT INTO sale VALUES (101, 1234.125, NULL), (102, 1e300, NULL), (103, NULL, NULL);
      """)
  }

  @Test func decimalPointsAreBelowEachOther() async throws {
    let browser = try await BrowserDriver(try orders(), annotations: SchemaAnnotations())
    await browser.press("right")
    let lines = browser.table.dropFirst().prefix(5)
    let points = Set(
      lines.compactMap { line in
        line.firstIndex(of: ".").map { line.distance(from: line.startIndex, to: $0) }
      })
    #expect(points.count == 1, "\(lines)")
    browser.expect(
      Array(lines),
      """
      >    1      0.0   2024-01-01 00:00:00
           2      0.25  2024-01-08 01:00:00
           3      0.5   2024-01-15 02:00:00
           4      0.75  2024-01-22 03:00:00
           5      1.0   2024-01-29 04:00:00
      """)
    await browser.press("G")
    let last = Array(browser.table.filter { !$0.isEmpty }.suffix(3))
    // One with an exponent has its own place, and NULL is at the right edge.
    #expect(last[0].contains("1234.125"))
    #expect(last[1].contains("1e+300"))
    #expect(last[2].contains("∅"))
  }

  @Test(arguments: [
    ("0.5", 2), ("12", 0), ("-3.25", 3), ("1e-05", 0), ("1.5e300", 0), ("nan", 0), ("1.", 1),
  ])
  func theFractionOfANumber(text: String, width: Int) {
    #expect(NumberText.fraction(text) == width)
  }

  @Test func datesAreGroupedByEveryPart() async throws {
    let browser = try await BrowserDriver(try orders(), annotations: SchemaAnnotations())
    func sections(_ ups: Int, downs: Int = 0) async -> [String] {
      await browser.press("gb")
      for _ in 0..<ups { await browser.press("up") }
      for _ in 0..<downs { await browser.press("down") }
      await browser.press("enter", "Z", "gg")
      let found = browser.table.compactMap { line in
        line.firstRange(of: "▸ ").map { String(line[$0.upperBound...]) }
      }
      await browser.press("gb")
      return found
    }
    await browser.press("$")
    #expect(await sections(1).prefix(3) == ["∅ no sold_at (3)", "2024-Q1 (13)", "2024-Q2 (13)"])
    #expect(
      await sections(0, downs: 1).prefix(3) == ["∅ no sold_at (3)", "2024-W01 (1)", "2024-W02 (1)"])
    #expect(await sections(0, downs: 3) == ["∅ no sold_at (3)", "Monday (100)"])
    let hours = await sections(0, downs: 4)
    #expect(hours.prefix(3) == ["∅ no sold_at (3)", "0 (5)", "1 (5)"])
    await browser.press("w")
    await browser.type("sold_at.@weekday = 1 AND sold_at.@hour < 2")
    await browser.press("enter")
    #expect(browser.status.contains("10 rows"))
  }

  @Test func aChartByTimeHasItsGaps() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE sale (id INTEGER PRIMARY KEY, amount REAL, sold_at DATETIME);
      INSERT INTO sale VALUES (1, 2, '2023-11-30 10:00:00'), (2, 4, '2024-02-01 10:00:00'),
        (3, 1, '2024-02-29 10:00:00'), (4, 9, NULL);
      """)
    let browser = try await BrowserDriver(
      file, size: Size(columns: 120, rows: 24), annotations: SchemaAnnotations())
    await browser.press("right", "b")
    await browser.type("month")
    await browser.press("enter")
    browser.expectShown("amount by sold_at by month, UTC in sale")
    #expect(
      browser.cells.map { [$0[0], $0[1], $0[5]] } == [
        ["NULL", "1", "9.0"], ["2023-11", "1", "2.0"], ["2023-12", "0", "NULL"],
        ["2024-01", "0", "NULL"], ["2024-02", "2", "5.0"],
      ])
    await browser.press("end", "enter")
    #expect(browser.status.contains("2 rows"))
  }

  @Test func partsOfDatesFollowOnEachOther() {
    func values(_ part: DatePart, _ first: Value, _ last: Value) -> [Value] {
      part.values(from: first, through: last)
    }
    #expect(
      values(.month, "2023-11", "2024-03")
        == ["2023-11", "2023-12", "2024-01", "2024-02", "2024-03"])
    #expect(
      values(.week, "2020-W52", "2021-W02") == ["2020-W52", "2020-W53", "2021-W01", "2021-W02"])
    #expect(values(.quarter, "2023-Q4", "2024-Q1") == ["2023-Q4", "2024-Q1"])
    #expect(values(.day, "2024-02-28", "2024-03-01") == ["2024-02-28", "2024-02-29", "2024-03-01"])
    #expect(values(.year, 1999, 2001) == [1999, 2000, 2001])
    #expect(values(.hour, 3, 5) == [])
    #expect(values(.month, .null, "2024-01") == [])
    #expect(values(.month, "2024-01", "2023-01") == [])
  }
}
