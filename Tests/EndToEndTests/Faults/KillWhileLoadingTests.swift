import DatastoreTestSupport
import Foundation
import Testing

/// kill -9 at random moments of `datastore load`: the store is as before or has everything, and the
/// load can be run again.
@Suite("kill -9 while loading", .serialized)
struct KillWhileLoadingTests {
  private static let rows = 4_000

  /// A kind of load, and the numbers of rows that show whether it was complete.
  private struct Kind {
    var name: String
    var arguments: [String]
    /// Makes the store for the load; nil if there is none before.
    var before: String?
    /// A number that is `old` before the load and `new` after it.
    var query: String
    var old: String?
    var new: String
  }

  private static let kinds = [
    Kind(
      name: "a new store", arguments: ["people.csv", "--into", "s.sqlite"], before: nil,
      query: "SELECT count(*) || '' FROM people",
      old: nil, new: "\(rows)"),
    Kind(
      name: "more rows", arguments: ["people.csv", "--into", "s.sqlite"],
      before: "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, age INT);"
        + "INSERT INTO people VALUES (1000000, 'first', 1);",
      query: "SELECT count(*) || '' FROM people", old: "1", new: "\(rows + 1)"),
    Kind(
      name: "changed rows", arguments: ["people.csv", "--into", "s.sqlite", "--key", "id"],
      before: """
        PRAGMA journal_mode = WAL;
        CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, age INT);
        WITH n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
        INSERT INTO people SELECT i, 'old', -1 FROM n;
        """,
      query: "SELECT count(*) || ' ' || sum(name = 'old') FROM people", old: "\(rows) \(rows)",
      new: "\(rows) 0"),
    Kind(
      name: "a manifest",
      arguments: [Program.sampleData.appending(path: "company").path, "--into", "s.sqlite"],
      before: nil, query: "SELECT count(*) || '' FROM Task", old: nil, new: ""),
  ]

  @Test func aLoadIsAllOrNothing() async throws {
    var (whole, absent, underWay) = (0, 0, 0)
    // The bytes that a whole load of each kind writes, without being killed.
    var all: [Int] = []
    for round in 0..<FaultRounds.count {
      do {
        if round < Self.kinds.count {
          all.append(try await load(Self.kinds[round], in: Program(), killedAt: .max).seen)
        }
        let killed = try await run(round, of: all[round % Self.kinds.count])
        if killed.isWhole { whole += 1 } else { absent += 1 }
        if killed.isUnderWay { underWay += 1 }
      } catch {
        Issue.record("round \(round), DATASTORE_TEST_SEED as printed: \(error)")
        break
      }
    }
    FaultRounds.report(
      """
      kill -9 while loading: \(FaultRounds.count) rounds; the load was whole \(whole) times and \
      absent \(absent) times; \(underWay) loads were being written
      """)
  }

  /// Whether everything had been loaded, and whether it was being written when it was killed.
  private func run(
    _ round: Int, of all: Int
  ) async throws -> (isWhole: Bool, isUnderWay: Bool) {
    var random = SeededRandom(seed: RandomCases.seed(round))
    let kind = Self.kinds[round % Self.kinds.count]
    let program = try Program()
    let store = program.directory.url.appending(path: "s.sqlite")
    let (_, isUnderWay) = try await load(kind, in: program, killedAt: random.below(all))

    let what = "round \(round), \(kind.name)"
    let isThere = FileManager.default.fileExists(atPath: store.path)
    #expect(isThere || kind.before == nil, "\(what): the store is gone")
    var isWhole = false
    if isThere {
      // The program is the first to open the remains of the crash; others would repair them.
      let first = try await program.run(
        "query", "s.sqlite", "--sql", kind.query, "--format", "csv", "--no-header")
      #expect(first.status == 0, "\(what): \(first.errors)")
      #expect(try SQLiteFile.values("PRAGMA integrity_check", in: store) == ["ok"], "\(what)")
      let found = try SQLiteFile.values(kind.query, in: store).first
      #expect(first.output == "\(found ?? "nothing")\n", "\(what)")
      isWhole = kind.new.isEmpty ? found != nil : found == kind.new
      #expect(isWhole || found == kind.old, "\(what): \(found ?? "nothing")")
    }
    if !isWhole {
      let again = try await program.start(["load", "--quiet"] + kind.arguments).outcome()
      #expect(again.status == 0, "\(what): \(again.errors)")
      let found = try SQLiteFile.values(kind.query, in: store).first
      #expect(kind.new.isEmpty || found == kind.new, "\(what)")
      let names = try program.directory.names()
      #expect(names.allSatisfy(isExpected), "\(what): \(names)")
    }
    return (isWhole, isUnderWay)
  }

  /// Loads on a terminal, on which the program shows its progress, and kills it after it has written so many
  /// bytes, or at its end.
  private func load(
    _ kind: Kind, in program: Program, killedAt moment: Int
  ) async throws -> (seen: Int, isUnderWay: Bool) {
    let store = program.directory.url.appending(path: "s.sqlite")
    let lines = (1...Self.rows).map { "\($0),name \($0),\($0 % 90)" }
    try program.directory.write(
      "id,name,age\n" + lines.joined(separator: "\n") + "\n", to: "people.csv")
    if let before = kind.before { try SQLiteFile.make(at: store, before) }
    let terminal = try PseudoTerminal(program, ["load"] + kind.arguments)
    let written = WrittenBytes(terminal, program)
    let seen = try await written.wait(for: moment) { _ in false }
    let isUnderWay = !terminal.isClosed && written.hasStored
    try await terminal.killNow()
    return (seen, isUnderWay)
  }

  /// Whether a file may lie there after a load.
  private func isExpected(_ name: String) -> Bool {
    [".config", "people.csv", "s.sqlite", "s.sqlite-wal", "s.sqlite-shm", "state", "streams"]
      .contains(name)
  }
}
