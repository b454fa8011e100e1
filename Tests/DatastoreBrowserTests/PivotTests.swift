import DatastoreCore
import DatastoreTestSupport
import Foundation
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Two groupings of the table, and what is computed for each pair of groups.
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

  /// Makes a pivot of kinds and shops with what a text finds in the list of values.
  private func pivot(_ measure: String, _ browser: BrowserDriver) async {
    await browser.press("gp")
    for text in ["kind", "shop", measure] {
      await browser.press("ctrl-u")
      await browser.type(text)
      await browser.press("enter")
    }
  }

  private func table(_ browser: BrowserDriver) throws -> PivotTable {
    try #require(browser.browser.state.overlay(as: PivotScreen.self)?.table)
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
    let pivot = try table(browser)
    #expect(pivot.rows.map(\.name) == ["no kind", "kind 1", "kind 2", "kind 3", "kind 4"])
    #expect(pivot.columns.map(\.name) == ["no shop", "Arch", "Mill", "Zoo"])
    func expected(_ conditions: [String]) throws -> [String] {
      try file.values(
        "SELECT quote(\(sql)) FROM sale LEFT JOIN shop s ON s.id = shop_id WHERE "
          + (conditions + ["1"]).joined(separator: " AND "))
    }
    func condition(_ column: String, _ name: String) -> String {
      name.hasPrefix("no ") ? "\(column) IS NULL" : "\(column) = '\(name)'"
    }
    func shown(_ value: Value) -> String {
      switch value {
      case .integer(let integer): String(integer)
      case .real(let real): "\(real)"
      default: "NULL"
      }
    }
    for (row, kind) in (pivot.rows.map { Optional($0) } + [nil]).enumerated() {
      for (column, shop) in (pivot.columns.map { Optional($0) } + [nil]).enumerated() {
        let conditions = [
          kind.map { condition("kind", $0.name) }, shop.map { condition("s.name", $0.name) },
        ].compactMap { $0 }
        let value = pivot.value(row: row, column: column)
        let wanted = try expected(conditions)[0]
        // A pair without rows has no cell; SQL counts none of them.
        if value.isNull, sql == "count(*)" {
          #expect(wanted == "0")
        } else if let one = value.number, let other = Double(wanted) {
          #expect(abs(one - other) < 1e-9 * max(1, abs(other)), "\(conditions)")
        } else {
          #expect(shown(value) == wanted, "\(conditions)")
        }
      }
    }
  }

  @Test func rowsAndColumnsAreSorted() async throws {
    let browser = try await start(sales())
    await pivot("sum of amount", browser)
    browser.expectShown("sum of amount by kind and shop")
    browser.expectShown("5 rows, 4 columns")
    let line = try #require(browser.picture.first { $0.contains("no shop") })
    let names = ["no shop", "Arch", "Mill", "Zoo", "all"]
    let places = names.compactMap { line.range(of: $0)?.lowerBound }
    #expect(places.count == 5 && places == places.sorted())
    // By the totals: greatest first, least first, and as it was.
    await browser.press("$", "s")
    let greatest = try table(browser).rows.map { $0.total.number ?? 0 }
    #expect(greatest == greatest.sorted(by: >))
    await browser.press("s")
    #expect(try table(browser).rows.map { $0.total.number ?? 0 } == greatest.reversed())
    await browser.press("s")
    #expect(try table(browser).rows.first?.name == "no kind")
    // Columns by the row under the cursor.
    await browser.press("down", "S")
    let cells = try (0..<4).map { try table(browser).value(row: 1, column: $0).number ?? -1 }
    #expect(cells == cells.sorted(by: >))
    await browser.press("t")
    #expect(try table(browser).rows.map(\.name) == ["no shop", "Arch", "Mill", "Zoo"])
    await browser.press("a")
    await browser.type("number")
    await browser.press("enter")
    browser.expectShown("rows by shop and kind")
  }

  @Test func aCellLeadsToItsRows() async throws {
    let file = try sales()
    let browser = try await start(file)
    await pivot("number of rows", browser)
    // kind 1 in Arch.
    await browser.press("home", "0", "down", "right")
    let count = try table(browser).value(row: 1, column: 1)
    #expect(
      try file.values("SELECT count(*) FROM sale WHERE kind = 'kind 1' AND shop_id = 3")
        == [count.description])
    await browser.press("enter")
    #expect(!browser.hasOverlay)
    #expect(browser.status.contains("\(count) rows"))
    #expect(browser.status.contains("where kind == \"kind 1\" AND shop == 3"))
    // Within these rows, the total of all of them; of what has no kind there are none here.
    await pivot("number of rows", browser)
    #expect(try table(browser).total == count)
    await browser.press("esc", "x")
    // Sections are the rows of the pivot by themselves; one without a value is found, too.
    while browser.browser.state.table?.currentColumn?.name != "kind" {
      await browser.press("right")
    }
    await browser.press("gb", "gp")
    browser.expectShown("rows: kind")
    await browser.type("shop")
    await browser.press("enter", "enter", "home", "0", "enter")
    #expect(browser.status.contains("where kind == NULL AND shop == NULL"))
  }

  @Test func itIsExportedAndCopied() async throws {
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
      SELECT coalesce(kind, 'no kind') || ',' ||
        coalesce(nullif(sum(shop_id IS NULL), 0), '') || ',' ||
        coalesce(nullif(sum(shop_id IS 3), 0), '') || ',' ||
        coalesce(nullif(sum(shop_id IS 2), 0), '') || ',' ||
        coalesce(nullif(sum(shop_id IS 1), 0), '') || ',' || count(*)
      FROM sale GROUP BY kind ORDER BY kind
      """)
    let lines = written.split(separator: "\n").map(String.init)
    #expect(lines.first == "kind,no shop,Arch,Mill,Zoo,all")
    #expect(Array(lines.dropFirst().dropLast()) == expected)
    #expect(lines.last?.hasPrefix("all,") == true)
    await browser.press("home", "0", "y")
    #expect(browser.status.contains("Copied"))
  }
}
