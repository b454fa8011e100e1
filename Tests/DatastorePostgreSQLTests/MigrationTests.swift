#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport
import Dispatch
import Foundation
import SwiftDatastore
import SwiftDatastorePostgreSQL
import Testing

/// Stores in a server that were made with another version of their model.
@Suite("Migrations in a server")
struct MigrationTests {
  enum V1 {
    final class Person: DatastoreObject {
      @Attribute.NotOptional var first: String
      @Attribute.NotOptional var last: String
      @Attribute.Optional var age: Int16?
      @Attribute.NotOptional var isOld: Bool = false
      @Relationship.ToOne(inverse: \.$people) var company: Company?
    }

    final class Company: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Relationship.ToMany.Ordered var people: [Person]
    }

    static func model() throws -> SwiftDatastoreModel {
      try SwiftDatastoreModel(version: "V1", from: Person.self, Company.self)
    }
  }

  /// Inferred changes: other names, another type, a new property.
  enum V2 {
    final class Person: DatastoreObject {
      @Attribute.NotOptional(renamedFrom: "first") var firstName: String
      @Attribute.NotOptional var last: String
      @Attribute.Optional var age: String?
      @Attribute.NotOptional var isOld: Bool = false
      @Attribute.NotOptional(initial: { UUID() }) var id: UUID
      @Relationship.ToOne(inverse: \.$people) var company: Company?
    }

    final class Company: DatastoreObject {
      override class var renamedFrom: String? { "Company" }
      override class var entityName: String { "Firm" }
      @Attribute.NotOptional var name: String
      @Relationship.ToMany.Ordered var people: [Person]
    }

    static func model() throws -> SwiftDatastoreModel {
      try SwiftDatastoreModel(version: "V2", from: Person.self, Company.self)
    }
  }

  /// Changes by hand.
  enum V3 {
    final class Person: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Relationship.ToOne(inverse: \.$people) var company: Company?
    }

    final class Company: DatastoreObject {
      override class var entityName: String { "Firm" }
      @Attribute.NotOptional var name: String
      @Relationship.ToMany.Ordered var people: [Person]
    }

    static func model() throws -> SwiftDatastoreModel {
      try SwiftDatastoreModel(version: "V3", from: Person.self, Company.self)
    }
  }

  let server: PostgreSQLServer
  let database: String
  let address: String

  /// A store of the first version: a company with three people, not in the order of their keys.
  init() async throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
    address = server.address(of: database)
    try await Self.make(address, "datastore")
  }

  private static func make(_ address: String, _ name: String) async throws {
    let datastore = try SwiftDatastore(
      dataModel: V1.model(), postgreSQL: address, storeName: name)
    try await datastore.write { context in
      let company: V1.Company = try context.createObject()
      company.name = "Acme"
      let people = try ["Ann Ames", "Bob Bush", "Cid Cole"].enumerated().map { number, name in
        let person: V1.Person = try context.createObject()
        let parts = name.split(separator: " ")
        (person.first, person.last) = (String(parts[0]), String(parts[1]))
        person.age = Int16(30 + number)
        person.isOld = number == 2
        return person
      }
      company.people = [people[1], people[2], people[0]]
    }
    try datastore.close()
  }

  private func psql(_ statements: String) throws -> String {
    try server.psql(database, "SET search_path = datastore; \(statements)")
  }

  /// Requires that the store has the declarations of a new store for the model.
  private func requireFresh(_ model: SwiftDatastoreModel) throws {
    try PostgreSQLStore(model.schema, at: PostgreSQLAddress(address), named: "fresh").close()
    let found = try ServerDeclarations.of("datastore", in: database, server)
    let fresh = try ServerDeclarations.of("fresh", in: database, server)
    #expect(
      found == fresh,
      "\(found.subtracting(fresh).sorted()) instead of \(fresh.subtracting(found).sorted())")
  }

  @Test("What follows from the models is done, remembered, and written down in the tables")
  func inferred() async throws {
    let forecast = try SwiftDatastore.requiredMigrations(
      ofPostgreSQL: address, dataModel: V2.model())
    #expect(forecast.kind == .lossless, "\(forecast)")
    #expect(forecast.obstacles.isEmpty)
    #expect(forecast.rowsToWrite == 3)
    // It has only looked.
    #expect(try psql(#"SELECT count("first") FROM "Person""#) == "3")
    #expect(throws: MigrationError.self) {
      try SwiftDatastore(dataModel: V2.model(), postgreSQL: address)
    }
    let states = Lock<[MigrationProgress]>([])
    let datastore = try await SwiftDatastore.open(dataModel: V2.model(), postgreSQL: address) {
      state in states.withLock { $0.append(state) }
    }
    try await datastore.newContext().perform { context in
      let firms: [V2.Company] = try context.fetch()
      let firm = try #require(firms.first)
      #expect(firm.people.map(\.firstName) == ["Bob", "Cid", "Ann"])
      #expect(firm.people.map(\.age) == ["31", "32", "30"])
      #expect(Set(firm.people.map(\.id)).count == 3)
      // New keys follow the existing ones.
      let person: V2.Person = try context.createObject()
      (person.firstName, person.last) = ("Dan", "Dorn")
      person.company = firm
      try context.saveChanges()
      #expect(firm.people.count == 4)
    }
    let history = try datastore.migrationHistory()
    #expect(history.map(\.fromVersion) == ["V1"])
    #expect(history.map(\.toVersion) == ["V2"])
    try datastore.close()
    // The main actor may have had other things to do until now.
    await MainActor.run {}
    #expect(states.withLock { $0.map(\.phase) }.contains(.copying))
    #expect(
      try psql(#"SELECT count(*) FROM "Person" JOIN "Firm" ON company = "Firm"."_id""#) == "4")
    try requireFresh(V2.model())
  }

  @Test("A way of several versions is one transaction, with closures and SQL in it")
  func custom() async throws {
    let history = try SchemaHistory(
      V1.model(), V2.model(), V3.model(), migrationChain: ["V1", "V2", "V3"])
    func step(_ mappings: CustomMapping...) -> [any SchemaMappingProvider] {
      [CustomSchemaMappingProvider(from: "V2", to: "V3", entityMappings: mappings)]
    }
    let transform = CustomMapping.transformEntity(V2.Person.self, into: V3.Person.self) {
      old, createPerson in
      if old.isOld { return }
      let person = try createPerson()
      person.name = "\(old.firstName) \(old.last)"
      #expect(old.company?.people.count == 3)
      person.company = createPerson.counterpart(of: old.company)
      #expect(person.company?.name.isEmpty == false)
    }
    let before = try ServerDeclarations.of("datastore", in: database, server)
    let error = await #expect(throws: MigrationError.self) {
      _ = try await SwiftDatastore.open(
        history: history, postgreSQL: address,
        mappings: step(transform, .sqlAfter("INSERT INTO nothing VALUES (1)")))
    }
    #expect(
      "\(try #require(error))".contains(
        "the statement “INSERT INTO nothing VALUES (1)” failed: relation \"nothing\" does not exist"
      ))
    #expect(try ServerDeclarations.of("datastore", in: database, server) == before)
    await #expect(throws: MigrationError.self) {
      _ = try await SwiftDatastore.open(
        history: history, postgreSQL: address, mappings: step(transform, .sqlBefore("COMMIT")))
    }
    let datastore = try await SwiftDatastore.open(
      history: history, postgreSQL: address,
      mappings: step(
        .sqlBefore(#"UPDATE "Firm" SET name = upper(name)"#), transform,
        .sqlAfter(#"UPDATE "Firm" SET name = name || '!'"#)))
    try await datastore.newContext().perform { context in
      let firms: [V3.Company] = try context.fetch()
      let firm = try #require(firms.first)
      #expect(firm.name == "ACME!")
      #expect(firm.people.map(\.name) == ["Bob Bush", "Ann Ames"])
    }
    try datastore.close()
    try requireFresh(V3.model())
    // A program of the former version gets an error: it is too old.
    let tooOld = #expect(throws: MigrationError.self) {
      try SwiftDatastore(dataModel: V1.model(), postgreSQL: address, migration: .declared(.all))
    }
    #expect(
      "\(try #require(tooOld))".contains(
        "it is of the version “V3”, which comes after “V1” of this program; open it with a newer version"
      ))
  }

  // Promise: several programs open an old store in a server at once → one migrates, the others wait and
  // find it migrated.
  @Test("Programs that open a store at the same time migrate it once")
  func together() throws {
    let failures = Lock<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      do {
        try SwiftDatastore(
          dataModel: V2.model(), postgreSQL: address, migration: .lossless
        ).close()
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(
      try psql(#"SELECT count(*) FROM "_datastore" WHERE "key" LIKE 'history:%'"#) == "1")
    #expect(try psql(#"SELECT count(DISTINCT id) FROM "Person""#) == "3")
  }

  // Promise: a transaction has a table that is to be migrated → after five seconds it is named, and nothing
  // is changed.
  @Test("A transaction that has a table is named, and is not waited for without end")
  func locked() throws {
    let other = try PostgreSQLConnection(
      PostgreSQLAddress("\(address)&application_name=report"))
    _ = try other.run([
      PostgreSQLStatement("BEGIN"),
      PostgreSQLStatement(#"LOCK TABLE datastore."Person" IN ACCESS SHARE MODE"#),
    ])
    let error = #expect(throws: MigrationError.self) {
      try SwiftDatastore(
        dataModel: V2.model(), postgreSQL: "\(address)&options=-c%20lock_timeout%3D50",
        migration: .lossless)
    }
    #expect(
      "\(try #require(error))".contains(
        /the transaction “report, process [0-9]+” is in the way: it uses the table “Person”; let it end, and try again/
      ), "\(String(describing: error))")
    try other.run(PostgreSQLStatement("ROLLBACK"))
    try SwiftDatastore(dataModel: V2.model(), postgreSQL: address, migration: .lossless).close()
  }

  // Promise: someone else has made views, triggers, indexes or grants on tables that a migration makes again
  // → made again; materialized views, rules and policies are in the way, by name.
  @Test(
    "Views, triggers, indexes and grants of users stay; what cannot be made again is in the way")
  func users() throws {
    _ = try psql(
      """
      CREATE ROLE reader_\(database); GRANT SELECT ON "Person" TO reader_\(database);
      CREATE VIEW names AS SELECT first || ' ' || last AS name, "_id" FROM "Person";
      CREATE VIEW longest AS SELECT max(length(name)) AS length FROM names;
      GRANT SELECT ON names TO reader_\(database);
      CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN NEW.last := upper(NEW.last); RETURN NEW; END';
      CREATE TRIGGER shout BEFORE INSERT ON "Person" FOR EACH ROW EXECUTE FUNCTION shout();
      CREATE INDEX by_length ON "Person" (length(last));
      CREATE MATERIALIZED VIEW total AS SELECT count("isOld") FROM "Person";
      """)
    let error = #expect(throws: MigrationError.self) {
      try SwiftDatastore(dataModel: V2.model(), postgreSQL: address, migration: .lossless)
    }
    #expect(
      "\(try #require(error))".contains(
        "the materialized view “total” is in the way: drop it, and make it again after the migration"
      ),
      "\(String(describing: error))")
    _ = try psql("DROP MATERIALIZED VIEW total")
    try SwiftDatastore(dataModel: V2.model(), postgreSQL: address, migration: .lossless).close()
    #expect(try psql("SELECT length FROM longest") == "8")
    #expect(try psql("SELECT name FROM names ORDER BY name LIMIT 1") == "Ann Ames")
    #expect(
      try psql(
        """
        SELECT has_table_privilege('reader_\(database)', '"Person"', 'SELECT'),
          has_table_privilege('reader_\(database)', 'names', 'SELECT'),
          to_regclass('by_length') IS NOT NULL,
          (SELECT count(*) FROM pg_trigger WHERE tgname = 'shout')
        """) == "t|t|t|1")
  }

  @Test("Recreating loses everything, and asks nothing")
  func recreating() async throws {
    let datastore = try SwiftDatastore(
      dataModel: V3.model(), postgreSQL: address, migration: .recreating)
    try await datastore.write { context in
      let people: [V3.Person] = try context.fetch()
      #expect(people.isEmpty)
      let person: V3.Person = try context.createObject()
      person.name = "Ann"
    }
    try datastore.close()
    try requireFresh(V3.model())
  }

  @Test("A connection that is cut anywhere leaves the old store or the new one, complete")
  func cut() async throws {
    let proxy = try CuttingProxy(to: server.directory)
    let seed = RandomCases.seed()
    var random = SeededRandom(seed: seed)
    let through = "postgresql:///\(database)?host=\(proxy.path)&user=postgres"
    var lengths: [CuttingProxy.Side: Int] = [:]
    var results: Set<String> = []
    for round in 0..<20 {
      let name = "cut\(round)"
      try await Self.make(address, name)
      let before = try ServerDeclarations.of(name, in: database, server)
      let side = CuttingProxy.Side.allCases[round % 2]
      // The first two are whole, and say how long it is.
      let place = round < 2 ? Int.max : random.below(lengths[side] ?? 1)
      proxy.arm(side, after: place)
      let note: Comment = "seed \(seed), round \(round): \(side) cut behind \(place) bytes"
      do {
        try SwiftDatastore(
          dataModel: V2.model(), postgreSQL: through, storeName: name, migration: .lossless
        ).close()
        for side in CuttingProxy.Side.allCases { lengths[side] = proxy.count(side) }
      } catch let error as StoreError {
        let isNew =
          try server.psql(database, "SELECT to_regclass('\(name).\"Firm\"') IS NOT NULL") == "t"
        results.insert("\(isNew)")
        if !isNew { #expect(try ServerDeclarations.of(name, in: database, server) == before, note) }
        #expect(round >= 2, "\(error)")
      }
      try SwiftDatastore(
        dataModel: V2.model(), postgreSQL: address, storeName: name, migration: .lossless
      ).close()
      #expect(
        try server.psql(
          database,
          """
          SELECT (SELECT count(*) FROM \(name)."Person"), (SELECT sum(age::int) FROM \(name)."Person"),
            (SELECT count(*) FROM \(name)."Person" JOIN \(name)."Firm" f ON company = f."_id")
          """) == "3|93|3", note)
    }
    #expect(results.contains("false"))
  }
}
#endif
