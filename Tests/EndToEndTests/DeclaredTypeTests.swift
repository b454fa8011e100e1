import DatastoreTestSupport
import Foundation
import Testing

/// Conditions and calculations over what the columns of a file of another program are declared to hold.
@Suite("Numbers and texts on the command line")
struct DeclaredTypeTests {
  private let program: Program

  init() throws {
    program = try Program()
    try SQLiteFile.make(
      at: program.directory.url.appending(path: "t.sqlite"),
      """
      CREATE TABLE t (amount TEXT, age INT, x, price DECIMAL(10, 2));
      INSERT INTO t VALUES ('10', 30, 1, 1.5), ('20', 'old', '20', '30');
      """)
  }

  @Test(
    "A number beside a column of text, and its text beside one of numbers, are refused",
    arguments: [
      ("--where", "amount > 15", "put it in quotes: \"15\""),
      ("--where", "amount == 10", "put it in quotes: \"10\""),
      ("--where", "amount IN {10}", "put it in quotes: \"10\""),
      ("--where", "age == \"30\"", "“age” is compared with a number, found \"30\""),
      ("--where", "price == \"30\"", "“price” is compared with a number, found \"30\""),
      ("--columns", "sum(amount)", "“amount” does not hold numbers, so it has no sum"),
      ("--columns", "amount * 2", "“amount” does not hold numbers"),
    ])
  func refused(option: String, text: String, sentence: String) async throws {
    let outcome = try await program.run("query", "t.sqlite", "t", option, text)
    #expect(outcome.status == 64 && outcome.output == "", "\(outcome)")
    #expect(outcome.errors.contains(sentence), "\(outcome)")
  }

  @Test(
    "What such columns can hold is found",
    arguments: [
      ("amount == \"20\"", "20"), ("age == 30", "10"), ("age == \"old\"", "20"), ("x == 1", "10"),
      ("price == 30", "20"),
      ("x == \"20\"", "20"), ("amount BEGINSWITH \"2\"", "20"),
      ("amount != NULL AND age > 5", "both"),
    ])
  func found(condition: String, amount: String) async throws {
    let outcome = try await program.run(
      "query", "t.sqlite", "t", "--columns", "amount", "--where", condition)
    // Every text is greater than every number.
    let rows = amount == "both" ? "10\n20\n" : amount + "\n"
    #expect(outcome.status == 0 && outcome.output == "amount\n" + rows, "\(outcome)")
  }

  #if PostgreSQL
  @Test("Dates and UUIDs in the tables of a server are compared as such")
  func ofServers() async throws {
    let server = try PostgreSQLServer.shared()
    let database = try server.makeDatabase()
    _ = try server.psql(
      database,
      """
      CREATE TABLE log (id int PRIMARY KEY, at timestamptz, local timestamp, day date, code uuid);
      INSERT INTO log VALUES
        (1, '2024-01-14 23:00:00Z', '2024-01-14 23:00:00', '2024-01-14', NULL),
        (2, '2024-01-15 08:00:00Z', '2024-01-15 08:00:00', '2024-01-15',
          '00112233-4455-6677-8899-aabbccddeeff');
      """)
    for condition in [
      "at >= 2024-01-15", "at >= \"2024-01-15\"", "at == \"2024-01-15T10:00:00+02:00\"",
      "local > 2024-01-15", "day == 2024-01-15", "day >= \"2024-01-14T12:00:00Z\"",
      "code == \"00112233-4455-6677-8899-aabbccddeeff\"",
    ] {
      let outcome = try await program.run(
        "query", server.address(of: database), "log", "--columns", "id", "--where", condition)
      #expect(outcome.status == 0 && outcome.output == "id\n2\n", "\(condition): \(outcome)")
    }
  }
  #endif
}
