import DatastoreCore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// The spread of a column in the headers of sections.
@MainActor
@Suite struct SectionSparkTests {
  /// So many rows in three kinds: low numbers, high numbers and none at all.
  private func numbers() throws -> TemporaryFile {
    try TemporaryFile(
      """
      CREATE TABLE Number (id INTEGER PRIMARY KEY, kind TEXT, value INTEGER, note TEXT);
      INSERT INTO Number VALUES
        (1, 'low', 0, ''), (2, 'low', 0, ''), (3, 'low', 1, ''), (4, 'high', 15, ''),
        (5, 'high', 15, ''), (6, 'high', 14, ''), (7, NULL, 7, ''), (8, 'none', NULL, '');
      """)
  }

  private func grouped(
    _ file: TemporaryFile, size: Size = Size(columns: 80, rows: 24), glyphs: GlyphSet = .unicode
  ) async throws -> BrowserDriver {
    let driver = try await BrowserDriver(file, size: size, glyphs: glyphs) { _ in
      BrowserOptions(entity: "Number", groupBy: ["kind"])
    }
    await driver.press("right", "right", "Z")
    return driver
  }

  @Test func headersShowTheSpreadOfTheChosenColumn() async throws {
    let driver = try await grouped(numbers())
    await driver.press("gh")
    driver.expect(
      driver.table,
      """
          id  kind      value  note
      > ▸ ∅ no kind (1)                       value        █
        ▸ high (3)                            value               ▄█
        ▸ low (3)                             value █▄
        ▸ none (1)
      """)
    #expect(driver.status.contains("value from 0 to 15"))
    // Another column replaces it; the same one again removes it.
    await driver.press("left", "left", "gh")
    #expect(driver.table[1].contains(" id "))
    await driver.press("gh")
    #expect(!driver.table[1].contains(" id "))
    #expect(!driver.status.contains("id from"))
  }

  @Test func textHasNoSpreadAndSectionsAreNeeded() async throws {
    let driver = try await grouped(numbers())
    await driver.press("right", "gh")
    #expect(driver.status.contains("note holds no numbers or dates"))
    await driver.press("left", "left", "gb", "right", "gh")
    #expect(driver.status.contains("There are no sections"))
  }

  @Test func whatIsSavedAndFilteredChangesTheSpread() async throws {
    let file = try numbers()
    let driver = try await grouped(file)
    await driver.press("gh")
    try file.execute("UPDATE Number SET value = 30 WHERE id = 1")
    await driver.press("r")
    #expect(driver.status.contains("value from 0 to 30"))
    await driver.press("w")
    await driver.type("value < 10")
    await driver.press("enter")
    #expect(driver.status.contains("value from 0 to 7"))
    #expect(driver.table.contains { $0.contains("low (2)") && $0.contains("█") })
  }

  @Test func relatedObjectsMakeSectionsTooInAscii() async throws {
    let driver = try await BrowserDriver(.company(), glyphs: .ascii) { _ in
      BrowserOptions(entity: "Employee", groupBy: ["company"])
    }
    while driver.browser.state.table?.currentColumn?.name != "salary" {
      await driver.press("right")
    }
    await driver.press("gh", "Z")
    driver.expect(
      driver.table,
      """
          id  name    position      salary  company
      > + NULL no company (1)
        + Acme (2)                         salary         #    #
        + Borg (1)                         salary                #
        + #99 is missing (1)               salary #
      """)
    #expect(driver.picture.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
  }

  @Test func onlySectionsAroundTheScreenAreComputed() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE Big (id INTEGER PRIMARY KEY, kind INTEGER, value INTEGER);
      WITH RECURSIVE n (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 3999)
      INSERT INTO Big SELECT i, i / 2, i % 16 FROM n;
      """, name: "big.sqlite")
    let driver = try await BrowserDriver(file) { _ in
      BrowserOptions(entity: "Big", groupBy: ["kind"])
    }
    await driver.press("right", "right", "Z", "gh")
    func known() -> Int {
      guard let table = driver.browser.state.table else { return 0 }
      return table.list.sections.count { table.sparks.counts(of: $0.value) != nil }
    }
    #expect((10..<100).contains(known()))
    await driver.press(">")
    #expect((20..<200).contains(known()))
    #expect(driver.table[1...].prefix { !$0.isEmpty }.allSatisfy { $0.contains("value") })
  }
}
