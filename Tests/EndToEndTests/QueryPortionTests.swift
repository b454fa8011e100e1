import DatastoreTestSupport
import Foundation
import Testing

// Promise: a query shows the first rows of a large file or pipe → it reads no further than it must, and
// shows what reading all would show; where the first part does not suffice or has a fault, all is read.
// Also: `ReadingPortionTests`
/// `datastore query --limit` reads as much of a file of rows as is shown.
@Suite("datastore query: reading ends when there is enough")
struct QueryPortionTests {
  private let program: Program

  init() throws {
    program = try Program()
    // Writes rows until the reader ends, and prints the number of bytes.
    try program.directory.write(
      """
      import sys, signal, os
      signal.signal(signal.SIGPIPE, signal.SIG_IGN)
      written = 0
      rows = iter(range(1_000_000))
      out = os.open(sys.argv[1], os.O_WRONLY)
      def put(text):
          global written
          data = text.encode()
          while data:
              count = os.write(out, data)
              written += count
              data = data[count:]
      try:
          if sys.argv[2] == 'csv': put('id,name\\n')
          for row in rows:
              put(f'{row},name {row} {"x" * 40}\\n' if sys.argv[2] == 'csv'
                  else '{"id": %d, "name": "name %d %s"}\\n' % (row, row, 'x' * 40))
      except BrokenPipeError:
          pass
      print(written, file=open('written', 'w'))
      """, to: "rows.py")
  }

  /// The output of a query of a million rows from a pipe, and how many bytes of them it read.
  private func query(_ options: String, _ format: String = "csv") async throws -> (String, Int) {
    let outcome = try await program.shell(
      """
      rm -f p; mkfifo p
      python3 rows.py p \(format) & \
      datastore query p --input-format \(format == "csv" ? "csv" : "jsonl") \(options); wait
      """)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let written = try String(contentsOf: program.directory.file("written"), encoding: .utf8)
    return (outcome.output, try #require(Int(written.trimmingCharacters(in: .newlines))))
  }

  @Test(
    "A pipe of rows is read for what is shown, and no further", arguments: ["csv", "json"])
  func pipes(format: String) async throws {
    let (first, bytes) = try await query("--limit 2 --columns id", format)
    #expect(first == "id\n0\n1\n")
    #expect(bytes < 1_000_000, "\(bytes)")
    let (later, laterBytes) = try await query("--limit 2 --offset 3 --columns id", format)
    #expect(later == "id\n3\n4\n")
    #expect(laterBytes < 1_000_000, "\(laterBytes)")
    let (matching, matchingBytes) = try await query(
      "--limit 1 --columns id --where 'id > 20000'", format)
    #expect(matching == "id\n20001\n")
    #expect(matchingBytes < 20_000_000, "\(matchingBytes)")
  }

  @Test("All is read where all counts")
  func all() async throws {
    let (sum, bytes) = try await query("--limit 1 --columns 'sum(id)' --format csv")
    #expect(sum.split(separator: "\n").last == "499999500000")
    #expect(bytes > 50_000_000)
    let (last, _) = try await query("--limit 1 --columns id --order-by 'id desc'")
    #expect(last == "id\n999999\n")
  }

  @Test("Small files, and those with fewer rows than are wanted, are as they were")
  func small() async throws {
    try program.directory.write("a,b\n1,x\n2,y\n3\n", to: "s.csv")
    #expect(
      try await program.run("query", "s.csv", "--limit", "9", "--where", "a > 1").output
        == program.run("query", "s.csv", "--where", "a > 1").output)
    #expect(
      try await program.run("query", "s.csv", "--limit", "0").output
        == "a,b,irregular\n")
    try program.directory.write("{\"a\": 1}\n{\"a\": 2, \"late\": true}\n", to: "s.jsonl")
    #expect(
      try await program.run("query", "s.jsonl", "--limit", "1", "--where", "late == YES").output
        == "a,late\n2,true\n")
    let typo = try await program.run("query", "s.csv", "--limit", "1", "--columns", "c")
    #expect(typo.status == 64 && typo.errors.contains("“c”"), "\(typo)")
  }

  @Test("A reader that goes ends the program quietly")
  func head() async throws {
    let outcome = try await program.shell(
      """
      (echo n; seq 300000) > n.csv
      datastore query n.csv --input-header | head -n 1
      """)
    #expect(outcome == Program.Outcome(status: 0, output: "n\n", errors: ""))
  }
}
