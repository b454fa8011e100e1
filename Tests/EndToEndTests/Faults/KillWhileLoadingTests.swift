import DatastoreTestSupport
import Foundation
import Testing

/// kill -9 at random moments of `datastore load`: the store is as before or has everything, and the
/// load can be run again.
@Suite("kill -9 while loading", .serialized)
struct KillWhileLoadingTests {
  private static let rows = 4_000

  /// What is loaded, and how the number of rows shows whether it was.
  private struct Kind {
    var name: String
    var arguments: [String]
    /// Makes the store that is loaded into; nil when there is none before.
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
    var (whole, absent) = (0, 0)
    for round in 0..<FaultRounds.count {
      do {
        if try await run(round) { whole += 1 } else { absent += 1 }
      } catch {
        Issue.record("round \(round), DATASTORE_TEST_SEED as printed: \(error)")
        break
      }
    }
    FaultRounds.report(
      """
      kill -9 while loading: \(FaultRounds.count) rounds; the load was whole \(whole) times and \
      absent \(absent) times
      """)
  }

  /// True when everything had been loaded.
  private func run(_ round: Int) async throws -> Bool {
    var random = SeededRandom(seed: RandomCases.seed(round))
    let kind = Self.kinds[round % Self.kinds.count]
    let program = try Program()
    let store = program.directory.url.appending(path: "s.sqlite")
    let lines = (1...Self.rows).map { "\($0),name \($0),\($0 % 90)" }
    try program.directory.write(
      "id,name,age\n" + lines.joined(separator: "\n") + "\n", to: "people.csv")
    if let before = kind.before { try SQLiteFile.make(at: store, before) }

    let load = try program.start(["load", "--quiet"] + kind.arguments)
    usleep(UInt32(random.below(700_000)))
    load.send(signal: SIGKILL)
    _ = try await load.outcome()

    let what = "round \(round), \(kind.name)"
    let isThere = FileManager.default.fileExists(atPath: store.path)
    #expect(isThere || kind.before == nil, "\(what): the store is gone")
    var isWhole = false
    if isThere {
      #expect(try SQLiteFile.values("PRAGMA integrity_check", in: store) == ["ok"], "\(what)")
      let found = try SQLiteFile.values(kind.query, in: store).first
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
    return isWhole
  }

  /// Whether a file may lie there after a load.
  private func isExpected(_ name: String) -> Bool {
    ["people.csv", "s.sqlite", "s.sqlite-wal", "s.sqlite-shm", "streams"].contains(name)
  }
}
