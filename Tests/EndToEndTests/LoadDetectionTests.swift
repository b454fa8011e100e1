import DatastoreTestSupport
import Foundation
import Testing

@Suite("datastore load: what it finds out")
struct LoadDetectionTests {
  @Test("Encoding, delimiter, header and types are found, and shown by a dry run")
  func found() async throws {
    let program = try Program()
    var bytes = Data("1;Zo".utf8)
    bytes.append(0xEB)
    bytes.append(Data(";2024-05-01\n2;Bo;2024-05-02\n".utf8))
    try bytes.write(to: program.directory.url.appending(path: "p.csv"))
    let trial = try await program.run(
      "load", "p.csv", "--into", "s.sqlite", "--columns", "id,name,day", "--dry-run", "-q")
    #expect(
      trial
        == Program.Outcome(
          status: 0,
          output: """
            p.csv
              encoding: Windows-1252 (Latin-1) (found: it has 1 byte that is not UTF-8)
              delimiter: semicolon (found: each of the first 2 records has 3 fields)
              header row: no (found: “1” is a value like those below it)
            ┌─────────────┬────────────┬────────────┐
            │ id: integer │ name: text │ day: date  │
            ├─────────────┼────────────┼────────────┤
            │ 1           │ Zoë        │ 2024-05-01 │
            │ 2           │ Bo         │ 2024-05-02 │
            └─────────────┴────────────┴────────────┘
            Would load 2 rows into s.sqlite: 2 inserted. Nothing was changed.

            """,
          errors: "datastore: p.csv: it is not UTF-8, and was read as Windows-1252 (Latin-1).\n"))
    #expect(try program.directory.names() == ["p.csv", "streams"])
    let loaded = try await program.run("load", "p.csv", "--into", "s.sqlite", "-q")
    #expect(loaded.status == 0)
    #expect(loaded.errors.contains("column_1"))
    let query = try await program.run("query", "s.sqlite", "p", "--columns", "column_2,column_3")
    #expect(
      query.output == "column_2,column_3\nZoë,2024-05-01\nBo,2024-05-02\n")
  }

  @Test("A decimal comma is found and told; the option says otherwise")
  func decimalComma() async throws {
    let program = try Program()
    try program.directory.write("id;price\n1;3,5\n2;1.234,25\n", to: "p.csv")
    let load = try await program.run("load", "p.csv", "--into", "s.sqlite", "-q")
    #expect(load.status == 0)
    #expect(load.errors == "datastore: p.csv: numbers are read with a decimal comma, as in 3,5.\n")
    let query = try await program.run("query", "s.sqlite", "p", "--columns", "price")
    #expect(query.output == "price\n3.5\n1234.25\n")
    let other = try await program.run(
      "load", "p.csv", "--into", "s.sqlite", "--decimal", "point", "-q")
    #expect(other.status != 0 && other.errors.contains("“3,5” is not a number"), "\(other)")
  }

  @Test(
    "What a query writes is loaded as the same values", arguments: ["csv", "tsv", "json", "jsonl"])
  func roundTrip(format: String) async throws {
    let program = try Program()
    try program.directory.write("id,t,x\n1,\"a,\"\"b\"\"\",1.5\n2,\"\",\n3,,-2e-7\n", to: "a.csv")
    _ = try await program.run("load", "a.csv", "--into", "a.sqlite", "--key", "id", "-q")
    let columns = ["--columns", "id,t,x", "--order-by", "id"]
    let file = "b.\(format)"
    let written = try await program.start(
      ["query", "a.sqlite", "a", "-o", file] + columns
    ).outcome()
    #expect(written == Program.Outcome(status: 0, output: "", errors: ""))
    let load = try await program.run("load", file, "--into", "b.sqlite", "--key", "id", "-q")
    #expect(load.status == 0, "\(load)")
    let first = try await program.start(["query", "a.sqlite", "a"] + columns).outcome()
    let second = try await program.start(["query", "b.sqlite", "b"] + columns).outcome()
    #expect(first == second)
    #expect(first.output == "id,t,x\n1,\"a,\"\"b\"\"\",1.5\n2,\"\",\n3,,-2e-07\n")
  }

  @Test("A header row is told with its reason, and what is given is said to be")
  func reasons() async throws {
    let program = try program("name,age\nAda,36\nBo,20\n")
    let found = try await program.run("load", "t.csv", "--into", "s.sqlite", "-dq")
    #expect(
      found.output.hasPrefix(
        """
        t.csv
          encoding: UTF-8 (found: it has only ASCII as far as it was read)
          delimiter: comma (found: each of the first 3 records has 2 fields)
          header row: yes (found: “age” is above numbers)

        """), "\(found)")
    let given = try await program.start(
      [
        "load", "t.csv", "--into", "s.sqlite", "-dq", "--no-header", "--delimiter", ",", "--null",
        "",
      ]
    ).outcome()
    #expect(given.output.contains("  delimiter: comma (given)\n  header row: no (given)\n"))
    #expect(given.output.contains("  no value: nothing (given)\n"), "\(given)")
  }

  @Test("Types, several marks for no value and the order of days can be said")
  func given() async throws {
    let program = try program("zip;born;size\n01234;1/2/2024;x\n5678;3/4/2024;?\n9;;3\n")
    let load = try await program.start([
      "load", "t.csv", "--into", "s.sqlite", "-q", "--type", "zip=string", "--type", "born=date",
      "--dates", "day-first", "--null", "x", "--null", "?", "--null", "",
    ]).outcome()
    #expect(load.status == 0, "\(load)")
    #expect(
      try SQLiteFile.output(
        of: "SELECT zip, born, size, typeof(size) FROM t",
        at: program.directory.url.appending(path: "s.sqlite"))
        == "01234|2024-02-01||null\n5678|2024-04-03||null\n9||3|integer\n")
    let query = try await program.run(
      "query", "s.sqlite", "t", "--columns", "born", "--where", "born > \"2024-03\"")
    #expect(query.output == "born\n2024-04-03\n", "\(query)")
    let json = try await program.run(
      "query", "s.sqlite", "t", "--columns", "born", "--format", "jsonl", "--order-by", "born desc")
    #expect(
      json.output == "{\"born\":\"2024-04-03\"}\n{\"born\":\"2024-02-01\"}\n{\"born\":null}\n")
    let wrong = try await program.run("load", "t.csv", "--into", "u.sqlite", "--type", "zip=texts")
    #expect(wrong.status == 64)
  }

  @Test("A dry run goes past malformed records and says them")
  func malformed() async throws {
    let program = try program("a,b\n1,x\n2\n3,y\n4,z,5\n6,w\n7,v\n8,u\n9,t\n")
    let trial = try await program.run(
      "load", "t.csv", "--into", "s.sqlite", "-dq", "--on-error", "skip")
    #expect(
      trial.output.contains("  malformed: 2 records; line 3: "), "\(trial)")
    #expect(trial.output.contains("│ 8          │ u       │"), "\(trial)")
    #expect(!trial.output.contains("│ 9 "), "\(trial)")
    #expect(trial.output.hasSuffix("2 skipped. Nothing was changed.\n"), "\(trial)")
  }

  @Test("An array inside of a document is loaded, with nested objects as columns")
  func nested() async throws {
    let program = try Program()
    try program.directory.write(
      #"{"v": 1, "features": [{"id": 7, "name": {"common": "A"}}, {"id": 8, "name": {"common": "B"}}]}"#,
      to: "t.json")
    let load = try await program.start([
      "load", "t.json", "--into", "s.sqlite", "-q", "--path", "features", "--flatten",
    ]).outcome()
    #expect(load.output == "Loaded 2 rows into s.sqlite: 2 inserted.\n", "\(load)")
    let query = try await program.run(
      "query", "s.sqlite", "t", "--columns", "id, name.common", "--where", "name.common = \"B\"")
    #expect(query.output == "id,name.common\n8,B\n", "\(query)")
    let whole = try await program.run("load", "t.json", "--into", "w.sqlite", "-q")
    #expect(whole.errors.contains("--path features reads these"), "\(whole)")
  }

  @Test("A file of no encoding that was found names --encoding")
  func encodings() async throws {
    let program = try Program()
    var bytes = Data("name\n".utf8)
    for _ in 0..<9 { bytes.append(Data("Zoë\n".utf8)) }
    bytes.append(contentsOf: [0x5A, 0x6F, 0x91, 0x0A])
    try bytes.write(to: program.directory.url.appending(path: "t.csv"))
    let load = try await program.run("load", "t.csv", "--into", "s.sqlite", "-q")
    #expect(load.status == 65)
    #expect(
      load.errors.contains("--encoding (utf-8, utf-16le, windows-1252, windows-1251, "),
      "\(load)")
    let mac = try await program.run(
      "load", "t.csv", "--into", "s.sqlite", "-q", "--encoding", "mac-roman")
    #expect(mac.status == 0, "\(mac)")
    #expect(
      try SQLiteFile.output(
        of: "SELECT name FROM t ORDER BY rowid DESC LIMIT 1",
        at: program.directory.url.appending(path: "s.sqlite")) == "Zoë\n")
  }

  private func program(_ csv: String) throws -> Program {
    let program = try Program()
    try program.directory.write(csv, to: "t.csv")
    return program
  }

  @Test("Wrong options are refused")
  func faults() async throws {
    let program = try Program()
    try program.directory.write("a\n1\n", to: "a.csv")
    for option in [["--delimiter", "ab"], ["--encoding", "ebcdic"], ["--format", "xml"]] {
      let outcome = try await program.start(["load", "a.csv", "--into", "s.sqlite"] + option)
        .outcome()
      #expect(outcome.status == 64, "\(option)")
    }
    let names = try await program.run("load", "a.csv", "--into", "s.sqlite", "--columns", "x,y")
    #expect(names.status == 65)
    #expect(names.errors.contains("2 names were given"))
  }

  @Test("Memory does not grow with what is added to a table")
  func memoryOfAdding() async throws {
    let program = try Program()
    try SQLiteFile.make(
      at: program.directory.url.appending(path: "s.sqlite"), "CREATE TABLE t (a INTEGER, b TEXT)")
    let text = String(repeating: "abcdefghij", count: 30)
    let result = try await program.shell(
      """
      mkfifo pipe
      datastore load - --entity t --into s.sqlite --quiet --format csv --header < pipe > out 2>&1 &
      exec 3> pipe
      echo a,b >&3
      yes 1,\(text) | head -n 3000 >&3
      sed -n 's/^VmHWM:[^0-9]*//p' /proc/$!/status
      yes 2,\(text) | head -n 40000 >&3
      sed -n 's/^VmHWM:[^0-9]*//p' /proc/$!/status
      exec 3>&-
      wait
      cat out
      """)
    let peaks = Self.numbers(result.output)
    #expect(
      result.output.contains("Loaded 43,000 rows into s.sqlite: 43,000 inserted."), "\(result)")
    try #require(peaks.count >= 2, "\(result)")
    // Kilobytes; the file has 13 MB, and its rows as objects would have more.
    #expect(peaks[1] - peaks[0] < 8_000, "\(peaks)")
  }

  @Test("Memory does not grow with what updates a table")
  func memoryOfUpdating() async throws {
    let program = try Program()
    try SQLiteFile.make(
      at: program.directory.url.appending(path: "s.sqlite"),
      """
      CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT);
      WITH RECURSIVE n (i) AS (VALUES (2) UNION ALL SELECT i + 2 FROM n WHERE i < 40000)
      INSERT INTO t SELECT i, 'old' FROM n;
      """)
    let text = String(repeating: "abcdefghij", count: 30)
    let result = try await program.shell(
      """
      mkfifo pipe
      datastore load - --entity t --key a --into s.sqlite --quiet --format csv --header < pipe > out 2>&1 &
      exec 3> pipe
      echo a,b >&3
      seq 1 8000 | sed 's/$/,\(text)/' >&3
      sed -n 's/^VmHWM:[^0-9]*//p' /proc/$!/status
      seq 8001 40000 | sed 's/$/,\(text)/' >&3
      sed -n 's/^VmHWM:[^0-9]*//p' /proc/$!/status
      exec 3>&-
      wait
      cat out
      """)
    let peaks = Self.numbers(result.output)
    #expect(
      result.output.contains(
        "Loaded 40,000 rows into s.sqlite: 20,000 inserted, 20,000 updated."), "\(result)")
    try #require(peaks.count >= 2, "\(result)")
    // Kilobytes; the file has 12 MB, and its rows as objects would have more.
    #expect(peaks[1] - peaks[0] < 8_000, "\(peaks)")
  }

  @Test("Memory does not grow with what a new store is made of")
  func memoryOfMaking() async throws {
    let program = try Program()
    let text = String(repeating: "abcdefghij", count: 60)
    var peaks: [Int] = []
    // As many rows as are read ahead, and many more.
    for rows in [20_000, 80_000] {
      let result = try await program.shell(
        """
        (echo a,b; yes 1,\(text) | head -n \(rows)) > t.csv
        datastore load t.csv --into s\(rows).sqlite --quiet --header > out 2>&1 &
        while peak=$(sed -n 's/^VmHWM:[^0-9]*//p' /proc/$!/status 2> /dev/null) && [ -n "$peak" ]
        do last=$peak; done
        wait
        echo "$last"
        cat out
        """)
      #expect(result.output.contains(" inserted."), "\(result)")
      peaks.append(try #require(Self.numbers(result.output).first, "\(result)"))
    }
    // Kilobytes; the second file has 36 MB more, and its rows as objects would have more. How much is read
    // ahead depends on other programs.
    #expect(peaks[1] - peaks[0] < 16_000, "\(peaks)")
  }

  /// The numbers that lines begin with.
  private static func numbers(_ output: String) -> [Int] {
    output.split(separator: "\n").compactMap { line in
      line.split(separator: " ").first.flatMap { Int($0) }
    }
  }
}
