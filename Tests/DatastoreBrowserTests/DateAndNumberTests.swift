import DatastoreCore
import DatastoreTestSupport
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// What the table and its summaries do with dates and numbers.
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

  @Test func aChartByTimeIsALine() async throws {
    let browser = try await BrowserDriver(
      try orders(), size: Size(columns: 100, rows: 40), annotations: SchemaAnnotations())
    await browser.press("right", "b")
    await browser.type("quarter")
    await browser.press("enter")
    browser.expectShown("amount by sold_at by quarter, UTC")
    let dots = browser.picture.joined().unicodeScalars.count {
      (0x2801...0x28FF).contains($0.value)
    }
    #expect(dots > 40)
    let plot = browser.picture.filter {
      $0.unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) }
    }
    #expect((4...8).contains(plot.count), "\(plot)")
    // It has the least and the greatest sum, and the first and the last quarter.
    browser.expectShown("2024-Q1")
    browser.expectShown("2025-Q4")
    await browser.press("esc")
    // Without Braille, stars; on a small screen the lines only.
    let plain = try await BrowserDriver(
      try orders(), size: Size(columns: 100, rows: 40), glyphs: .ascii,
      annotations: SchemaAnnotations())
    await plain.press("right", "b")
    await plain.type("quarter")
    await plain.press("enter")
    #expect(plain.picture.contains { $0.contains("*") })
    await plain.resize(60, 16)
    #expect(!plain.picture.contains { $0.contains("*") && !$0.contains("Help") })
  }

  @Test func monthsWithoutRowsAreOnTheLine() {
    let months = ["2023-11", "2023-12", "2024-01", "2024-03"]
    let ordinals = months.map { DatePart.month.ordinal(of: .text($0)) }
    #expect(ordinals.compactMap { $0 }.map { $0 - (ordinals[0] ?? 0) } == [0, 1, 2, 4])
    #expect(
      DatePart.week.ordinal(of: .text("2021-W01")).map { $0 - 53 }
        == DatePart.week.ordinal(of: .text("2020-W01")))
    #expect(
      DatePart.week.ordinal(of: .text("2020-W53")).map { $0 + 1 }
        == DatePart.week.ordinal(of: .text("2021-W01")))
    #expect(
      DatePart.quarter.ordinal(of: .text("2024-Q1")).map { $0 - 1 }
        == DatePart.quarter.ordinal(of: .text("2023-Q4")))
    #expect(DatePart.hour.ordinal(of: .integer(3)) == nil)
    #expect(DatePart.month.ordinal(of: .null) == nil)
  }
}
