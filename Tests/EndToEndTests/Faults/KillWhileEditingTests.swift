import DatastoreTestSupport
import Foundation
import Testing

/// kill -9 at random moments of editing and saving. After each: the file is whole, a save is there entirely
/// or not at all, and the next browser offers the staged changes correctly.
@Suite("kill -9 while editing", .serialized)
struct KillWhileEditingTests {
  private static let rows = 8
  /// Bytes that are about as many as are written for one edit, and for a save: moments are drawn below.
  private static let (bytesOfEdit, bytesOfSave) = (400, 6_000)

  /// When the program is killed.
  private enum Moment: Int, CaseIterable {
    /// While keys are being taken.
    case typing
    /// When all edits have reached the recovery file.
    case staged
    /// While a save is being written.
    case saving
    /// When the program reports the save as done.
    case saved
  }

  /// The figures of the rounds, for the closing sentence.
  private struct Figures {
    var offered = 0
    var restored = 0
    var savedWhole = 0
    var savedNothing = 0
    /// Saves that had begun to write files and were not yet reported as done.
    var underWay = 0
  }

  @Test(arguments: StorePlace.withoutServer)
  func nothingStagedOrSavedIsLost(_ place: StorePlace) async throws {
    var figures = Figures()
    for round in 0..<FaultRounds.count {
      do {
        try await run(round, place, &figures)
      } catch {
        Issue.record("round \(round), DATASTORE_TEST_SEED as printed: \(error)")
        break
      }
    }
    FaultRounds.report(
      """
      kill -9 while editing a file \(place): \(FaultRounds.count) rounds; changes were offered \(figures.offered) times, \
      \(figures.restored) edits restored; a killed save was whole \(figures.savedWhole) times and \
      absent \(figures.savedNothing) times; \(figures.underWay) saves were being written
      """)
  }

  private func run(
    _ round: Int, _ place: StorePlace, _ figures: inout Figures
  ) async throws {
    var random = SeededRandom(seed: RandomCases.seed(round))
    let program = try Program()
    let file = program.directory.url.appending(path: "f.sqlite")
    let browser = Browsed(program: program, file: file, place: place)
    try SQLiteFile.make(
      at: file,
      """
      \(random.below(2) == 0 ? "PRAGMA journal_mode = WAL;" : "")
      CREATE TABLE employee (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      WITH n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.rows))
      INSERT INTO employee SELECT i, 'old' || i FROM n;
      """)
    let moment = Moment.allCases[round % Moment.allCases.count]
    let edits = 1 + random.below(Self.rows)
    let isUnderWay = try await kill(browser, at: moment, edits, &random)
    if isUnderWay { figures.underWay += 1 }

    let what = "round \(round), \(moment), \(edits) edits"
    // An empty file only holds the name for one that was still being written.
    let isOffered =
      browser.recovery.flatMap { FileManager.default.contents(atPath: $0) }?.isEmpty == false
    if isOffered { figures.offered += 1 }
    var written = 0
    try await takeUp(browser, isOffered: isOffered) {
      #expect(try SQLiteFile.values("PRAGMA integrity_check", in: file) == ["ok"], "\(what)")
      written = try changed(file, what)
      #expect(written == 0 || written == edits, "\(what): \(written) were saved")
      if moment == .saved { #expect(written == edits, "\(what)") }
      if moment == .saving {
        if written == 0 { figures.savedNothing += 1 } else { figures.savedWhole += 1 }
      }
    }
    let kept = try changed(file, what)
    // Edits that had reached the disk are there; of those still being typed, the first ones.
    if moment != .typing { #expect(kept == edits, "\(what): \(kept) are left") }
    #expect(kept >= written && kept <= edits, "\(what): \(kept) are left")
    if isOffered { figures.restored += kept - written }
    #expect(
      browser.recovery.map { !FileManager.default.fileExists(atPath: $0) } ?? true, "\(what)")
  }

  /// A file in a place, and the program that browses it.
  private struct Browsed {
    let program: Program
    let file: URL
    let place: StorePlace

    /// The path of the staged changes; nil if there are none.
    var recovery: String? { place.recovery(of: file, program) }

    func start() throws -> PseudoTerminal {
      try PseudoTerminal(program, place.arguments(file))
    }
  }

  /// How many names are new; they are the first ones.
  private func changed(_ file: URL, _ what: String) throws -> Int {
    let names = try SQLiteFile.values("SELECT name FROM employee ORDER BY id", in: file)
    let count = names.prefix { $0.hasPrefix("new") }.count
    let expected = (1...Self.rows).map { $0 <= count ? "new\($0)" : "old\($0)" }
    #expect(names == expected, "\(what)")
    return count
  }

  /// True when the program was killed while a save was being written.
  private func kill(
    _ browser: Browsed, at moment: Moment, _ edits: Int, _ random: inout SeededRandom
  ) async throws -> Bool {
    let terminal = try browser.start()
    try await terminal.wait(for: "employee old1", "no unsaved changes", "\(Self.rows) rows")
    let typed = WrittenBytes(terminal, browser.program)
    terminal.press("right")
    for edit in 1...edits {
      terminal.press("e", "ctrl-u")
      terminal.type("new\(edit)")
      terminal.press("enter", "down")
    }
    if moment != .typing {
      try await terminal.wait(for: "● \(edits) changed")
      try await terminal.wait(for: "the recovery file") { _ in
        let text = browser.recovery.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) }
        return text?.contains("new\(edits)\"") ?? false
      }
    }
    var isUnderWay = false
    switch moment {
    case .typing:
      try await typed.wait(for: random.below(Self.bytesOfEdit * edits)) { lines in
        lines.contains { $0.contains("● \(edits) changed") }
      }
    case .staged: break
    case .saving:
      let saved = WrittenBytes(terminal, browser.program)
      terminal.press("ctrl-s")
      func isSaved(_ lines: [String]) -> Bool { lines.contains { $0.contains("Saved: ") } }
      // Half of the moments are the very first ones, before anything is in the file.
      let most = random.below(2) == 0 ? 20 : Self.bytesOfSave
      try await saved.wait(for: random.below(most), orUntil: isSaved)
      isUnderWay = saved.hasStored && !isSaved(terminal.lines)
    case .saved:
      terminal.press("ctrl-s")
      try await terminal.wait(for: "Saved: ")
    }
    try await terminal.killNow()
    return isUnderWay
  }

  /// Opens the file again, before any other program would repair it, accepts the offered changes, saves them
  /// and leaves.
  ///
  /// - Parameter look: examines the file when the browser shows it.
  private func takeUp(
    _ browser: Browsed, isOffered: Bool, _ look: () throws -> Void
  ) async throws {
    let terminal = try browser.start()
    try await terminal.wait(for: "\(Self.rows) rows")
    if isOffered { try await terminal.wait(for: "Unsaved changes from an earlier session") }
    try look()
    if isOffered {
      terminal.press("r")
      try await terminal.wait(for: "Restored")
    }
    terminal.press("ctrl-s")
    try await terminal.wait(for: "no unsaved changes")
    terminal.press("q")
    #expect(try await terminal.end() == .status(0))
  }
}
