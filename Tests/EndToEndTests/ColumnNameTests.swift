import DatastoreTestSupport
import Foundation
import Testing

/// Columns that are called like the functions and words of queries.
@Suite("Names of columns on the command line")
struct ColumnNameTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.directory.write(
      "word,letter,count\nape,x,2\nbee,x,3\ncow,y,5\n", to: "words.csv")
  }

  @Test(
    "A name with parentheses is the function, also where a column has its name",
    arguments: [
      (["--columns", "count(*)"], "count(*)\n3\n"), (["--columns", "count()"], "count()\n3\n"),
      (["--columns", "sum(count), count(count)"], "sum(count),count(count)\n10,3\n"),
      (
        ["--group-by", "letter", "--columns", "letter, count(*), count(word)"],
        "letter,count(*),count(word)\nx,2,2\ny,1,1\n"
      ),
      (
        ["--group-by", "letter", "--columns", "letter, max(count)", "--having", "count(*) > 1"],
        "letter,max(count)\nx,3\n"
      ),
      (
        ["--group-by", "letter", "--columns", "letter", "--having", "count() == 1"], "letter\ny\n"
      ),
      (
        ["--group-by", "letter", "--columns", "letter", "--order-by", "max(count) desc"],
        "letter\ny\nx\n"
      ),
    ])
  func functions(arguments: [String], output: String) async throws {
    let outcome = try await program.start(["query", "words.csv"] + arguments).outcome()
    #expect(outcome == Program.Outcome(status: 0, output: output, errors: ""))
  }

  @Test("Columns that are called like keywords are columns")
  func keywords() async throws {
    try SQLiteFile.make(
      at: program.directory.url.appending(path: "k.sqlite"),
      """
      CREATE TABLE k ("true" INT, "null" INT, "nil" INT, "SELF" INT, "and" INT, n INT);
      INSERT INTO k VALUES (11, 12, 13, 14, 15, 16);
      """)
    let outcome = try await program.run(
      "query", "k.sqlite", "k", "--columns", "true, null, nil, SELF, and, `nil` AS again, true + 1")
    #expect(
      outcome
        == Program.Outcome(
          status: 0, output: "true,null,nil,SELF,and,again,true+1\n11,12,13,14,15,13,12\n",
          errors: ""))
    // Other words stay constants.
    #expect(
      try await program.run("query", "k.sqlite", "k", "--columns", "n, false AS no").output
        == "n,no\n16,0\n")
  }

  @Test("A name without parentheses is the column, and a sentence names the function")
  func column() async throws {
    let outcome = try await program.run(
      "query", "words.csv", "--group-by", "letter", "--columns", "letter, count")
    #expect(outcome.status == 64 && outcome.output == "", "\(outcome)")
    #expect(outcome.errors.contains("write count(*) for the number of rows"), "\(outcome)")
  }
}
