import DatastoreTestSupport
import Foundation
import Testing

// Promise: an archive, a workbook or a file of Parquet is asked → the answer is what another program reads
// there, or a sentence that says what is wrong or missing.
/// Files that are no text. Python's own writers make them, and their input gives the expected answers.
@Suite("Archives, workbooks and Parquet are read as files of rows")
struct ConvertedFileTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  /// Runs a script of Python that has `z`, an archive that is written.
  private func archive(_ name: String, _ script: String) async throws {
    let made = try await program.shell(
      "python3 -c 'import zipfile, sys\nz = zipfile.ZipFile(\"\(name)\", \"w\", 8)\n\(script)\nz.close()'"
    )
    #expect(made.status == 0, "\(made.errors)")
  }

  /// Runs a script of Python that has `b`, a workbook that is written, and `s`, its first sheet.
  private func workbook(_ name: String, _ script: String) async throws {
    let made = try await program.shell(
      """
      python3 -c 'import openpyxl, datetime
      b = openpyxl.Workbook()
      s = b.active
      \(script)
      b.save("\(name)")'
      """)
    #expect(made.status == 0, "\(made.errors)")
  }

  @Test("Members of an archive are tables, byte for byte what was put into it")
  func members() async throws {
    let people = #"id,name\r\n1,"Ada\r\nL."\r\n2,1.50\r\n"#
    try await archive(
      "data.zip",
      """
      z.writestr("people.csv", b\"\"\"\(people)\"\"\")
      z.writestr("old/people.csv", b"id\\n7\\n")
      z.writestr("../cities.json", b"[{\\"city\\": \\"Oslo\\", \\"size\\": 3}]")
      z.writestr("__MACOSX/._people.csv", b"junk")
      z.writestr("readme.md", b"not rows")
      """)
    let list = try await program.run("query", "data.zip", "--format", "csv")
    #expect(list.status == 0, "\(list)")
    for name in ["people", "people_2", "cities"] { #expect(list.output.contains(name), "\(list)") }
    #expect(!list.output.contains("readme") && !list.output.contains("_MAC"), "\(list)")
    let rows = try await program.run("query", "data.zip", "people", "--format", "csv")
    #expect(rows.output == "id,name\n1,\"Ada\r\nL.\"\n2,1.50\n", "\(rows)")
    let joined = try await program.run(
      "query", "data.zip", "--no-header", "--sql",
      "SELECT p.id + q.id, size FROM people p, people_2 q, cities WHERE p.id = 2")
    #expect(joined == Program.Outcome(status: 0, output: "9,3\n", errors: ""))
    let unnamed = try await program.run("query", "data.zip", "--where", "id == 1")
    #expect(unnamed.status == 64 && unnamed.errors.contains("several tables"), "\(unnamed)")
    let loaded = try await program.shell(
      "datastore load data.zip --into s.sqlite --quiet; sqlite3 s.sqlite 'SELECT count(*) FROM people_2'"
    )
    #expect(loaded.output.hasSuffix("1\n"), "\(loaded)")
    #expect(try program.directory.names().filter { $0.hasPrefix("datastore-") } == [])
  }

  @Test("An empty member of an archive is left out")
  func emptyMembers() async throws {
    try await archive(
      "data.zip",
      """
      z.writestr("none.csv", b"")
      z.writestr("blank.json", b"\\xef\\xbb\\xbf\\n")
      z.writestr("some.csv", b"n\\n1\\n")
      """)
    let rows = try await program.run("query", "data.zip")
    #expect(rows.status == 0 && rows.output.contains("1"), "\(rows)")
    let loaded = try await program.shell(
      "datastore load data.zip --into s.sqlite --quiet; sqlite3 s.sqlite .tables")
    #expect(loaded.status == 0 && loaded.output.contains("some"), "\(loaded)")
    #expect(!loaded.output.contains("none") && !loaded.output.contains("blank"), "\(loaded)")
  }

  @Test("A member with a hostile name is a table with a name that is shown with marks")
  func names() async throws {
    try await archive(
      "odd.zip",
      """
      z.writestr("a\\x1b[2Jb.csv", b"n\\n1\\n")
      z.writestr(".csv", b"n\\n2\\n")
      z.writestr("/etc/passwd.csv", b"n\\n3\\n")
      """)
    let list = try await program.run("query", "odd.zip", "--format", "csv", "--no-header")
    #expect(list.status == 0 && !list.output.contains("\u{1B}"), "\(list)")
    #expect(list.output.split(separator: "\n").count == 2, "\(list)")
    let schema = try await program.run("schema", "odd.zip")
    #expect(schema.status == 0 && schema.output.contains("passwd"), "\(schema)")
  }

  @Test("Sheets of a workbook are tables with their values; empty ones are left out")
  func sheets() async throws {
    try await workbook(
      "book.xlsx",
      """
      s.title = "Sales 2.0"
      s.append(["id", "day", "time", "what", "price", "paid"])
      s.append([1, datetime.date(2024, 1, 5), datetime.datetime(2024, 1, 5, 9, 30), "a, \\"b\\"", 1.5, True])
      s.append([2, None, None, " x ", 3.0, False])
      s.append([3, None, None, "#N/A", 0.1, None])
      b.create_sheet("empty")
      t = b.create_sheet("names")
      t.append(["id", "name"])
      t.append([1, "Zoë"])
      """)
    let sales = try await program.run("query", "book.xlsx", "Sales 2.0", "--format", "csv")
    #expect(
      sales.output == """
        id,day,time,what,price,paid
        1,2024-01-05,2024-01-05 09:30:00,"a, ""b""\",1.5,true
        2,,," x ",3,false
        3,,,#N/A,0.1,

        """, "\(sales)")
    let list = try await program.run("query", "book.xlsx", "--format", "csv", "--no-header")
    #expect(list.output.contains("names") && !list.output.contains("empty"), "\(list)")
    try await workbook("one.xlsx", "s.append([\"n\"])\ns.append([4])\ns.append([5])")
    let one = try await program.run("query", "one.xlsx", "--columns", "sum(n)", "--no-header")
    #expect(one == Program.Outcome(status: 0, output: "9\n", errors: ""))
  }

  @Test("A query of one table says nothing of the others")
  func notes() async throws {
    try await archive(
      "data.zip",
      """
      z.writestr("marks.csv", b"n,code\\n1,x\\nNULL,y\\n")
      z.writestr("plain.csv", b"n\\n7\\n")
      """)
    for name in ["plain", "Plain"] {
      let plain = try await program.run("query", "data.zip", name, "--format", "csv")
      #expect(plain == Program.Outcome(status: 0, output: "n\n7\n", errors: ""))
    }
    let marks = try await program.run("query", "data.zip", "marks", "--format", "csv")
    #expect(marks.errors.contains("marks.csv: NULL means no value"), "\(marks)")
    let unknown = try await program.run("query", "data.zip", "other")
    #expect(unknown.errors.contains("it has marks, plain"), "\(unknown)")
  }

  @Test("A formula without a computed value is told")
  func formulas() async throws {
    try await workbook(
      "sums.xlsx",
      """
      s.append(["n", "sum"])
      s.append([1, "=A2+1"])
      s.append([2, "=A3+1"])
      b.create_sheet("only").append(["=1+2"])
      """)
    let sums = try await program.run("query", "sums.xlsx", "--format", "csv")
    #expect(sums.status == 0 && sums.output == "n,sum\n1,\n2,\n", "\(sums)")
    for note in [
      "2 formulas in “Sheet” have no computed value; open and save the workbook in a",
      "1 formula in “only” has no computed value",
    ] { #expect(sums.errors.contains(note), "\(sums)") }
    try await workbook("only.xlsx", "s.append([\"=1+2\"])")
    let only = try await program.run("query", "only.xlsx")
    #expect(only.status != 0 && only.errors.contains("has no computed value"), "\(only)")
    // Where there are none.
    try await workbook("plain.xlsx", "s.append([\"n\"])\ns.append([4])")
    let plain = try await program.run("query", "plain.xlsx", "--format", "csv")
    #expect(plain == Program.Outcome(status: 0, output: "n\n4\n", errors: ""))
  }

  @Test("Times beyond a day have their hours")
  func durations() async throws {
    try await workbook(
      "times.xlsx",
      """
      s.append(["n", "time"])
      for n, hours in enumerate([30 + 5 / 60, 1.5, 1692]):
          s.append([n, hours / 24])
          s.cell(n + 2, 2).number_format = "[h]:mm:ss"
      """)
    let times = try await program.run("query", "times.xlsx", "--format", "csv")
    #expect(times.output == "n,time\n0,30:05:00\n1,01:30:00\n2,1692:00:00\n", "\(times)")
  }

  @Test(
    "A file of Parquet has the values that its writer has put into it",
    .enabled(if: Self.hasDuckDB, "Python's module duckdb is not installed."))
  func parquet() async throws {
    try program.directory.write(
      #"""
      import duckdb
      duckdb.sql("""COPY (FROM (VALUES
        (1, DATE '2024-01-05', 1.50::DECIMAL(9, 2), 'a, "b"', [1, 2], true),
        (9007199254740993, NULL, NULL, 'Zoë', [], false)) AS t (id, day, price, name, list, paid))
        TO 't.parquet' (FORMAT parquet)""")
      """#, to: "make.py")
    let made = try await program.shell("python3 -I make.py")
    #expect(made.status == 0, "\(made)")
    let rows = try await program.run("query", "t.parquet", "--format", "csv")
    #expect(
      rows.output == """
        id,day,price,name,list,paid
        1,2024-01-05,1.50,"a, ""b""\","[1,2]",true
        9007199254740993,,,Zoë,[],false

        """, "\(rows)")
  }

  private static let hasDuckDB = has("duckdb")
  private static let hasPyArrow = has("pyarrow")

  private static func has(_ module: String) -> Bool {
    (try? spawn(
      "/usr/bin/env", ["python3", "-I", "-c", "import \(module)"],
      output: URL(fileURLWithPath: "/dev/null"))) == 0
  }

  @Test(
    "Columns of texts and bytes in a file of Parquet are not guessed again",
    .enabled(if: Self.hasPyArrow, "Python's module pyarrow is not installed."))
  func texts() async throws {
    try program.directory.write(
      #"""
      import pyarrow, pyarrow.parquet
      pyarrow.parquet.write_table(pyarrow.table({
        "code": pyarrow.array(["1", "NULL", "3"]).dictionary_encode(),
        "name": pyarrow.array(["NULL", "NA", ""], pyarrow.large_string()),
        "bytes": pyarrow.array([b"\xd7\x6d\xf8", b"", None])}), "t.parquet")
      """#, to: "make.py")
    let made = try await program.shell("python3 -I make.py")
    #expect(made.status == 0, "\(made)")
    let rows = try await program.run("query", "t.parquet", "--format", "csv")
    #expect(rows.output == "code,name,bytes\n1,NULL,1234\nNULL,NA,\"\"\n3,\"\",\n", "\(rows)")
    let loaded = try await program.shell(
      "datastore load t.parquet --into s.sqlite --quiet; "
        + "sqlite3 s.sqlite 'SELECT typeof(code), typeof(name), typeof(bytes) FROM t'")
    #expect(
      loaded.output.hasSuffix("text|text|text\ntext|text|text\ntext|text|null\n"), "\(loaded)")
  }

  @Test("A text in a file of Parquet means no missing value")
  func textsLikeMarks() async throws {
    let header = #"{"name": null, "texts": ["code", "name"], "notes": []}"#
    let made = try await program.shell(
      """
      mkdir bin; echo PAR1 > t.parquet
      cat > bin/python3 <<'END'
      #!/bin/sh
      printf '%s\\n' '\(header)' 24 code,name 1,NULL NULL,b 0
      END
      chmod +x bin/python3
      """)
    #expect(made.status == 0, "\(made)")
    let tool = Program.executable.path
    for column in ["code", "name"] {
      let found = try await program.shell(
        "PATH=$PWD/bin \(tool) query t.parquet --columns count --no-header "
          + "--where '\(column) == \"NULL\"'")
      #expect(found == Program.Outcome(status: 0, output: "1\n", errors: ""))
    }
  }

  @Test("Numbers in a file of Parquet are numbers, infinite ones and those of many digits too")
  func unusualNumbers() async throws {
    let header = #"{"name": null, "texts": [], "notes": []}"#
    let made = try await program.shell(
      """
      mkdir bin; echo PAR1 > t.parquet
      cat > bin/python3 <<'END'
      #!/bin/sh
      printf '%s\\n' '\(header)' 42 f,u 1.5,1 inf,18446744073709551615 -inf,2 0
      END
      chmod +x bin/python3
      """)
    #expect(made.status == 0, "\(made)")
    let loaded = try await program.shell(
      "PATH=\"$PWD/bin:$PATH\" datastore load t.parquet --into s.sqlite --quiet; "
        + "sqlite3 s.sqlite 'SELECT typeof(f), f > 1e308, typeof(u), u FROM t'")
    #expect(
      loaded.output.hasSuffix(
        "real|0|integer|1\nreal|1|text|18446744073709551615\nreal|0|integer|2\n"), "\(loaded)")
    let found = try await program.shell(
      "PATH=\"$PWD/bin:$PATH\" datastore query t.parquet --columns count --no-header "
        + "--where 'f > 2'")
    #expect(found == Program.Outcome(status: 0, output: "1\n", errors: ""))
  }

  @Test("Files of rows in an archive that would have to be unpacked first are told")
  func packedMembers() async throws {
    try await archive(
      "data.zip", "z.writestr(\"a.csv\", b\"n\\n1\\n\")\nz.writestr(\"b.csv.gz\", b\"x\")")
    let rows = try await program.run("query", "data.zip", "--format", "csv")
    #expect(rows.output == "n\n1\n" && rows.status == 0, "\(rows)")
    #expect(rows.errors.contains("“b.csv.gz” beside it is left out"), "\(rows)")
  }

  @Test("A workbook with macros is read like one without")
  func macros() async throws {
    try await workbook("one.xlsm", "s.append([\"n\"])\ns.append([4])")
    let one = try await program.run("query", "one.xlsm", "--format", "csv")
    #expect(one == Program.Outcome(status: 0, output: "n\n4\n", errors: ""))
  }

  @Test("A file whose name does not say how it is read is told by what it holds")
  func unnamed() async throws {
    try await archive("all", "z.writestr(\"a.csv\", b\"n\\n1\\n\")")
    try await workbook("book.xlsx", "s.append([\"n\"])\ns.append([4])")
    try await archive(
      "sheet.ods",
      "z.writestr(\"mimetype\", b\"application/vnd.oasis.opendocument.spreadsheet\", 0)")
    let copied = try await program.shell("cp book.xlsx book.csv; cp book.xlsx book")
    #expect(copied.status == 0, "\(copied)")
    for (name, sentence) in [
      ("all", "it is a zip archive, which is read from a file whose name ends in .zip"),
      ("book", "it is an Excel workbook, which is read from a file whose name ends in .xlsx"),
      ("book.csv", "it is an Excel workbook, which is read from a file whose name ends in .xlsx"),
      ("sheet.ods", "it is an OpenDocument spreadsheet; save it as .xlsx or .csv"),
    ] {
      for command in ["query", "schema", "load --into s.sqlite --entity e"] {
        let outcome = try await program.shell("datastore \(command) \(name)")
        #expect(outcome.status != 0 && outcome.errors.contains(sentence), "\(command): \(outcome)")
      }
    }
    let piped = try await program.shell("cat all | datastore query -")
    #expect(piped.status != 0 && piped.errors.contains("it is a zip archive"), "\(piped)")
  }

  @Test("A compressed file without an extension is queried as through a pipe")
  func compressed() async throws {
    let rows = try await program.shell(
      "printf 'n\\n1\\n2\\n' | gzip > rows; datastore query rows --columns 'sum(n)' --no-header; "
        + "cat rows | datastore query - --columns 'sum(n)' --no-header")
    #expect(rows == Program.Outcome(status: 0, output: "3\n3\n", errors: ""))
  }

  @Test("What is wrong with a file is a sentence with its name")
  func faults() async throws {
    try program.directory.write("no archive", to: "text.zip")
    try program.directory.write("no workbook", to: "text.xlsx")
    try await archive("none.zip", "z.writestr(\"a.md\", b\"x\")\nz.writestr(\"b.md\", b\"x\")")
    try await archive("cut.zip", "z.writestr(\"a.csv\", b\"n\\n\" + b\"1\\n\" * 9999)")
    try await workbook("blank.xlsx", "pass")
    try await archive("blank.zip", "z.writestr(\"a.csv\", b\"\")")
    let damage = try await program.shell(
      """
      python3 -c 'd = bytearray(open("cut.zip", "rb").read()); d[45] ^= 255; d[50] ^= 255
      open("cut.zip", "wb").write(d)
      import zipfile
      z = zipfile.ZipFile("secret.zip", "w"); z.writestr("a.csv", b"n\\n1\\n"); z.close()
      d = bytearray(open("secret.zip", "rb").read()); d[6] |= 1; d[d.index(b"PK\\1\\2") + 8] |= 1
      open("secret.zip", "wb").write(d)'
      """)
    #expect(damage.status == 0, "\(damage)")
    for (name, sentence) in [
      ("text.zip", "it is not a zip archive, or is damaged"),
      ("text.xlsx", "it is not a file of Excel, or is damaged"),
      ("none.zip", "it has no CSV or JSON files"),
      ("cut.zip", "“a.csv” in it is damaged"),
      ("blank.xlsx", "its sheets are empty"),
      ("blank.zip", "its files of rows are empty"),
      ("secret.zip", "it is encrypted; unpack it with its password first"),
    ] {
      let outcome = try await program.run("query", name)
      #expect(outcome.status != 0 && outcome.output.isEmpty, "\(name): \(outcome)")
      #expect(outcome.errors == "datastore: \(name) cannot be read: \(sentence).\n")
    }
  }

  @Test("Where the program or the module is missing, a sentence says what to install")
  func missing() async throws {
    try await archive("data.zip", "z.writestr(\"a.csv\", b\"n\\n1\\n\")")
    let tool = Program.executable.path
    let without = try await program.shell("mkdir bin; PATH=$PWD/bin \(tool) query data.zip")
    #expect(
      without.errors
        == "datastore: data.zip cannot be read: the program python3, which reads such files, "
        + "is not installed (apt install python3).\n")
    // One that has no modules but its own.
    try program.directory.write(
      "#!/bin/sh\nshift\nexec /usr/bin/env -i /usr/bin/python3 -I -S \"$@\"\n", to: "bin/python3")
    try await workbook("book.xlsx", "s.append([1])")
    try program.directory.write("PAR1", to: "x.parquet")
    for (name, package) in [("book.xlsx", "python3-openpyxl"), ("x.parquet", "pyarrow")] {
      let outcome = try await program.shell(
        "chmod +x bin/python3; PATH=$PWD/bin \(tool) query \(name)")
      #expect(outcome.status != 0 && outcome.errors.contains(package), "\(outcome)")
      #expect(outcome.errors.hasPrefix("datastore: \(name) cannot be read: "), "\(outcome)")
    }
    let zip = try await program.shell("PATH=$PWD/bin \(tool) query data.zip")
    #expect(zip == Program.Outcome(status: 0, output: "n\n1\n", errors: ""))
  }
}
