import DatastoreTestSupport
import Foundation
import Testing

/// Rows from pipes: standard input, the shell's `<(…)`, named ones. All of them are read once.
@Suite("datastore load: pipes")
struct LoadFromPipesTests {
  private let program: Program

  init() throws {
    program = try Program()
    // More than a pipe holds, with a type that only the last row shows.
    let rows = (1...20_000).map { "\($0),2024-05-\(10 + $0 % 18)\n" }.joined()
    try program.directory.write("id,day\n" + rows + "20001.5,2024-05-01\n", to: "rows.csv")
  }

  /// How one and the same command is given its rows.
  private static let ways = [
    "cat rows.csv | datastore load - --entity p",
    "bash -c 'datastore load <(cat rows.csv) --entity p \"$@\"' bash",
    "mkfifo p.csv; cat rows.csv > p.csv & datastore load p.csv",
    "cat rows.csv | datastore load /dev/stdin --entity p",
  ]

  private func run(_ way: String, _ options: String) async throws -> Program.Outcome {
    try await program.shell("rm -f p.csv; \(way) --into s.sqlite -q \(options)")
  }

  private func values(_ sql: String) throws -> String {
    try SQLiteFile.output(of: sql, at: program.directory.url.appending(path: "s.sqlite"))
  }

  private static let summary = "SELECT count(*), max(id), typeof(max(id)), min(day) FROM p"

  @Test(
    "A new store, a new table, new rows and changed ones, all with types of all rows",
    arguments: ways)
  func load(way: String) async throws {
    let first = try await run(way, "--key id")
    #expect(first.output == "Loaded 20,001 rows into s.sqlite: 20,001 inserted.\n", "\(first)")
    #expect(try values(Self.summary) == "20001|20001.5|real|2024-05-01\n")
    let second = try await run(way, "--key id")
    #expect(second.output == "Loaded 20,001 rows into s.sqlite: 20,001 updated.\n", "\(second)")
    let third = try await run(way, "")
    #expect(third.status == 65 && third.errors.contains("the same id"), "\(third)")
    try FileManager.default.removeItem(atPath: program.directory.path("s.sqlite"))
    _ = try values("CREATE TABLE other (a)")
    let table = try await run(way, "")
    #expect(table.output == "Loaded 20,001 rows into s.sqlite: 20,001 inserted.\n", "\(table)")
    #expect(try values("SELECT count(*), max(id) FROM p") == "20001|20001.5\n")
  }

  @Test("A dry run says the same as of a file", arguments: ways)
  func trial(way: String) async throws {
    let outcome = try await run(way, "--dry-run")
    #expect(
      outcome.output
        == "Would load 20,001 rows into s.sqlite: 20,001 inserted. Nothing was changed.\n",
      "\(outcome)")
  }

  @Test("Without a name of its own a pipe needs --entity")
  func unnamed() async throws {
    let outcome = try await program.shell(
      "bash -c 'datastore load <(cat rows.csv) --into s.sqlite'")
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("/dev/fd/63 has no name that could be the entity's"))
  }

  @Test("The browser shows rows of a named pipe")
  func browsing() async throws {
    #expect(mkfifo(program.directory.path("p.csv"), 0o600) == 0)
    let terminal = try PseudoTerminal(program, ["browse", "p.csv"])
    try await terminal.wait(for: "p.csv has nothing to read yet")
    let writer = try await program.shell("cat rows.csv > p.csv")
    #expect(writer.status == 0)
    try await terminal.wait(for: "2024-05-11", "20,001")
    terminal.press("q")
    #expect(try await terminal.end() == .status(0))
  }
}
