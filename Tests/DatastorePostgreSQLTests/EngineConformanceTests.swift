#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport
import Foundation
import Testing

/// The shared tests of engines, with a server.
struct EngineConformanceTests {
  @Test func inAServer() async throws {
    let server = try PostgreSQLServer.shared()
    let database = try server.makeDatabase()
    let address = try PostgreSQLAddress(server.address(of: database))
    let migrated = MigratedStores.schemas(of: database, server, at: address)
    let parts = try await EngineConformance.run(cases: 60, migrating: migrated) {
      try PostgreSQLStore($0, at: address, named: UUID().uuidString)
    }
    #expect(parts == Set(EngineConformance.Part.allCases))
  }

  /// Rows are on several machines, if the server has them (`make engine-tests`): those of each entity by the
  /// name that each has, which nothing changes.
  @Test(arguments: [["Employee"], ["Employee", "Company", "Tag"]])
  func whereRowsAreDistributed(_ entities: [String]) async throws {
    let server = try PostgreSQLServer.shared()
    let address = try PostgreSQLAddress(server.address(of: server.makeDatabase()))
    let parts = try await EngineConformance.run(cases: 20) { schema in
      let (distributable, names) = try Self.distributable(schema, entities)
      return try PostgreSQLStore(
        distributable, at: address, named: UUID().uuidString, distributedBy: Distribution(names))
    }
    #expect(parts == Set(EngineConformance.Part.allCases).subtracting([.migrations]))
  }

  /// A schema in which every row of some entities has the first text, and nothing else is unique.
  private static func distributable(
    _ schema: Schema, _ entities: [String]
  ) throws -> (Schema, [String]) {
    var names: [String] = []
    let descriptions = schema.entities.map(\.description).map { description in
      guard entities.contains(description.name) else { return description }
      var description = description
      description.properties = description.properties.map { property in
        guard case .attribute(var attribute) = property else { return property }
        attribute.isUnique = false
        if attribute.type == .string,
          !names.contains(where: { $0.hasPrefix("\(description.name).") })
        {
          attribute.isOptional = false
          names.append("\(description.name).\(attribute.name)")
        }
        return .attribute(attribute)
      }
      return description
    }
    return (try Schema(descriptions), names)
  }

  /// As with engines that speak PostgreSQL's language, but have none of its further features.
  @Test func inAServerThatCanDoLess() async throws {
    let server = try PostgreSQLServer.shared()
    let address = try PostgreSQLAddress(server.address(of: server.makeDatabase()))
    try await EngineConformance.run(cases: 20) {
      try PostgreSQLStore($0, at: address, named: UUID().uuidString, without: .all)
    }
  }
}
#endif
