import TerminalUI
import Testing

@testable import DatastoreBrowser

@MainActor
@Suite struct SchemaScreenTests {
  private func body(_ driver: BrowserDriver) -> [String] {
    driver.picture(of: SchemaScreen.body(in: driver.terminal.size))
  }

  private static let wide = """
    CREATE TABLE 会社 (id INTEGER PRIMARY KEY, 名前 TEXT NOT NULL UNIQUE DEFAULT '株式会社');
    CREATE TABLE 社員 (
      id INTEGER PRIMARY KEY, 会社 INTEGER REFERENCES 会社 (id) ON DELETE CASCADE,
      番号 INTEGER, UNIQUE (会社, 番号));
    CREATE INDEX 索引 ON 社員 (番号 DESC) WHERE 番号 > 0;
    """

  @Test func theOutlineListsEverythingAndTheGraphJoinsEntities() async throws {
    let driver = try await BrowserDriver(
      try .company(), options: { _ in BrowserOptions(entity: "Employee") })
    await driver.press("M")
    driver.expect(
      body(driver),
      """
      Employee (table)
      ├─ id        INTEGER
      ├─ name      TEXT
      ├─ position  TEXT
      ├─ salary    REAL
      ├─ company   → Company  to one, inverse employees, no action
      └─ tasks     ⇉ Task     to many, inverse employee, no action

      Task (table)
      """)
    await driver.press("<", "tab")
    driver.expect(body(driver), "")
  }
}
