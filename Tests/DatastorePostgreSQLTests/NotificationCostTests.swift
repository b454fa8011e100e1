#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport
import Foundation
import Testing

/// What it costs writers to wake others. It takes seconds, and is a figure: run it by itself.
@Suite(
  "The cost of notifications",
  .enabled(if: ProcessInfo.processInfo.environment["DATASTORE_TEST_FIGURES"] == "1"))
struct NotificationCostTests {
  private static let writers = 8
  private static let saves = 400

  @Test(
    "Eight writers with and without a notification behind each commit, by turns, with flushed commits"
  )
  func eightWriters() async throws {
    let server = try PostgreSQLServer(settings: ["fsync = on"])
    let address = try PostgreSQLAddress(server.address(of: "postgres"))
    let store = try PostgreSQLStore(CompanySchema.schema, at: address, named: "company")
    var changes = Changes(store)
    let keys = try (0..<Self.writers).map {
      try changes.insert("Employee", ["age": .integer(Int64($0))])
    }
    try changes.save()
    let employee = try #require(store.schema.entity(named: "Employee"))
    let listener = store.listen {}
    var times: [Bool: [Duration]] = [:]
    for round in 0..<10 {
      let notifies = round.isMultiple(of: 2)
      let start = ContinuousClock.now
      try await withThrowingTaskGroup(of: Void.self) { group in
        for key in keys {
          group.addTask {
            try await BlockingWork.run {
              var own = address
              own.searchPath = ["company"]
              let connection = try PostgreSQLConnection(own)
              var updated = MergedKeys()
              updated.updated[employee.index] = [key: SlotSet(employee.slots.prefix(1))]
              for _ in 0..<Self.saves {
                var message = [
                  PostgreSQLStatement("BEGIN", isKept: true),
                  PostgreSQLStatement("SET LOCAL datastore.session = 'x'", isKept: true),
                  store.record(of: updated, as: UUID()),
                  PostgreSQLStatement(
                    #"UPDATE "Employee" SET "age" = "age" + 1 WHERE "_id" = $1"#,
                    [.int8(key.rawValue)], isKept: true),
                  PostgreSQLStatement("COMMIT", isKept: true),
                ]
                if notifies { message.append(store.notification(of: updated)) }
                _ = try connection.run(message)
              }
            }
          }
        }
        try await group.waitForAll()
      }
      times[notifies, default: []].append(ContinuousClock.now - start)
    }
    let medians = times.mapValues { $0.sorted()[$0.count / 2] }
    let (with, without) = try (#require(medians[true]), #require(medians[false]))
    let count = Double(Self.writers * Self.saves)
    print(
      """
      \(Self.writers) writers, commits a second: \(Int(count / (without / .seconds(1)))) without, \
      \(Int(count / (with / .seconds(1)))) with a notification: x\(with / without)
      """)
    withExtendedLifetime(listener) {}
  }
}
#endif
