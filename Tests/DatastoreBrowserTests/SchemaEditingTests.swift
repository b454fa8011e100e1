import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Changing the schema on its screen.
@MainActor
@Suite("Editing the schema in the browser")
struct SchemaEditingTests {
  /// A native store with two people, one of whom has a fax.
  private func nativeFile() throws -> TemporaryFile {
    let file = try TemporaryFile("", name: "people.sqlite")
    let schema = try Schema([
      EntityDescription(
        name: "Person",
        properties: [
          .attribute(AttributeDescription(name: "name", type: .string, isOptional: false)),
          .attribute(AttributeDescription(name: "tel", type: .string)),
          .attribute(AttributeDescription(name: "fax", type: .string)),
        ])
    ])
    try SwiftDatastore(schema: schema, url: file.url).close()
    try file.execute(
      "INSERT INTO Person (_id, name, tel, fax) VALUES (1, 'Ann', '1', '9'), (2, 'Bob', '2', NULL)")
    return file
  }

  private func body(_ driver: BrowserDriver) -> [String] {
    driver.picture(of: SchemaScreen.body(in: driver.terminal.size))
  }

  private func review(_ driver: BrowserDriver) -> [String] {
    guard let review = driver.browser.state.overlay(as: SchemaReview.self) else { return [] }
    return driver.picture(of: review.body(in: driver.terminal.size))
  }

  // Promise: the schema is edited on its screen → nothing is written before `ctrl-s` in the review; one
  // transaction; values that go are counted and the old file kept.
  // Also: `SchemaEditingOnTerminalTests`
  @Test(
    "Properties and entities are added, renamed and removed, reviewed, and saved by a migration")
  func native() async throws {
    let file = try nativeFile()
    let driver = try await BrowserDriver(file, size: Size(columns: 120, rows: 30))
    await driver.press("gs", "j", "j", "r")
    await driver.type("phone")
    await driver.press("enter", "j", "d", "k", "k", "a")
    await driver.type("age integer required default 7")
    await driver.press("enter", "A")
    await driver.type("Visit")
    await driver.press("enter")
    driver.expect(
      body(driver),
      """
      Person (table)
      ├─ name   text     required
      ├─ phone  text     renamed from tel
      └─ age    integer  required, default 7

      Visit (table)

      staged changes
      ├─ Person.tel becomes Person.phone
      ├─ Person.fax is removed
      ├─ Person.age is new
      └─ Visit is new
      """)
    driver.expectShown("4 changes of the schema, ctrl-s saves")
    let before = try SQLiteCommand.run(".dump", on: file.url)
    await driver.press("ctrl-s")
    driver.expect(
      review(driver),
      """
      Person  loss      2 objects, 2 rows to write
        Person.tel becomes Person.phone
        Person.age is new, with its default value
        Person.fax is removed
      Visit   instant   0 objects, 0 rows to write
        Visit is new
      Disk: about 4 kB for the log and 12.2 kB for the copy of the old file.
      Losses:
        1 value of Person.fax would be lost, since the model does not have it

      The old file is copied beside this one before that.
      """)
    #expect(try SQLiteCommand.run(".dump", on: file.url) == before)
    await driver.press("ctrl-s")
    #expect(driver.browser.state.overlays.isEmpty)
    #expect(
      driver.datastore.schema.entities.map(\.name).sorted() == ["Person", "Visit"])
    driver.expectShown("Saved 4 changes of the schema. The old file is kept as")
    #expect(
      try SQLiteCommand.run("SELECT name, phone, age FROM Person ORDER BY _id", on: file.url)
        == "Ann|1|7\nBob|2|7")
    let copy = file.url.deletingLastPathComponent()
      .appending(path: "people.before-migration.sqlite")
    #expect(try SQLiteCommand.run("SELECT fax FROM Person WHERE _id = 1", on: copy) == "9")
    #expect(try SQLiteCommand.run("PRAGMA integrity_check", on: file.url) == "ok")
    #expect(driver.browser.state.schemaEditing.edits.isEmpty)
    // It is a native store as before, and can be used on.
    await driver.press("gs")
    driver.expectShown("migrations")
  }

  @Test("Changes are undone one by one and brought back; what is wrong stays in the line")
  func undoing() async throws {
    let driver = try await BrowserDriver(try nativeFile())
    await driver.press("gs", "j", "j", "d", "d")
    driver.expectShown("2 changes of the schema")
    await driver.press("u")
    driver.expectShown("1 change of the schema")
    await driver.press("U")
    driver.expectShown("2 changes of the schema")
    await driver.press("ctrl-r")
    driver.expectShown("1 entity")
    await driver.press("ctrl-s")
    driver.expectShown("No change of the schema is staged.")
    await driver.press("g", "g", "a")
    await driver.type("name text")
    await driver.press("enter")
    driver.expectShown("Person has a property “name” already.")
    await driver.press("ctrl-u")
    await driver.type("age number")
    await driver.press("enter")
    driver.expectShown("“number” is neither a type nor an entity.")
    await driver.press("esc")
    #expect(driver.browser.state.schemaEditing.edits.isEmpty)
  }

  // Promise: the browser is left, the store is read-only, or rows are unsaved while the schema is edited →
  // it asks; a sentence; rows go first.
  // Also: `SchemaEditingTests.readOnly`, `SchemaEditingTests.refused`
  @Test("Somebody who leaves is asked, and stays or discards")
  func leaving() async throws {
    let driver = try await BrowserDriver(try nativeFile())
    await driver.press("gs", "j", "j", "d", "esc", "q")
    driver.expectShown("1 change of the schema is staged, and not saved.")
    await driver.press("g")
    driver.expectShown("staged changes")
    await driver.press("esc", "q", "d")
    let isFinished = driver.browser.state.isFinished
    #expect(isFinished)
  }

  @Test("Unsaved rows come first, and files that are only read stay as they are")
  func refused() async throws {
    let file = try nativeFile()
    let driver = try await BrowserDriver(
      file, options: { _ in BrowserOptions(entity: "Person") })
    await driver.press("gs", "j", "j", "d", "esc", "a")
    let isStaged = !driver.browser.state.editing.marks.isEmpty
    #expect(isStaged)
    while driver.hasOverlay { await driver.press("esc") }
    await driver.press("gs", "ctrl-s")
    driver.expectShown("There are unsaved changes of rows")
    await driver.press("d")
    driver.expectShown("There are unsaved changes of rows")
  }

  // Promise: another process has migrated meanwhile → refused, nothing written, the edits stay staged.
  @Test("What another process has changed meanwhile is not overwritten")
  func changedElsewhere() async throws {
    let file = try nativeFile()
    let driver = try await BrowserDriver(file)
    await driver.press("gs", "j", "j", "r")
    await driver.type("phone")
    await driver.press("enter", "ctrl-s")
    driver.expectShown("Person.tel becomes Person.phone")
    let other = try Schema([
      EntityDescription(
        name: "Person",
        properties: [
          .attribute(AttributeDescription(name: "name", type: .string, isOptional: false)),
          .attribute(
            AttributeDescription(name: "mobile", type: .string, renamedFrom: "tel")),
          .attribute(AttributeDescription(name: "fax", type: .string)),
        ])
    ])
    try SQLiteStore(other, at: file.url, migration: MigrationRequest(policy: .lossless)).close()
    let dump = try SQLiteCommand.run(".dump", on: file.url)
    await driver.press("ctrl-s")
    driver.expectShown("Nothing was read or saved")
    #expect(driver.browser.state.schemaEditing.edits.count == 1)
    #expect(try SQLiteCommand.run(".dump", on: file.url) == dump)
  }

  // Promise: SQLite refuses a statement (a view needs the column) → rolled back, sentence with the
  // statement.
  @Test("A file of another program gets ALTER TABLE, after its statements were shown")
  func foreign() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tel TEXT, fax TEXT);
      INSERT INTO person VALUES (1, 'Ann', '1', '9');
      CREATE VIEW phones AS SELECT name, tel FROM person;
      """)
    let driver = try await BrowserDriver(
      file, options: { _ in BrowserOptions(entity: "person") })
    await driver.press("gs", "j", "j", "j", "r")
    await driver.type("phone")
    await driver.press("enter", "j", "d", "k", "a")
    await driver.type("age integer required default 3")
    await driver.press("enter", "ctrl-s")
    driver.expect(
      review(driver),
      """
      These statements would be run, in one transaction:

      ALTER TABLE "person" RENAME COLUMN "tel" TO "phone";
      ALTER TABLE "person" DROP COLUMN "fax";
      ALTER TABLE "person" ADD COLUMN "age" INTEGER NOT NULL DEFAULT 3;
      """)
    await driver.press("ctrl-s")
    driver.expectShown("Saved 3 changes of the schema.")
    #expect(try SQLiteCommand.run("SELECT * FROM person", on: file.url) == "1|Ann|1|3")
    #expect(try SQLiteCommand.run("SELECT * FROM phones", on: file.url) == "Ann|1")
    // A change that SQLite refuses has no effect.
    await driver.press("gs", "j", "j", "j", "d", "ctrl-s", "ctrl-s")
    driver.expectShown("SQLite refused")
    #expect(try SQLiteCommand.run("SELECT * FROM person", on: file.url) == "1|Ann|1|3")
  }

  @Test("Tables of another program are made and dropped with SQL, which the review says")
  func foreignTables() async throws {
    let driver = try await BrowserDriver(.company())
    await driver.press("gs", "A")
    await driver.type("visit")
    await driver.press("enter", "ctrl-s")
    driver.expectShown("are made and dropped with SQL")
    await driver.press("ctrl-s")
    driver.expectShown("It cannot be saved as it is")
  }

  @Test("A file that was opened for reading says so")
  func readOnly() async throws {
    let file = try nativeFile()
    let datastore = try SwiftDatastore(opening: file.url, readOnly: true)
    let terminal = MemoryTerminal(size: Size(columns: 80, rows: 24))
    let browser = Browser(datastore, terminal: terminal)
    try browser.start()
    await browser.idle()
    for key in ["g", "s", "j", "d"] {
      terminal.press(KeySequence(stringLiteral: key).keys[0])
      await browser.idle()
    }
    let picture = terminal.picture
    #expect(picture.contains { $0.contains("This file was opened read-only") })
    try datastore.close()
  }
}
