import DatastoreCore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Numbers in narrow columns: a number that is cut would be another one.
@MainActor
@Suite struct NumberRoomTests {
  private static let sql = """
    CREATE TABLE sale (id INTEGER PRIMARY KEY, place TEXT, customer TEXT, amount INTEGER, rate REAL,
      free);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
    INSERT INTO sale SELECT i, 'the long name of the place with the number ' || (i % 3),
      'the long name of a customer ' || i, i * 46800000000, i / 4.0, -i * 1000003 FROM n;
    """

  private func browse(_ size: Size = Size(columns: 80, rows: 24)) async throws -> BrowserDriver {
    try await BrowserDriver(TemporaryFile(Self.sql), size: size)
  }

  @Test(arguments: [Size(columns: 80, rows: 24), Size(columns: 200, rows: 60)])
  func numbersAreWholeBeforeTextsAre(size: Size) async throws {
    let browser = try await browse(size)
    await browser.press("ctrl-e", "v")
    let rows = browser.table.dropFirst()
    for (row, number) in zip(rows, 1...20) {
      #expect(row.contains(" \(number * 46_800_000_000)"), "\(row)")
      #expect(row.hasSuffix(" \(-number * 1_000_003)"), "\(row)")
      #expect(row.contains("…") == (size.columns == 80), "\(row)")
    }
  }

  @Test func aNumberWithoutRoomHasAnExponentOrIsNotShown() async throws {
    let browser = try await browse()
    await browser.press("right", "right", "right")
    for _ in 0..<4 { await browser.press("{") }
    browser.expect(
      Array(browser.table.prefix(4)),
      """
          id  place           customer        amou…    rate  free
      >    1  the long name…  the long name…  ~5e10    0.25   -1000003
           2  the long name…  the long name…  ~9e10    0.5    -2000006
           3  the long name…  the long name…  ~1e11    0.75   -3000009
      """)
    await browser.press("{")
    browser.expect(
      Array(browser.table.prefix(4)),
      """
          id  place            customer         am…    rate  free
      >    1  the long name …  the long name …  ###    0.25   -1000003
           2  the long name …  the long name …  ###    0.5    -2000006
           3  the long name …  the long name …  ###    0.75   -3000009
      """)
    // It is still itself wherever it has room.
    browser.expectShown("46800000000")
  }

  @Test func soItIsInEveryTable() async throws {
    let browser = try await browse(Size(columns: 44, rows: 24))
    await browser.press("$", "left", "left", "e", "ctrl-u")
    await browser.type("123456789012345678")
    await browser.press("enter", "c")
    browser.expectShown("amount     4.68e10    →  ~1.23457e17")
    await browser.press("esc", "Q")
    await browser.type("SELECT place, amount, customer, -amount * 1000 AS x FROM sale")
    await browser.press("enter")
    browser.expectShown("the long name…   140400000000  the long n…")
    await browser.press("$")
    browser.expectShown("-46800000000000")
    await browser.press("q", "esc", "ctrl-s", "gC", "gt", "$")
    #expect(!browser.picture.contains { $0.contains("1234567…") || $0.contains("12345678…") })
  }

  @Test func theFactsOfAnOverviewAreNumbersToo() async throws {
    let browser = try await browse()
    await browser.press("O")
    let line = browser.picture.first { $0.contains("amount") } ?? ""
    #expect(
      line.contains(" 46800000000 ") && line.contains(" 1404000000000 "), "\(browser.picture)")
  }
}
