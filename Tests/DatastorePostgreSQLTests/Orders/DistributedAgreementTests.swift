#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Whether a store with distributed rows agrees with a file, or says why not: on one machine, and with
/// `make engine-tests` on several.
@Suite("Distributed rows beside a file", .serialized)
struct DistributedAgreementTests {
  /// How a store has answered, beside a file.
  private enum Verdict: String {
    case equal, refused, wrong
    /// In the server's words.
    case raw
  }

  // Promise: rows are distributed over machines → each question and change has the result that it has in a
  // file, or is refused in a sentence, and then nothing is written.
  @Test(arguments: OrderChecks.Layout.allCases)
  func agree(_ layout: OrderChecks.Layout) throws {
    let server = try PostgreSQLServer.shared()
    let address = try PostgreSQLAddress(server.address(of: server.makeDatabase()))
    let file = try OrderStore(filling: SQLiteStore(inMemory: OrderChecks.schema))
    func make() throws -> OrderStore {
      try OrderStore(
        filling: PostgreSQLStore(
          OrderChecks.schema, at: address, named: UUID().uuidString,
          distributedBy: Distribution(layout.properties)))
    }
    let shared = try make()
    var verdicts: [Verdict: Int] = [:]
    let only = ProcessInfo.processInfo.environment["DATASTORE_TEST_CHECK"]
    for check in OrderChecks.all where only.map(check.name.contains) ?? true {
      let expected = try check.run(
        check.writes ? OrderStore(filling: SQLiteStore(inMemory: OrderChecks.schema)) : file)
      let store = try check.writes ? make() : shared
      let before = try check.writes ? store.picture() : ""
      var (verdict, said) = (Verdict.equal, "")
      do {
        said = try check.run(store)
        let (head, after) =
          said.firstRange(of: "\n").map {
            (String(said[..<$0.lowerBound]), String(said[$0.upperBound...]))
          } ?? (said, "")
        if said != expected {
          verdict = head.hasPrefix("refused: ") && after == before ? .refused : .wrong
        }
        if verdict == .refused { said = head }
      } catch {
        (verdict, said) = (.refused, "\(error)")
      }
      if verdict == .refused, said.contains("SQLSTATE") || said.contains("PostgreSQLFailure") {
        verdict = .raw
      }
      verdicts[verdict, default: 0] += 1
      if verdict != .equal { print("\(layout) \(verdict): \(check.name): \(said)") }
      if verdict == .wrong { print("  instead of: \(expected)") }
      #expect(verdict != .wrong && verdict != .raw, "\(check.name): \(said)")
      if try !server.distributesTables { #expect(verdict == .equal, "\(check.name): \(said)") }
      if check.writes { try store.datastore.close() }
    }
    let counts = [Verdict.equal, .refused, .raw, .wrong].map { "\($0) \(verdicts[$0] ?? 0)" }
    print("\(layout): \(counts.joined(separator: ", ")) of \(OrderChecks.all.count)")
    try shared.datastore.close()
  }
}
#endif
