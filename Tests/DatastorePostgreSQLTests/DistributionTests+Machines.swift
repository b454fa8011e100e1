#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import SwiftDatastorePostgreSQL
import Testing

/// The statements sent to a server that distributes tables over machines, and those not sent.
extension DistributionTests {
  /// A function that distributes tables, as Citus has it, which does nothing.
  func pretendToDistribute() throws {
    guard try Self.isOneMachine else { return }
    _ = try psql(
      """
      CREATE FUNCTION pg_catalog.create_distributed_table(place regclass, col text) RETURNS void
      LANGUAGE sql AS ''
      """)
  }

  /// The statements that the server received in the database while `body` ran, a line each.
  private func statements(during body: () async throws -> Void) async throws -> [String] {
    guard try Self.isOneMachine else {
      try await body()
      return []
    }
    let log = URL(fileURLWithPath: "\(server.directory)/data/log")
    let before = try Data(contentsOf: log).count
    try await body()
    let lines = String(decoding: try Data(contentsOf: log).dropFirst(before), as: UTF8.self)
    return lines.split(separator: "\n").map(String.init).filter {
      $0.contains(" \(database) LOG:  execute")
    }
  }

  // Promise: rows are edited, deleted, listed and changed at once in tables that are distributed over
  // machines → no statement that Citus refuses is sent: seen in the log of a server where a stand-in
  // distributes nothing.
  @Test(
    "What Citus refuses is not sent: locks of rows on several machines, joins with the owners of members"
  )
  func sent() async throws {
    try pretendToDistribute()
    _ = try psql("ALTER DATABASE \(database) SET log_statement = 'all'")
    let datastore = try open(V1.model(), ["Person.firm", "Firm.region"])
    let sent = try await statements {
      try await useGraph(datastore)
      // Both an edit and a deletion detect conflicts.
      for deletes in [false, true] {
        try await datastore.newContext().perform { context in
          let person: V1.Person = try #require(
            try context.fetchFirst(where: \.$badge == "1-5"))
          _ = person.number
          try datastore.writeAndWait { other in
            let same: V1.Person? = try other.fetchFirst(where: \.$badge == "1-5")
            same?.number += 1000
          }
          if deletes { context.deleteObject(person) } else { person.number += 7 }
          #expect(throws: ConflictError.self) { try context.saveChanges() }
          context.revertChanges()
        }
      }
      try await datastore.newContext().perform { context in
        let firms: [V1.Firm] = try context.fetch(prefetching: [\.$people])
        #expect(firms.first?.people.count == 50)
        let moved: V1.Person = try #require(try context.fetchFirst(where: \.$badge == "1-5"))
        let firm: V1.Firm = try context.createObject()
        (firm.region, firm.name) = (9, "F9")
        try context.saveChanges()
        let refusal = #expect(throws: StoreError.self) {
          try context.updateMany(
            V1.Person.self, where: \.$badge == "1-5", propertiesToUpdate: [.init(\.$firm, firm)])
        }
        #expect(try #require(refusal).description.contains("on which machine"))
        moved.firm = firm
        #expect(throws: StoreError.self) { try context.saveChanges() }
        context.revertChanges()
        #expect(
          try context.updateMany(
            V1.Person.self, where: \.$number > 140, propertiesToUpdate: [.init(\.$manager, nil)])
            == 11)
        #expect(try context.deleteMany(V1.Firm.self, where: \.$name == "F1") == 1)
        #expect(try context.count(V1.Person.self) == 0)
      }
    }
    try datastore.close()
    guard try Self.isOneMachine else { return }
    #expect(sent.count > 50)
    #expect(!sent.contains { $0.contains("FOR UPDATE") && !$0.contains("_datastore_changes") })
    #expect(!sent.contains { $0.contains(")[1]") })
    #expect(sent.contains { $0.contains("WITH compared AS (UPDATE \"Person\"") })
    #expect(
      !sent.contains {
        $0.contains("string_agg") && !$0.contains("OFFSET 0)") && !$0.contains("LIMIT")
      })
    #expect(
      !sent.contains {
        $0.contains("FROM \"Firm\" AS t0 CROSS JOIN \"Person\"")
          || $0.contains("FROM \"Person\" AS t0 CROSS JOIN")
      })
  }

  // Promise: a model asks for uniqueness that no machine can keep by itself → the store is not made, and that
  // is said.
  @Test("Uniqueness that the machines cannot keep is refused when a store is made")
  func uniqueness() throws {
    try pretendToDistribute()
    let address = try PostgreSQLAddress(self.address)
    for (name, properties) in [("email", ["email"]), ("age", ["age", "name"])] {
      let schema = try Schema([
        entity(
          "Person", uniqueness: name == "age" ? [properties] : [],
          attribute("company", .integer64, isOptional: false), attribute("name"),
          attribute("age", .integer64), attribute("email", isUnique: name == "email"))
      ])
      let error = #expect(throws: StoreError.self) {
        try PostgreSQLStore(
          schema, at: address, named: name, distributedBy: Distribution(["Person.company"]))
      }
      let sentence = error?.description ?? ""
      #expect(
        sentence.contains("“\(name)”") && sentence.contains("over all machines"), "\(sentence)")
      #expect(
        try server.psql(database, "SELECT count(*) FROM pg_namespace WHERE nspname = '\(name)'")
          == "0")
      // One machine keeps it.
      try PostgreSQLStore(schema, at: address, named: name).close()
    }
  }
}
#endif
