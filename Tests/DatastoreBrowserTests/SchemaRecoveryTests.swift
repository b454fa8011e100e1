import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

// Promise: the browser is killed with staged changes of the schema → offered, restored, saved; where tables
// are others by now, that is said.
/// Staged changes of the schema survive the end of their process.
@MainActor
@Suite("Recovering changes of the schema")
struct SchemaRecoveryTests {
  private func nativeFile() throws -> TemporaryFile {
    let file = try TemporaryFile("", name: "people.sqlite")
    let schema = try Schema([
      EntityDescription(
        name: "Person",
        properties: [
          .attribute(AttributeDescription(name: "name", type: .string, isOptional: false)),
          .attribute(AttributeDescription(name: "tel", type: .string)),
        ])
    ])
    try SwiftDatastore(schema: schema, url: file.url).close()
    try file.execute("INSERT INTO Person (_id, name, tel) VALUES (1, 'Ann', '1')")
    return file
  }

  private func recovery(of file: TemporaryFile) -> URL {
    file.url.deletingLastPathComponent()
      .appending(path: ".\(file.url.lastPathComponent).datastore-recovery")
  }

  /// Stages two changes, and leaves the file that a crash would leave.
  private func crash(_ file: TemporaryFile) async throws {
    let driver = try await BrowserDriver(file, size: Size(columns: 120, rows: 30))
    await driver.press("gs", "j", "j", "r")
    await driver.type("phone")
    await driver.press("enter", "A")
    await driver.type("Visit")
    await driver.press("enter")
    driver.expectShown("2 changes of the schema, ctrl-s saves")
    let kept = try Data(contentsOf: recovery(of: file))
    await driver.press("esc", "q", "d")
    #expect(!FileManager.default.fileExists(atPath: recovery(of: file).path))
    try kept.write(to: recovery(of: file))
  }

  @Test("They are offered, restored and saved, and the file goes with the save")
  func restoring() async throws {
    let file = try nativeFile()
    try await crash(file)
    let driver = try await BrowserDriver(file, size: Size(columns: 120, rows: 30))
    driver.expectShown("without saving: 2 changes of the schema")
    await driver.press("r")
    driver.expectShown("Restored: 2 changes of the schema. Nothing is saved yet.")
    #expect(FileManager.default.fileExists(atPath: recovery(of: file).path))
    await driver.press("gs", "ctrl-s")
    await driver.press("ctrl-s")
    driver.expectShown("Saved 2 changes of the schema.")
    #expect(try SQLiteCommand.run("SELECT phone FROM Person", on: file.url) == "1")
    #expect(!FileManager.default.fileExists(atPath: recovery(of: file).path))
    let next = try await BrowserDriver(file, size: Size(columns: 120, rows: 30))
    #expect(next.browser.state.overlays.isEmpty)
  }

  @Test("Undoing all of them leaves nothing to be recovered")
  func undoing() async throws {
    let file = try nativeFile()
    let driver = try await BrowserDriver(file, size: Size(columns: 120, rows: 30))
    await driver.press("gs", "A")
    await driver.type("Visit")
    await driver.press("enter")
    #expect(FileManager.default.fileExists(atPath: recovery(of: file).path))
    await driver.press("u")
    #expect(!FileManager.default.fileExists(atPath: recovery(of: file).path))
  }

  @Test("Where the tables are others by now, that is said, and nothing is staged")
  func others() async throws {
    let file = try nativeFile()
    try await crash(file)
    let name = AttributeDescription(name: "name", type: .string, isOptional: false)
    let model = try SchemaHistory(
      FrozenSchema([EntityDescription(name: "Person", properties: [.attribute(name)])]))
    try await SwiftDatastore.open(
      history: model, url: file.url, migration: .declared(.all), backup: .none
    ).close()
    let driver = try await BrowserDriver(file, size: Size(columns: 120, rows: 30))
    await driver.press("r")
    driver.expectShown("2 changes of the schema no longer fit the tables")
    #expect(driver.browser.state.schemaEditing.edits.isEmpty)
  }

  @Test("A document with them comes back unchanged, and one without is of the first version")
  func document() throws {
    let edits: [SchemaEdit] = [
      .addEntity("Visit"), .renameEntity("Person", to: "Human"), .removeEntity("Old"),
      .addProperty(
        entity: "Visit",
        .attribute(AttributeDescription(name: "note", type: .string, isSearchable: true))),
      .addProperty(
        entity: "Visit",
        .relationship(RelationshipDescription(name: "by", kind: .toOne, destination: "Human"))),
      .renameProperty(entity: "Human", "tel", to: "phone"),
      .removeProperty(entity: "Human", "fax"),
    ]
    let schema = try Schema([EntityDescription(name: "Person", properties: [])])
    let document = RecoveryDocument([], edits, schema: schema, store: "/a") { _, _ in nil }
    let again = try RecoveryDocument(document.encoded())
    #expect(again == document)
    #expect(again.header.version == 2)
    #expect(again.description == "7 changes of the schema")
    let plain = RecoveryDocument([], schema: schema, store: "/a") { _, _ in nil }
    #expect(plain.header.version == 1)
  }
}
