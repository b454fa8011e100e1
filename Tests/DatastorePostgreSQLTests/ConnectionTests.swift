#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport
import Foundation
import Testing

struct ConnectionTests {
  let server: PostgreSQLServer
  let database: String
  let connection: PostgreSQLConnection

  init() throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
    connection = try PostgreSQLConnection(PostgreSQLAddress(server.address(of: database)))
  }

  @Test func valuesTravelInBinaryFormBothWays() throws {
    let id = try #require(UUID(uuidString: "00112233-4455-6677-8899-aabbccddeeff"))
    let moment = try #require(ServerTime(secondsSince2001: 0.000_001))
    var numbers = PostgreSQLArray(of: .int8)
    numbers.append(1 as Int64)
    numbers.appendNull()
    numbers.append(Int64.min)
    let result = try connection.run(
      PostgreSQLStatement(
        "SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9::text[], $7::text, $8::text, $10::int2",
        [
          .bool(true), .int8(-7), .float8(0.1), .text("Ä “quoted” text"), .bytea(Data([0, 255])),
          .uuid(id), .timestamptz(moment), numbers.parameter, .textArray(["a", "", "ß"]),
          PostgreSQLParameter(written: "12"),
        ]))
    #expect(result.rowCount == 1)
    #expect(result.bool(0, 0))
    #expect(result.integer(0, 1) == -7)
    #expect(result.real(0, 2) == 0.1)
    #expect(result.text(0, 3) == "Ä “quoted” text")
    #expect(Array(result.bytes(0, 4)) == [0, 255])
    #expect(Array(result.bytes(0, 5)) == withUnsafeBytes(of: id.uuid, Array.init))
    #expect(result.integer(0, 6) == moment.microseconds)
    #expect(result.integers(0, 7) == [1, nil, .min])
    #expect(result.texts(0, 8) == ["a", "", "ß"])
    #expect(result.text(0, 9) == "2001-01-01 00:00:00.000001+00")
    #expect(result.text(0, 10) == "{1,NULL,-9223372036854775808}")
    #expect(result.integer(0, 11) == 12)
  }

  @Test func severalStatementsAreOneTransactionAndOneWait() throws {
    try connection.run(PostgreSQLStatement("CREATE TABLE t (a bigint UNIQUE)"))
    let waits = connection.waitCount
    let insert = PostgreSQLStatement("INSERT INTO t VALUES ($1)", [.int8(1)], isKept: true)
    let error = #expect(throws: PostgreSQLFailure.self) {
      try connection.run([insert, insert, PostgreSQLStatement("SELECT 1")])
    }
    #expect(error?.code == "23505")
    #expect(error?.statement == 1)
    #expect(error?.constraint == "t_a_key")
    #expect(connection.waitCount == waits + 1)
    #expect(try server.psql(database, "SELECT count(*) FROM t") == "0")
    let results = try connection.run(
      [1, 2, 3].map { PostgreSQLStatement("INSERT INTO t VALUES ($1)", [.int8($0)], isKept: true) })
    #expect(results.map(\.affectedCount) == [1, 1, 1])
    #expect(try server.psql(database, "SELECT count(*) FROM t") == "3")
  }

  @Test func aPlanThatTablesHaveOutlivedIsMadeAgain() throws {
    try connection.run(PostgreSQLStatement("CREATE TABLE t (a bigint)"))
    let query = PostgreSQLStatement("SELECT * FROM t WHERE a > $1", [.int8(0)], isKept: true)
    #expect(try connection.run(query).columnCount == 1)
    try server.psql(database, "ALTER TABLE t ADD b text")
    #expect(try connection.run(query).columnCount == 2)
  }

  @Test func rowsTravelInBulkBothWays() throws {
    try connection.run(PostgreSQLStatement("CREATE TABLE t (a bigint, b text)"))
    var rows = ["1\tone\n", "2\t\\N\n", "3\tthree\n"].makeIterator()
    let count = try connection.copyIn("COPY t FROM STDIN") { rows.next().map { Array($0.utf8) } }
    #expect(count == 3)
    var lines: [String] = []
    try connection.copyOut("COPY (SELECT * FROM t ORDER BY a DESC) TO STDOUT") {
      lines.append(String(decoding: $0, as: UTF8.self))
    }
    #expect(lines == ["3\tthree\n", "2\t\\N\n", "1\tone\n"])
    struct Enough: Error {}
    #expect(throws: Enough.self) {
      try connection.copyIn("COPY t FROM STDIN") { throw Enough() }
    }
    #expect(try connection.run(PostgreSQLStatement("SELECT count(*) FROM t")).integer(0, 0) == 3)
  }

  // Promise: a statement is no longer wanted → it ends in the server, and no request to stop meets the next
  // one.
  @Test func aStatementThatIsNoLongerWantedEnds() async throws {
    let address = try PostgreSQLAddress(server.address(of: database))
    let signal = StopSignal()
    let name = database
    async let outcome = BlockingWork.run { () -> Bool in
      do {
        let connection = try PostgreSQLConnection(address)
        connection.stopSignal = signal
        try connection.run(PostgreSQLStatement("SELECT pg_advisory_lock(1), pg_sleep(600)"))
        return false
      } catch {
        return error is CancellationError
      }
    }
    // The lock shows that the statement runs.
    let probe =
      "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database = "
      + "(SELECT oid FROM pg_database WHERE datname = '\(name)')"
    while try server.psql(name, probe) != "1" { await Task.yield() }
    signal.stop()
    #expect(await outcome)
  }

  @Test func whatRefusesAConnectionIsASentenceWithoutThePassword() throws {
    func refusal(_ text: String) -> StoreError? {
      do throws(StoreError) {
        _ = try PostgreSQLConnection(PostgreSQLAddress(text))
        return nil
      } catch {
        return error
      }
    }
    let nowhere = refusal("postgresql://ada:geheim@/db?host=/nowhere")
    guard case .unreachable = nowhere else {
      Issue.record("\(nowhere.debugDescription)")
      return
    }
    #expect(nowhere?.description.contains("geheim") == false)
    let absent = refusal(server.address(of: "absent") + "&password=geheim")
    #expect(absent == .noDatabase(server: "postgresql:///absent", name: "absent"))
    try server.psql("postgres", "CREATE ROLE locked LOGIN CONNECTION LIMIT 0")
    #expect(
      refusal("postgresql:///\(database)?host=\(server.directory)&user=locked")
        == .tooManyConnections(server: "postgresql:///\(database)"))
  }

  @Test func aConnectionThatTheServerEndsIsToldAsSuch() throws {
    let id = try connection.run(PostgreSQLStatement("SELECT pg_backend_pid()")).integer(0, 0)
    try server.psql(database, "SELECT pg_terminate_backend(\(id ?? 0), 10000)")
    let error = #expect(throws: PostgreSQLFailure.self) {
      try connection.run(PostgreSQLStatement("SELECT 1"))
    }
    #expect(error?.isOfConnection == true)
  }

  @Test func momentsComeBackToTheMicrosecond() throws {
    var moments = [Int64.min, .max, 0, 1, -1, 31_622_399_999_999, -211_813_488_000_000_000]
    var random = SeededRandom(seed: RandomCases.seed())
    for _ in 0..<1_000 {
      // From 1732 to 2269 every microsecond is a double of its own.
      moments.append(
        Int64.random(in: -8_450_000_000_000_000...8_500_000_000_000_000, using: &random))
    }
    for moment in moments {
      let seconds = ServerTime(microseconds: moment).secondsSince2001
      #expect(ServerTime(secondsSince2001: seconds)?.microseconds == moment)
    }
  }
}
#endif
