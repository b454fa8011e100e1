import DatastoreTestSupport
import Foundation
import Testing

/// SQLite's own program changes the tables while they are on the screen.
@Suite(
  "Tables that another process changes, on a terminal", .serialized,
  .enabled(if: TmuxSession.isPresent, TmuxSession.absence)
)
struct ChangedTablesOnTerminalTests {
  private static let sql = """
    CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER);
    INSERT INTO person VALUES (1, 'Ada', 36), (2, 'Grace', 45);
    CREATE TABLE place (id INTEGER PRIMARY KEY, town TEXT);
    INSERT INTO place VALUES (1, 'Rome');
    """

  private let program: Program
  private let session: TmuxSession
  private var file: URL { program.directory.url.appending(path: "f.sqlite") }

  init() throws {
    program = try Program()
    try SQLiteFile.make(at: program.directory.url.appending(path: "f.sqlite"), Self.sql)
    session = try TmuxSession(program)
  }

  private func browse() async throws {
    try await session.wait(for: "$")
    try session.enter("datastore f.sqlite --entity person")
    try await session.wait(for: "person Ada", "no unsaved changes", "2 rows")
  }

  private func leave() async throws {
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
  }

  /// Replaces the name under the cursor.
  private func stage() async throws {
    try session.press("Right", "e")
    try await session.wait(for: "not changed")
    try session.press("C-u")
    try session.enter("Adele")
    try await session.wait(for: "*Adele", "● 1 changed")
  }

  private func wait(for text: String, without other: String) async throws {
    try await session.wait(for: "\(text) without \(other)") { lines in
      lines.contains { $0.contains(text) } && !lines.contains { $0.contains(other) }
    }
  }

  @Test("Columns come, get another name and go without a key press")
  func columns() async throws {
    try await browse()
    try SQLiteFile.make(at: file, "ALTER TABLE person ADD COLUMN city TEXT DEFAULT 'Oslo'")
    try await session.wait(for: "city", "Oslo", "Another process has changed the tables")
    try SQLiteFile.make(at: file, "ALTER TABLE person RENAME COLUMN city TO town")
    try await wait(for: "town", without: "city")
    try SQLiteFile.make(at: file, "ALTER TABLE person DROP COLUMN age")
    try await wait(for: "town", without: "age")
    // The shown value is the written one.
    try await stage()
    try session.press("C-s")
    try await session.wait(for: "Saved: 1 changed.", "no unsaved changes")
    #expect(
      try SQLiteFile.values("SELECT name || town FROM person", in: file) == [
        "AdeleOslo", "GraceOslo",
      ])
    try await leave()
  }

  @Test("A native store shows what other tools did to its tables, before it is opened and after")
  func nativeStore() async throws {
    try program.directory.write("name,age\nAda,36\nGrace,45\n", to: "person.csv")
    try await session.wait(for: "$")
    try session.enter("datastore load person.csv --into ours.sqlite")
    try await session.wait(for: "Loaded 2 rows")
    let ours = program.directory.url.appending(path: "ours.sqlite")
    try SQLiteCommand.run("ALTER TABLE person ADD COLUMN city TEXT DEFAULT 'Oslo'", on: ours)
    try session.enter("clear; datastore ours.sqlite")
    try await session.wait(for: "city", "Oslo", "the column “city” of “person” is new")
    try SQLiteCommand.run("CREATE TABLE plant (id INTEGER PRIMARY KEY, kind TEXT)", on: ours)
    try await session.wait(for: "plant", "Oslo", "Another process has changed the tables")
    try session.press("g", "s")
    try await session.wait(for: "changed by other tools", "the table “plant” is new")
    try session.press("Escape")
    try SQLiteCommand.run("DROP TABLE person", on: ours)
    try await session.wait(for: "plant only") { lines in
      lines.contains { $0.contains("plant") } && !lines.contains { $0.contains("Oslo") }
    }
    try await leave()
    let outcome = try await program.start(["query", "ours.sqlite", "--format", "csv"]).outcome()
    #expect(outcome.output == "entity,kind,rows\nplant,table,0\n")
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("the table “person” is gone, the table “plant” is new."))
  }

  @Test("A table comes and another one goes, also the one that is shown")
  func tables() async throws {
    try await browse()
    try SQLiteFile.make(at: file, "CREATE TABLE plant (id INTEGER PRIMARY KEY, kind TEXT)")
    try await session.wait(for: "plant", "person Ada")
    try SQLiteFile.make(at: file, "DROP TABLE person")
    try await session.wait(for: "the other tables") { lines in
      lines.contains { $0.contains("plant") } && lines.contains { $0.contains("place") }
        && !lines.contains { $0.contains("person") || $0.contains("Ada") }
    }
    try await leave()
  }

  @Test("What is staged is kept and saved where that is safe, and the screen follows then")
  func stagedAndHarmless() async throws {
    try await browse()
    try await stage()
    try SQLiteFile.make(at: file, "ALTER TABLE person ADD COLUMN city TEXT DEFAULT 'Oslo'")
    try await session.wait(for: "Another process has changed the tables", "*Adele", "● 1 changed")
    try session.press("C-s")
    try await session.wait(for: "no unsaved changes", "city", "Oslo")
    #expect(
      try SQLiteFile.values("SELECT name || city FROM person", in: file) == [
        "AdeleOslo", "GraceOslo",
      ])
    try await leave()
  }

  @Test(
    "Nothing is written into another column, which is told, and the screen follows when it is reverted"
  )
  func stagedAndUnsafe() async throws {
    try await browse()
    try await stage()
    try SQLiteFile.make(
      at: file,
      """
      ALTER TABLE person ADD COLUMN old TEXT;
      UPDATE person SET old = name;
      ALTER TABLE person DROP COLUMN name;
      ALTER TABLE person RENAME COLUMN age TO name;
      """)
    try await session.wait(for: "Another process has changed the tables", "● 1 changed")
    try session.press("C-s")
    try await session.wait(for: "another process has changed person", "● 1 changed")
    #expect(
      try SQLiteFile.values("SELECT name || old FROM person", in: file) == ["36Ada", "45Grace"])
    try session.press("Escape")
    try await session.wait(for: "the table") { lines in
      !lines.contains { $0.contains("Nothing was saved") }
    }
    try session.press("u")
    try await wait(for: "no unsaved changes", without: "age")
    try await session.wait(for: "old", "Grace")
    try await leave()
  }
}
