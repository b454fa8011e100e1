import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Two programs that change one row in a tight loop, each by `write`: each is a process of its own.
///
/// `DATASTORE_FAULT_ROUNDS` says how many trials; one without it.
@Suite("Two programs that write one row", .serialized)
struct TwoWritersTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["DATASTORE_FAULT_ROUNDS"].flatMap { Int($0) } ?? 1

  @Test("Both get through, and every count is there", arguments: 0..<max(1, rounds))
  func counting(round: Int) async throws {
    let folder = try TemporaryDirectory()
    let url = folder.file("shared.db")
    let datastore = try SwiftDatastore(dataModel: TestModel.make(), url: url)
    try await datastore.write { context in
      let employee: Employee = try context.createObject()
      (employee.name, employee.age) = ("Tom", 0)
    }
    try datastore.close()
    async let one: Void = count(in: url)
    async let other: Void = count(in: url)
    _ = try await (one, other)
    #expect(try SQLiteCommand.run("SELECT age FROM Employee", on: url) == "1000")
  }

  /// Counts to 500 in another process; a conflict that is thrown ends it.
  private func count(in url: URL) async throws {
    let path = url.path
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      [path = path as String] in
      let datastore = try SwiftDatastore(
        dataModel: TestModel.make(), url: URL(fileURLWithPath: path))
      for _ in 0..<500 {
        try await datastore.write { context in
          let employee: Employee? = try context.fetchFirst(where: \.$name == "Tom")
          employee?.age += 1
        }
      }
      try datastore.close()
    }
    if result == nil { Issue.record("a writer has ended with an error") }
  }
}
