import DatastoreCore
import DatastoreTestSupport
import Foundation
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// References that lead nowhere show their stored values, even if these are not numbers.
@MainActor
@Suite struct DanglingReferenceScreenTests {
  private static let sql = """
    CREATE TABLE currency (code TEXT PRIMARY KEY, name TEXT);
    CREATE TABLE language (tag TEXT PRIMARY KEY, name TEXT) WITHOUT ROWID;
    CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE country (id INTEGER PRIMARY KEY, name TEXT, currency TEXT REFERENCES currency,
      language TEXT REFERENCES language, capital INTEGER REFERENCES city);
    INSERT INTO currency VALUES ('EUR', 'Euro'); INSERT INTO language VALUES ('de', 'German');
    INSERT INTO city VALUES (1, 'Berlin');
    INSERT INTO country VALUES (1, 'Germany', 'EUR', 'de', 1), (2, 'Utopia', 'UTO', 'ut', 'Amaurot'),
      (3, 'Nowhere', NULL, NULL, NULL), (4, 'Erewhon', '', 'er', 99);
    """

  private func driver(groupBy: [String]? = nil) async throws -> BrowserDriver {
    try await BrowserDriver(
      try TemporaryFile(Self.sql), size: Size(columns: 220, rows: 24),
      options: { _ in BrowserOptions(entity: "country", groupBy: groupBy) })
  }

  @Test func tableAndDetailsShowWhatIsStored() async throws {
    let driver = try await driver()
    for words in [
      ["1  Germany", "Euro", "German", "Berlin"],
      ["2  Utopia", "“UTO” is missing", "“ut” is missing", "“Amaurot” is missing"],
      ["3  Nowhere", "∅", "∅", "∅"],
      ["4  Erewhon", "“” is missing", "“er” is missing", "#99 is missing"],
    ] {
      let row = try #require(driver.picture.first { $0.contains(words[0]) })
      let cells = row.split(separator: "  ").map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(words.dropFirst().allSatisfy { cells.contains($0) }, "\(words) in \(row)")
    }
    await driver.press("down")
    for line in ["→ “UTO” is missing", "→ “ut” is missing", "→ “Amaurot” is missing"] {
      #expect(driver.picture.contains { $0.contains(line) }, "\(line) in \(driver.picture)")
    }
  }

  @Test func thereIsNoWayToWhatIsMissing() async throws {
    let driver = try await driver()
    await driver.press("down", "$", "o")
    #expect(
      driver.status.contains("There is no city to go to: “Amaurot” is missing."), "\(driver.status)"
    )
    driver.expectShown("Utopia")
  }

  @Test func sectionsAreNamedByWhatIsStored() async throws {
    let driver = try await driver(groupBy: ["currency"])
    for name in ["∅ no currency", "Euro", "“UTO” is missing", "“” is missing"] {
      #expect(driver.picture.contains { $0.contains("▾ \(name)") }, "\(name) in \(driver.picture)")
    }
  }

  @Test func aDanglingReferenceIsChangedTakenBackAndSaved() async throws {
    let file = try TemporaryFile(Self.sql)
    let driver = try await BrowserDriver(
      file, size: Size(columns: 220, rows: 24),
      options: { _ in BrowserOptions(entity: "country") })
    await driver.press("down", "right", "e", "ctrl-u")
    await driver.type("Eutopia\n")
    await driver.press("ctrl-s")
    let found = try SQLiteFile.values(
      "SELECT name || currency || language || capital FROM country WHERE id = 2", in: file.url)
    #expect(found == ["EutopiaUTOutAmaurot"])
  }
}
