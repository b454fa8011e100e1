import DatastoreTestSupport
import Foundation
import Testing

// Promise: the file or its log is removed or replaced underneath → nothing is saved, and that is said; put
// back, saving goes on.
// Also: `FileLockTests.lostLog`
/// What can happen to a file while someone edits it: a sentence, no crash, and nothing that was staged
/// or saved is lost.
@Suite("A file in trouble", .serialized)
struct FileFaultTests {
  private static let sql = """
    CREATE TABLE employee (id INTEGER PRIMARY KEY, name TEXT NOT NULL, note TEXT);
    INSERT INTO employee (id, name) VALUES (1, 'Ada'), (2, 'Grace'), (3, 'Zoe');
    """

  private let program: Program
  private var file: URL { program.directory.url.appending(path: "f.sqlite") }
  private var recovery: String { program.directory.path(".f.sqlite.datastore-recovery") }

  init() throws {
    program = try Program()
  }

  private func make(inWAL: Bool) throws {
    try SQLiteFile.make(at: file, (inWAL ? "PRAGMA journal_mode = WAL;" : "") + Self.sql)
  }

  private func names() throws -> [String] {
    try SQLiteFile.values("SELECT name FROM employee ORDER BY id", in: file)
  }

  private func open() async throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(program, ["f.sqlite"])
    try await terminal.wait(for: "employee Ada", "no unsaved changes", "3 rows")
    terminal.press("right")
    return terminal
  }

  private func edit(_ terminal: PseudoTerminal, _ text: String) async throws {
    terminal.press("e")
    // The line of messages may speak of the file already.
    try await terminal.wait(for: "enter accept")
    terminal.press("ctrl-u")
    terminal.type(text)
    terminal.press("enter")
    try await terminal.wait(for: "*\(text)")
  }

  /// Leaves so that the next browser offers the staged changes, and opens that one.
  private func leaveAndReturn(_ terminal: PseudoTerminal) async throws -> PseudoTerminal {
    terminal.press("q")
    try await terminal.wait(for: "keep for next time")
    terminal.press("k")
    #expect(try await terminal.end() == .status(0))
    let next = try PseudoTerminal(program, ["f.sqlite"])
    try await next.wait(for: "Unsaved changes from an earlier session")
    next.press("r")
    return next
  }

  private func saveAndLeave(_ terminal: PseudoTerminal) async throws {
    terminal.press("ctrl-s")
    try await terminal.wait(for: "Saved: ", "no unsaved changes")
    terminal.press("q")
    #expect(try await terminal.end() == .status(0))
    #expect(!FileManager.default.fileExists(atPath: recovery))
  }

  @Test(arguments: [false, true])
  func lockedByAnotherProcess(inWAL: Bool) async throws {
    try make(inWAL: inWAL)
    let terminal = try await open()
    try await edit(terminal, "Adele")
    let lock = try SQLiteLock(file, forWriting: inWAL)
    terminal.press("ctrl-s")
    try await terminal.wait(said: "in use by another process")
    #expect(FileManager.default.fileExists(atPath: recovery))
    try lock.release()
    try await terminal.dismiss("Nothing was saved")
    try await saveAndLeave(terminal)
    #expect(try names() == ["Adele", "Grace", "Zoe"])
  }

  /// Also after a save, when the file that was opened is still being written by SQLite.
  @Test(arguments: [false, true], [false, true])
  func replaced(inWAL: Bool, afterSave: Bool) async throws {
    try make(inWAL: inWAL)
    let terminal = try await open()
    if afterSave {
      try await edit(terminal, "Adele")
      terminal.press("ctrl-s")
      try await terminal.wait(for: "Saved: ")
    }
    let other = program.directory.url.appending(path: "other.sqlite")
    try SQLiteFile.make(
      at: other, Self.sql.replacingOccurrences(of: "'Ada'", with: "'Another'"))
    for side in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: file.path + side)
    }
    #expect(rename(other.path, file.path) == 0)
    terminal.press("down")
    try await edit(terminal, "Grethe")
    terminal.press("ctrl-s")
    try await terminal.wait(said: "it was replaced")
    #expect(try names() == ["Another", "Grace", "Zoe"])
    try await terminal.dismiss("Nothing was saved")
    let next = try await leaveAndReturn(terminal)
    try await next.wait(for: "Restored: 1 changed")
    try await saveAndLeave(next)
    #expect(try names() == ["Another", "Grethe", "Zoe"])
  }

  @Test(arguments: [false, true])
  func removedAndPutBack(inWAL: Bool) async throws {
    try make(inWAL: inWAL)
    let terminal = try await open()
    try await edit(terminal, "Adele")
    terminal.press("ctrl-s")
    try await terminal.wait(for: "Saved: ")
    let elsewhere = program.directory.path("elsewhere")
    #expect(rename(file.path, elsewhere) == 0)
    terminal.press("down")
    try await edit(terminal, "Grethe")
    terminal.press("ctrl-s")
    try await terminal.wait(said: "moved or removed")
    #expect(rename(elsewhere, file.path) == 0)
    try await terminal.dismiss("Nothing was saved")
    try await saveAndLeave(terminal)
    #expect(try names() == ["Adele", "Grethe", "Zoe"])
  }

  @Test(arguments: [false, true])
  func emptied(inWAL: Bool) async throws {
    try make(inWAL: inWAL)
    let whole = try Data(contentsOf: file)
    let terminal = try await open()
    try await edit(terminal, "Adele")
    #expect(truncate(file.path, 0) == 0)
    terminal.press("ctrl-s")
    try await terminal.wait(said: "has been emptied")
    // The backup that the message speaks of.
    try whole.write(to: file)
    try await terminal.dismiss("Nothing was saved")
    let next = try await leaveAndReturn(terminal)
    try await next.wait(for: "Restored: 1 changed")
    try await saveAndLeave(next)
    #expect(try names() == ["Adele", "Grace", "Zoe"])
  }

  @Test func truncatedToItsFirstPage() async throws {
    try make(inWAL: false)
    let whole = try Data(contentsOf: file)
    let terminal = try await open()
    try await edit(terminal, "Adele")
    #expect(truncate(file.path, 4_096) == 0)
    terminal.press("ctrl-s")
    try await terminal.wait(said: "disk image is malformed")
    try whole.write(to: file)
    try await terminal.dismiss("Nothing was saved")
    try await saveAndLeave(terminal)
    #expect(try names() == ["Adele", "Grace", "Zoe"])
  }

  /// Neither the journal can be made nor a recovery file beside the store; root may write everywhere, so it
  /// is not tried.
  @Test(.enabled(if: geteuid() != 0, "root may write into every directory"))
  func directoryMadeReadOnly() async throws {
    try make(inWAL: false)
    let terminal = try await open()
    #expect(chmod(program.directory.url.path, 0o500) == 0)
    defer { chmod(program.directory.url.path, 0o700) }
    try await edit(terminal, "Adele")
    try await terminal.wait(for: "the recovery file") { _ in
      try program.recoveryFilesElsewhere().contains { $0.contains("Adele") }
    }
    terminal.press("ctrl-s")
    try await terminal.wait(for: "Nothing was saved")
    #expect(chmod(program.directory.url.path, 0o700) == 0)
    try await terminal.dismiss("Nothing was saved")
    try await saveAndLeave(terminal)
    #expect(try names() == ["Adele", "Grace", "Zoe"])
  }

  @Test func filesMayNotGrow() async throws {
    try make(inWAL: false)
    let size = try Data(contentsOf: file).count
    // In blocks of 512 bytes.
    let terminal = try PseudoTerminal(
      program, ["f.sqlite"],
      command: [
        "/bin/sh", "-c", "ulimit -f \(size / 512 + 8) && exec \"$0\" \"$@\"",
        Program.executable.path,
      ])
    try await terminal.wait(for: "employee Ada", "no unsaved changes", "3 rows")
    terminal.press("right", "right", "e")
    try await terminal.wait(for: "not changed")
    terminal.type("\u{1B}[200~\(String(repeating: "long ", count: 8_000))\u{1B}[201~")
    terminal.press("enter")
    try await terminal.wait(for: "● 1 changed", "would not survive a crash")
    terminal.press("ctrl-s")
    try await terminal.wait(for: "Nothing was saved")
    try await terminal.dismiss("Nothing was saved")
    #expect(try SQLiteFile.values("PRAGMA integrity_check", in: file) == ["ok"])
    #expect(try names() == ["Ada", "Grace", "Zoe"])
    try await terminal.wait(for: "● 1 changed")
    terminal.press("u")
    try await terminal.wait(for: "no unsaved changes")
    terminal.press("q")
    #expect(try await terminal.end() == .status(0))
  }
}

extension Program {
  /// The recovery files that could not be written beside their stores.
  func recoveryFilesElsewhere() throws -> [String] {
    let folder = directory.url.appending(path: "state/datastore")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return try names.filter { $0.hasSuffix(".datastore-recovery") }.map {
      try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
    }
  }
}
