import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

/// What all engines do, by the file engine.
struct EngineConformanceTests {
  @Test func inMemory() throws {
    let parts = try EngineConformance.run { try SQLiteStore(inMemory: $0) }
    #expect(parts == Set(EngineConformance.Part.allCases))
  }

  @Test func inAFile() throws {
    let directory = try TemporaryDirectory()
    try EngineConformance.run(cases: 40) {
      try SQLiteStore($0, at: directory.url.appending(path: "\(UUID().uuidString).sqlite"))
    }
  }
}
