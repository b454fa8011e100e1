import DatastoreCore
import DatastoreTestSupport
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// What summaries compute: whole numbers, other values among them, and days.
@MainActor
@Suite struct SummaryValueTests {
  @Test func wholeNumbersAreExactAndOthersHave15Digits() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE Sale (id INTEGER PRIMARY KEY, kind TEXT, cents INTEGER, price REAL);
      INSERT INTO Sale VALUES (1, 'a', 23456789948, 178660648514.08), (2, 'a', 12345678901, NULL),
        (3, 'a', 3, NULL);
      """)
    let driver = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Sale") }
    await driver.go(to: "price")
    await driver.press("i")
    #expect(driver.cells.contains(["sum", "178660648514.08"]))
    #expect(driver.cells.contains(["mean", "178660648514.08"]))
    await driver.press("q")
    await driver.go(to: "cents")
    await driver.press("i")
    #expect(driver.cells.contains(["sum", "35802468852"]))
    #expect(driver.cells.contains(["greatest", "23456789948"]))
    #expect(driver.cells.contains(["median", "12345678901"]))
    await driver.press("q", "b")
    await driver.type("kind")
    await driver.press("enter")
    let group = try #require(driver.cells.first)
    #expect(group.contains("23456789948"))
    #expect(group.contains("35802468852"))
    await driver.press("q", "g+")
    driver.expectShown("35,802,468,852")
  }

  @Test func aHistogramTellsOtherValuesFromNull() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE Mix (id INTEGER PRIMARY KEY, thing);
      INSERT INTO Mix (thing) VALUES (1), (2), ('t1'), ('t2'), ('t3'), (NULL);
      """)
    let driver = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Mix") }
    await driver.go(to: "thing")
    await driver.press("I")
    let others = driver.cells.suffix(2).map { [$0[0], $0[2]] }
    #expect(others == [["no number", "3"], ["NULL", "1"]])
    await driver.press("end", "enter")
    #expect(driver.status.contains("1 row "), "\(driver.status)")
    #expect(driver.status.contains("where thing == NULL"))
    await driver.press("x", "I", "end", "up", "enter")
    #expect(driver.status.contains("3 rows"), "\(driver.status)")
    #expect(driver.table.contains { $0.contains("t2") })
  }

  @Test func daysHaveStatisticsAndADistribution() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE Event (id INTEGER PRIMARY KEY, kind TEXT, day DATE);
      INSERT INTO Event VALUES (1, 'a', '2024-01-05'), (2, 'a', '2024-01-15'),
        (3, 'b', '2024-03-01'), (4, 'b', NULL);
      """)
    let driver = try await BrowserDriver(file, annotations: SchemaAnnotations())
    await driver.go(to: "day")
    await driver.press("i")
    #expect(driver.cells.contains(["mean", "2024-01-27"]))
    #expect(driver.cells.contains(["median", "2024-01-15"]))
    #expect(driver.cells.contains { $0[0] == "standard deviation in days" })
    #expect(!driver.cells.contains { $0[0] == "sum" })
    await driver.press("q", "I")
    #expect(driver.cells.first?.prefix(3) == ["2024-01-05", "2024-01-08", "1"])
    await driver.press("enter")
    #expect(driver.status.contains("1 row "), "\(driver.status)")
    #expect(driver.table.contains { $0.contains("2024-01-05") })
    await driver.press("x", "b")
    await driver.type("kind")
    await driver.press("enter")
    #expect(driver.columnNames == ["kind", "rows", "first", "last", "bar"])
    #expect(driver.cells.first == ["a", "2", "2024-01-05", "2024-01-15", "1.0"])
  }
}
