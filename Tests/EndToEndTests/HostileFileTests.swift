import DatastoreTestSupport
import Foundation
import Testing

/// Small files that would need all memory or all time, and files of other kinds: the program prints a
/// sentence and ends, or a key ends it.
@Suite("Hostile files")
struct HostileFileTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  private func make(_ name: String, _ sql: String) throws {
    try SQLiteFile.make(at: program.directory.url.appending(path: name), sql)
  }

  /// A row with twenty computed cells of 400 MB. The columns come after the row, since SQLite would compute
  /// them to insert it.
  private static let huge =
    "CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t DEFAULT VALUES;"
    + (1...20).map { "ALTER TABLE t ADD COLUMN g\($0) AS (printf('%.*c', 400000000, 'x'));" }
    .joined()

  @Test("Rows of gigabytes are refused with a sentence, on a small machine, too")
  func hugeRows() async throws {
    try make("huge.sqlite", Self.huge)
    let outcome = try await program.shell(
      "ulimit -v 4000000; datastore query huge.sqlite t --format csv")
    #expect(outcome.status == 65, "\(outcome.errors)")
    #expect(outcome.errors.contains("more memory than SQLite is given"), "\(outcome.errors)")
    let count = try await program.run("query", "huge.sqlite")
    #expect(count.output == "entity,kind,rows\nt,table,1\n")
  }

  @Test("Views and columns that double do not hang any command")
  func doubling() async throws {
    var sql = "CREATE TABLE t (a); CREATE VIEW v0 AS SELECT a FROM t;"
    for number in 1..<40 {
      sql += "CREATE VIEW v\(number) AS SELECT x.a FROM v\(number - 1) x JOIN v\(number - 1) y;"
    }
    try make("views.sqlite", sql)
    let schema = try await program.run("schema", "views.sqlite")
    #expect(schema.status == 0 && schema.output.contains("v39 (view"))
    let query = try await program.run("query", "views.sqlite", "v39")
    #expect(query.status == 65 && query.errors.contains("more than 5000 selects"))
    let statement = try await program.run("query", "views.sqlite", "--sql", "select * from v20")
    #expect(statement.status == 64 && statement.errors.contains("more than 5000 selects"))
    let all = try await program.run("query", "views.sqlite")
    #expect(all.status == 0 && all.output.contains("v3,view,0"))
    #expect(all.errors.contains("“v39” cannot be read"))
    let terminal = try PseudoTerminal(program, ["browse", "views.sqlite", "--entity", "v39"])
    try await terminal.wait(for: "cannot be read")
    terminal.press("q")
    #expect(try await terminal.end() == .status(0))
  }

  /// Each row takes long enough that the memory for the keys is not used up before the first rows are shown.
  @Test("A view without end is shown from its beginning, and a key ends it")
  func endlessView() async throws {
    try make(
      "endless.sqlite",
      """
      CREATE VIEW e AS WITH RECURSIVE r(i) AS (
        SELECT 1001 UNION ALL SELECT i + 1 FROM r WHERE length(hex(zeroblob(20000 + i % 2))) > 0)
        SELECT i FROM r;
      CREATE TABLE t (a); INSERT INTO t VALUES ('here');
      """)
    let terminal = try PseudoTerminal(program, ["browse", "endless.sqlite", "--entity", "e"])
    try await terminal.wait(for: "1001", "1005")
    terminal.press("q")
    #expect(try await terminal.end() == .status(0))
  }

  // Promise: a pipe or a device stands where a file is expected → a sentence, no waiting.
  // Also: `FileGateTests`
  @Test(
    "A pipe that nobody writes to is not waited for",
    arguments: [
      ["load", "folder", "--into", "s.sqlite"], ["browse", "f.sqlite", "--theme", "p.yaml"],
      ["browse", "f.sqlite", "--config", "p.yaml"], ["commands", "--config", "p.yaml"],
      ["commands"],
    ])
  func pipes(arguments: [String]) async throws {
    try make("f.sqlite", "CREATE TABLE t (a)")
    try program.directory.write("", to: "folder/x")
    try program.directory.write("", to: ".config/datastore/x")
    for name in [
      "p.yaml", "folder/manifest.yaml", ".config/datastore/config.yaml",
    ] {
      #expect(mkfifo(program.directory.path(name), 0o600) == 0)
    }
    let outcome = try await program.start(arguments).outcome()
    #expect(outcome.status == 66 || outcome.status == 78, "\(outcome)")
    #expect(outcome.errors.contains("named pipe"), "\(outcome.errors)")
  }

  // Promise: a pipe of rows has no writer → a word after a second, Ctrl-C ends it.
  @Test(
    "A named pipe of rows that nobody writes to is waited for with a word, and Ctrl-C ends it",
    arguments: [[], ["--quiet"], ["--dry-run"]])
  func waiting(options: [String]) async throws {
    for name in ["p.csv", "p.json"] {
      #expect(mkfifo(program.directory.path(name), 0o600) == 0)
      let running = try program.start(["load", name, "--into", "s.sqlite"] + options)
      try await running.wait(forError: "\(name) has nothing to read yet; waiting")
      running.send(signal: SIGINT)
      let outcome = try await running.outcome()
      #expect(outcome.status == 130 && outcome.output == "", "\(outcome)")
      #expect(!FileManager.default.fileExists(atPath: program.directory.path("s.sqlite")))
    }
  }

  @Test("What comes through a pipe of the shell's is read")
  func shellPipes() async throws {
    try program.directory.write("a,b\n1,2\n", to: "r.csv")
    let input = try await program.shell(
      "cat r.csv | datastore load - --entity r --into s.sqlite")
    #expect(input.status == 0, "\(input.errors)")
    #expect(input.output == "Loaded 1 row into s.sqlite: 1 inserted.\n")
  }

  @Test("An alias that stands for a tree that doubles is refused")
  func aliases() async throws {
    var text = "a0: &a0 [x, x]\n"
    for number in 1..<60 { text += "a\(number): &a\(number) [*a\(number - 1), *a\(number - 1)]\n" }
    text += "? *a59\n: x\n"
    try program.directory.write(text, to: "bomb.yaml")
    try program.directory.write(text, to: "folder/manifest.yaml")
    try make("f.sqlite", "CREATE TABLE t (a)")
    for arguments in [
      ["commands", "--config", "bomb.yaml"], ["browse", "f.sqlite", "--theme", "./bomb.yaml"],
      ["load", "folder", "--into", "s.sqlite"],
    ] {
      let outcome = try await program.start(arguments).outcome()
      #expect(outcome.status == 78 && outcome.errors.contains("aliases"), "\(outcome)")
    }
  }

  @Test("An export goes neither through a link of somebody else's nor into a pipe unsaid")
  func exports() async throws {
    try make("f.sqlite", "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let folder = program.directory
    try folder.write("victim", to: "victim")
    symlink(folder.path("victim"), folder.path("own.csv"))
    let own = try await program.run("query", "f.sqlite", "t", "-o", "own.csv")
    #expect(own.status == 0 && own.errors.contains("is a link; its target is replaced"))
    #expect(try String(contentsOfFile: folder.path("victim"), encoding: .utf8) == "a\n1\n")
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    let pipe = try await program.shell("cat pipe & datastore query f.sqlite t -o pipe; wait")
    #expect(pipe.output == "a\n1\n" && pipe.errors.contains("is a named pipe; it is written into"))
    let standard = try await program.shell("datastore query f.sqlite t -o /dev/stdout | cat")
    #expect(standard == Program.Outcome(status: 0, output: "a\n1\n", errors: ""))
    if geteuid() == 0 {
      try folder.write("victim", to: "victim")
      symlink(folder.path("victim"), folder.path("other.csv"))
      lchown(folder.path("other.csv"), 65_534, 65_534)
      #expect(try await program.run("query", "f.sqlite", "t", "-o", "other.csv").status == 0)
      #expect(try String(contentsOfFile: folder.path("victim"), encoding: .utf8) == "victim")
    }
    let names = try folder.names().filter { $0.hasPrefix(".") }
    #expect(names.isEmpty, "\(names)")
  }

  @Test("What holds values is readable by its owner alone")
  func modes() async throws {
    try make(
      "f.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t (a) VALUES ('x')")
    let terminal = try PseudoTerminal(program, ["browse", "f.sqlite"])
    try await terminal.wait(for: "no unsaved changes")
    terminal.press("Q")
    try await terminal.wait(for: "reads only")
    terminal.type("select 'secret'")
    terminal.press("enter")
    try await terminal.wait(for: "secret", "1 row")
    terminal.send(signal: SIGTERM)
    #expect(try await terminal.end() == .status(143))
    let state = program.directory.path("state/datastore")
    let names = try FileManager.default.subpathsOfDirectory(atPath: state)
    var files = 0
    for name in names {
      var status = stat()
      #expect(lstat("\(state)/\(name)", &status) == 0)
      if status.st_mode & S_IFMT == S_IFREG {
        files += 1
        #expect(status.st_mode & 0o777 == 0o600, "\(name)")
      }
    }
    #expect(files > 0)
  }
}
