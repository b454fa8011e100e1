import DatastoreTestSupport
import Foundation
import Testing

/// Names and texts with combining marks after quotes, separators and line ends: the program for which the
/// output is meant reads it back, and runs nothing of it.
@Suite("Quoted output", .serialized, .enabled(if: SQLiteCommand.isPresent))
struct QuotedOutputTests {
  private let program: Program
  private var folder: TemporaryDirectory { program.directory }

  init() throws { program = try Program() }

  /// Names of tables and columns: some that have done harm, and random ones.
  private static func names(_ random: inout SeededRandom) -> [String] {
    var names = [
      "t\"\u{301};\n.shell touch pwned\n--", "a\"\u{301}b", "t'\u{301}; touch pwned; '",
      "x`\u{301}y",
      "t\u{301},\u{301}\n", "tab\tle", "t\u{2028}x",
    ]
    for _ in 0..<12 {
      let name = "t" + HostileText.draw(most: 60, using: &random)
      // The sqlite3 program reads the CR of a CR LF as a part of the end of its line.
      if !name.unicodeScalars.contains("\r") { names.append(name) }
    }
    var seen: Set<String> = []
    return names.filter { seen.insert($0.lowercased()).inserted }
  }

  private static func quoted(_ name: String, _ quote: Unicode.Scalar = "\"") -> String {
    var text = String.UnicodeScalarView([quote])
    for scalar in name.unicodeScalars {
      text.append(contentsOf: scalar == quote ? [quote, quote] : [scalar])
    }
    return String(text) + String(quote)
  }

  @Test("A column whose name is empty has that name in INSERT statements")
  func emptyName() async throws {
    let table = #"CREATE TABLE t (id INTEGER PRIMARY KEY, "" TEXT);"#
    try SQLiteFile.make(at: folder.file("s.sqlite"), table + "INSERT INTO t VALUES (1, 'one')")
    try SQLiteFile.make(at: folder.file("target.sqlite"), table)
    let sql = try await program.run("query", "s.sqlite", "t", "--format", "sql")
    try folder.write(sql.output, to: "out.sql")
    _ = try await program.shell("sqlite3 -bail target.sqlite < out.sql")
    #expect(
      try SQLiteFile.values(#"SELECT "" FROM t"#, in: folder.file("target.sqlite")) == ["one"],
      "\(sql)")
  }

  // Promise: a table's name ends the statement of an export and begins `.shell` → the sqlite3 program reads
  // the same rows and runs nothing.
  @Test(
    "What --format sql writes, the sqlite3 program reads as the same rows, and csv and json are the same to Python"
  )
  func formats() async throws {
    var random = SeededRandom(seed: RandomCases.seed())
    let names = Self.names(&random)
    var schema = ""
    var rows = ""
    for name in names {
      let quoted = Self.quoted(name)
      let text = Self.quoted(HostileText.draw(using: &random), "'")
      schema += "CREATE TABLE \(quoted) (id INTEGER PRIMARY KEY, \(quoted) TEXT);\n"
      rows += "INSERT INTO \(quoted) VALUES (1, \(text)), (2, \(Self.quoted(name, "'")));\n"
    }
    try SQLiteFile.make(at: folder.file("s.sqlite"), schema + rows)
    try SQLiteFile.make(at: folder.file("target.sqlite"), schema)
    for (number, name) in names.enumerated() {
      let sql = try await program.run("query", "s.sqlite", name, "--format", "sql")
      #expect(sql.status == 0, "\(name.debugDescription): \(sql.errors)")
      try folder.write(sql.output, to: "out.sql")
      let read = try await program.shell("sqlite3 -bail target.sqlite < out.sql")
      #expect(read.status == 0 && read.errors == "", "\(name.debugDescription): \(read.errors)")
      let asked =
        "SELECT group_concat(id || hex(\(Self.quoted(name)))) FROM \(Self.quoted(name))"
      #expect(
        try SQLiteFile.values(asked, in: folder.file("target.sqlite"))
          == SQLiteFile.values(asked, in: folder.file("s.sqlite")), "\(name.debugDescription)")
      for format in ["csv", "json"] {
        let outcome = try await program.run(
          "query", "s.sqlite", name, "--format", format, "--output", "\(number).\(format)")
        #expect(outcome.status == 0, "\(name.debugDescription): \(outcome.errors)")
      }
      try folder.write(name, to: "\(number).name")
    }
    try folder.write(
      """
      import csv, json, sqlite3, sys
      db = sqlite3.connect('s.sqlite')
      for number in range(int(sys.argv[1])):
          name = open(f'{number}.name', newline='').read()
          quoted = '"' + name.replace('"', '""') + '"'
          rows = db.execute(f'SELECT id, {quoted} FROM {quoted} ORDER BY id').fetchall()
          records = list(csv.reader(open(f'{number}.csv', newline=''), strict=True))
          assert records[0] == ['id', name], (name, records[0])
          assert [(int(a), b) for a, b in records[1:]] == rows, (rows, records)
          objects = json.load(open(f'{number}.json'))
          assert [tuple(o.items()) for o in objects] == [(('id', a), (name, b)) for a, b in rows], name
      """, to: "read.py")
    let read = try await program.shell("python3 read.py \(names.count)")
    #expect(read.status == 0, "\(read.errors), seed \(random.seed)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("pwned")))
  }

  @Test("A CSV file whose header has backticks and quotes with marks is queried")
  func header() async throws {
    try folder.write("id,x`\u{301}y,\"a\"\"\u{301}b\"\n1,2,3\n", to: "k.csv")
    let outcome = try await program.run("query", "k.csv", "--format", "csv")
    #expect(outcome.errors == "")
    #expect(
      Array(outcome.output.utf8) == Array("id,x`\u{301}y,\"a\"\"\u{301}b\"\n1,2,3\n".utf8))
  }

  @Test("Diagrams are well formed, whatever entities are called")
  func diagrams() async throws {
    var random = SeededRandom(seed: RandomCases.seed())
    let names = Self.names(&random)
    try SQLiteFile.make(
      at: folder.file("s.sqlite"),
      names.map {
        "CREATE TABLE \(Self.quoted($0)) (id INTEGER PRIMARY KEY, \(Self.quoted($0)) TEXT);"
      }
      .joined(separator: "\n"))
    let dot = try await program.run("schema", "s.sqlite", "--format", "dot")
    try folder.write(dot.output, to: "s.dot")
    let mermaid = try await program.run("schema", "s.sqlite", "--format", "mermaid")
    try folder.write(mermaid.output, to: "s.mermaid")
    try folder.write(
      """
      import re, sys, xml.etree.ElementTree as tree
      text, labels = open('s.dot').read(), 0
      # Quoted texts and texts of HTML are tokens; what is left is words, signs and space.
      rest = re.sub(r'"(?:[^"\\\\]|\\\\.)*"|<[ \\n]*<table.*?</table>>', lambda m: ' T ', text, flags=re.S)
      assert re.fullmatch(r'[\\w\\s{}\\[\\]=,;>-]*', rest), rest
      for table in re.findall(r'label=<\\s*(<table.*?</table>)>', text, flags=re.S):
          tree.fromstring(table)
          labels += 1
      assert labels == int(sys.argv[1]), labels
      for line in open('s.mermaid').read().splitlines():
          assert re.fullmatch(r'erDiagram|  "[^"%\\\\]*" \\{|    [A-Za-z][\\w-]* [A-Za-z][\\w-]*( [PFUK, ]+)?( "[^"%\\\\]*")?|  \\}', line), line
      """, to: "read.py")
    let read = try await program.shell("python3 read.py \(names.count)")
    #expect(read.status == 0, "\(read.errors), seed \(random.seed)")
  }
}

@Suite(
  "Quoting on a terminal", .serialized, .enabled(if: TmuxSession.isPresent, TmuxSession.absence)
)
struct QuotingOnTerminalTests {
  private let program: Program
  private let session: TmuxSession

  init() throws {
    program = try Program()
    session = try TmuxSession(program)
  }

  // Promise: a copied command is pasted → it runs nothing else.
  @Test("A copied command runs nothing else when it is pasted", arguments: ["sh", "bash"])
  func copiedCommand(shell: String) async throws {
    try SQLiteFile.make(
      at: program.directory.file("s.sqlite"),
      "CREATE TABLE \"x'\u{301};touch pwned;'\u{301}\" (id INTEGER PRIMARY KEY, a); "
        + "INSERT INTO \"x'\u{301};touch pwned;'\u{301}\" VALUES (1, 'here');")
    try session.tmux("set-option", "-s", "set-clipboard", "on")
    try await session.wait(for: "$")
    try session.enter("clear; datastore s.sqlite")
    try await session.wait(for: "here")
    try session.press("g", "y")
    try await session.wait(for: "Copied: datastore query")
    try program.directory.write(try session.tmux("show-buffer"), to: "cmd.txt")
    let outcome = try await program.shell("\(shell) cmd.txt")
    #expect(outcome.status == 0 && outcome.errors == "")
    #expect(outcome.output.contains("here"))
    #expect(!(try program.directory.names().contains("pwned")))
  }

  @Test("A cell and a header whose quotes have marks are written as Python reads them")
  func savedFile() async throws {
    try program.directory.write(
      "id,\"b\"\"\u{301} FROM h --\",c\n1,one,x\n2,two,y\n3,three,z\n", to: "d.csv")
    let cell = "the sign \"ा\", a long a"
    try await session.wait(for: "$")
    try session.enter("clear; datastore d.csv")
    try await session.wait(for: "one", "no unsaved changes")
    try session.press("Right", "e")
    try await session.wait(for: "not changed")
    try session.press("C-u")
    try session.type(cell)
    try session.press("Enter")
    try await session.wait(for: "1 changed")
    try session.press("C-s")
    try await session.wait(for: "These changes go into d.csv")
    try session.press("C-s")
    try await session.wait(for: "Wrote d.csv: 1 record changed.")
    let read = try await program.shell(
      "python3 -c 'import csv, json; print(json.dumps(list(csv.reader(open(\"d.csv\", newline=\"\"), strict=True))))'"
    )
    let rows = try JSONDecoder().decode([[String]].self, from: Data(read.output.utf8))
    #expect(
      rows == [
        ["id", "b\"\u{301} FROM h --", "c"], ["1", cell, "x"], ["2", "two", "y"],
        ["3", "three", "z"],
      ])
  }
}
