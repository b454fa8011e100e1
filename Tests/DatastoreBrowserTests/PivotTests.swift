import DatastoreCore
import DatastoreTestSupport
import Foundation
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Pivots: two groupings of the table, and a computed value for each pair of groups.
@MainActor
@Suite struct PivotTests {
  private func sales() throws -> TemporaryFile {
    try TemporaryFile(
      """
      CREATE TABLE shop (id INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO shop VALUES (1, 'Zoo'), (2, 'Mill'), (3, 'Arch');
      CREATE TABLE sale (
        id INTEGER PRIMARY KEY, kind TEXT, amount REAL, shop_id INTEGER REFERENCES shop (id));
      WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 400)
      INSERT INTO sale SELECT
        i, CASE i % 5 WHEN 0 THEN NULL ELSE 'kind ' || (i % 5) END,
        CASE WHEN i % 7 = 0 THEN NULL ELSE (i * 37 % 101) / 2.0 END, i % 4 FROM n;
      UPDATE sale SET shop_id = NULL WHERE shop_id = 0;
      DELETE FROM sale WHERE kind = 'kind 2' AND shop_id = 1;
      """, name: "sales.sqlite")
  }

  private func start(_ file: TemporaryFile) async throws -> BrowserDriver {
    try await BrowserDriver(file, size: Size(columns: 120, rows: 24)) { _ in
      BrowserOptions(entity: "sale")
    }
  }

  /// Makes a pivot of kinds and shops with the value that a text finds in the list of values.
  private func pivot(_ measure: String, _ browser: BrowserDriver) async {
    await browser.press("gp")
    for text in ["kind", "shop", measure] {
      await browser.press("ctrl-u")
      await browser.type(text)
      await browser.press("enter")
    }
  }

  // Promise: a mean of means in totals → every total is a question of its own.
  // Also: (sqlite is the oracle for each cell)
  @Test(arguments: [
    ("number of rows", "count(*)"), ("sum of amount", "sum(amount)"),
    ("mean of amount", "avg(amount)"), ("least of amount", "min(amount)"),
    ("greatest of amount", "max(amount)"),
  ])
  func cellsAndTotalsAgreeWithSQL(measure: String, sql: String) async throws {
    let file = try sales()
    let browser = try await start(file)
    await pivot(measure, browser)
    let names = ["kind", "no shop", "Arch", "Mill", "Zoo", "all"]
    #expect(browser.columnNames == names)
    let rows = browser.cells
    #expect(rows.map { $0[0] } == ["NULL", "kind 1", "kind 2", "kind 3", "kind 4"])
    func condition(_ column: String, _ name: String) -> String {
      name.hasPrefix("no ") || name == "NULL" ? "\(column) IS NULL" : "\(column) = '\(name)'"
    }
    for row in rows {
      for (name, cell) in zip(names, row).dropFirst() {
        let conditions =
          [condition("kind", row[0])] + (name == "all" ? [] : [condition("s.name", name)])
        let wanted = try file.values(
          "SELECT coalesce(\(sql), 'NULL') FROM sale LEFT JOIN shop s ON s.id = shop_id WHERE "
            + conditions.joined(separator: " AND "))[0]
        // A pair without rows has no cell; SQL counts none of them.
        if cell == "NULL" {
          #expect(wanted == "0" || wanted == "NULL", "\(conditions)")
        } else {
          let one = try #require(Double(cell))
          let other = try #require(Double(wanted), "\(conditions)")
          #expect(abs(one - other) < 1e-8 * max(1, abs(other)), "\(conditions)")
        }
      }
    }
    // The footer has the totals of the columns, if they cover all rows.
    let total = try file.values("SELECT round(\(sql), 6) FROM sale")[0]
    let foot = browser.browser.state.table?.totals.answer?.all.last?.number
    if sql.hasPrefix("avg") {
      #expect(browser.browser.state.table?.hasTotals == false)
    } else {
      #expect(abs((foot ?? .nan) - (Double(total) ?? .nan)) < 1e-5, "\(total)")
    }
  }

  @Test func itIsSortedAndTurned() async throws {
    let browser = try await start(sales())
    await pivot("sum of amount", browser)
    browser.expectShown("sum of amount by kind and shop in sale")
    // By the totals: least first, greatest first, and as it was.
    await browser.press("$", "s")
    let least = browser.cells.compactMap { Double($0[5]) }
    #expect(least == least.sorted())
    await browser.press("s")
    #expect(browser.cells.compactMap { Double($0[5]) } == least.reversed())
    await browser.press("s")
    #expect(browser.cells.first?.first == "NULL")
    // The other way round.
    await browser.press("q", "gp")
    for text in ["shop", "kind", "number"] {
      await browser.press("ctrl-u")
      await browser.type(text)
      await browser.press("enter")
    }
    browser.expectShown("rows by shop and kind")
    #expect(browser.cells.map { $0[0] } == ["NULL", "Arch", "Mill", "Zoo"])
  }

  @Test func aCellLeadsToItsRows() async throws {
    let file = try sales()
    let browser = try await start(file)
    await pivot("number of rows", browser)
    // kind 1 in Arch.
    await browser.press("down")
    await browser.go(to: "Arch")
    let count = browser.cells[1][2]
    #expect(
      try file.values("SELECT count(*) FROM sale WHERE kind = 'kind 1' AND shop_id = 3")
        == [count])
    await browser.press("enter")
    #expect(browser.browser.levels.count == 1)
    #expect(browser.status.contains("\(count) rows"))
    #expect(browser.status.contains("where kind == \"kind 1\" AND shop == 3"))
    // These rows have no others.
    await pivot("number of rows", browser)
    #expect(browser.cells == [["kind 1", count, count]])
    await browser.press("q", "x")
    // Sections are the rows of the pivot by themselves; one without a value is found, too.
    await browser.go(to: "kind")
    await browser.press("gb", "gp")
    browser.expectShown("rows: kind")
    await browser.type("shop")
    await browser.press("enter", "enter", "home", "0", "right", "enter")
    #expect(browser.status.contains("where kind == NULL AND shop == NULL"))
  }

  @Test func itIsExported() async throws {
    let file = try sales()
    let folder = try TemporaryDirectory()
    let browser = try await start(file)
    await pivot("number of rows", browser)
    let url = folder.file("pivot.csv")
    await browser.press("E", "ctrl-u")
    await browser.type(url.path)
    await browser.press("enter")
    let written = try String(contentsOf: url, encoding: .utf8)
    let expected = try file.values(
      """
      SELECT coalesce(kind, '') || ',' ||
        coalesce(nullif(sum(shop_id IS NULL), 0), '') || ',' ||
        coalesce(nullif(sum(shop_id IS 3), 0), '') || ',' ||
        coalesce(nullif(sum(shop_id IS 2), 0), '') || ',' ||
        coalesce(nullif(sum(shop_id IS 1), 0), '') || ',' || count(*)
      FROM sale GROUP BY kind ORDER BY kind
      """)
    let lines = written.split(whereSeparator: \.isNewline).map(String.init)
    #expect(lines.first == "kind,no shop,Arch,Mill,Zoo,all")
    #expect(Array(lines.dropFirst()) == expected)
  }

  @Test func nullAndEmptyTextAreExportedAsSuch() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE sale (id INTEGER PRIMARY KEY, kind TEXT, shop TEXT);
      INSERT INTO sale VALUES (1, NULL, 'a'), (2, '', 'a'), (3, 'x', 'b');
      """)
    let folder = try TemporaryDirectory()
    let browser = try await start(file)
    await pivot("number of rows", browser)
    let url = folder.file("pivot.csv")
    await browser.press("E", "ctrl-u")
    await browser.type(url.path)
    await browser.press("enter")
    let written = try String(contentsOf: url, encoding: .utf8)
    #expect(
      written.split(whereSeparator: \.isNewline)
        == ["kind,a,b,all", ",1,,1", "\"\",1,,1", "x,,1,1"])
  }
}
