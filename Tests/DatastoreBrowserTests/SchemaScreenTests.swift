import DatastoreCore
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
    await driver.press("gs")
    driver.expect(
      body(driver),
      """
      Company (table)
      ├─ id        INTEGER     primary key
      ├─ name      TEXT        not null
      ├─ founded   INTEGER
      └─ Employee  ⇉ Employee  to many, inverse company, deny

      Employee (table)
      ├─ id          INTEGER    primary key
      ├─ name        TEXT
      ├─ position    TEXT
      ├─ salary      REAL
      ├─ company_id  INTEGER    references Company(id)
      ├─ company     → Company  to one, inverse Employee, nullify
      └─ Task        ⇉ Task     to many, inverse employee, deny

      Task (table)
      ├─ id           INTEGER     primary key
      ├─ title        TEXT
      ├─ employee_id  INTEGER     references Employee(id)
      └─ employee     → Employee  to one, inverse Task, nullify
      """)
    // The cursor begins on the entity that is shown.
    #expect(driver.browser.state.overlay(as: SchemaScreen.self)?.entity == 1)
    await driver.press("tab")
    driver.expect(
      body(driver),
      """
      ┌─────────────────────────────────────────────────┐
      │ Company                                         │
      │   id  INTEGER  primary key                      │
      │   Employee ⇉ Employee                           ├─┐
      └─────────────────────────────────────────────────┘ │
                                                          │
      ┌─────────────────────────────────────────────────┐ │
      │ Employee                                        │ │
      │   id          INTEGER  primary key              │ │
      │   company_id  INTEGER  references Company(id)   │ │
      │   company → Company                             ├─┘
      │   Task ⇉ Task                                   ├─┐
      └─────────────────────────────────────────────────┘ │
                                                          │
      ┌─────────────────────────────────────────────────┐ │
      │ Task                                            │ │
      │   id           INTEGER  primary key             │ │
      │   employee_id  INTEGER  references Employee(id) │ │
      │   employee → Employee                           ├─┘
      └─────────────────────────────────────────────────┘
      """)
    #expect(driver.browser.state.overlay(as: SchemaScreen.self)?.entity == 1)
    await driver.press("]", "enter")
    #expect(driver.browser.state.overlays.isEmpty)
    #expect(driver.browser.state.entity?.name == "Task")
  }

  @Test func searchingGoesFromMatchToMatchAndAround() async throws {
    let driver = try await BrowserDriver(
      try .company(), options: { _ in BrowserOptions(entity: "Company") })
    func entity() -> EntityIndex? { driver.browser.state.overlay(as: SchemaScreen.self)?.entity }
    await driver.press("gs", "/")
    await driver.type("inverse employee")
    await driver.press("enter")
    #expect(entity() == 1)
    await driver.press("n")
    #expect(entity() == 1)
    await driver.press("n")
    #expect(driver.status.contains("continued from the top"))
    await driver.press("N")
    #expect(driver.status.contains("continued from the bottom"))
    await driver.press("/")
    await driver.type("nowhere")
    await driver.press("enter")
    #expect(driver.status.contains("“nowhere” is not in the schema."))
    await driver.press("[", "[", "enter")
    #expect(driver.browser.state.entity?.name == "Company")
  }

  @Test func wideNamesIndexesAndAsciiFitTheScreen() async throws {
    for size in [Size(columns: 80, rows: 24), Size(columns: 200, rows: 60)] {
      for glyphs in [GlyphSet.unicode, .ascii] {
        let driver = try await BrowserDriver(
          try TemporaryFile(Self.wide), size: size, glyphs: glyphs)
        await driver.press("gs")
        for key in ["down", "right", "right", "left", "tab", "right", "left", "/"] {
          await driver.press(key)
          #expect(driver.picture.allSatisfy { $0.displayWidth() <= size.columns })
          if glyphs == .ascii {
            #expect(driver.picture.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
          }
        }
      }
    }
    let driver = try await BrowserDriver(try TemporaryFile(Self.wide))
    await driver.press("gs")
    #expect(body(driver).contains { $0.contains("not null, unique, default '株式会社'") })
    #expect(body(driver).contains { $0.contains("unique  会社, 番号") })
    #expect(body(driver).contains { $0.contains("索引") && $0.contains("(番号), partial") })
    #expect(body(driver).contains { $0.contains("→ 会社") && $0.contains("to one") })
  }

  @Test func cuttingOffCellsCutsNoCharacterInTwo() {
    #expect("会社 ab".droppingCells(0) == "会社 ab")
    #expect("会社 ab".droppingCells(1) == " 社 ab")
    #expect("会社 ab".droppingCells(2) == "社 ab")
    #expect("会社 ab".droppingCells(6) == "b")
    #expect("会社 ab".droppingCells(9) == "")
  }

  @Test func aFileWithoutTablesSaysSo() async throws {
    let driver = try await BrowserDriver(try TemporaryFile("SELECT 1"))
    await driver.press("gs")
    #expect(body(driver)[0] == "This file has no tables.")
    await driver.press("tab", "down", "]", "n", "enter")
    #expect(driver.browser.state.overlay(as: SchemaScreen.self) != nil)
  }
}
