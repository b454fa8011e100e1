import DatastoreCore
import DatastoreSQLite
import Foundation
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Relationships that the file does not declare are offered, accepted and kept.
@MainActor
@Suite struct SuggestionScreenTests {
  private static func shop() throws -> TemporaryFile {
    try TemporaryFile(
      """
      CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, kindId INTEGER);
      CREATE TABLE kind (id INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO customer VALUES (1, 'Ann'), (2, 'Bob');
      INSERT INTO kind VALUES (1, 'gift');
      INSERT INTO orders VALUES (1, 1, 1), (2, 2, 1), (3, 2, 1), (4, 2, 1), (5, 9, 1);
      """, name: "shop.sqlite")
  }

  private func browse(
    _ file: TemporaryFile, state: URL? = nil, size: Size = Size(columns: 80, rows: 24)
  ) async throws -> BrowserDriver {
    let annotations = AnnotationsFile(of: KeptSubject(store: file.url), in: state)?.read()
      .annotations
    return try await BrowserDriver(
      file, size: size, annotations: annotations ?? SchemaAnnotations()
    ) { _ in BrowserOptions(entity: "orders", stateDirectory: state) }
  }

  @Test(arguments: [Size(columns: 80, rows: 24), Size(columns: 120, rows: 40)])
  func relationshipsAreOffered(size: Size) async throws {
    let browser = try await browse(Self.shop(), size: size)
    await browser.press("&")
    browser.expectShown("Relationships that are not declared")
    browser.expectShown("enter accepts, D refuses")
    #expect(
      browser.cells == [
        ["orders.customer_id", "customer.id", "4", "5", "all", "NULL"],
        ["orders.kindId", "kind.id", "5", "5", "all", "NULL"],
      ])
    await browser.press("enter")
    browser.expect(
      browser.table,
      """
          id  customer         kindId
      >    1  Ann                   1
           2  Bob                   1
           3  Bob                   1
           4  Bob                   1
           5  #9 is missing         1
      """)
  }

  @Test func anAcceptedRelationshipIsWalkedAndKept() async throws {
    let file = try Self.shop()
    let scratch = try TemporaryFile("CREATE TABLE x (y)")
    let state = scratch.url.deletingLastPathComponent().appending(path: "state")
    let before = try Data(contentsOf: file.url)
    let browser = try await browse(file, state: state)
    await browser.press("&", "enter", "&", "down", "D", "&")
    #expect(browser.cells.map { $0[5] } == ["accepted", "refused"])
    await browser.press("esc", "down", "right", "o")
    browser.expectShown("orders › customer")
    let second = try await browse(file, state: state)
    #expect(second.table[0].contains("customer") && second.table[0].contains("kindId"))
    await second.press("w")
    await second.type("customer.name == \"Bob\"")
    await second.press("enter")
    #expect(second.status.contains("3 rows"))
    // The customer knows his orders.
    let third = try await BrowserDriver(
      file,
      annotations: AnnotationsFile(of: KeptSubject(store: file.url), in: state)?.read().annotations
    ) { _ in BrowserOptions(entity: "customer", stateDirectory: state) }
    await third.press("+", "end", "enter", "home", "0")
    third.expect(
      third.table,
      """
          id  name      orders
      >    1  Ann            1
           2  Bob            3
      """)
    // Taken back, the column is a number again.
    await third.press("&", "enter")
    let fourth = try await browse(file, state: state)
    #expect(fourth.table[0].contains("customer_id"))
    #expect(try Data(contentsOf: file.url) == before)
  }

  @Test func nothingIsSaidOfANativeStore() async throws {
    let file = try TemporaryFile("", name: "own.sqlite")
    let schema = try Schema([
      EntityDescription(
        name: "Thing",
        properties: [.attribute(AttributeDescription(name: "thing_id", type: .integer64))])
    ])
    try SwiftDatastore(schema: schema, url: file.url).close()
    let browser = try await BrowserDriver(file)
    await browser.press("&")
    #expect(browser.status.contains("This store declares"))
  }
}
