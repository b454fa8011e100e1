import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

#if PostgreSQL
import SwiftDatastorePostgreSQL
#endif

/// Two programs that change one row in a tight loop, each by `write`: each is a process of its own.
///
/// `DATASTORE_FAULT_ROUNDS` is the number of trials, with `write`'s default number of repetitions. Without it
/// there is one, among all other tests: a program that hardly runs there may need more repetitions, as the
/// documentation says.
@Suite("Two programs that write one row", .serialized)
struct TwoWritersTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["DATASTORE_FAULT_ROUNDS"].flatMap { Int($0) }

  @Test(
    "Both get through, and every count is there", arguments: TestEngine.allCases,
    0..<max(1, rounds ?? 1))
  func counting(engine: TestEngine, round: Int) async throws {
    let folder = try TemporaryDirectory()
    let place = try SharedPlace(engine, folder.file("shared.db"), folder.file("errors"))
    let datastore = try place.open()
    try await datastore.write { context in
      let employee: Employee = try context.createObject()
      (employee.name, employee.age) = ("Tom", 0)
    }
    try datastore.close()
    async let one: Void = count(in: place)
    async let other: Void = count(in: place)
    _ = await (one, other)
    #expect(try place.ages() == "1000", "\(place.errors)")
  }

  /// Counts to 500 in another process; a conflict that is thrown ends it.
  private func count(in place: SharedPlace) async {
    let retries = Self.rounds == nil ? 10_000 : SwiftDatastore.defaultRetries
    await #expect(processExitsWith: .success) {
      [place = place as SharedPlace, retries = retries as Int] in
      do {
        let datastore = try place.open()
        for _ in 0..<500 {
          try await datastore.write(retries: retries) { context in
            let employee: Employee? = try context.fetchFirst(where: \.$name == "Tom")
            employee?.age += 1
          }
        }
        try datastore.close()
      } catch {
        place.record(error)
        throw error
      }
    }
  }
}

/// The place of a store that several processes open.
private struct SharedPlace: Codable, Sendable {
  private let engine: TestEngine
  /// A path, or the address of a database.
  private let address: String
  private let storeName: String
  /// The message of a process that cannot continue.
  private let notes: URL

  init(_ engine: TestEngine, _ file: URL, _ notes: URL) throws {
    self.engine = engine
    self.notes = notes
    storeName = UUID().uuidString
    switch engine {
    case .sqlite, .far: address = file.path
    #if PostgreSQL
    case .postgreSQL: address = try PostgreSQLServer.shared().address(of: "postgres")
    #endif
    }
  }

  func open() throws -> SwiftDatastore {
    switch engine {
    case .sqlite:
      try SwiftDatastore(dataModel: TestModel.make(), url: URL(fileURLWithPath: address))
    case .far:
      SwiftDatastore(
        try FarPair(of: TestModel.make().schema, at: URL(fileURLWithPath: address)).store,
        dataModel: try TestModel.make(), storeName: storeName, options: .init())
    #if PostgreSQL
    case .postgreSQL:
      try SwiftDatastore(dataModel: TestModel.make(), postgreSQL: address, storeName: storeName)
    #endif
    }
  }

  func record(_ error: any Error) {
    try? "\(error)\n".write(to: notes, atomically: true, encoding: .utf8)
  }

  var errors: String {
    (try? String(contentsOf: notes, encoding: .utf8)) ?? "no writer has ended with an error"
  }

  /// The ages of all, as a program of the engine prints them.
  func ages() throws -> String {
    switch engine {
    case .sqlite, .far:
      try SQLiteCommand.run("SELECT age FROM Employee", on: URL(fileURLWithPath: address))
    #if PostgreSQL
    case .postgreSQL:
      try PostgreSQLServer.shared().psql(
        "postgres", #"SELECT "age" FROM "\#(storeName)"."Employee""#)
    #endif
    }
  }
}
