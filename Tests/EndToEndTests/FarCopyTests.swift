import DatastoreTestSupport
import Foundation
import Testing

/// A machine without `datastore` that has the `sqlite3` program: a copy of the file is looked at.
@Suite("A copy of a file on a machine without datastore") struct FarCopyTests {
  private let program: Program
  private var file: URL { program.directory.url.appending(path: "a file.sqlite") }

  init() throws {
    program = try Program()
    try SQLiteFile.make(
      at: file,
      """
      PRAGMA journal_mode = WAL;
      CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO team VALUES (1, 'Sales');
      """)
  }

  private func copies() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: program.directory.url.path)
      .filter { $0.hasPrefix("datastore-copy-") }
  }

  // Promise: neither datastore nor a copy of it can run on another machine → the sqlite3 there makes a copy
  // of the file, which is shown as one and never written
  @Test("query and schema answer from the copy, and say that it is one")
  func commands() async throws {
    let far = try FarMachine(program)
    let words = [file.path, "--via", far.command, "--when-missing", "copy"]
    let queried = try await program.start(
      ["query", file.path, "team", "--format", "csv"] + words.dropFirst()
    ).outcome()
    #expect(queried.status == 0 && queried.output == "id,name\n1,Sales\n", "\(queried)")
    #expect(queried.errors.contains("this is a copy of \(file.path)"))
    let schema = try await program.start(["schema"] + words).outcome()
    #expect(schema.status == 0 && schema.output.contains("team"), "\(schema)")
    let loaded = try await program.start(
      ["load", "-", "--into"] + words + ["--entity", "team"], input: "id,name\n7,Seven\n"
    ).outcome()
    #expect(loaded.status == 73, "\(loaded)")
    #expect(loaded.errors.contains("Nothing can be saved in a copy"), "\(loaded)")
    let examined = try await program.start(["doctor"] + words).outcome()
    #expect(examined.status == 74, "\(examined)")
    #expect(examined.errors.contains("is not installed"), "\(examined)")
    #expect(try far.leftovers() == [])
    #expect(try copies() == [])
  }

  @Test("A terminal is asked, sees that it is a copy, and can change nothing")
  func asked() async throws {
    let far = try FarMachine(program)
    let terminal = try PseudoTerminal(
      program, [file.path, "--via", far.command, "--entity", "team"], columns: 120)
    try await terminal.wait(for: "Copy this program there", "[y/N]")
    terminal.type("n")
    terminal.press("enter")
    try await terminal.wait(for: "Look at a copy of the file instead")
    terminal.type("yes")
    terminal.press("enter")
    try await terminal.wait(for: "team Sales", "a read-only copy of ")
    #expect(try copies().count == 1)
    terminal.press("g", "g", "home", "right", "e")
    try await terminal.wait(for: "This is a copy of a file.sqlite of ")
    #expect(try far.leftovers() == [])
    #expect(far.users() == [])
    terminal.press("q")
    #expect(try await terminal.end() == .status(0))
    #expect(try copies() == [])
    let writing = try PseudoTerminal(
      program,
      [file.path, "--via", far.command, "--write", "--when-missing", "copy"])
    #expect(try await writing.end() == .status(73))
  }

  @Test("Without datastore and sqlite3, it is said what to do")
  func neither() async throws {
    let far = try FarMachine(program, tools: FarMachine.basic)
    let outcome = try await program.start([
      "query", file.path, "--via", far.command, "--when-missing", "copy",
    ]).outcome()
    #expect(outcome.status == 74)
    #expect(outcome.errors.contains("neither datastore nor sqlite3 is installed there"))
  }

  @Test("What the sqlite3 there cannot copy is said in its words")
  func uncopied() async throws {
    let far = try FarMachine(program)
    func errors(_ name: String) async throws -> String {
      let outcome = try await program.start([
        "query", program.directory.path(name), "--via", far.command, "--when-missing", "copy",
      ]).outcome()
      #expect(outcome.status == 74, "\(outcome)")
      return outcome.errors
    }
    #expect(try await errors("missing.sqlite").contains("the file there cannot be read"))
    try String(repeating: "no database\n", count: 100).write(
      toFile: program.directory.path("text"), atomically: true, encoding: .utf8)
    #expect(try await errors("text").contains("file is not a database"))
    #expect(try far.leftovers() == [])
    let full = try FarMachine(program, others: ["df": "echo Filesystem; echo none 9 9 3 100% /"])
    let outcome = try await program.start([
      "query", file.path, "--via", full.command, "--when-missing", "copy",
    ]).outcome()
    #expect(outcome.errors.contains("no temporary folder there has room"), "\(outcome)")
    #expect(try copies() == [])
  }
}
