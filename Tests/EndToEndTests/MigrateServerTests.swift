#if PostgreSQL
import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import SwiftDatastorePostgreSQL
import Testing

/// `datastore migrate` and `datastore schema` with a store in a server.
@Suite("datastore migrate in a server")
struct MigrateServerTests {
  private let program: Program
  private let server: PostgreSQLServer
  private let database: String

  /// A store “staff” with a person who has a fax, and `new.json` without faxes.
  init() async throws {
    program = try Program()
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
    func schema(_ properties: [PropertyDescription]) throws -> Schema {
      try Schema([EntityDescription(name: "Person", properties: properties)])
    }
    try SwiftDatastore.migrate(
      to: try schema([attribute("name", isOptional: false), attribute("fax")]),
      postgreSQL: server.address(of: database), storeName: "staff", MigrationRequest(policy: .none))
    try server.psql(
      database, #"INSERT INTO staff."Person" ("_id", name, fax) VALUES (1, 'Ann', '12')"#)
    let other = try schema([attribute("name", isOptional: false)])
    try SwiftDatastore.migrate(
      to: other, postgreSQL: server.address(of: database), storeName: "next",
      MigrationRequest(policy: .none))
  }

  private func run(_ arguments: String...) async throws -> (status: Int32, text: String) {
    let outcome = try await program.start(arguments).outcome()
    return (outcome.status, outcome.output + outcome.errors)
  }

  @Test("A schema of a store is written, and another store brought to it, which has to be allowed")
  func migrate() async throws {
    let address = server.address(of: database)
    let written = try await run(
      "schema", address, "--store-name", "next", "--format", "json", "--output", "new.json")
    #expect(written.status == 0, "\(written.text)")
    let forecast = try await run(
      "migrate", address, "--store-name", "staff", "--to", "new.json", "--forecast")
    #expect(forecast.status == 2, "\(forecast.text)")
    #expect(forecast.text.contains("1 value of Person.fax would be lost"), "\(forecast.text)")
    let refused = try await run("migrate", address, "--store-name", "staff", "--to", "new.json")
    #expect(refused.text.contains("give --remove Person.fax to allow it"), "\(refused.text)")
    #expect(try server.psql(database, #"SELECT fax FROM staff."Person""#) == "12")
    let migrated = try await run(
      "migrate", address, "--store-name", "staff", "--to", "new.json", "--remove", "Person.fax")
    #expect(migrated.status == 0, "\(migrated.text)")
    #expect(
      migrated.text.contains("Migrated the store “staff”: 0 rows written"), "\(migrated.text)")
    #expect(try server.psql(database, #"SELECT * FROM staff."Person""#) == "1|Ann")
    let missing = try await run("migrate", address, "--to", "new.json")
    #expect(
      missing.text.contains(
        "The database has no store “datastore” of SwiftDatastore; name another schema"),
      "\(missing.text)")
  }
}
#endif
