import DatastoreTestSupport
import Foundation
import Testing

// Promise: a CSV or JSON file is queried → no copy of it is made, and the answer is that of a store into
// which it was loaded, also where what comes late in it changes its columns or types.
/// A file is queried directly. `load` takes another way, and its result gives the expected answers.
@Suite("datastore query: a file is read while it is asked")
struct QueriedFileTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  /// A file whose types its first megabyte shows, with further records.
  private func write(_ count: Int, _ last: String = "", to name: String) throws {
    var random = SeededRandom(seed: 36)
    var text = "id,number,score,day,part\n"
    for id in 0..<count {
      let (number, score) = (
        Int.random(in: 0..<1_000, using: &random), Int.random(in: 0..<9_999, using: &random)
      )
      let part =
        ["north", "south", "\"east, \"\"far\"\"\"", "", "ünder"].randomElement(using: &random) ?? ""
      let day = 1 + id % 28
      text += "\(id),\(number),\(score).25,2024-03-\(day < 10 ? "0" : "")\(day),\(part)\n"
    }
    try program.directory.write(text + last, to: name)
  }

  @Test("Conditions, orders, groups and sums are those of a store with the same rows")
  func agrees() async throws {
    try write(60_000, to: "t.csv")
    #expect(try await program.run("load", "t.csv", "--into", "t.sqlite", "--quiet").status == 0)
    let json = try await program.shell(
      """
      sqlite3 t.sqlite "SELECT json_group_array(json_object('id', id, 'number', number, 'score', score, 'day', day,
      'part', part)) FROM t" > t.json
      """)
    #expect(json.status == 0, "\(json)")
    let columns = "id, number, score, day, part"
    for options in [
      ["--columns", columns, "--where", "number > 990 AND part == \"north\""],
      ["--columns", columns, "--where", "id == 59999 OR id == 0"],
      ["--columns", columns, "--order-by", "score desc, id", "--limit", "20", "--offset", "3"],
      ["--columns", columns, "--order-by", "id desc", "--limit", "3"],
      ["--columns", columns, "--where", "day >= 2024-03-28 AND score < 100", "--limit", "40"],
      ["--group-by", "part", "--columns", "part, count, sum(number), min(day), max(score)"],
      ["--columns", "count, sum(number), max(id)", "--limit", "1"],
      ["--columns", "number * 2 AS twice", "--limit", "5"],
      ["--sql", "SELECT a.id FROM t a JOIN t b ON b.id = a.id + 1 WHERE b.number = 7 ORDER BY 1"],
    ] {
      let isSQL = options[0] == "--sql"
      let stored = try await program.start(
        ["query", "t.sqlite"] + (isSQL ? [] : ["t"]) + options
      ).outcome()
      #expect(stored.status == 0 && stored.output.count > 10, "\(options): \(stored)")
      for file in ["t.csv", "t.json"] {
        let live = try await program.start(["query", file, "--typed"] + options).outcome()
        #expect(live == stored, "\(file) \(options)")
      }
    }
  }

  // Promise: a few rows of a JSON file are asked for → each is written as it stands there.
  @Test("Objects that are found in a JSON file are written as they stand there")
  func objects() async throws {
    var lines: [String] = []
    for id in 0..<40_000 {
      lines.append(#"{"id": \#(id), "n": \#(id % 7).50, "tags": [\#(id), "a\u0062"]}"#)
    }
    lines.append(#"{"id": 40000, "n": 1e2, "late": "\"x\""}"#)
    try program.directory.write("[" + lines.joined(separator: ",\n") + "]", to: "t.json")
    let found = try await program.run(
      "query", "t.json", "--where", "id == 39999 OR id >= 40000", "--format", "json")
    let rows =
      #"{"id":39999,"n":1.50,"tags":[39999,"a\u0062"],"late":null},"#
      + #"{"id":40000,"n":1e2,"tags":null,"late":"\"x\""}"#
    let shown = found.output.filter { !$0.isWhitespace }
    #expect(found.status == 0 && shown == "[\(rows)]", "\(found)")
  }

  @Test(
    "Groups are those of a store: of equal numbers, of texts and nothing, of few rows and of many groups"
  )
  func groups() async throws {
    var random = SeededRandom(seed: 41)
    let places = ["Nice", "nice", "Niçe", "\"\"", "", "NA", "a, b".debugDescription]
    let rows = (0..<30_000).map { id in
      let place = places.randomElement(using: &random) ?? ""
      let number = ["0.0", "-0.0", "1.0", "1.5", "", "-2.25"].randomElement(using: &random) ?? ""
      let large = id % 3 == 0 ? "9223372036854775807" : "\(id)"
      return "\(id),\(place),\(number),\(large),2024-0\(1 + id % 9)-03,\(id % 2 == 0)"
    }
    try program.directory.write(
      (["id,place,number,large,day,even"] + rows).joined(separator: "\n") + "\n", to: "g.csv")
    #expect(try await program.run("load", "g.csv", "--into", "g.sqlite", "--quiet").status == 0)
    for options in [
      [
        "--group-by", "place", "--columns", "place, count, count(number), sum(number), avg(number)",
      ],
      ["--group-by", "number", "--columns", "number, count, min(number), max(place)"],
      ["--group-by", "place, even", "--columns", "place, even, count(DISTINCT number), sum(id)"],
      ["--group-by", "even", "--columns", "even, sum(large), avg(large), max(large), max(place)"],
      ["--group-by", "day.@month", "--columns", "day.@month, count, min(day)"],
      ["--group-by", "id", "--columns", "id, count, max(number)", "--order-by", "id desc"],
      [
        "--group-by", "place", "--where", "id > 100 AND number != nil", "--columns",
        "place, sum(id)",
      ],
      [
        "--group-by", "place", "--having", "count > 4000 AND avg(number) < 1", "--columns", "place",
      ],
      [
        "--group-by", "place, number", "--order-by", "sum(id) desc, place", "--columns",
        "number, sum(id * 2)", "--limit", "5", "--offset", "2",
      ],
      ["--columns", "count, count(DISTINCT place), sum(large)", "--where", "id < 0"],
      ["--group-by", "place", "--where", "id < 0"],
    ] {
      let live = try await program.start(["query", "g.csv", "--typed"] + options).outcome()
      let stored = try await program.start(["query", "g.sqlite", "g"] + options).outcome()
      #expect(stored.status == 0, "\(options): \(stored)")
      #expect(live == stored, "\(options)")
    }
  }

  @Test("Nothing is left, and the whole file comes out as it is, though more than is held back")
  func whole() async throws {
    try write(200_000, to: "t.csv")
    let outcome = try await program.shell(
      "mkdir tmp; TMPDIR=$PWD/tmp datastore query t.csv | cmp - t.csv && ls -A tmp")
    #expect(outcome == Program.Outcome(status: 0, output: "", errors: ""))
  }

  @Test("A value of another type at the end of a file changes the type for all of its rows, once")
  func late() async throws {
    for count in [60_000, 200_000] {
      try write(count, "\(count),many,1.5,2024-01-01,north\n", to: "late.csv")
      let outcome = try await program.run(
        "query", "late.csv", "--typed", "--format", "jsonl", "--columns", "id, number")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let lines = outcome.output.split(separator: "\n")
      #expect(lines.count == count + 1)
      #expect(lines.allSatisfy { $0.hasPrefix("{\"id\":") && $0.hasSuffix("\"}") })
      #expect(lines.last == "{\"id\":\(count),\"number\":\"many\"}")
      #expect(outcome.errors.components(separatedBy: "“number” has").count == 2)
    }
  }

  @Test("A column that only a late record has can be asked for, and the record is told of once")
  func lateColumn() async throws {
    try write(60_000, "60000,1,1.5,2024-01-01,north,more\n", to: "late.csv")
    let outcome = try await program.run(
      "query", "late.csv", "--where", "irregular != nil", "--columns", "id, column_6, irregular")
    #expect(outcome.output == "id,column_6,irregular\n60000,more,6 fields\n")
    #expect(outcome.status == 3, "\(outcome)")
    #expect(outcome.errors.components(separatedBy: "irregular (line 60002").count == 2)
    let all = try await program.run("query", "late.csv", "--columns", "count, sum(id)")
    #expect(all.output == "count,sum(id)\n60001,1800030000\n", "\(all)")
    #expect(all.status == 3)
  }

  @Test("What a column has that nobody asks for is no matter, unless it tells what dates mean")
  func unasked() async throws {
    try write(60_000, "60000,many,1.5,2024-01-01,north\n", to: "late.csv")
    for (columns, answer) in [("id, score", "id,score\n60000,1.5\n"), ("count", "count\n1\n")] {
      let outcome = try await program.run(
        "query", "late.csv", "--columns", columns, "--where", "id >= 60000")
      #expect(outcome == Program.Outcome(status: 0, output: answer, errors: ""))
    }
    let lines = (0..<60_000).map { "\($0),01/02/2024,03/04/2024" }
    try program.directory.write(
      (["id,begun,ended"] + lines + ["60000,01/02/2024,25/02/2024"]).joined(separator: "\n"),
      to: "dates.csv")
    let dates = try await program.run(
      "query", "dates.csv", "--typed", "--columns", "max(begun)", "--no-header")
    #expect(dates.output.hasPrefix("2024-02-01"), "\(dates)")
  }

  @Test("Moments that are written as values keep nine digits of a second")
  func moments() async throws {
    let text = "id,at\n1,2024-01-01T00:00:00.123456789Z\n2,2024-01-02T03:04:05.250Z\n"
    try program.directory.write(text, to: "at.csv")
    let all: [[String]] = [[], ["--order-by", "at"], ["--where", "at >= 2024-01-01"]]
    for options in all {
      let outcome = try await program.start(["query", "at.csv", "--typed"] + options).outcome()
      #expect(outcome.output == text, "\(options): \(outcome)")
    }
  }

  @Test("Who asks for a column of a file that has none is told how it was read")
  func withoutHeader() async throws {
    try program.directory.write("a,b\n1,2\n3,4\nx,y\n", to: "odd.csv")
    let outcome = try await program.run("query", "odd.csv", "--where", "b == \"2\"")
    #expect(outcome.status == 64)
    #expect(
      outcome.errors.hasPrefix(
        "datastore: odd.csv: there is no header row, so the columns are called column_1 and so on.\n"
          + "datastore: odd has no property “b”."), "\(outcome)")
    let said = try await program.run("query", "odd.csv", "--input-header", "--where", "b == \"2\"")
    #expect(said.output == "a,b\n1,2\n", "\(said)")
  }

  @Test("The numbers of the rows, which a file does not have, are written only if they are named")
  func hiddenKeys() async throws {
    try program.directory.write("[]", to: "none.json")
    let none = try await program.run("query", "none.json")
    #expect(none == Program.Outcome(status: 0, output: "", errors: ""))
    try program.directory.write("customer_id,b\n1,x\n2,y\n", to: "two.csv")
    let words = ["query", "two.csv", "--format", "csv", "--sql"]
    let all = try await program.start(
      words + ["SELECT * FROM two WHERE customer_id > 1"]
    ).outcome()
    #expect(all.output == "customer_id,b\n2,y\n", "\(all)")
    let named = try await program.start(words + ["SELECT _id, * FROM two LIMIT 1"]).outcome()
    #expect(named.output == "_id,_id,customer_id,b\n1,1,1,x\n", "\(named)")
  }

  @Test("A record that is left out is told of once")
  func faults() async throws {
    try write(60_000, "60000,many,1.5,2024-01-01,north\n", to: "late.csv")
    for options in [["--columns", "count"], ["--columns", "max(id)"]] {
      let outcome = try await program.start(
        ["query", "late.csv", "--type", "number=integer"] + options
      ).outcome()
      #expect(outcome.status == 1, "\(outcome)")
      #expect(
        outcome.errors.components(separatedBy: "line 60002, column 7").count == 2, "\(outcome)")
      #expect(outcome.output.hasSuffix(options[1] == "count" ? "60000\n" : "59999\n"))
    }
  }
}
