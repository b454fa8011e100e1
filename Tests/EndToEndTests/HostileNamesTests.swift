import DatastoreTestSupport
import Foundation
import Testing

/// Names and texts of files that speak to terminals: nothing of it comes out of any command, be it
/// output, an error, or an error about arguments.
@Suite("Hostile names")
struct HostileNamesTests {
  /// Clears the screen, sets the title, turns the direction, and begins a line of its own.
  private static let evil = "x\u{1B}[2J\u{1B}]0;t\u{07}\u{9B}31m\u{202E}\u{7F}\ny"
  private static let file = "f\(evil).sqlite"

  private let program: Program

  init() throws {
    program = try Program()
    let evil = Self.evil
    try SQLiteFile.make(
      at: program.directory.url.appending(path: Self.file),
      """
      CREATE TABLE "t\(evil)" (id INTEGER PRIMARY KEY, "c\(evil)" TEXT NOT NULL UNIQUE
        CONSTRAINT "k\(evil)" CHECK (length("c\(evil)") < 30));
      INSERT INTO "t\(evil)" VALUES (1, 'v\(evil)');
      CREATE TABLE guarded (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TRIGGER "g\(evil)" BEFORE INSERT ON guarded
        BEGIN SELECT RAISE(ABORT, 'no\(evil)'); END;
      CREATE VIEW "w\(evil)" AS SELECT "fn\(evil)"(1) AS x;
      CREATE VIEW lost AS SELECT * FROM "gone\(evil)";
      """)
    try program.directory.write("id,\"c\(evil)\"\n1,a\n2,\"x\(evil)\"\n", to: "r\(evil).csv")
    try program.directory.write("name\nAnn\n", to: "guarded.csv")
    try program.directory.write("\"c\(evil)\"\n\"v\(evil)\"\n", to: "t.csv")
    try program.directory.write("[{\"a\": \"\(evil.debugDescription)\", }", to: "j\(evil).json")
    try program.directory.write("no database, but rather long, \(evil)", to: "n\(evil).sqlite")
    try program.directory.write("theme: [\"\(evil)\n", to: "c\(evil).yaml")
    try program.directory.write(
      "files:\n  - file: \"e\\e]0;x\\a.csv\"\n    entity: \"n\\e[2J\"\n", to: "m/manifest.yaml")
  }

  private static func harm(in text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x0A, 0x09: false
      case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
  }

  private static let people: [[String]] = [
    ["query", file, "--format", "table"], ["query", file, "t" + evil, "--format", "table"],
    ["query", file, "t" + evil, "--format", "markdown"], ["schema", file],
    ["query", file, "t" + evil, "--format", "json"],
    ["schema", file, "--format", "graph"], ["schema", file, "--format", "dot"],
    ["schema", file, "--format", "mermaid"], ["schema", file, "--format", "json"],
    ["schema", file, "--format", "swift"],
    ["load", "r\(evil).csv", "--into", "new\(evil).sqlite", "--dry-run"],
    ["load", "r\(evil).csv", "--into", "new\(evil).sqlite"],
  ]

  @Test("Output for people, and escaped output, has marks", arguments: people)
  func output(arguments: [String]) async throws {
    let outcome = try await program.start(arguments).outcome()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(Self.harm(in: outcome.output + outcome.errors).isEmpty)
    #expect(outcome.output.contains("x"))
  }

  private static let faults: [[String]] = [
    ["query", "missing\(evil)"], ["query", file, "none\(evil)"], ["query", file, "w\(evil)"],
    ["query", file, "lost"], ["query", file, "guarded", "--where", "name == \(evil)"],
    ["query", file, "guarded", "--columns", "a\(evil)"],
    ["query", file, "--sql", "select \"\(evil)"],
    ["query", file, "--sql", "select \"\(evil)\"(1)"],
    ["query", file, "--sql", "insert into \"\(evil)\" values (1)"],
    ["query", file, "guarded", "--limit", evil], ["query", file, "guarded", "--format", evil],
    ["query", file, "--no-such\(evil)"], ["query", file, "guarded", "more\(evil)"],
    ["query", file, "guarded", "--output", "no\(evil)/such"],
    ["query", "n\(evil).sqlite"], ["schema", "n\(evil).sqlite"], ["schema", "none\(evil)"],
    ["schema", file, "--format", evil], ["sub\(evil)"],
    ["load", "guarded.csv", "--into", file],
    ["load", "t.csv", "--into", file, "--entity", "t" + evil],
    ["load", "r\(evil).csv", "--into", file, "--entity", "t" + evil],
    ["load", "none\(evil).csv", "--into", file], ["load", "j\(evil).json", "--into", file],
    ["load", "guarded.csv", "--into", "no\(evil)/such"], ["load", "m", "--into", file],
    ["load", "guarded.csv", "--into", file, "--on-error", evil],
    ["load", "guarded.csv", "--into", file, "--delimiter", evil],
    ["browse", file], ["browse", "none\(evil)"], ["browse", file, "--theme", evil],
    ["browse", file, "--theme", "n\(evil).yaml"], ["browse", file, "--config", "c\(evil).yaml"],
    ["commands", "--config", "c\(evil).yaml"], ["commands", "--config", "none\(evil)"],
  ]

  @Test("Errors have marks, those about arguments too", arguments: faults)
  func errors(arguments: [String]) async throws {
    let outcome = try await program.start(arguments).outcome()
    #expect(outcome.status != 0)
    #expect(!outcome.errors.isEmpty)
    #expect(Self.harm(in: outcome.output + outcome.errors).isEmpty, "\(outcome.errors)")
    let begins = outcome.errors.split(separator: "\n").count { $0.hasPrefix("y") }
    #expect(begins == 0 || outcome.errors.contains("Usage:"), "\(outcome.errors)")
  }

  @Test("A view that cannot be counted is told with marks, and the others are counted")
  func overview() async throws {
    let outcome = try await program.run("query", Self.file)
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("␛"))
    #expect(Self.harm(in: outcome.errors).isEmpty)
    // In a pipe, CSV is data and keeps its bytes.
    #expect(outcome.output.contains("t" + Self.evil))
  }

  // Promise: names speak to the terminal through `--show-sql` → marks.
  @Test("On a terminal, no format lets anything through, nor does SQL")
  func terminal() async throws {
    let formats = ["table", "csv", "json", "jsonl", "markdown", "sql"].map { ["--format", $0] }
    for format in formats + [["--show-sql"]] {
      let terminal = try PseudoTerminal(program, ["query", Self.file, "t" + Self.evil] + format)
      #expect(try await terminal.end() == .status(0))
      let text = String(decoding: terminal.tail, as: UTF8.self)
      #expect(text.contains("x"), "\(format)")
      // The terminal's own driver ends lines with a carriage return.
      #expect(
        Self.harm(in: text.replacing("\r\n", with: "\n")).isEmpty,
        "\(format): \(text.debugDescription)")
    }
  }

  @Test("The log is a line for each event, with marks")
  func log() async throws {
    let terminal = try PseudoTerminal(
      program, ["browse", Self.file], environment: ["DATASTORE_LOG": "trace"])
    try await terminal.wait(for: "guarded")
    terminal.press("q")
    #expect(try await terminal.end() == .status(0))
    let log = try String(
      contentsOfFile: program.directory.path("state/datastore/datastore.log"), encoding: .utf8)
    #expect(log.contains("browsing"))
    #expect(Self.harm(in: log).isEmpty, "\(log.debugDescription)")
    #expect(log.split(separator: "\n").allSatisfy { $0.contains(" datastore: ") })
  }
}
