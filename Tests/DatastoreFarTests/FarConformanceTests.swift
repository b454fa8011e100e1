import DatastoreCore
import DatastoreFar
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

/// The shared tests of engines, with a store at the other end of a line.
struct FarConformanceTests {
  // Promise: A SQLite file at the other end of a line → it does what every engine does: the conformance suite
  // runs over a real line.
  @Test func aFileAtTheOtherEnd() async throws {
    let directory = try TemporaryDirectory()
    let parts = try await EngineConformance.run(cases: 40) { schema in
      try FarPair(of: schema, at: directory.url.appending(path: "\(UUID().uuidString).sqlite"))
        .store
    }
    // A file of another version is migrated where it lies.
    #expect(parts == Set(EngineConformance.Part.allCases).subtracting([.migrations]))
  }
}
