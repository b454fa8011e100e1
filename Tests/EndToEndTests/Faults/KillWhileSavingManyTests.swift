import DatastoreTestSupport
import Foundation
import Testing

/// kill -9 in the middle of saves that are larger than SQLite's cache: then the file itself holds half of
/// them, and without WAL no program can read it before they are rolled back. The browser is the first to open
/// the remains.
@Suite("kill -9 while saving thousands of rows", .serialized)
struct KillWhileSavingManyTests {
  private static let rows = 4_000
  /// Bytes of a row, so that all of them are more than the two megabytes that SQLite caches.
  private static let bytesOfRow = 700

  private struct Figures {
    var hot = 0
    var whole = 0
    var absent = 0
  }

  @Test func theNextBrowserTakesItUp() async throws {
    var figures = Figures()
    for round in 0..<FaultRounds.count {
      do {
        try await run(round, &figures)
      } catch {
        Issue.record("round \(round), DATASTORE_TEST_SEED as printed: \(error)")
        break
      }
    }
    FaultRounds.report(
      """
      kill -9 while saving \(Self.rows) rows: \(FaultRounds.count) rounds; the save was whole \
      \(figures.whole) times and absent \(figures.absent) times; \(figures.hot) times the file was half \
      written, with a journal to be rolled back
      """)
    // Without them the loop would show nothing; a few rounds may all be too late on a busy machine.
    if FaultRounds.count >= 20 { #expect(figures.hot > 0) }
  }

  private func run(_ round: Int, _ figures: inout Figures) async throws {
    var random = SeededRandom(seed: RandomCases.seed(round))
    let program = try Program()
    let file = program.directory.url.appending(path: "f.sqlite")
    // Every third file is in WAL mode, in which nothing is ever half written.
    let inWAL = round % 3 == 2
    try SQLiteFile.make(
      at: file,
      """
      \(inWAL ? "PRAGMA journal_mode = WAL;" : "")
      CREATE TABLE employee (id INTEGER PRIMARY KEY, name TEXT NOT NULL, note BLOB);
      WITH n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.rows))
      INSERT INTO employee SELECT i, 'old', zeroblob(\(Self.bytesOfRow)) FROM n;
      """)
    // From two megabytes on, which are in the file by then; without any in WAL mode.
    try await stageAll(program, andKillAt: inWAL ? random.below(1_000) : 750 + random.below(400))
    let journal = file.path + "-journal"
    // Its beginning is written when the journal has reached the disk, before the file is touched.
    if let first = try? Data(contentsOf: URL(fileURLWithPath: journal)).first, first != 0 {
      figures.hot += 1
    }

    let what = "round \(round)"
    // It goes when the save is whole.
    let isOffered = Program.hasRecovery(recovery(program))
    let terminal = try PseudoTerminal(program, ["f.sqlite"])
    try await terminal.wait(for: "4,000 rows")
    if isOffered { try await terminal.wait(for: "Unsaved changes from an earlier session") }
    #expect(try SQLiteFile.values("PRAGMA integrity_check", in: file) == ["ok"], "\(what)")
    let names = try SQLiteFile.values("SELECT DISTINCT name FROM employee", in: file)
    #expect(names == ["old"] || names == ["new"], "\(what): \(names)")
    if names == ["old"] { figures.absent += 1 } else { figures.whole += 1 }
    #expect(isOffered || names == ["new"], "\(what)")
    if isOffered {
      terminal.press("r")
      try await terminal.wait(for: "Restored")
    }
    terminal.press("ctrl-s")
    try await terminal.wait(for: "no unsaved changes")
    terminal.press("q")
    #expect(try await terminal.end() == .status(0))
    #expect(
      try SQLiteFile.values("SELECT name || count(*) FROM employee GROUP BY name", in: file)
        == ["new\(Self.rows)"], "\(what)")
  }

  private func recovery(_ program: Program) -> String {
    program.directory.path(".f.sqlite.datastore-recovery")
  }

  /// Gives all rows another name, and kills the browser when so many thousandths of the save's journal have
  /// been seen.
  private func stageAll(
    _ program: Program, andKillAt moment: Int
  ) async throws {
    let terminal = try PseudoTerminal(program, ["f.sqlite"])
    try await terminal.wait(for: "employee old", "no unsaved changes", "4,000 rows")
    terminal.press("right", "B", "ctrl-u")
    terminal.type("new")
    terminal.press("enter")
    try await terminal.wait(for: "in 4,000 objects")
    terminal.press("y")
    try await terminal.wait(for: "● 4,000 changed")
    try await terminal.wait(for: "the recovery file") { _ in
      let size =
        try? FileManager.default.attributesOfItem(atPath: recovery(program))[.size] as? Int
      return size ?? 0 > Self.rows * 20
    }
    let written = WrittenBytes(terminal, program)
    terminal.press("ctrl-s")
    let all = Self.rows * Self.bytesOfRow
    try await written.wait(for: all / 1_000 * moment) { lines in
      lines.contains { $0.contains("Saved: ") }
    }
    try await terminal.killNow()
  }
}
