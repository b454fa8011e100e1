import DatastoreTestSupport
import Foundation
import Testing

/// kill -9 while the browser imports a file, which it writes piece by piece: the file has the first records,
/// whole, and the next browser offers edits that were staged meanwhile.
@Suite("kill -9 while importing", .serialized)
struct KillWhileImportingTests {
  private static let rows = 3_000

  @Test func whatIsThereIsWhole() async throws {
    var (whole, partly, absent) = (0, 0, 0)
    // The bytes that a whole import writes in each journal mode, without being killed.
    var all: [Int] = []
    for round in 0..<FaultRounds.count {
      do {
        if round < 2 { all.append(try await importing(round, killedAt: .max).seen) }
        let count = try await run(round, of: all[round % 2])
        if count == 0 { absent += 1 } else if count == Self.rows { whole += 1 } else { partly += 1 }
      } catch {
        Issue.record("round \(round), DATASTORE_TEST_SEED as printed: \(error)")
        break
      }
    }
    FaultRounds.report(
      """
      kill -9 while importing: \(FaultRounds.count) rounds; all records were there \(whole) times, the \
      first ones \(partly) times, none \(absent) times
      """)
  }

  /// How many records are there.
  private func run(_ round: Int, of all: Int) async throws -> Int {
    var random = SeededRandom(seed: RandomCases.seed(round))
    let program = try await importing(round, killedAt: random.below(all)).program
    let file = program.directory.url.appending(path: "f.sqlite")

    let what = "round \(round)"
    // The browser is the first to open the remains of the crash; others would repair them.
    let next = try PseudoTerminal(program, ["f.sqlite"])
    try await next.wait(for: "Unsaved changes from an earlier session")
    #expect(try SQLiteFile.values("PRAGMA integrity_check", in: file) == ["ok"], "\(what)")
    let found = try SQLiteFile.values(
      "SELECT name FROM employee WHERE age > 0 ORDER BY age", in: file)
    #expect(found == (1...Self.rows).prefix(found.count).map { "name \($0)" }, "\(what)")
    let old = try SQLiteFile.values("SELECT name FROM employee WHERE age < 0 ORDER BY id", in: file)
    #expect(old == ["Ada", "Grace"], "\(what)")

    next.press("r")
    try await next.wait(for: "Restored: 1 changed")
    next.press("ctrl-s")
    try await next.wait(for: "Saved: 1 changed.")
    next.press("q")
    #expect(try await next.end() == .status(0), "\(what)")
    let names = try SQLiteFile.values("SELECT name FROM employee WHERE age = -1", in: file)
    #expect(names == ["Adele"], "\(what)")
    return found.count
  }

  /// Stages an edit, begins to import, and kills the program when it has been seen to write so many bytes,
  /// or when everything is imported.
  private func importing(
    _ round: Int, killedAt moment: Int
  ) async throws -> (program: Program, seen: Int) {
    let program = try Program()
    let file = program.directory.url.appending(path: "f.sqlite")
    try SQLiteFile.make(
      at: file,
      """
      \(round % 2 == 0 ? "PRAGMA journal_mode = WAL;" : "")
      CREATE TABLE employee (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER);
      INSERT INTO employee VALUES (1, 'Ada', -1), (2, 'Grace', -2);
      """)
    let lines = (1...Self.rows).map { "name \($0),\($0)" }
    try program.directory.write("name,age\n" + lines.joined(separator: "\n"), to: "staff.csv")

    let terminal = try PseudoTerminal(program, ["f.sqlite"])
    try await terminal.wait(for: "employee Ada", "no unsaved changes", "2 rows")
    terminal.press("right", "e", "ctrl-u")
    terminal.type("Adele")
    terminal.press("enter")
    try await terminal.wait(for: "● 1 changed")
    let recovery = program.directory.path(".f.sqlite.datastore-recovery")
    try await terminal.wait(for: "the recovery file") { _ in
      let text = try? String(contentsOfFile: recovery, encoding: .utf8)
      return text?.contains("Adele") ?? false
    }
    terminal.press("P")
    try await terminal.wait(for: "Import file:")
    terminal.type("staff.csv\r")
    try await terminal.wait(for: "Import staff.csv", "→ age")
    let written = WrittenBytes(terminal, program)
    terminal.press("I")
    let seen = try await written.wait(for: moment) { lines in
      lines.contains { $0.contains("Imported 3,000 rows") }
    }
    try await terminal.killNow()
    return (program, seen)
  }
}
