#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport
import Foundation
import Testing

// Promise: the tests end in the middle → their server stops and leaves nothing.
struct ServerTests {
  @Test func aServerOfTheTestsStopsAndLeavesNothing() throws {
    var server: PostgreSQLServer? = try PostgreSQLServer()
    let directory = try #require(server?.directory)
    let id = try #require(server?.id)
    #expect(try server?.psql("postgres", "SELECT 1 + 1") == "2")
    #expect(kill(id, 0) == 0)
    server = nil
    #expect(kill(id, 0) != 0)
    #expect(!FileManager.default.fileExists(atPath: directory))
  }
}
#endif
