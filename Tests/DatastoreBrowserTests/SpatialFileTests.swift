import DatastoreCore
import DatastoreTestSupport
import Foundation
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// A refusal that a save would meet appears at the first key, and nothing is staged.
@MainActor
@Suite struct SpatialFileTests {
  private func open(_ sql: String, _ entity: String) async throws -> (TemporaryFile, BrowserDriver)
  {
    let file = try TemporaryFile(sql)
    let driver = try await BrowserDriver(
      file, size: Size(columns: 180, rows: 24), options: { _ in BrowserOptions(entity: entity) })
    return (file, driver)
  }

  private func expectRefused(
    _ driver: BrowserDriver, _ key: String, _ text: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await driver.press(key)
    #expect(
      driver.status.contains(text), "\(key): \(driver.status)", sourceLocation: sourceLocation)
    #expect(!driver.hasOverlay, "\(key)", sourceLocation: sourceLocation)
    #expect(
      driver.browser.state.editing.marks.marks.isEmpty, "\(key)", sourceLocation: sourceLocation)
  }

  @Test func featuresOfAGeoPackageAreRefusedAtTheFirstKey() async throws {
    let (file, driver) = try await open(SpatialFiles.geoPackage, "places")
    let reason =
      "saving calls the function ST_IsEmpty(), which only the program has that made the file."
    await expectRefused(driver, "a", "No places can be created: \(reason)")
    await expectRefused(driver, "A", "No places can be created: \(reason)")
    await driver.press("right", "right")
    await expectRefused(driver, "e", "places.name cannot be changed: \(reason)")
    await expectRefused(driver, "B", "places.name cannot be changed: \(reason)")
    // The trigger for deletions calls no function.
    await driver.press("D", "y", "ctrl-s")
    #expect(driver.status.contains("Saved: 1 deleted."), "\(driver.status)")
    #expect(try file.values("SELECT name FROM places") == ["nowhere"])
  }

  @Test func columnsThatNoTriggerLooksAtAreEdited() async throws {
    let (file, driver) = try await open(SpatialFiles.spatiaLite, "towns")
    await driver.press("right", "e")
    await driver.type("!")
    await driver.press("enter", "ctrl-s")
    #expect(driver.status.contains("Saved: 1 changed."), "\(driver.status)")
    #expect(try file.values("SELECT name FROM towns ORDER BY id") == ["Arezzo!", "Pisa"])
    await driver.press("right")
    await expectRefused(
      driver, "e", "towns.geometry cannot be changed: saving calls the function ")
    await expectRefused(driver, "a", "No towns can be created: saving calls the function ")
  }

  @Test func otherTablesOfTheFileAreAsTheyWere() async throws {
    let (file, driver) = try await open(SpatialFiles.geoPackage, "notes")
    await driver.press("right", "e")
    await driver.type("!")
    await driver.press("enter", "ctrl-s", "a")
    #expect(try file.values("SELECT text FROM notes") == ["plain!"])
    #expect(driver.browser.state.editing.marks.inserted == 1)
  }
}
