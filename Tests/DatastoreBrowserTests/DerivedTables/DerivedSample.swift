import DatastoreTestSupport
import Foundation
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Each kind of table that is derived from another one, and how a user gets there.
enum DerivedSample: String, CaseIterable, CustomTestStringConvertible {
  case frequencies, statistics, distribution, chart, overview, pivot
  case changes, saves, history, messages, answer
  case leftOut, sections, columns, suggestions, found, problems

  var testDescription: String { rawValue }

  /// A browser that shows the table.
  @MainActor
  func open(_ size: Size) async throws -> BrowserDriver {
    let file = try database()
    let browser = try await BrowserDriver(file, size: size, annotations: annotations) { _ in
      BrowserOptions(entity: entity)
    }
    try await reach(browser, file)
    #expect(browser.browser.levels.count == 2, "\(rawValue) is not there:\n\(browser.picture)")
    return browser
  }

  private var entity: String {
    switch self {
    case .history, .problems: "Company"
    case .suggestions: "orders"
    default: "Employee"
    }
  }

  private var annotations: SchemaAnnotations? { self == .suggestions ? SchemaAnnotations() : nil }

  private func database() throws -> any BrowsedDatabase {
    switch self {
    case .history: return try CoreDataFile()
    case .suggestions:
      return try TemporaryFile(
        """
        CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, kind_id INTEGER);
        CREATE TABLE kind (id INTEGER PRIMARY KEY, name TEXT);
        INSERT INTO customer VALUES (1, 'Ann'), (2, 'Bob');
        INSERT INTO kind VALUES (1, 'gift');
        INSERT INTO orders VALUES (1, 1, 1), (2, 2, 1), (3, 2, 1), (4, 9, 1);
        """, name: "shop.sqlite")
    default: return try TemporaryFile.company()
    }
  }

  @MainActor
  private func reach(_ browser: BrowserDriver, _ file: any BrowsedDatabase) async throws {
    switch self {
    case .frequencies:
      await browser.go(to: "position")
      await browser.press("t")
    case .statistics:
      await browser.go(to: "salary")
      await browser.press("i")
    case .distribution:
      await browser.go(to: "salary")
      await browser.press("I")
    case .chart:
      await browser.go(to: "company")
      await browser.press("gb", "left", "b")
    case .overview: await browser.press("O")
    case .pivot:
      await browser.press("gp")
      for text in ["position", "company", "sum of salary"] {
        await browser.press("ctrl-u")
        await browser.type(text)
        await browser.press("enter")
      }
    case .changes:
      try file.execute(
        """
        UPDATE Employee SET name = 'Anna', company_id = 2 WHERE id = 1;
        DELETE FROM Employee WHERE id = 3;
        INSERT INTO Company VALUES (7, 'Cyber', 2020);
        """)
      await browser.browser.checkForExternalChanges()
      await browser.press("gC")
    case .saves:
      for (name, salary) in [("Zoe", "10"), ("Yan", "20.5")] {
        await browser.go(to: "name")
        for text in [name, salary] {
          await browser.press("e", "ctrl-u")
          await browser.type(text)
          await browser.press("enter")
          await browser.go(to: "salary")
        }
        await browser.press("ctrl-s", "down")
      }
      await browser.press("gC", "gt")
    case .history: await browser.press("gj")
    case .messages: await browser.press("backspace", "U", "x", "gl")
    case .answer:
      await browser.press("Q")
      await browser.type("SELECT name, salary * 2 AS twice, position FROM Employee")
      await browser.press("enter")
    case .leftOut:
      let folder = try TemporaryDirectory()
      let path = try folder.write(
        "name,salary\nEve,10\nFay,much\nGil,\"a,b\"\nHal,1e\n", to: "staff.csv")
      await browser.press(":")
      await browser.type("import \(path)")
      await browser.press("enter", "end", "enter", "ctrl-t")
      // The folder of the file differs each time.
      await browser.press("$", "-", "0")
    case .sections:
      await browser.go(to: "position")
      await browser.press("gb", "'")
    case .columns: await browser.press("}", "!", "right", "-", "+")
    case .suggestions: await browser.press("&")
    case .found:
      await browser.press(":")
      await browser.type("search-file b")
      await browser.press("enter")
    case .problems: await browser.press("a", "a", "ctrl-s")
    }
  }
}

/// A store of Core Data with a history.
private final class CoreDataFile: BrowsedDatabase {
  var server: KeptServer? { nil }
  private let folder: TemporaryDirectory
  private let url: URL

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("Office.storedata")
    var sample = CoreDataSample.office()
    sample.hasHistory = true
    try sample.write(to: url)
  }

  func open(_ options: SwiftDatastore.Options) throws -> SwiftDatastore {
    try SwiftDatastore(opening: url, options: options)
  }

  func execute(_ sql: String) throws { Issue.record("Nothing writes into this store.") }

  func values(_ sql: String) throws -> [String] { try TemporaryFile.values(of: url, sql) }
}
