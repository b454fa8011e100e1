import DatastoreTestSupport
import Foundation
import Testing

/// A save that a trigger of the file never ends, on the real program.
@Suite(
  "Stopping a save on a terminal", .serialized,
  .enabled(if: TmuxSession.isPresent, TmuxSession.absence)
)
struct StoppedSavingOnTerminalTests {
  private static let sql = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO t VALUES (1, 'Ada'), (2, 'Bob');
    CREATE TABLE log (i);
    CREATE TRIGGER slow AFTER UPDATE ON t BEGIN
      INSERT INTO log WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT sum(i) FROM n;
    END;
    """

  private let program: Program
  private let session: TmuxSession
  private var file: URL { program.directory.url.appending(path: "f.sqlite") }
  private var recovery: String { program.directory.path(".f.sqlite.datastore-recovery") }

  init() throws {
    program = try Program()
    try SQLiteFile.make(at: program.directory.url.appending(path: "f.sqlite"), Self.sql)
    session = try TmuxSession(program)
  }

  /// Begins a save, and returns when the program holds the lock and the number of its process is known.
  private func beginSave() async throws -> Int32 {
    try await session.wait(for: "$")
    try session.enter(
      "sh -c 'echo $$ > pid; exec datastore f.sqlite --entity t'; echo end-$((40 + 2))")
    try await session.wait(for: "t Ada", "no unsaved changes", "2 rows")
    try session.press("Right", "e")
    try await session.wait(for: "not changed")
    try session.press("C-u")
    try session.enter("Adele")
    try await session.wait(for: "*Adele", "● 1 changed")
    try await session.wait(for: "the recovery file") { _ in
      Program.hasRecovery(recovery)
    }
    try session.press("C-s")
    try await session.wait(for: "the lock") { _ in (try? isLocked()) ?? false }
    let pid = try session.file("pid").trimmingCharacters(in: .whitespacesAndNewlines)
    return try #require(Int32(pid))
  }

  /// Whether someone holds the lock for writing, as SQLite's own program meets it.
  private func isLocked() throws -> Bool {
    let status = try spawn(
      "/usr/bin/env", ["sqlite3", "-batch", file.path, "BEGIN IMMEDIATE; ROLLBACK"],
      output: program.directory.url.appending(path: "lock-output"))
    return status != 0
  }

  private func names() throws -> [String] {
    try SQLiteFile.values("SELECT name FROM t ORDER BY id", in: file)
  }

  @Test(
    "A key ends it: the lock is free, and what was staged is kept",
    arguments: ["Escape", "q", "C-c"])
  func key(_ key: String) async throws {
    _ = try await beginSave()
    try session.press(key)
    try await session.wait(for: "The save was stopped; nothing was written", "● 1 changed")
    #expect(try !isLocked())
    #expect(try names() == ["Ada", "Bob"])
    try SQLiteFile.make(at: file, "DROP TRIGGER slow")
    try session.press("C-s")
    try await session.wait(for: "Saved: 1 changed.", "no unsaved changes")
    #expect(try names() == ["Adele", "Bob"])
    try session.press("q")
    try await session.wait(for: "end-42")
  }

  @Test(
    "A signal ends it and the program, and what was staged is offered",
    arguments: [SIGTERM, SIGHUP])
  func signal(_ signal: Int32) async throws {
    let pid = try await beginSave()
    kill(pid, signal)
    try await session.wait(for: "end-42")
    #expect(try !session.isAlternateScreen())
    #expect(try !isLocked())
    #expect(try names() == ["Ada", "Bob"])
    #expect(FileManager.default.fileExists(atPath: recovery))
    try SQLiteFile.make(at: file, "DROP TRIGGER slow")
    try session.enter("clear; datastore f.sqlite --entity t; echo end-$((40 + 3))")
    try await session.wait(for: "Unsaved changes from an earlier session", "1 changed")
    try session.press("r")
    try await session.wait(for: "● 1 changed", "*Adele")
    try session.press("C-s")
    try await session.wait(for: "Saved: 1 changed.", "no unsaved changes")
    #expect(try names() == ["Adele", "Bob"])
    try session.press("q")
    try await session.wait(for: "end-43")
  }
}
