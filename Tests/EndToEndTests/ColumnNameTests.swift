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

  @Test("A name without parentheses is the column, and a sentence names the function")
  func column() async throws {
    let outcome = try await program.run(
      "query", "words.csv", "--group-by", "letter", "--columns", "letter, count")
    #expect(outcome.status == 64 && outcome.output == "", "\(outcome)")
    #expect(outcome.errors.contains("write count(*) for the number of rows"), "\(outcome)")
  }
}
