import DatastoreCore
import DatastoreTestSupport
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Saves of other contexts appear without a key press.
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

  @Test func whatAnotherProcessWroteIsShownAndSaid() async throws {
    let file = try TemporaryFile.company()
    let browser = try await BrowserDriver(file) { _ in
      BrowserOptions(entity: "Employee", order: [SortDescriptor(["name"])])
    }
    await browser.press("down", "down", "down")
    #expect(browser.table[4].contains("Cid"))
    try file.execute(
      """
      INSERT INTO Employee (id, name) VALUES (100, 'Aaron');
      UPDATE Employee SET salary = 1 WHERE id = 2;
      DELETE FROM Employee WHERE id = 4;
      UPDATE Company SET name = 'Acme Ltd' WHERE id = 1;
      """)
    await browser.browser.checkForExternalChanges()
    browser.expect(
      browser.table,
      """
          id  name ▲  position      salary  company
           5  ‘’      tester        2500.0  #99 is missing
         100  Aaron   ∅                  ∅  ∅
           1  Ann     developer     3000.0  Acme Ltd
           2  Bob     designer        •1.0  Acme Ltd
      >    3  Cid     developer     3100.0  Borg
      """)
    #expect(
      browser.status.contains(
        "Changed by another process: 3 rows (1 new, 1 gone, 1 changed)."), "\(browser.status)")
    await browser.press("up")
    #expect(!browser.status.contains("another process"))
    // The mark stays until the cursor was there.
    #expect(browser.table[4].contains("•1.0"))
    await browser.press("down")
    #expect(!browser.table[4].contains("•"))
    // Nothing was written since, so there is no message.
    await browser.browser.checkForExternalChanges()
    #expect(!browser.status.contains("another process"))
  }

  @Test func unsavedEditsAndTheSelectionStayWhenAnotherProcessWrites() async throws {
    let file = try TemporaryFile.large(500)
    let browser = try await BrowserDriver(file)
    await browser.press("pgdn", "pgdn", "right", "e", "ctrl-u")
    await browser.type("mine")
    await browser.press("enter", "down", "space")
    let current = browser.browser.state.table?.currentKey
    let key = try #require(current)
    let top = browser.browser.state.table.map { $0.scroll.cursor - $0.scroll.first }
    try file.execute(
      "DELETE FROM Big WHERE id < 5; UPDATE Big SET kind = 'new' WHERE id = \(key)")
    await browser.browser.checkForExternalChanges()
    let state = browser.browser.state
    let (nowKey, nowTop) = (
      state.table?.currentKey, state.table.map { $0.scroll.cursor - $0.scroll.first }
    )
    #expect(nowKey == key)
    #expect(nowTop == top)
    #expect(browser.toolbar.contains("1 changed"))
    #expect(browser.table.contains { $0.contains("*mine") })
    let selected = state.editing.selection.keys
    #expect(selected == [key + -1])
    #expect(
      browser.status.contains("5 rows (4 gone, 1 changed)"), "\(browser.status)")
    await browser.press("ctrl-s")
    #expect(browser.status.contains("Saved: 1 changed."))
    #expect(try file.values("SELECT name FROM Big WHERE name = 'mine'") == ["mine"])
  }

  @Test func anEditThatAnotherProcessCrossesIsMarkedAtOnce() async throws {
    let file = try TemporaryFile.company()
    let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Employee") }
    await browser.press("right", "e", "ctrl-u")
    await browser.type("Anna")
    await browser.press("enter")
    #expect(browser.toolbar.contains("1 changed "), "\(browser.toolbar)")
    try file.execute("UPDATE Employee SET name = 'Anke', salary = 1 WHERE id = 1")
    await browser.browser.checkForExternalChanges()
    #expect(browser.table[1].contains("!Anna") && browser.table[1].contains("•1.0"))
    #expect(browser.detail.contains { $0.contains("name") && $0.contains("!Anna") })
    #expect(browser.toolbar.contains("1 changed (1 in conflict)"), "\(browser.toolbar)")
    #expect(
      browser.status.contains(
        "1 unsaved object was also changed elsewhere (!); saving asks which to keep."),
      "\(browser.status)")
    await browser.press("c")
    #expect(browser.picture.contains { $0.contains("Ann ! now Anke") && $0.contains("→  Anna") })
    await browser.press("esc", "u")
    #expect(browser.toolbar.contains("no unsaved changes") && browser.table[1].contains("Anke"))
  }

  @Test(.timeLimit(.minutes(20)), arguments: ["DELETE", "WAL"])
  func theKernelTellsOfWrites(mode: String) async throws {
    let file = try TemporaryFile.company()
    try file.setJournalMode(mode)
    var watch: FileWatch?
    var told = 0
    await withCheckedContinuation { continuation in
      watch = FileWatch(file.path) {
        told += 1
        if told == 1 { continuation.resume() }
      }
      #expect(throws: Never.self) {
        try file.execute("INSERT INTO Employee (id, name) VALUES (100, 'Zed')")
      }
    }
    #expect(told > 0)
    watch?.cancel()
  }

  @Test("A look at the file ends, although what it found has the browser go on with another runner")
  func aLookOutlastsItsRunner() async throws {
    let file = try TemporaryFile("CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT)")
    var runner: EffectRunner? = EffectRunner(try SwiftDatastore(opening: file.url))
    let watch = try #require(runner).service(TableChangeWatch.self)
    try file.execute("ALTER TABLE person ADD COLUMN city TEXT")
    var told = 0
    runner?.send = { event in
      guard event is TablesChangedElsewhere else { return }
      told += 1
      runner = nil
    }
    #expect(await watch.check())
    #expect(told == 1 && runner == nil)
  }
}
