import DatastoreCore
import DatastoreTestSupport
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// A table of another program with more columns than a screen has room for.
@MainActor
@Suite struct WideTableTests {
  private func customers() throws -> TemporaryFile {
    try TemporaryFile(
      """
      CREATE TABLE customers (
        CustomerId INTEGER PRIMARY KEY, uuid TEXT, FirstName NVARCHAR(40), LastName NVARCHAR(20),
        Company NVARCHAR(80), Address NVARCHAR(70), City NVARCHAR(40), State NVARCHAR(40),
        Country NVARCHAR(40), PostalCode NVARCHAR(10), Phone NVARCHAR(24), Fax NVARCHAR(24),
        Email NVARCHAR(60), SupportRepId INTEGER, Score REAL, Note TEXT);
      CREATE TABLE invoices (InvoiceId INTEGER PRIMARY KEY, Total NUMERIC(10,2));
      WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 99)
      INSERT INTO customers SELECT
        i, printf('3bb32233-9e95-4c2a-afbe-9877a1340%03d', i), 'First' || i, 'Lastname' || i,
        iif(i % 3, NULL, 'Embraer - Empresa Brasileira de Aeronáutica S.A.'),
        i || ' Av. Brigadeiro Faria Lima', 'São José', 'SP', 'Brazil', '12227-000',
        '+55 (12) 3923-5555', NULL, 'luis' || i || '@embraer.com.br', i % 3 + 1, i * 1.5,
        'one' || char(10) || char(10) || '  ' || char(10) || 'two'
      FROM n;
      """)
  }

  private func browsing(_ size: Size = Size(columns: 80, rows: 24)) async throws -> BrowserDriver {
    try await BrowserDriver(customers(), size: size, identifiersLast: true)
  }

  /// The columns that are whole on the screen at each size. VisiData 3.4 shows seven of the same table at
  /// 120x40, with 20 cells for the identifier.
  @Test(
    arguments: zip(
      ScreenSizeTests.sizes, [1, 2, 2, 2, 4, 7, 9, 13]))
  func asManyColumnsAsThereIsRoomFor(_ size: Size, _ least: Int) async throws {
    let browser = try await browsing(size)
    let state = browser.browser.state
    let table = try #require(state.table)
    let available = state.layout.tableBody.columns
    let widths = table.columnWidths(available: available)
    let whole = table.placements(available: available).filter { place in
      table.arrangement.position(of: place.index).map { widths[$0] == place.width } ?? false
    }
    #expect(whole.count >= least, "\(whole.count) at \(size)")
    #expect(browser.table[0].dropFirst(2).hasPrefix("FirstName"))
    #expect(browser.table[1].hasPrefix("> First1"))
    #expect(state.layout.table.columns * 5 >= size.columns * 3)
  }

  // Promise: identifiers are shown behind the others → files that are written have the order of the file.
  @Test func identifiersAreBehindTheOtherColumnsUntilSomeoneMovesThem() async throws {
    let browser = try await browsing(Size(columns: 300, rows: 24))
    func order() -> [String] {
      guard let table = browser.browser.state.table else { return [] }
      return table.arrangement.shown.map { table.columns[$0].name }
    }
    #expect(order().prefix(2) == ["FirstName", "LastName"])
    #expect(order().suffix(3) == ["CustomerId", "uuid", "SupportRepId"])
    // Files have the order of the file.
    let written = browser.browser.state.table?.writtenColumns.map(\.name)
    #expect(written?.prefix(3) == ["CustomerId", "uuid", "FirstName"])
    // As in the file is a decision like any other.
    for (place, name) in ["CustomerId", "uuid"].enumerated() {
      await browser.press("$")
      for _ in order() where browser.browser.state.table?.currentColumn?.name != name {
        await browser.press("left")
      }
      for _ in order() where order().firstIndex(of: name) != place {
        await browser.press("shift-left")
      }
    }
    #expect(order().prefix(3) == ["CustomerId", "uuid", "FirstName"])
    #expect(browser.browser.state.table?.settings.order.isEmpty == false)
  }

  @Test(arguments: [
    ("id", true), ("uuid", true), ("ID", true), ("rowid", true), ("customer_id", true),
    ("customerId", true), ("CustomerID", true), ("personid", true), ("external_guid", true),
    ("paid", false), ("valid", false), ("grid", false), ("name", false), ("idea", false),
    ("Madrid", false), ("PAID", false),
  ])
  func identifiersAreKnownByTheirNames(_ name: String, _ isIdentifier: Bool) throws {
    let file = try TemporaryFile("CREATE TABLE Persons (x TEXT, \"\(name)\" INTEGER)")
    let schema = try SwiftDatastore(opening: file.url).schema
    let entity = try #require(schema.entity(named: "Persons"))
    let attribute = try #require(entity.properties.last?.attribute)
    #expect(attribute.isIdentifier(of: entity) == isIdentifier)
  }

  @Test func detailsHaveNoEmptyLines() async throws {
    let browser = try await browsing(Size(columns: 200, rows: 40))
    let lines = browser.detail
    let note = try #require(lines.firstIndex { $0.contains("Note") })
    #expect(lines[note].hasSuffix(" one"))
    #expect(lines[note + 1].hasSuffix(" two"))
    let last = lines.lastIndex { !$0.allSatisfy(\.isWhitespace) } ?? 0
    #expect(lines[...last].allSatisfy { !$0.allSatisfy(\.isWhitespace) })
  }

  /// Below the table the details take no more than they need.
  @Test func shortDetailsLeaveTheTableItsRows() async throws {
    let browser = try await browsing(Size(columns: 120, rows: 40))
    let long = browser.browser.state.layout.detail.rows
    await browser.press("shift-tab", "down", "enter")
    #expect(browser.browser.state.entity?.name == "invoices")
    let short = browser.browser.state.layout.detail.rows
    #expect(short < long && short == 9)
    #expect(browser.browser.state.layout.table.rows + short == 37)
  }

  @Test func theFirstRowIsUnderTheCursorOfAGroupedTable() async throws {
    let browser = try await BrowserDriver(customers(), identifiersLast: true) { _ in
      BrowserOptions(entity: "customers", groupBy: ["SupportRepId"])
    }
    #expect(browser.table[1].hasPrefix("  ▾ 1 (33)"))
    #expect(browser.table[2].hasPrefix("> First3"))
    #expect(browser.detail[0].contains("CustomerId"))
  }
}
