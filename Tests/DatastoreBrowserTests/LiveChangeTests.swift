import DatastoreCore
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// What other contexts save appears without a key press.
@MainActor
@Suite struct LiveChangeTests {
  private func employees(_ sort: [SortDescriptor] = []) async throws -> BrowserDriver {
    try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee", order: sort) }
  }

  private nonisolated static func find(
    _ name: String, _ context: SwiftDatastoreContext.Closure
  ) throws -> DynamicObject {
    let found: [DynamicObject] = try context.fetch(
      FetchRequest(
        entity: "Employee",
        predicate: .comparison(
          Predicate.Comparison(.keyPath(["name"]), .equal, .value(.text(name))))))
    return try #require(found.first)
  }

  @Test func anInsertedRowKeepsTheCursorOnItsObject() async throws {
    let browser = try await employees([SortDescriptor(["name"])])
    await browser.press("down", "down", "down")
    #expect(browser.table[4].contains("Cid"))
    try await browser.datastore.write { context in
      for name in ["Aaron", "Abel"] {
        let employee = try context.createObject(entityName: "Employee")
        employee["name"] = .text(name)
      }
    }
    await browser.browser.idle()
    browser.expect(
      browser.table,
      """
          id  name ▲  position      salary  company
           5  ‘’      tester        2500.0  #99 is missing
           6  Aaron   ∅                  ∅  ∅
           7  Abel    ∅                  ∅  ∅
           1  Ann     developer     3000.0  Acme
           2  Bob     designer      2800.5  Acme
      >    3  Cid     developer     3100.0  Borg
           4  Dora    ∅                  ∅  ∅
      """)
    #expect(browser.entities.contains { $0.hasPrefix("Employee") && $0.hasSuffix("7") })
    #expect(browser.status.contains("7 rows"))
  }

  @Test func anUpdateReachesTheTableAndTheDetails() async throws {
    let browser = try await employees()
    try await browser.datastore.write { context in
      let employee = try Self.find("Ann", context)
      employee["salary"] = .real(9999.25)
    }
    await browser.browser.idle()
    #expect(browser.table[1].contains("9999.25"))
    #expect(browser.detail.contains { $0.contains("salary") && $0.contains("9999.25") })
  }

  @Test func aDeletedRowLeavesTheCursorAtItsPlace() async throws {
    let browser = try await employees()
    await browser.press("down")
    try await browser.datastore.write { context in
      context.deleteObject(try Self.find("Bob", context))
    }
    await browser.browser.idle()
    #expect(browser.table[2].hasPrefix(">"))
    #expect(browser.table[2].contains("Cid"))
    #expect(browser.detail.contains { $0.contains("Cid") })
  }

  @Test func membersAndNamesFollowChanges() async throws {
    let browser = try await BrowserDriver(.company())
    try await browser.datastore.write { context in
      let employee = try Self.find("Cid", context)
      let companies: [DynamicObject] = try context.fetch(
        FetchRequest(entity: "Company", sortDescriptors: [SortDescriptor(["id"])]))
      employee.set(companies.first, for: "company")
      employee["name"] = .text("Zoe")
    }
    await browser.browser.idle()
    #expect(browser.detail.contains { $0.hasSuffix("→ Zoe") })
  }

  @Test func manyChangesAtOnce() async throws {
    let browser = try await BrowserDriver(.large(500))
    await browser.press("pgdn", "pgdn")
    let key = browser.browser.state.table?.currentKey
    try await browser.datastore.write { context in
      let all: [DynamicObject] = try context.fetch(FetchRequest(entity: "Big", limit: 300))
      for (index, object) in all.enumerated() where index % 2 == 0 && object.key != key {
        context.deleteObject(object)
      }
    }
    await browser.browser.idle()
    #expect(browser.browser.state.table?.currentKey == key)
    #expect(browser.status.contains("35"))
    #expect(browser.table.filter { $0.hasPrefix(">") }.count == 1)
  }

  @Test func whatOtherProgramsWroteComesWithRefresh() async throws {
    let file = try TemporaryFile.company()
    let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Employee") }
    await browser.press("down")
    try file.execute("INSERT INTO Employee (id, name) VALUES (100, 'Zed')")
    await browser.press("r")
    #expect(browser.status.contains("6 rows"))
    #expect(browser.table[2].hasPrefix(">"))
  }
}
