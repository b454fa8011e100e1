import DatastoreTestSupport
import Foundation
import Testing

@Suite("datastore browse without a screen")
struct BrowseArgumentTests {
  private static let sql = """
    CREATE TABLE employee (id INTEGER PRIMARY KEY, name TEXT, salary REAL);
    CREATE TABLE department (id INTEGER PRIMARY KEY, name TEXT);
    """

  private func program() throws -> Program {
    let program = try Program()
    try SQLiteFile.make(at: program.directory.url.appending(path: "f.sqlite"), Self.sql)
    return program
  }

  @Test("Files that cannot be opened are told in one sentence each")
  func unopenable() async throws {
    let program = try program()
    let path = { program.directory.path($0) }
    try program.directory.write("just text\n", to: "text.sqlite")
    try Data((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) })
      .write(to: program.directory.url.appending(path: "secret.sqlite"))
    try SQLiteFile.make(at: program.directory.url.appending(path: "fixed.sqlite"), Self.sql)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o444], ofItemAtPath: path("fixed.sqlite"))
    try FileManager.default.createDirectory(
      at: program.directory.url.appending(path: "dir"), withIntermediateDirectories: true)
    for (file, status, sentence) in [
      ("none.sqlite", 66, "There is no file at \(path("none.sqlite")); check the path."),
      (
        "dir", 66,
        "\(path("dir")) is a directory, not a database file; name a file in it."
      ),
      (
        "text.sqlite", 65,
        "\(path("text.sqlite")) is not a SQLite database: it looks like a text file."
      ),
      (
        "secret.sqlite", 65,
        "\(path("secret.sqlite")) is not a SQLite database: its first bytes are not those of "
          + "one, so it is of another kind, or encrypted."
      ),
      (
        "fixed.sqlite", 73,
        "\(path("fixed.sqlite")) cannot be written; make the file and its directory writable, or "
          + "open it read-only to look at it."
      ),
    ] as [(String, Int32, String)] {
      #expect(
        try await program.run(file)
          == Program.Outcome(status: status, output: "", errors: "datastore: \(sentence)\n"))
    }
  }

  @Test("A folder means the files of rows in it, which are all that it needs")
  func folder() async throws {
    let program = try program()
    let folder = program.directory.url.appending(path: "rows")
    try program.directory.write("id,name\n1,Ada\n", to: "rows/a.csv")
    try program.directory.write("[{\"id\":1}]", to: "rows/b.json")
    try program.directory.write("# Notes\n", to: "rows/README.md")
    // Other programs write folders that are called like files.
    try program.directory.write("id\n1\n", to: "rows/parts.csv/0.csv")
    try SQLiteFile.make(at: folder.appending(path: "c.sqlite"), Self.sql)
    for path in ["rows", "rows/"] {
      let outcome = try await program.run("browse", path)
      #expect(outcome.status == 69, "\(outcome)")
      #expect(outcome.errors.contains("is not a terminal"), "\(outcome)")
      #expect(
        outcome.errors.contains("are not shown with its files of rows: c.sqlite;"), "\(outcome)")
    }
    let kept = try await program.run("browse", "rows", "--into", "kept.sqlite")
    #expect(kept.status == 69 && kept.errors.contains("is not a terminal"), "\(kept)")
    try FileManager.default.removeItem(at: folder.appending(path: "a.csv"))
    try FileManager.default.removeItem(at: folder.appending(path: "b.json"))
    let empty = try await program.run("browse", "rows")
    #expect(empty.status == 66 && empty.errors.contains("name a file in it"), "\(empty)")
  }

  @Test("A file that another process has locked is told")
  func locked() async throws {
    let program = try program()
    let lock = try SQLiteLock(program.directory.url.appending(path: "f.sqlite"))
    let outcome = try await program.run("f.sqlite")
    #expect(
      outcome
        == Program.Outcome(
          status: 75, output: "",
          errors: "datastore: \(program.directory.path("f.sqlite")) is in use by another process, "
            + "which has locked it; try again when that is done.\n"))
    try lock.release()
  }

  @Test("Without a terminal there is no browser, and the sample data stays unloaded")
  func noTerminal() async throws {
    let program = try program()
    let sentence =
      "datastore: The standard input is not a terminal, so there is no screen to draw on. Run the "
      + "program in a terminal, without redirection.\n"
    #expect(
      try await program.run() == Program.Outcome(status: 69, output: "", errors: sentence))
    #expect(
      try await program.run("browse", "f.sqlite")
        == Program.Outcome(status: 69, output: "", errors: sentence))
    #expect(try program.directory.names() == ["f.sqlite", "streams"])
  }

  @Test("A text is a file of rows, unless its name says otherwise and no option how rows are read")
  func rowsOfAnyName() async throws {
    let program = try program()
    try program.directory.write("1,a\n2,b\n", to: "rows.db")
    #expect(try await program.run("rows.db").status == 65)
    try program.directory.write("n,word\n1,a\n2,b\n", to: "rows.dat")
    #expect(
      try await program.run("query", "rows.dat", "--where", "n > 1").output == "n,word\n2,b\n")
    for options in [
      ["--no-header"], ["--format", "csv"], ["--delimiter", ","], ["--null", "NA"],
    ] {
      let outcome = try await program.start(["browse", "rows.db"] + options).outcome()
      #expect(outcome.status == 69, "\(options) \(outcome)")
      #expect(outcome.errors.contains("is not a terminal"), "\(options) \(outcome)")
    }
    // A database stays one.
    let outcome = try await program.run("browse", "f.sqlite", "--no-header", "--entity", "x")
    #expect(outcome.errors.contains("There is no entity “x”"), "\(outcome)")
  }

  @Test("Names that are not there are told with the closest ones")
  func unknownNames() async throws {
    let program = try program()
    for (arguments, sentence) in [
      (
        ["--entity", "emploee"],
        "There is no entity “emploee” in the file; did you mean “employee”?"
      ),
      (
        ["--entity", "zzz"],
        "There is no entity “zzz” in the file; it has department, employee."
      ),
      (
        ["--entity", "employee", "--group-by", "nam"],
        "employee has no property “nam”; did you mean “name”?\n  nam\n  ^~~"
      ),
      (
        ["--entity", "employee", "--group-by", "name."],
        "Expected the name of a member after the dot, found the end.\n  name.\n       ^"
      ),
    ] {
      let running = try program.start(["browse", "f.sqlite"] + arguments)
      #expect(
        try await running.outcome()
          == Program.Outcome(status: 64, output: "", errors: "datastore: \(sentence)\n"))
    }
    let filter = try await program.run(
      "f.sqlite", "--entity", "employee", "--where", "salry > 3")
    #expect(filter.status == 64)
    #expect(filter.errors.hasPrefix("datastore: "))
    #expect(filter.errors.hasSuffix("\n  salry > 3\n  ^~~~~\n"))
    let theme = try await program.run("f.sqlite", "--theme", "drak")
    #expect(theme.status == 64)
    #expect(theme.errors.hasPrefix("datastore: There is no theme “drak” in "))
  }

  @Test("The version and the help are on standard output, with the exit codes")
  func help() async throws {
    let program = try Program()
    let version = try await program.run("--version")
    #expect(version.status == 0 && version.errors == "")
    #expect(
      version.output.contains(
        #/^datastore 0\.1\.0(, commit [0-9a-f]+(, changed)?)?\nwith SQLite 3\./#))
    let help = try await program.run("--help")
    #expect(help.status == 0)
    #expect(help.errors == "")
    for text in [
      "browse (default)", "load", "  65    A file to load is malformed", "XDG_DATA_HOME",
    ] {
      #expect(help.output.contains(text), "\(text)")
    }
    for command in ["browse", "query", "schema", "load", "copy", "migrate", "doctor"] {
      let help = try await program.run(command, "--help").output
      let examples = try #require(help.range(of: "\n  datastore \(command) "), "\(command)")
      let codes = try #require(help.range(of: "Exit codes:"), "\(command)")
      let usage = try #require(help.range(of: "USAGE:"), "\(command)")
      #expect(examples.lowerBound < usage.lowerBound && usage.lowerBound < codes.lowerBound)
    }
    let wrong = try await program.run("--no-such-option")
    #expect(wrong.status == 64)
    #expect(wrong.output == "")
  }
}
