import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

@testable import DatastoreBrowser

// Promise: the browser means something else on one engine → the same journeys on both.
// Also: `JourneyTests`, `EditingTests`
/// What a person does with a database, the same in a file and in a server.
@MainActor
@Suite struct EngineJourneyTests {
  private func employees(
    _ database: any BrowsedDatabase, keeping directory: URL? = nil
  ) async throws -> BrowserDriver {
    try await BrowserDriver(database) { _ in
      BrowserOptions(entity: "Employee", stateDirectory: directory)
    }
  }

  @Test(arguments: TestEngine.allCases)
  func whoComesSecondSeesWhatTheOtherHasWritten(on engine: TestEngine) async throws {
    let database = try engine.company()
    let browser = try await employees(database)
    await browser.press("right", "e")
    await browser.type("e")
    await browser.press("enter", "right", "e")
    await browser.type("!")
    await browser.press("enter")
    try database.execute(#"UPDATE "Employee" SET name = 'Anna' WHERE id = 1"#)
    await browser.press("ctrl-s")
    browser.expectShown("(?) Anne")
    browser.expectShown("(?) Anna")
    #expect(try database.shown("position", of: "Employee", id: 1) == "developer")
    // Mine, and save.
    await browser.press("M", "enter")
    #expect(browser.status.contains("Saved: 1 changed."))
    #expect(try database.shown("name", of: "Employee", id: 1) == "Anne")
    #expect(try database.shown("position", of: "Employee", id: 1) == "developer!")
  }

  @Test(arguments: TestEngine.allCases)
  func relationshipsAreChangedAndMembersFollow(on engine: TestEngine) async throws {
    let database = try engine.company()
    let browser = try await employees(database)
    await browser.press("down", "$", "e")
    await browser.type("Borg")
    await browser.press("enter", "ctrl-s")
    #expect(browser.status.contains("Saved: 1 changed."))
    #expect(try database.shown("company_id", of: "Employee", id: 2) == "2")
    // A new one, and one that goes.
    await browser.press("a", "0", "right", "e")
    await browser.type("Neo")
    await browser.press("enter", "$", "e")
    await browser.type("Acme")
    await browser.press("enter", "home", "down", "down", "down", "D", "y", "ctrl-s")
    #expect(browser.status.contains("Saved: 1 new, 1 deleted."))
    #expect(
      try database.values(#"SELECT name FROM "Employee" ORDER BY id"#)
        == ["Ann", "Bob", "Cid", "", "Neo"])
    #expect(try database.values(#"SELECT company_id FROM "Employee" WHERE name = 'Neo'"#) == ["1"])
    #expect(browser.entities.contains { $0.hasPrefix("Employee") && $0.hasSuffix("5") })
  }

  @Test(arguments: TestEngine.allCases)
  func whatWasStagedIsOfferedAfterACrash(on engine: TestEngine) async throws {
    let database = try engine.company()
    let directory = try TemporaryDirectory()
    let state = directory.file("state")
    let browser = try await employees(database, keeping: state)
    await browser.press("right", "e")
    await browser.type("e")
    await browser.press("enter", "down", "down", "down", "D", "y")
    #expect(browser.toolbar.hasPrefix(" ● 1 changed, 1 deleted"))
    await browser.browser.runner.service(RecoveryKeeper.self).written()
    let file = try #require(browser.browser.runner.service(RecoveryKeeper.self).file)
    // As after a crash: no process holds its lock.
    await file.release()
    let second = try await employees(database, keeping: state)
    second.expectShown("without saving: 1 changed, 1 deleted")
    await second.press("r")
    #expect(second.toolbar.hasPrefix(" ● 1 changed, 1 deleted"))
    #expect(second.table[1].contains("*Anne"))
    await second.press("ctrl-s")
    #expect(second.status.contains("Saved: 1 changed, 1 deleted."))
    #expect(
      try database.values(#"SELECT name || '.' FROM "Employee" ORDER BY id"#)
        == ["Anne.", "Bob.", "Cid.", "."])
    let third = try await employees(database, keeping: state)
    #expect(third.browser.state.overlays.isEmpty)
  }

  @Test(arguments: TestEngine.allCases)
  func rowsAreFilteredSortedGroupedAndSummarised(on engine: TestEngine) async throws {
    let browser = try await employees(engine.company())
    await browser.press("w")
    await browser.type("salary > 2600")
    await browser.press("enter")
    #expect(browser.status.contains("3 rows"))
    await browser.press("0", "right", "right", "right", "s")
    #expect(browser.status.contains("sorted by salary"))
    let names = browser.table.dropFirst().prefix(3).map { $0.dropFirst(8).prefix(3) }
    #expect(names == ["Bob", "Ann", "Cid"], "\(browser.table)")
    await browser.press("left", "gb")
    browser.expectShown("designer (1)")
    browser.expectShown("developer (2)")
    await browser.press("right", "i")
    browser.expectShown("3,100")
  }

  @Test(arguments: TestEngine.allCases)
  func namesWithQuotesAndKeysOfSeveralColumnsAreEdited(on engine: TestEngine) async throws {
    let database = try engine.database(
      """
      CREATE TABLE "odd ""name" (a INTEGER, b TEXT, "the value" TEXT, PRIMARY KEY (a, b));
      INSERT INTO "odd ""name" VALUES (1, 'x', 'one'), (1, 'y', 'two'), (2, 'x', 'three');
      """)
    let browser = try await BrowserDriver(database)
    await browser.press("down", "$", "e", "ctrl-u")
    await browser.type("zwei")
    await browser.press("enter", "ctrl-s")
    #expect(browser.status.contains("Saved: 1 changed."))
    #expect(
      try database.values(#"SELECT "the value" FROM "odd ""name" ORDER BY a, b"#)
        == ["one", "zwei", "three"])
    await browser.press("end", "D", "y", "ctrl-s")
    #expect(try database.values(#"SELECT "the value" FROM "odd ""name" ORDER BY a, b"#).count == 2)
  }
}
