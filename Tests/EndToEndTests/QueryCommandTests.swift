import DatastoreCore
import DatastoreTestSupport
import Foundation
import Testing

@Suite("datastore query")
struct QueryCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
    try SQLiteFile.make(
      at: program.directory.url.appending(path: "p.sqlite"),
      """
      CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, pay REAL,
        team_id INTEGER REFERENCES team);
      CREATE VIEW broken AS SELECT nope(1) AS x;
      INSERT INTO team VALUES (1, 'Red'), (2, 'Blue');
      INSERT INTO person VALUES (1, 'Ada', 10.5, 1), (2, 'Zoë "Z"', NULL, 1), (3, '', 3, 2);
      """)
  }

  private func query(_ arguments: String...) async throws -> Program.Outcome {
    try await program.start(["query", "p.sqlite"] + arguments).outcome()
  }

  private func expect(
    _ outcome: Program.Outcome, output: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      outcome == Program.Outcome(status: 0, output: output, errors: ""),
      sourceLocation: sourceLocation)
  }

  @Test("Places in JSON are columns, conditions, groups and orders, of a store and of a file")
  func placesInJSON() async throws {
    let rows = """
      {"id": 1, "payload": {"user": {"name": "Ann"}, "tags": ["a", "b"]}}
      {"id": 2, "payload": {"user": {"name": "Bob"}, "tags": []}}
      {"id": 3, "payload": {"user": {"name": "Ann"}, "tags": ["b"]}}

      """
    try program.directory.write(rows, to: "e.jsonl")
    let loaded = try await program.run("load", "e.jsonl", "--into", "e.sqlite")
    #expect(loaded.status == 0, "\(loaded)")
    for file in ["e.jsonl", "e.sqlite"] {
      let lines = try await program.run(
        "query", file, "e", "--where", "payload.tags[0] != NULL", "--columns",
        "id, payload.user.name AS user, payload.tags[0] AS first", "--order-by",
        "payload.user.name desc, id desc", "--format", "csv")
      expect(lines, output: "id,user,first\n3,Ann,b\n1,Ann,a\n")
      let groups = try await program.run(
        "query", file, "e", "--group-by", "payload.user.name", "--format", "csv")
      expect(groups, output: "payload.user.name,count\nAnn,2\nBob,1\n")
    }
    let oracle = try SQLiteFile.output(
      of: "SELECT json_extract(payload, '$.user.name'), count(*) FROM e GROUP BY 1",
      at: program.directory.url.appending(path: "e.sqlite"))
    #expect(oracle == "Ann|2\nBob|1\n")
  }

  @Test("The wildcards of SQL in a LIKE are told, and change nothing of the answer")
  func wildcards() async throws {
    let advice =
      "datastore: The wildcards of LIKE are * (any text) and ? (one character), not % and _. Write "
    let outcome = try await query("person", "--where", "name LIKE \"%d%\"", "--format", "csv")
    #expect(
      outcome
        == Program.Outcome(
          status: 0, output: "id,name,pay,team_id\n",
          errors: advice + "name LIKE \"*d*\"; for the sign itself, CONTAINS or ==.\n"))
    let groups = try await query(
      "person", "--group-by", "name", "--having", "name LIKE \"A__\"", "--format", "csv")
    #expect(
      groups
        == Program.Outcome(
          status: 0, output: "name,count\n",
          errors: advice + "name LIKE \"A??\"; for the sign itself, CONTAINS or ==.\n"))
    expect(
      try await query(
        "person", "--where", "name LIKE \"*d*\"", "--columns", "name", "--format", "csv"),
      output: "name\nAda\n")
  }

  @Test("Columns are computed, and rows are put in order and together by what is computed")
  func expressions() async throws {
    expect(
      try await query(
        "person", "--columns", "uppercase(left(name, 2)) AS short, pay * 12 AS yearly",
        "--order-by", "length(name) desc, (pay * -1)", "--format", "jsonl"),
      output: """
        {"short":"ZO","yearly":null}
        {"short":"AD","yearly":126.0}
        {"short":"","yearly":36.0}

        """)
    expect(
      try await query(
        "person", "--group-by", "length(team.name)", "--columns",
        "length(team.name), count, sum(pay * 2)", "--where", "coalesce(pay, 0) < 11"),
      output: "length(team.name),count,sum(pay*2)\n3,2,21.0\n4,1,6.0\n")
    let wrong = try await query("person", "--columns", "name, pya * 12")
    #expect(wrong.status != 0)
    #expect(wrong.errors.contains("person has no property “pya”; did you mean “pay”?"))
  }

  @Test("What SEARCH finds is sorted by rank, as the sqlite3 program ranks it")
  func ranks() async throws {
    let url = program.directory.url.appending(path: "notes.sqlite")
    try SQLiteFile.make(
      at: url,
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, mark TEXT);
      CREATE VIRTUAL TABLE words USING fts5(body, content='note', content_rowid='id');
      INSERT INTO note VALUES (1, 'plums, pears and an apple', 'a'), (2, 'apple apple', 'b'),
        (3, 'apples', 'apple'), (4, 'apple and pear', 'd');
      INSERT INTO words (words) VALUES ('rebuild');
      """)
    func notes(_ arguments: String...) async throws -> Program.Outcome {
      try await program.start(
        ["query", "notes.sqlite", "note", "--columns", "id"] + arguments
      ).outcome()
    }
    let best = try SQLiteCommand.run(
      "SELECT rowid FROM words WHERE words MATCH 'apple' ORDER BY rank", on: url)
    #expect(best == "2\n4\n1")
    let search = ["body SEARCH \"apple\"", "--order-by", "@rank"]
    expect(try await notes("--where", search[0], search[1], search[2]), output: "id\n2\n4\n1\n")
    expect(
      try await notes("--where", search[0], search[1], search[2], "--limit", "1", "--offset", "1"),
      output: "id\n4\n")
    let nothing = try await notes("--where", "id > 1", "--order-by", "@rank")
    #expect(nothing.status != 0 && nothing.errors.contains("@rank needs a SEARCH"))
    // Without an index all are equal, and come by their keys.
    expect(
      try await notes("--where", "mark SEARCH \"apple\"", "--order-by", "@rank"), output: "id\n3\n")
  }

  @Test("In a pipe, rows are CSV; formats are chosen by name")
  func formats() async throws {
    expect(
      try await query("person"),
      output: "id,name,pay,team_id\n1,Ada,10.5,1\n2,\"Zoë \"\"Z\"\"\",,1\n3,\"\",3.0,2\n")
    expect(
      try await query("person", "--columns", "name,team.name", "--limit", "1", "--format", "jsonl"),
      output: "{\"name\":\"Ada\",\"team.name\":\"Red\"}\n")
    expect(
      try await query("team", "--format", "table", "--order-by", "name"),
      output: """
        ┌────┬──────┐
        │ id │ name │
        ├────┼──────┤
        │  2 │ Blue │
        │  1 │ Red  │
        └────┴──────┘

        """)
    expect(
      try await query("team", "--format", "table", "--ascii", "--no-header", "--limit", "1"),
      output: "+---+-----+\n| 1 | Red |\n+---+-----+\n")
    expect(
      try await query("person", "--columns", "pay", "--null", "-", "--no-header"),
      output: "10.5\n-\n3.0\n")
  }

  @Test("INSERT statements name the columns of the table, whatever its properties are called")
  func insertedNames() async throws {
    let (nfc, nfd) = ("caf\u{E9}", "cafe\u{301}")
    let tables = """
      CREATE TABLE team (id INTEGER PRIMARY KEY);
      CREATE TABLE "\(nfc)" (id INTEGER PRIMARY KEY);
      CREATE TABLE "\(nfd)" (id INTEGER PRIMARY KEY, "\(nfc)" TEXT, "\(nfd)" TEXT,
        team_id INTEGER REFERENCES team);
      """
    let copy = program.directory.url.appending(path: "b.sqlite")
    try SQLiteFile.make(at: copy, tables)
    try SQLiteFile.make(
      at: program.directory.url.appending(path: "a.sqlite"),
      tables + "INSERT INTO team VALUES (1); INSERT INTO \"\(nfd)\" VALUES (5, 'c', 'd', 1);")
    let outcome = try await program.shell(
      """
      datastore query a.sqlite '\(nfd)_2' --columns 'id, team, \(nfc), \(nfd)_2' --format sql \
        | sqlite3 b.sqlite
      """)
    #expect(outcome == Program.Outcome(status: 0, output: "", errors: ""))
    #expect(try SQLiteFile.output(of: "SELECT * FROM \"\(nfd)\"", at: copy) == "5|c|d|1\n")
  }

  @Test("Rows are sorted by how many objects a relationship leads to")
  func orderByCount() async throws {
    expect(
      try await query(
        "team", "--order-by", "person.@count, name", "--columns", "name, person.@count AS people"),
      output: "name,people\nBlue,1\nRed,2\n")
    // By the name that a column has in the answer, and the table by its name in capitals.
    expect(
      try await query(
        "TEAM", "--order-by", "people desc, name", "--columns", "name, person.@count AS people"),
      output: "name,people\nRed,2\nBlue,1\n")
    expect(
      try await query("team", "--order-by", "person.@sum.pay desc", "--columns", "name"),
      output: "name\nRed\nBlue\n")
  }

  @Test("Groups have a row each")
  func groups() async throws {
    expect(
      try await query(
        "person", "--group-by", "team.name", "--columns", "team.name, count, sum(pay) AS pay",
        "--having", "count > 0", "--order-by", "sum(pay)", "--format", "tsv"),
      output: "team.name\tcount\tpay\nBlue\t1\t3.0\nRed\t2\t10.5\n")
  }

  @Test("Without an entity, all are listed; what cannot be counted is told")
  func overview() async throws {
    let outcome = try await query()
    #expect(outcome.status == 0)
    #expect(
      outcome.output
        == "entity,kind,rows\nteam,table,2\nperson,table,3\nbroken,view,\n")
    #expect(outcome.errors.hasPrefix("datastore: ") && outcome.errors.contains("broken"))
  }

  @Test("Tables of pairs are read like others, with pairs whose end is missing")
  func joinTables() async throws {
    let program = try Program()
    try SQLiteFile.make(
      at: program.directory.url.appending(path: "f.sqlite"),
      """
      CREATE TABLE playlist (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE track (code TEXT PRIMARY KEY, title TEXT);
      CREATE TABLE playlist_track (
        playlist_id INTEGER REFERENCES playlist, track_code TEXT REFERENCES track,
        PRIMARY KEY (playlist_id, track_code));
      PRAGMA foreign_keys = OFF;
      INSERT INTO playlist VALUES (1, 'Rock'); INSERT INTO track VALUES ('a', 'One');
      INSERT INTO playlist_track VALUES (1, 'a'), (1, 'gone'), (9, 'a');
      """)
    func query(_ arguments: String...) async throws -> String {
      try await program.start(["query", "f.sqlite"] + arguments).outcome().output
    }
    #expect(
      try await query()
        == "entity,kind,rows\nplaylist,table,1\ntrack,table,1\nplaylist_track,table,3\n")
    let one = try await program.start(["schema", "f.sqlite", "Playlist_Track"]).outcome()
    #expect(one.output.hasPrefix("playlist_track"), "\(one)")
    #expect(!one.output.contains("\ntrack"), "\(one)")
    #expect(
      try await query("playlist_track", "--columns", "playlist_id, track_code")
        == "playlist_id,track_code\n1,a\n1,gone\n9,a\n")
    #expect(
      try await query(
        "playlist_track", "--columns", "track_code", "--where", "track.title = NULL")
        == "track_code\ngone\n")
    #expect(
      try await query(
        "playlist_track", "--columns", "playlist_id", "--where", "playlist.name = NULL")
        == "playlist_id\n9\n")
    // The relationship is unchanged, and the schema shows the table on request.
    #expect(
      try await query("playlist", "--columns", "name", "--where", "track.@count = 1")
        == "name\nRock\n")
    let schema = try await program.run("schema", "f.sqlite")
    #expect(!schema.output.contains("playlist_track (table"))
    let all = try await program.run("schema", "f.sqlite", "--join-tables")
    #expect(all.output.contains("playlist_track (table, read-only)"), "\(all)")
  }

  @Test("SQL that reads is answered, and what writes is refused")
  func sql() async throws {
    expect(
      try await query("--sql", "SELECT max(id) AS m, x'00ff' AS b FROM person"),
      output: "m,b\n3,AP8=\n")
    let refused = try await query("--sql", "UPDATE person SET name = 'x'")
    #expect(refused.status == 64)
    let faulty = try await query("--sql", "SELECT\n  日本, nope FROM person")
    #expect(
      faulty
        == Program.Outcome(
          status: 64, output: "",
          errors: """
            datastore: SQLite cannot run this: no such column: 日本.
                日本, nope FROM person
                ^~~~

            """))
  }

  @Test(
    "Faults end with their number and a sentence",
    arguments: [
      (["missing.sqlite", "person"], 66, "There is no file at "),
      (
        ["p.sqlite", "persn"], 64, "There is no entity “persn” in the file; did you mean “person”?"
      ),
      (["p.sqlite", "person", "--columns", "nam"], 64, "did you mean “name”?\n  nam\n  ^~~\n"),
      (
        ["p.sqlite", "person", "--where", "name == \"日本語\" AND agee > 3"], 64,
        "  name == \"日本語\" AND agee > 3\n                       ^~~~\n"
      ),
      (["p.sqlite", "person", "--order-by", "name upwards"], 64, "^~~~~~~"),
      (["p.sqlite", "person", "--group-by", "name", "--having", "pay > 3"], 64, "has no property"),
      (["p.sqlite", "broken"], 65, "broken"),
      (["text.sqlite"], 65, "is not a SQLite database"),
      (["noise.sqlite"], 65, "encrypted"),
      (["."], 66, "is a directory"),
      (["p.sqlite", "--where", "id == 1"], 64, "Name an entity"),
      (["p.sqlite", "person", "--sql", "SELECT 1"], 64, "not both"),
      (["p.sqlite", "person", "--format", "xml"], 64, "xml"),
      (["p.sqlite", "person", "--format", "json", "--null", "-"], 64, "--null has no effect"),
      (["p.sqlite", "person", "--format", "json", "--null", "-"], 64, "is --input-null."),
      (["p.sqlite", "person", "--format", "sql", "--no-header"], 64, "has no header"),
      (
        ["p.sqlite", "person", "--columns", "id AS a, name AS A", "--format", "sql"], 64,
        "two are called “A”"
      ),
      (["p.sqlite", "person", "--limit=-1"], 64, "cannot be negative"),
      (["p.sqlite", "person", "--output", "x.csv.gz"], 64, "end it with .txt, .csv, .tsv"),
      (["p.sqlite", "person", "--output", "x.xlsx"], 64, "“x.xlsx” has the ending of no format"),
      (["p.sqlite", "person", "--output", "no/such/folder.csv"], 73, "could not be created"),
    ])
  func faults(arguments: [String], status: Int, sentence: String) async throws {
    try program.directory.write("just text\n", to: "text.sqlite")
    var random = Data(count: 8192)
    for index in random.indices { random[index] = UInt8(truncatingIfNeeded: index * 89 + 7) }
    try random.write(to: program.directory.url.appending(path: "noise.sqlite"))
    let outcome = try await program.start(["query"] + arguments).outcome()
    #expect(outcome.status == Int32(status), "\(outcome)")
    #expect(outcome.output == "")
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
  }

  @Test("A file is written whole or not at all, in the format of its name")
  func outputFile() async throws {
    expect(try await query("team", "-o", "out.md"), output: "")
    let url = program.directory.url.appending(path: "out.md")
    let text = "| id | name |\n| ---: | --- |\n| 1 | Red |\n| 2 | Blue |\n"
    #expect(try String(contentsOf: url, encoding: .utf8) == text)
    let failed = try await query("broken", "-o", "out.md")
    #expect(failed.status == 65)
    #expect(try String(contentsOf: url, encoding: .utf8) == text)
    #expect(try program.directory.names() == ["out.md", "p.sqlite", "streams"])
    expect(try await query("team", "-o", "-"), output: "id,name\n1,Red\n2,Blue\n")
    expect(try await query("team", "-o", "out.x", "--format", "markdown"), output: "")
    #expect(try program.directory.names() == ["out.md", "out.x", "p.sqlite", "streams"])
  }

  @Test("Looking does not change the file or leave anything beside it")
  func readOnly() async throws {
    let url = program.directory.url.appending(path: "p.sqlite")
    try SQLiteFile.make(at: url, "PRAGMA journal_mode = WAL")
    let before = try Data(contentsOf: url)
    expect(try await query("team", "--columns", "id", "--limit", "1"), output: "id\n1\n")
    _ = try await query("team", "--columns", "nope")
    #expect(try Data(contentsOf: url) == before)
    #expect(try program.directory.names() == ["p.sqlite", "streams"])
  }

  /// A query without an end: a reader gets rows of it while it is being read.
  private static let endless = """
    WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) \
    SELECT x, hex(zeroblob(500)) AS t FROM n
    """

  @Test("Rows come while the rest is read, and a closed pipe ends it quietly")
  func pipe() async throws {
    for format in ["csv", "json", "table", "sql"] {
      let result = try await program.shell(
        """
        (datastore query p.sqlite --sql '\(Self.endless)' --format \(format) 2> errors; \
        echo $? > status) | head -n 1 > first
        cat status errors; wc -l < first
        """)
      #expect(result == Program.Outcome(status: 0, output: "0\n1\n", errors: ""), "\(format)")
    }
  }

  @Test("Memory does not grow with the rows")
  func memory() async throws {
    let result = try await program.shell(
      """
      mkfifo pipe
      datastore query p.sqlite --sql '\(Self.endless)' > pipe &
      exec 3< pipe
      head -c 1000000 <&3 > /dev/null
      sed -n 's/^VmHWM:[^0-9]*//p' /proc/$!/status
      head -c 20000000 <&3 > /dev/null
      sed -n 's/^VmHWM:[^0-9]*//p' /proc/$!/status
      exec 3<&-
      wait
      """)
    let peaks = result.output.split(separator: "\n").compactMap { line in
      line.split(separator: " ").first.flatMap { Int($0) }
    }
    try #require(peaks.count == 2, "\(result)")
    // Kilobytes: the same after 21 MB as after 1 MB, except for the allocators.
    #expect(peaks[1] - peaks[0] < 5_000, "\(peaks)")
  }
}
