import DatastoreTestSupport
import Foundation
import Testing

@Suite("datastore query on files of rows")
struct QueriedFilesTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.directory.write(
      "customer,amount,day\n1,10.50,1872-11-30\n2,3,2024-01-05\n1,4.5,2024-01-06\n",
      to: "sales.csv")
    try program.directory.write("id;name\n1;Ada\n2;\"Bo; junior\"\n", to: "customers.csv")
  }

  private func expect(
    _ outcome: Program.Outcome, output: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      outcome == Program.Outcome(status: 0, output: output, errors: ""),
      sourceLocation: sourceLocation)
  }

  @Test("A CSV file is asked like a store; its table is the one that is meant")
  func plain() async throws {
    expect(
      try await program.run("query", "sales.csv", "--where", "customer == 1 AND amount < 10"),
      output: "customer,amount,day\n1,4.5,2024-01-06\n")
    expect(
      try await program.run(
        "query", "sales.csv", "sales", "--group-by", "customer", "--columns",
        "customer, count", "--order-by", "customer"),
      output: "customer,count\n1,2\n2,1\n")
    #expect(try program.directory.names().filter { $0.hasPrefix("datastore-") } == [])
  }

  @Test("Several files, compressed ones and standard input are tables of one store")
  func several() async throws {
    let script = """
      gzip -k customers.csv && datastore query - --with customers.csv.gz --no-header --sql \
      'SELECT name, sum(amount) FROM input JOIN customers ON id = customer GROUP BY 1' < sales.csv
      """
    expect(try await program.shell(script), output: "Ada,15.0\nBo; junior,3\n")
    try program.directory.write("[{\"a\": 1}, {\"a\": 2}]", to: "x.json")
    expect(
      try await program.run("query", "x.json", "--columns", "sum(a) AS total"),
      output: "total\n3\n")
  }

  @Test("Lines that are not read, names, and records with more fields")
  func reading() async throws {
    try program.directory.write(
      "made by a machine\nsecond line\na,b\n1,x\n% no, row\n2,y,extra\n", to: "odd.txt")
    let odd = try await program.run(
      "query", "odd.txt", "--skip-lines", "2", "--comment", "%", "--columns",
      "a, b, irregular, column_3")
    #expect(odd.output == "a,b,irregular,column_3\n1,x,,\n2,y,3 fields,extra\n")
    #expect(
      odd.errors
        == "datastore: odd.txt: 1 record is irregular (line 6: 3 fields); the column irregular says which.\n"
    )
    #expect(odd.status == 3)
    let outcome = try await program.run("query", "sales.csv", "nothing")
    #expect(outcome.status == 64 || outcome.status == 66)
    #expect(outcome.errors.contains("nothing"))
    #expect(
      try await program.run("query", "p.sqlite", "--with", "sales.csv").errors
        .contains("--with adds files to a CSV or JSON file, not to a store."))
  }

  @Test("The schema of rows is that of the tables that they would be loaded into")
  func schema() async throws {
    try program.directory.write(
      "id,name,born\n1,Ada,1815-12-10\n2,Alan,1912-06-23\n", to: "people.csv")
    try program.directory.write(#"[{"city":"Paris","people":2.5}]"#, to: "cities.json")
    let loaded = try await program.shell(
      "datastore load people.csv cities.json --into both.sqlite >&2 && datastore schema both.sqlite --format swift"
    )
    #expect(loaded.status == 0 && loaded.output.contains("class"), "\(loaded.errors)")
    expect(
      try await program.run(
        "schema", "people.csv", "--with", "cities.json", "--format", "swift"), output: loaded.output
    )
    try program.directory.write(
      "id,pay,paid,at\n1,1.25,TRUE,2024-01-05\n2,3,true,2024-01-06 10:00\n", to: "pay.csv")
    let kept = try await program.shell(
      "datastore load pay.csv --into pay.sqlite >&2 && datastore schema pay.sqlite --format swift")
    #expect(kept.status == 0 && kept.output.contains("Double"), "\(kept)")
    let seen = try await program.run("schema", "pay.csv", "--format", "swift")
    #expect(seen.output == kept.output, "\(seen.errors)")
    let piped = try await program.run(
      "schema", "-", "--format", "json", input: "a;b\n1;x\n")
    #expect(piped.status == 0 && piped.output.contains(#""name": "input""#), "\(piped.output)")
    let refused = try await program.run("schema", "both.sqlite", "--with", "people.csv")
    #expect(refused.status == 64)
    #expect(refused.errors.contains("--with adds files to a CSV or JSON file, not to a store."))
  }

  @Test("A misspelt command is not taken for a file")
  func misspelt() async throws {
    let outcome = try await program.run("qurey", "sales.csv")
    #expect(outcome.status == 64)
    #expect(
      outcome.errors.contains(
        "There is no file and no command “qurey”; did you mean datastore query?"))
  }

  @Test("What is asked for as CSV without changes is what the file says")
  func roundTrip() async throws {
    let text = "city;born;ok;n\nParis;1815-12-10;TRUE;22\nOslo;;FALSE;1.25\n"
    try program.directory.write(text, to: "c.csv")
    expect(
      try await program.run("query", "c.csv"), output: text.replacingOccurrences(of: ";", with: ",")
    )
  }
}

@Suite(
  "CSV files on a terminal", .serialized, .enabled(if: TmuxSession.isPresent, TmuxSession.absence)
)
struct FilesOnTerminalTests {
  private let program: Program
  private let session: TmuxSession

  init() throws {
    program = try Program()
    session = try TmuxSession(program)
  }

  private func bytes(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: program.directory.file(name)), as: UTF8.self)
  }

  @Test("What is edited is written into the file after a look at it; the rest stays byte for byte")
  func editing() async throws {
    let text =
      "\u{FEFF}city;born;\"note\"\r\nParis;10.12.1815;\"x;y\"\r\n\r\nOslo;1.5.2024;\"007\"\r\nRome;;1;2\r\n"
    try program.directory.write(text, to: "data.csv")
    try await session.wait(for: "$")
    try session.enter("datastore data.csv")
    try await session.wait(for: "Paris", "Rome", "no unsaved changes", "Saving writes into it.")
    try await session.replaceValue(with: "Lutetia")
    try session.press("C-s")
    try await session.wait(for: "Paris", "→  Lutetia", "These changes go into data.csv")
    #expect(try bytes("data.csv") == text)
    try session.press("C-s")
    try await session.wait(for: "Wrote data.csv: 1 record changed.", "no unsaved changes")
    #expect(try bytes("data.csv") == text.replacingOccurrences(of: "Paris", with: "Lutetia"))
    // Undoing it and saving again brings back the file as it was.
    try session.press("u")
    try await session.wait(for: "● 1 changed")
    try session.press("C-s")
    try await session.wait(for: "These changes go into data.csv")
    try session.press("C-s")
    try await session.wait(for: "Wrote data.csv: 1 record changed.")
    #expect(try bytes("data.csv") == text)
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
    #expect(try program.directory.names().filter { $0.hasPrefix("datastore-") } == [])
  }

  // Promise: another program writes the CSV file meanwhile → it is not replaced, that is said, and the
  // edits stay.
  @Test("A file that another program has written is not written, and that is said")
  func changedMeanwhile() async throws {
    try program.directory.write("city,n\nParis,1\n", to: "data.csv")
    try await session.wait(for: "$")
    try session.enter("datastore data.csv")
    try await session.wait(for: "Paris", "no unsaved changes", "Saving writes into it.")
    try await session.replaceValue(with: "Lyon")
    try program.directory.write("city,n\nNice,1\nRome,2\n", to: "data.csv")
    try session.press("C-s")
    try await session.wait(for: "→  Lyon")
    try session.press("C-s")
    try await session.wait(
      for: "Not everything was written", "another program has changed it")
    #expect(try bytes("data.csv") == "city,n\nNice,1\nRome,2\n")
    try session.press("Escape")
    // A key right after Escape would be one with Alt.
    try await session.wait(for: "the question to go") { lines in
      !lines.contains { $0.contains("Not everything") }
    }
    try await session.wait(for: "the file lacks changes")
    try session.press("q")
    try await session.wait(for: "data.csv lacks changes that were saved in the copy")
    try session.press("d")
    try await session.wait(for: "the shell") { $0.last == "$" }
  }

  // Promise: a file has other types behind its beginning → its table is made again; every value is shown, and
  // an edit goes into its place.
  @Test("The end of a file may have other types than its beginning")
  func otherTypesBehindTheBeginning() async throws {
    // More than the megabyte that determines the types.
    let numbers = (1...150_000).map { "\($0),\($0 % 7)\n" }.joined()
    try program.directory.write("id,amount\n" + numbers + "150001,many\n", to: "data.csv")
    try await session.wait(for: "$")
    try session.enter("datastore data.csv")
    // The list may show the last rows a moment after the report.
    try await session.wait(
      for: "no unsaved changes", "Read 150,001 rows of data.csv.", "1 of 150,001")
    try session.press("End")
    try await session.wait(for: "150001", "many")
    try session.press("Right")
    try await session.replaceValue(with: "few")
    try session.press("C-s")
    try await session.wait(for: "→  few")
    try session.press("C-s")
    try await session.wait(for: "Wrote data.csv: 1 record changed.")
    #expect(try bytes("data.csv") == "id,amount\n" + numbers + "150001,few\n")
    try session.press("q")
    try await session.wait(for: "data.csv has other types after its beginning")
  }

  @Test("Several files are tables beside each other, and each is written into its own file")
  func several() async throws {
    try program.directory.write("customer_id,amount\n1,10.50\n2,3\n", to: "sales.csv")
    try program.directory.write("customer_id;name\n1;Ada\n2;Bo\n", to: "customers.csv")
    try await session.wait(for: "$")
    try session.enter("datastore sales.csv customers.csv --entity customers")
    try await session.wait(for: "sales", "customers", "Ada", "no unsaved changes")
    try session.press("Right")
    try await session.replaceValue(with: "Eve")
    try session.press("C-s")
    try await session.wait(for: "→  Eve")
    try session.press("C-s")
    try await session.wait(for: "Wrote customers.csv: 1 record changed.")
    #expect(try bytes("customers.csv") == "customer_id;name\n1;Eve\n2;Bo\n")
    #expect(try bytes("sales.csv") == "customer_id,amount\n1,10.50\n2,3\n")
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
  }

  // Promise: a relationship is accepted for a column of a CSV file → the column is still written as the
  // file has it; without what was said it is a column again.
  // Also: `SuggestionTests.loaded`
  @Test(
    "A relationship between files is suggested, accepted, kept and edited; the files stay as they are"
  )
  func relationships() async throws {
    let sales = "customer_id;amount\n17;10.50\n23;3\n17;4\n"
    try program.directory.write(sales, to: "sales.csv")
    try program.directory.write("id;name\n17;Ada\n23;Bo\n", to: "customers.csv")
    try await session.wait(for: "$")
    for round in 0..<2 {
      try session.enter("clear; datastore sales.csv customers.csv --entity sales")
      try await session.wait(for: "sales", "customers", "no unsaved changes", "10.5")
      if round == 0 {
        try session.press("&")
        try await session.wait(for: "sales.customer_id", "customers.id", "enter accepts")
        try session.press("Enter")
      }
      // The customers are called by their names, the next time, too.
      try await session.wait(for: "the names of customers") { lines in
        lines.contains { $0.contains("Ada") && $0.contains("10.5") }
      }
      if round == 0 {
        try session.press("Home", "0", "/")
        try session.enter("Bo")
        try await session.wait(for: "1 of 1")
        try session.press("e")
        try await session.wait(for: "None")
        try session.enter("Ada")
        try await session.wait(for: "1 changed")
        try session.press("C-s")
        try await session.wait(for: "→  Ada", "These changes go into")
        try session.press("C-s")
        try await session.wait(for: "Wrote", "no unsaved changes")
        #expect(try bytes("sales.csv") == sales.replacingOccurrences(of: "23;3", with: "17;3"))
      }
      try session.press("q")
      try await session.wait(for: "the shell") { $0.last == "$" }
    }
    #expect(try bytes("customers.csv") == "id;name\n17;Ada\n23;Bo\n")
  }

  @Test("A JSON file is written back in its own shape")
  func json() async throws {
    let text =
      "[\n  {\"city\": \"Paris\", \"n\": 1.50, \"tags\": [ \"a\" ]},\n"
      + "  {\"city\" : \"Oslo\",\"n\":2}\n]\n"
    try program.directory.write(text, to: "data.json")
    try await session.wait(for: "$")
    try session.enter("datastore data.json")
    try await session.wait(for: "Paris", "Oslo", "no unsaved changes", "Saving writes into it.")
    try await session.replaceValue(with: "Lutetia")
    try session.press("C-s")
    try await session.wait(for: "→  Lutetia", "These changes go into data.json")
    try session.press("C-s")
    try await session.wait(for: "Wrote data.json: 1 record changed.", "no unsaved changes")
    #expect(try bytes("data.json") == text.replacingOccurrences(of: "Paris", with: "Lutetia"))
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
  }

  @Test("Views and what is said of a file are kept, though its store is another one each time")
  func keeping() async throws {
    try program.directory.write("city,pay\nParis,1\nOslo,2\nRome,3\n", to: "data.csv")
    try await session.wait(for: "$")
    for round in 0..<2 {
      try session.enter("clear; datastore data.csv")
      try await session.wait(for: "Paris", "no unsaved changes")
      if round == 0 {
        try session.press("s")
        try await session.wait(for: "city ▲")
        try session.press("Right", ":")
        try await session.wait(for: "Commands")
        try session.enter("column-meaning unit EUR")
      }
      try await session.wait(for: "city ▲", "EUR")
      try await session.wait(for: "the order of cities") { lines in
        let oslo = lines.firstIndex { $0.contains("Oslo") }
        let paris = lines.firstIndex { $0.contains("Paris") }
        return (oslo ?? .max) < (paris ?? 0)
      }
      try session.press("q")
      try await session.wait(for: "the shell") { $0.last == "$" }
    }
  }
}

// Promise: the copied command → gives what the screen shows.
@Suite(
  "Copied commands", .serialized, .enabled(if: TmuxSession.isPresent, TmuxSession.absence)
)
struct CopiedCommandTests {
  private let program: Program
  private let session: TmuxSession

  init() throws {
    program = try Program()
    session = try TmuxSession(program)
    try SQLiteFile.make(
      at: program.directory.url.appending(path: "f.sqlite"),
      """
      CREATE TABLE "it's" (id INTEGER PRIMARY KEY, "full name" TEXT, `a``b` INTEGER, born DATE, pay REAL);
      INSERT INTO "it's" VALUES (1, 'Ada "A" L''ace', 5, '1815-12-10', 10.5), (2, 'Bo', 3, NULL, NULL),
        (3, NULL, 5, '2024-01-05', 0.1), (4, 'Zoë', 3, '1999-02-03', 7), (5, 'zoe', 4, '2024-01-05', 2);
      """)
  }

  private func perform(_ command: String, until text: String) async throws {
    try session.press(":")
    try await session.wait(for: "Commands")
    try session.enter(command)
    try await session.wait(for: text)
  }

  @Test(
    "The command, and its SQL, give what the table shows",
    arguments: [
      "", "--where '`full name` BEGINSWITH[cd] \"zo\" OR `full name` CONTAINS \"\\\"\"'",
      "--order-by 'pay desc, `full name`[c]'", "--group-by 'a`b' --order-by 'born desc'",
      "--where 'born >= 1999-01-01 AND pay < 7' --order-by '`a``b`'",
    ])
  func roundTrip(options: String) async throws {
    try session.tmux("set-option", "-s", "set-clipboard", "on")
    try await session.wait(for: "$")
    try session.enter("clear; datastore f.sqlite --entity \"it's\" \(options)")
    try await session.wait(for: "full name", "no unsaved changes")
    try await perform("export out.csv", until: "Wrote")
    try await perform("copy-command", until: "Copied: datastore query")
    let command = try session.tmux("show-buffer")
    #expect(command.hasPrefix("datastore query "))
    let queried = try await program.shell(command)
    #expect(queried.output == (try session.file("out.csv")), "\(command)")
    #expect(queried.errors == "")
    try await perform("copy-sql", until: "Copied the SQL")
    let sql = try session.tmux("show-buffer")
    #expect(try await program.shell(command + " --show-sql").output.contains("SELECT"))
    if !options.contains("[c") {
      // The sqlite3 program does not have the functions that fold text.
      try program.directory.write(sql, to: "asked.sql")
      // It quotes more than is needed, so that both are compared as another program reads them.
      let read = "python3 -c 'import csv, sys; print(list(csv.reader(sys.stdin)))'"
      let found = try await program.shell(
        "sqlite3 -csv -header f.sqlite \"$(cat asked.sql)\" | \(read)")
      let shown = try await program.shell("\(read) < out.csv")
      #expect(found.status == 0 && shown.output.contains("full name"))
      #expect(found.output == shown.output, "\(sql)")
    }
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
  }

  @Test("A file of rows is named by what is asked again")
  func fileOfRows() async throws {
    try program.directory.write("x\na;b\n1;2\n3;4\n", to: "odd file.csv")
    try session.tmux("set-option", "-s", "set-clipboard", "on")
    try await session.wait(for: "$")
    try session.enter("clear; datastore 'odd file.csv' --skip-lines 1 --where 'a > 1'")
    try await session.wait(for: "no unsaved changes", "Saving writes into it.")
    try await perform("copy-command", until: "Copied: datastore query")
    let command = try session.tmux("show-buffer")
    #expect(try await program.shell(command).output == "a,b\n3,4\n", "\(command)")
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
  }
}
