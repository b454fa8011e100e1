import DatastoreCore
import DatastoreSQLite
import Foundation
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

// Promise: a date of another program is edited → it is written in the column's convention and style; what
// was not edited stays.
// Also: `DateConventionTests`
/// Columns of dates that another program stores as numbers.
@MainActor
@Suite struct DateColumnScreenTests {
  /// Visits each 10 days from 2024-01-01 on, in Unix milliseconds; the 40th is none.
  private static func visits() throws -> TemporaryFile {
    try TemporaryFile(
      """
      CREATE TABLE visit (id INTEGER PRIMARY KEY, page TEXT, visited_at INTEGER);
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
      INSERT INTO visit SELECT i + 1, 'page ' || i,
        iif(i = 39, 17, 1704067200000 + i * 864000000 + 500) FROM n;
      """, name: "visits.sqlite")
  }

  private func browse(
    _ file: TemporaryFile, state: URL? = nil, size: Size = Size(columns: 120, rows: 40),
    predicate: String? = nil
  ) async throws -> BrowserDriver {
    let annotations = AnnotationsFile(of: KeptSubject(store: file.url), in: state)?.read()
      .annotations
    return try await BrowserDriver(
      file, size: size, annotations: annotations ?? SchemaAnnotations()
    ) { schema in
      var options = BrowserOptions(entity: "visit", stateDirectory: state)
      if let predicate, let entity = schema.entity(named: "visit") {
        options.predicate = try Predicate.parse(predicate, entity: entity, in: schema)
      }
      return options
    }
  }

  @Test func datesAreShownWithWhatIsStored() async throws {
    let browser = try await browse(Self.visits(), predicate: "id <= 2 OR id == 40")
    browser.expect(
      browser.table,
      """
          id  page     visited_at
      >    1  page 0   2024-01-01 00:00:00.500
           2  page 1   2024-01-11 00:00:00.500
          40  page 39  17 (no date)
      """)
    browser.expect(
      Array(browser.detail.prefix(4)),
      """
        id          integer  1
        page        text     page 0
        visited_at  integer  2024-01-01 00:00:00.500
                             1704067200500
      """)
    await browser.press("right", "right", "V")
    browser.expectShown("stored as 1704067200500")
  }

  @Test func rowsAreGroupedByMonthAndYear() async throws {
    let browser = try await browse(Self.visits())
    await browser.press("right", "right", "gb")
    browser.expectShown("Group visited_at")
    browser.expectShown("by month")
    await browser.press("enter")
    #expect(browser.status.contains("grouped by visited_at by month, UTC"))
    browser.expect(
      Array(browser.table.prefix(7)),
      """
          id  page     visited_at
        ▾ 2024-01 (4)
      >    1  page 0   2024-01-01 00:00:00.500
           2  page 1   2024-01-11 00:00:00.500
           3  page 2   2024-01-21 00:00:00.500
           4  page 3   2024-01-31 00:00:00.500
        ▾ 2024-02 (2)
      """)
    await browser.press("home")
    browser.expect(
      Array(browser.table.prefix(3)),
      """
          id  page     visited_at
      > ▾ ∅ no visited_at (1)
          40  page 39  17 (no date)
      """)
    await browser.press("gb")
    #expect(browser.browser.state.table?.query.groupBy == nil)
    await browser.press("gb", "up", "up", "enter", "Z")
    browser.expect(
      Array(browser.table.prefix(5)),
      """
          id  page     visited_at
        ▸ ∅ no visited_at (1)
      > ▸ 2024 (37)
        ▸ 2025 (36)
        ▸ 2026 (26)
      """)
    // A section stands for its rows.
    await browser.press("f")
    #expect(browser.browser.state.table?.query.filterText == "visited_at.@year == 2024")
    #expect(browser.status.contains("37 rows"))
  }

  @Test func theChoiceIsKeptOutsideOfTheFile() async throws {
    let file = try Self.visits()
    let state = try TemporaryFile("CREATE TABLE x (y)")
    let directory = state.url.deletingLastPathComponent().appending(path: "state")
    let before = try Data(contentsOf: file.url)
    let browser = try await browse(file, state: directory, predicate: "id <= 2")
    await browser.press("right", "right", "%", "down")
    browser.expectShown("Meaning of visit.visited_at")
    browser.expectShown("Unix milliseconds, as found from name and values")
    await browser.type("none")
    await browser.press("enter")
    browser.expect(
      browser.table,
      """
          id  page       visited_at
      >    1  page 0  1704067200500
           2  page 1  1704931200500
      """)
    let second = try await browse(file, state: directory, predicate: "id <= 2")
    #expect(second.table[1].hasSuffix("1704067200500"))
    // Another convention by hand, and back to the detected one.
    await second.press("right", "right", "%", "down")
    await second.type("unix milli")
    second.expectShown("2024-01-01 00:00:00.500")
    await second.press("enter")
    #expect(second.table[1].hasSuffix("2024-01-01 00:00:00.500"))
    await second.press("%", "down")
    await second.type("unix micro")
    await second.press("enter")
    #expect(second.table[1].hasSuffix("1704067200500 (no date)"))
    await second.press("%", "down", "ctrl-u", "enter")
    #expect(second.table[1].hasSuffix("2024-01-01 00:00:00.500"))
    #expect(try Data(contentsOf: file.url) == before)
  }

  @Test func whatIsEditedKeepsItsConvention() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE visit (id INTEGER PRIMARY KEY, visited_at INTEGER, opened DATETIME, day TEXT);
      INSERT INTO visit VALUES (1, 1704067200123, '2024-01-01 10:00:00', NULL),
        (2, 1704067200456, '2024-01-01 10:00:00.5', NULL), (3, NULL, NULL, NULL);
      """, name: "visits.sqlite")
    let browser = try await browse(file)
    await browser.press("right", "e", "ctrl-u")
    await browser.type("2025-02-03 04:05:06.007")
    await browser.press("enter", "right", "e", "ctrl-u")
    await browser.type("2025-06-07T08:09Z")
    await browser.press("enter", "down", "left", "e", "enter", "down", "e", "ctrl-u")
    await browser.type("2025-02-03")
    await browser.press("enter", "right", "e", "ctrl-u")
    await browser.type("never")
    await browser.press("enter")
    browser.expectShown("“never” is not a date")
    await browser.press("esc", "ctrl-s")
    #expect(
      try file.values(
        "SELECT quote(id) || ' ' || quote(visited_at) || ' ' || quote(opened) FROM visit ORDER BY id"
      )
        == [
          "1 1738555506007 '2025-06-07 08:09:00'", "2 1704067200456 '2024-01-01 10:00:00.5'",
          "3 1738540800000 NULL",
        ])
  }

  @Test func datesAreFiltered() async throws {
    let browser = try await browse(Self.visits())
    await browser.press("right", "right", "f")
    #expect(
      browser.browser.state.table?.query.filterText == "visited_at == \"2024-01-01T00:00:00.500Z\"")
    #expect(browser.status.contains("1 row"))
    await browser.press("x", "w")
    await browser.type("visited_at >= 2025-01-01 AND visited_at < 2025-02-01")
    await browser.press("enter")
    #expect(browser.status.contains("2 rows"))
  }

  @Test func datesAreFoundBySearching() async throws {
    let browser = try await browse(Self.visits())
    await browser.press("right", "right", "/")
    await browser.type("2025-02-0")
    await browser.press("enter")
    #expect(
      browser.table.first { $0.hasPrefix(">") }?.contains("2025-02-04 00:00:00.500") == true)
  }

  @Test func datesAreExportedAsDatesOrAsStored() async throws {
    let file = try Self.visits()
    let browser = try await browse(file, predicate: "id <= 2 OR id == 40")
    let folder = file.url.deletingLastPathComponent()
    for (name, keys) in [("dates.csv", []), ("stored.csv", ["ctrl-t"]), ("exact.sql", [])] {
      await browser.press("E", "ctrl-u")
      await browser.type(folder.appending(path: name).path)
      for key in keys { await browser.press(key) }
      if name == "dates.csv" { browser.expectShown("Dates are written as dates, in UTC.") }
      await browser.press("enter")
    }
    func text(_ name: String) throws -> String {
      try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
    #expect(
      try text("dates.csv") == """
        id,page,visited_at
        1,page 0,2024-01-01T00:00:00.500Z
        2,page 1,2024-01-11T00:00:00.500Z
        40,page 39,17

        """)
    #expect(
      try text("stored.csv") == """
        id,page,visited_at
        1,page 0,1704067200500
        2,page 1,1704931200500
        40,page 39,17

        """)
    #expect(try text("exact.sql").contains("1704931200500"))
  }

  @Test func aNativeStoreNeedsNoChoice() async throws {
    let file = try TemporaryFile("", name: "own.sqlite")
    let schema = try Schema([
      EntityDescription(
        name: "Appointment",
        properties: [
          .attribute(AttributeDescription(name: "at", type: .date)),
          .attribute(AttributeDescription(name: "day", type: .calendarDate)),
        ])
    ])
    let datastore = try SwiftDatastore(schema: schema, url: file.url)
    try await datastore.newContext().perform { context in
      for day in 0..<40 {
        let appointment = try context.createObject(entityName: "Appointment")
        appointment["at"] = .real(Double(day) * 86_400 + 0.5)
        appointment["day"] = .text(day < 20 ? "2001-05-06" : "2002-07-08")
      }
      try context.saveChanges()
    }
    try datastore.close()
    let browser = try await BrowserDriver(file)
    await browser.press("gb", "enter", "Z")
    browser.expect(
      Array(browser.table.dropFirst()),
      """
      > ▸ 2001-01 (31)
        ▸ 2001-02 (9)
      """)
    await browser.press("gb", "right", "gb", "up", "up", "enter", "Z")
    browser.expect(
      Array(browser.table.dropFirst()),
      """
      > ▸ 2001 (20)
        ▸ 2002 (20)
      """)
    await browser.press("%")
    browser.expectShown("This store declares what its columns hold.")
  }
}
