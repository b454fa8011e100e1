import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

/// The shared tests of engines, with the file engine.
struct EngineConformanceTests {
  @Test func inMemory() async throws {
    let parts = try await EngineConformance.run { try SQLiteStore(inMemory: $0) }
    #expect(parts == Set(EngineConformance.Part.allCases).subtracting([.migrations]))
  }

  @Test func inAFile() async throws {
    let directory = try TemporaryDirectory()
    let migrated = MigratedStores.files(in: directory.url)
    let parts = try await EngineConformance.run(cases: 40, migrating: migrated) {
      try SQLiteStore($0, at: directory.url.appending(path: "\(UUID().uuidString).sqlite"))
    }
    #expect(parts == Set(EngineConformance.Part.allCases))
  }
}
