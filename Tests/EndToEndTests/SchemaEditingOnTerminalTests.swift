import DatastoreTestSupport
import Foundation
import Testing

/// The schema is changed on its screen, by the real program on a real terminal.
@Suite(
  "Editing the schema, on a terminal", .serialized,
  .enabled(if: TmuxSession.isPresent, TmuxSession.absence)
)
struct SchemaEditingOnTerminalTests {
  private let program: Program
  private let session: TmuxSession

  init() throws {
    program = try Program()
    session = try TmuxSession(program)
  }

  private func leave() async throws {
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
  }

  @Test("A native store is migrated with what is staged, and keeps its old file")
  func nativeStore() async throws {
    try program.directory.write("name,tel,fax\nAda,1,9\nGrace,2,\n", to: "person.csv")
    try await session.wait(for: "$")
    try session.enter("datastore load person.csv --into ours.sqlite")
    try await session.wait(for: "Loaded 2 rows")
    try session.enter("clear; datastore ours.sqlite")
    try await session.wait(for: "Ada", "Grace", "no unsaved changes")
    try session.press("g", "s")
    try await session.wait(for: "person (table)")
    try session.press("j", "j", "r")
    try await session.wait(for: "Rename person.tel to:")
    try session.press("C-u")
    try session.enter("phone")
    try await session.wait(for: "renamed from tel", "1 change of the schema, ctrl-s saves")
    try session.press("j", "d")
    try await session.wait(for: "person.fax is removed")
    try session.press("g", "g", "a")
    try await session.wait(for: "New property of person:")
    try session.enter("city text default Oslo")
    try await session.wait(for: "3 changes of the schema, ctrl-s saves")
    try session.press("C-s")
    try await session.wait(for: "Losses:", "would be lost", "ctrl-s saves")
    let file = program.directory.url.appending(path: "ours.sqlite")
    #expect(try SQLiteCommand.run("SELECT count(tel) FROM person", on: file) == "2")
    try session.press("C-s")
    try await session.wait(for: "Saved 3 changes of the schema", "phone", "Oslo", "Ada")
    try await leave()
    #expect(
      try SQLiteCommand.run("SELECT name, phone, city FROM person ORDER BY name", on: file)
        == "Ada|1|Oslo\nGrace|2|Oslo")
    let copy = program.directory.url.appending(path: "ours.before-migration.sqlite")
    #expect(try SQLiteCommand.run("SELECT fax FROM person WHERE name = 'Ada'", on: copy) == "9")
    let outcome = try await program.run("schema", "ours.sqlite")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("migrations"))
  }

  @Test(
    "What is staged is not left behind without a question, and a file of another program gets ALTER TABLE"
  )
  func fileOfAnotherProgram() async throws {
    let file = program.directory.url.appending(path: "f.sqlite")
    try SQLiteFile.make(
      at: file,
      """
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER);
      INSERT INTO person VALUES (1, 'Ada', 36);
      """)
    try await session.wait(for: "$")
    try session.enter("datastore f.sqlite --entity person")
    try await session.wait(for: "Ada", "no unsaved changes")
    try session.press("g", "s")
    try await session.wait(for: "person (table)")
    try session.press("j", "j", "j", "d")
    try await session.wait(for: "person.age is removed", "1 change of the schema")
    try session.press("Escape")
    try await session.wait(for: "Ada", "no unsaved changes")
    try session.press("q")
    try await session.wait(for: "is staged, and not saved")
    try session.press("g")
    try await session.wait(for: "person.age is removed")
    try session.press("C-s")
    try await session.wait(for: "ALTER TABLE \"person\" DROP COLUMN \"age\";")
    try session.press("C-s")
    try await session.wait(for: "Saved 1 change of the schema.")
    try await leave()
    #expect(try SQLiteCommand.run("SELECT * FROM person", on: file) == "1|Ada")
  }
}
