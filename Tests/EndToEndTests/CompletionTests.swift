import DatastoreTestSupport
import Foundation
import Testing

// Promise: a shell completes a line about a hostile, locked or unreadable file → nothing is run, printed or
// waited for.
/// The completions of the shells after tab, read from the shells themselves.
@Suite("Completions")
struct CompletionTests {
  private let program: Program

  init() throws {
    program = try Program()
    try SQLiteFile.make(
      at: program.directory.file("it's my file.db"),
      """
      CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, "full name" TEXT);
      CREATE TABLE "my pets" (id INTEGER PRIMARY KEY, kind TEXT);
      CREATE TABLE "$(touch harmed)" (id INTEGER PRIMARY KEY);
      CREATE TABLE "`touch harmed`" (id INTEGER PRIMARY KEY);
      """)
    try program.directory.write("number,title,total\n1,a,2\n", to: "sales.csv")
    try program.directory.write("no database, but rather long, or so it seems to be", to: "bad.db")
    try program.directory.write("{", to: "bad.json")
  }

  /// The completions of bash for the last of some typed words.
  private func bash(_ words: String...) async throws -> [String] {
    let quoted = words.map {
      "'" + $0.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
        + "'"
    }
    try program.directory.write(
      """
      source <(datastore --generate-completion-script bash)
      COMP_WORDS=(datastore \(quoted.joined(separator: " ")))
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      COMP_LINE="${COMP_WORDS[*]}"
      COMP_POINT=${#COMP_LINE}
      # Which bash refuses without a line that is completed.
      compopt() { :; }
      _datastore_or_browse datastore "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """, to: "ask.bash")
    let outcome = try await program.shell("bash --norc ask.bash")
    #expect(outcome.errors.isEmpty && outcome.status == 0, "\(words): \(outcome)")
    return outcome.output.split(separator: "\n").map(String.init)
  }

  @Test("bash completes files wherever one is expected, also without a command")
  func files() async throws {
    for words in [
      ["query", "sal"], ["browse", "sal"], ["schema", "sal"], ["load", "sal"], ["sal"],
      ["load", "sales.csv", "--into", "sal"], ["query", "sales.csv", "--output", "sal"],
      ["query", "sales.csv", "--with", "sal"], ["sales.csv", "--into", "sal"], ["copy", "sal"],
      ["browse", "--config", "sal"],
    ] {
      let offered = try await ask(words)
      #expect(offered.contains("sales.csv"), "\(words): \(offered)")
    }
    #expect(try await bash("query", "it").contains("it's my file.db"))
    // Commands are offered beside files.
    #expect(try await Set(bash("s")).isSuperset(of: ["schema", "sales.csv"]))
  }

  private func ask(_ words: [String]) async throws -> [String] {
    switch words.count {
    case 1: try await bash(words[0])
    case 2: try await bash(words[0], words[1])
    case 3: try await bash(words[0], words[1], words[2])
    default: try await bash(words[0], words[1], words[2], words[3])
    }
  }

  @Test("Entities and columns are those of the file on the line; nothing in its names is run")
  func content() async throws {
    let file = #""it's my file.db""#
    #expect(
      try await bash("query", file, "")
        .filter { !$0.hasPrefix("-") } == [
          "people", #"my\ pets"#, #"\$\(touch\ harmed\)"#, #"\`touch\ harmed\`"#,
        ])
    #expect(try await bash("query", #"it\'s\ my\ file.db"#, "my") == [#"my\ pets"#])
    #expect(try await bash(file, "--entity", "p") == ["people"])
    #expect(
      try await bash("query", file, "people", "--columns", "")
        == ["id", "name", #"\`full\ name\`"#])
    #expect(try await bash("query", file, "people", "--order-by", "id,n") == ["id,name"])
    #expect(try await bash("query", "sales.csv", "--where", "t") == ["title", "total"])
    #expect(try await bash("query", "sales.csv", "--group-by", "title,n") == ["title,number"])
    #expect(
      try await bash("load", "sales.csv", "--into", file, "--entity", "peo") == ["people"])
    #expect(try await bash("load", "sales.csv", "--key", "num") == ["number"])
    #expect(try !program.directory.names().contains("harmed"))
  }

  @Test(
    "A name that bash would run is quoted as it is inserted, within quotes and without",
    arguments: [
      (#"datastore query names.db "#, #"\`/bin/touch\ harmed\`"#),
      (#"datastore query names.db ""#, #""\`/bin/touch harmed\`""#),
      (#"datastore query names.db '"#, #"'`/bin/touch harmed`'"#),
      (#"datastore query names.db --columns "#, #"\`a\$\(touch\ harmed\)\`"#),
      (#"datastore load sales.csv --into names.db --entity "#, #"\`/bin/touch\ harmed\`"#),
      (#"datastore load $.csv --key "#, #"\$\(touch\ harmed\)"#),
    ])
  func quoting(line: String, inserted: String) async throws {
    try SQLiteFile.make(
      at: program.directory.file("names.db"),
      """
      CREATE TABLE "`/bin/touch harmed`" ("a$(touch harmed)" TEXT);
      """)
    try program.directory.write("$(touch harmed)\n1\n", to: "$.csv")
    try program.directory.write(
      "PS1='ready> '\nsource <(datastore --generate-completion-script bash)\n", to: "rc.bash")
    let terminal = try PseudoTerminal(
      program, ["--noprofile", "--rcfile", "rc.bash", "-i"], columns: 150,
      environment: ["TERM": "dumb"], command: ["/bin/bash"])
    try await terminal.wait(for: "ready>")
    terminal.type(line + "\t")
    try await terminal.wait(for: inserted)
    terminal.type("\r")
    try await terminal.wait(for: "the next prompt") { lines in
      lines.filter { $0.contains("ready>") }.count == 2
    }
    #expect(try !program.directory.names().contains("harmed"))
  }

  @Test(
    "Themes and formats are named; of files that cannot be read, and of servers, nothing is said")
  func others() async throws {
    #expect(try await bash("browse", "--theme", "datastore-d").contains("datastore-dark"))
    #expect(try await bash("query", "sales.csv", "--format", "js") == ["json", "jsonl"])
    for file in ["bad.db", "bad.json", "missing.db", "postgresql://nobody@nowhere.invalid/x"] {
      #expect(try await bash("query", file, "--columns", "").isEmpty, "\(file)")
    }
  }

  @Test(
    "fish completes files, entities and columns",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/fish"), "fish is not there")
  )
  func fish() async throws {
    func fish(_ line: String) async throws -> [String] {
      try program.directory.write(
        "source (datastore --generate-completion-script fish | psub)\ncomplete -C \(line.debugDescription)\n",
        to: "ask.fish")
      return try await program.shell("fish --no-config ask.fish").output
        .split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    }
    #expect(try await fish("datastore query sal").contains("sales.csv"))
    #expect(try await fish("datastore sal").contains("sales.csv"))
    // Without a terminal, fish does not know the place of the cursor: the test makes fish's request itself.
    for (words, offered) in [
      ("query -- --columns 4 1 datastore query sales.csv --columns t", "title\ntotal\n"),
      // With the quotes as they are typed.
      (
        #"query -- positional@1 3 2 datastore query "\"it's my file.db\"" my"#, "my pets\n"
      ),
    ] {
      let outcome = try await program.shell(
        """
        SAP_SHELL=fish SAP_SHELL_VERSION=4.0.0 datastore ---completion \(words)
        """)
      #expect(outcome.output == offered && outcome.errors.isEmpty, "\(words): \(outcome)")
    }
  }
}
