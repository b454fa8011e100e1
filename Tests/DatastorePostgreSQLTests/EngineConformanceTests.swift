#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport
import Foundation
import Testing

/// What all engines do, by a server.
struct EngineConformanceTests {
  @Test func inAServer() async throws {
    let server = try PostgreSQLServer.shared()
    let address = try PostgreSQLAddress(server.address(of: server.makeDatabase()))
    let parts = try await EngineConformance.run(cases: 60) {
      try PostgreSQLStore($0, at: address, named: UUID().uuidString)
    }
    #expect(parts == Set(EngineConformance.Part.allCases))
  }

  /// As engines do that speak PostgreSQL's language: none of what is asked of the server beyond it.
  @Test func inAServerThatCanDoLess() async throws {
    let server = try PostgreSQLServer.shared()
    let address = try PostgreSQLAddress(server.address(of: server.makeDatabase()))
    try await EngineConformance.run(cases: 20) {
      try PostgreSQLStore($0, at: address, named: UUID().uuidString, without: .all)
    }
  }
}
#endif
