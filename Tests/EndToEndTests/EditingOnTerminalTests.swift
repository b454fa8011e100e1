import DatastoreTestSupport
import Foundation
import Testing

@Suite(
  "Editing on a terminal", .serialized, .enabled(if: TmuxSession.isPresent, TmuxSession.absence)
)
struct EditingOnTerminalTests {
  private static let sql = """
    CREATE TABLE employee (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER);
    INSERT INTO employee VALUES (1, 'Ada', 36), (2, 'Grace', 45), (3, 'Zoe', 28);
    """

  private let program: Program
  private let session: TmuxSession

  init() throws {
    program = try Program()
    try SQLiteFile.make(at: program.directory.url.appending(path: "f.sqlite"), Self.sql)
    session = try TmuxSession(program)
  }

  /// Changes the file as another process.
  private func execute(_ sql: String) throws {
    try SQLiteFile.make(at: program.directory.url.appending(path: "f.sqlite"), sql)
  }

  private func names() throws -> String {
    try SQLiteFile.values(
      "SELECT group_concat(name || ' ' || ifnull(age, '-'), ', ') FROM employee",
      in: program.directory.url.appending(path: "f.sqlite")
    ).joined()
  }

  private func browse() async throws {
    try await session.wait(for: "$")
    try session.enter("datastore f.sqlite")
    try await session.wait(for: "employee Ada", "no unsaved changes", "3 rows")
  }

  @Test("Edit, undo, review and save")
  func editUndoReviewSave() async throws {
    try await browse()
    try session.press("Right")
    try await session.replaceValue(with: "Adele")
    try await session.wait(for: "● 1 changed")
    try session.press("u")
    try await session.wait(for: "○ no unsaved changes")
    try session.press("U")
    try await session.wait(for: "● 1 changed")
    try session.press("c")
    try await session.wait(for: "Unsaved changes", "Ada ", "→  Adele")
    try session.press("Escape")
    try await session.wait(for: "the table") { lines in
      !lines.contains { $0.contains("→  Adele") }
    }
    #expect(try names() == "Ada 36, Grace 45, Zoe 28")
    try session.press("C-s")
    try await session.wait(for: "Saved: 1 changed.", "○ no unsaved changes")
    #expect(try names() == "Adele 36, Grace 45, Zoe 28")
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
  }

  @Test("Another process changes the row, and a value is missing")
  func conflictAndValidation() async throws {
    try await browse()
    try session.press("Right")
    try await session.replaceValue(with: "Adele")
    try execute("UPDATE employee SET name = 'Adam' WHERE id = 1")
    try await session.wait(for: "● 1 changed (1 in conflict)", "!Adele")
    try session.press("C-s")
    try await session.wait(for: "Changed underneath", "(?) Adele", "(?) Adam")
    try session.press("m", "Enter")
    try await session.wait(for: "Saved: 1 changed.")
    #expect(try names() == "Adele 36, Grace 45, Zoe 28")
    try session.press("a")
    try await session.wait(for: "● 1 new", "needs a value")
    try session.press("C-s")
    try await session.wait(for: "Nothing was saved", "name has no value")
    try session.press("Enter")
    try await session.wait(for: "needs a value") { lines in
      !lines.contains { $0.contains("Nothing was saved") }
    }
    try session.press("q")
    try await session.wait(for: "There are unsaved changes: 1 new.")
    try session.press("d")
    try await session.wait(for: "the shell") { $0.last == "$" }
    #expect(try names() == "Adele 36, Grace 45, Zoe 28")
  }

  @Test("Staged changes survive kill -9")
  func crashAndRecover() async throws {
    try await session.wait(for: "$")
    // After a SIGKILL only the shell restores the terminal.
    try session.enter(
      "sh -c 'echo $$ > pid; exec datastore f.sqlite'; stty sane; clear; echo end-$((40 + 2))")
    try await session.wait(for: "employee Ada", "no unsaved changes", "3 rows")
    try session.press("Right")
    try await session.replaceValue(with: "Adele")
    let recovery = program.directory.url.appending(path: ".f.sqlite.datastore-recovery")
    try await session.wait(for: "the recovery file") { _ in
      Program.hasRecovery(recovery.path)
    }
    let pid = try session.file("pid").trimmingCharacters(in: .whitespacesAndNewlines)
    kill(try #require(Int32(pid)), SIGKILL)
    try await session.wait(for: "end-42")
    try session.enter("clear; datastore f.sqlite")
    try await session.wait(for: "Unsaved changes from an earlier session", "1 changed")
    try session.press("r")
    try await session.wait(for: "● 1 changed", "*Adele")
    try session.press("C-s")
    try await session.wait(for: "Saved: 1 changed.")
    #expect(try names() == "Adele 36, Grace 45, Zoe 28")
    try await session.wait(for: "the end of the recovery file") { _ in
      !FileManager.default.fileExists(atPath: recovery.path)
    }
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
  }

  @Test("The user's editor has the terminal, and gives it back")
  func externalEditor() async throws {
    let editor = program.directory.url.appending(path: "editor")
    try install(
      script:
        "#!/bin/sh\necho in the editor\nread line\nprintf 'edited %s\\n' \"$line\" > \"$1\"\n",
      at: editor)
    try await session.wait(for: "$")
    try session.enter("VISUAL=\(editor.path) datastore f.sqlite")
    try await session.wait(for: "employee Ada", "no unsaved changes", "3 rows")
    try session.press("Right", "e")
    try await session.wait(for: "not changed")
    try session.press("C-e")
    try await session.wait(for: "in the editor")
    try session.enter("here")
    try await session.wait(for: "*edited here", "● 1 changed")
    try session.press("Down", "C-s")
    try await session.wait(for: "Saved: 1 changed.", "employee Grace")
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
  }
}
