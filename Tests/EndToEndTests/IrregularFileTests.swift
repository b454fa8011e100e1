import DatastoreTestSupport
import Foundation
import Testing

/// Files of rows that are not as they should be: nothing of them is lost without a word.
@Suite("Irregular files of rows")
struct IrregularFileTests {
  private let program: Program

  init() throws { program = try Program() }

  @Test("Every record is shown, what is odd is told and marked, and the exit code says so")
  func irregular() async throws {
    var bytes = Data("id,size\n1,5\" pipe\n2,\"x\"y\n3,\"open\n4,Zoë".utf8)
    bytes.append(0xEB)
    bytes.append(Data("\n5\n6,z\n".utf8))
    try bytes.write(to: program.directory.file("odd.csv"))
    let odd = try await program.run(
      "query", "odd.csv", "--columns", "id, size, irregular", "-o", "out.csv")
    let written = try Data(contentsOf: program.directory.file("out.csv"))
    // A byte that is not UTF-8 is the one of the file.
    #expect(written.contains(0xEB))
    #expect(
      String(decoding: written, as: UTF8.self).replacing("\u{FFFD}", with: "?") == """
        id,size,irregular
        1,"5"" pipe",a quote inside a field
        2,xy,text after a closing quote
        3,"\""open",a quote that is not closed
        4,Zoë?,a byte that is not UTF-8
        5,,1 field
        6,z,

        """)
    #expect(odd.status == 3)
    #expect(
      odd.errors.hasPrefix(
        "datastore: odd.csv: 5 records are irregular (line 2: a quote inside a field; line 3: text "
          + "after a closing quote; line 4: a quote that is not closed; …); the column irregular "
          + "says which.\n"), "\(odd.errors)")
    // A load accepts nothing ambiguous, and reports its place.
    let load = try await program.run("load", "odd.csv", "--into", "s.sqlite", "-q")
    #expect(load.status == 65 && load.errors.contains("odd.csv, line 2, column 4"), "\(load)")
    let skipped = try await program.run(
      "load", "odd.csv", "--into", "s.sqlite", "-q", "--on-error", "skip")
    #expect(skipped.status == 1)
    #expect(skipped.output.contains("Loaded 1 of 6 rows"), "\(skipped)")
    // Records that cannot be read at all have another exit code.
    try program.directory.write("{\"a\": 1}\nnonsense\n{\"a\": 2, \"a\": 3}\n", to: "x.jsonl")
    let json = try await program.run("query", "x.jsonl", "--columns", "a, a_2, irregular")
    #expect(json.output == "a,a_2,irregular\n1,,\n2,3,a name that occurs twice\n")
    #expect(json.status == 1 && json.errors.contains("x.jsonl, line 2"), "\(json)")
  }

  @Test("Tab-separated values whose quotes mean nothing have nothing odd about them")
  func plainQuotes() async throws {
    try program.directory.write(
      "name\tsize\nDouglas \"Dougie\" P\t5\"\n\"Hi,\" he said\tx\n", to: "t.tsv")
    let plain = try await program.run("query", "t.tsv", "--format", "tsv", "--columns", "size")
    #expect(plain == Program.Outcome(status: 0, output: "size\n\"5\"\"\"\nx\n", errors: ""))
    let told = try await program.run("query", "t.tsv", "--quotes")
    #expect(told.status == 3)
    let load = try await program.run("load", "t.tsv", "--into", "s.sqlite", "-q")
    #expect(load.status == 0, "\(load)")
  }
}
