#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import SwiftDatastorePostgreSQL
import Testing

/// Stores whose rows are distributed by a property: on a server of one machine, on one that has a function by
/// which Citus distributes tables, which here only records its calls, and on Citus itself
/// (`make engine-tests`).
@Suite("Distributed tables")
struct DistributionTests {
  enum V1 {
    final class Firm: DatastoreObject {
      override class var uniqueConstraints: [[AnyKeyPath]] { [[\Firm.$region, \Firm.$name]] }
      @Attribute.NotOptional var region: Int
      @Attribute.NotOptional var name: String
      @Relationship.ToMany(inverse: \.$firm, deleteRule: .cascade) var people: Set<Person>
    }

    final class Person: DatastoreObject {
      override class var uniqueConstraints: [[AnyKeyPath]] {
        [[\Person.$firm, \Person.$number], [\Person.$firm, \Person.$badge]]
      }
      @Attribute.NotOptional var number: Int
      @Attribute.NotOptional var badge: String
      @Relationship.ToOne.Required var firm: Firm
      @Relationship.ToOne var manager: Person?
      @Relationship.ToMany var skills: Set<Skill>
    }

    final class Skill: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Relationship.ToMany(inverse: \.$skills) var people: Set<Person>
    }

    static func model() throws -> SwiftDatastoreModel {
      try SwiftDatastoreModel(from: Firm.self, Person.self, Skill.self)
    }
  }

  /// Other names, and a new property.
  enum V2 {
    final class Firm: DatastoreObject {
      override class var uniqueConstraints: [[AnyKeyPath]] { [[\Firm.$region, \Firm.$name]] }
      @Attribute.NotOptional var region: Int
      @Attribute.NotOptional var name: String
      @Relationship.ToMany(inverse: \.$company, deleteRule: .cascade) var people: Set<Person>
    }

    final class Person: DatastoreObject {
      override class var entityName: String { "Employee" }
      override class var renamedFrom: String? { "Person" }
      override class var uniqueConstraints: [[AnyKeyPath]] {
        [[\Person.$company, \Person.$number], [\Person.$company, \Person.$badge]]
      }
      @Attribute.NotOptional var number: String
      @Attribute.NotOptional var badge: String
      @Attribute.Optional var note: String?
      @Relationship.ToOne.Required(renamedFrom: "firm") var company: Firm
      @Relationship.ToOne var manager: Person?
      @Relationship.ToMany var skills: Set<Skill>
    }

    final class Skill: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Relationship.ToMany(inverse: \.$skills) var people: Set<Person>
    }

    static func model() throws -> SwiftDatastoreModel {
      try SwiftDatastoreModel(from: Firm.self, Person.self, Skill.self)
    }
  }

  let server: PostgreSQLServer
  let database: String
  let address: String

  init() throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
    address = server.address(of: database)
  }

  func open(
    _ model: SwiftDatastoreModel, _ names: [String], migration: MigrationPolicy = .instant
  ) throws -> SwiftDatastore {
    try SwiftDatastore(
      dataModel: model, postgreSQL: address, migration: migration, distributedBy: names)
  }

  /// Whether the server is of one machine, as the one is that tests start.
  static var isOneMachine: Bool {
    get throws { try !PostgreSQLServer.shared().distributesTables }
  }

  func psql(_ sql: String) throws -> String {
    // Queries that only psql makes may move rows between machines.
    let setting = try Self.isOneMachine ? "" : "SET citus.enable_repartition_joins = on; "
    return try server.psql(database, "SET search_path = datastore; \(setting)\(sql)")
  }

  /// The columns of primary keys, by table.
  private func primaryKeys() throws -> String {
    try psql(
      """
      SELECT c.relname, string_agg(a.attname, ',' ORDER BY array_position(i.indkey::int2[], a.attnum)) \
      FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid \
      JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = ANY(i.indkey::int2[]) \
      WHERE i.indisprimary AND c.relnamespace = 'datastore'::regnamespace \
      AND c.relname IN ('Firm', 'Person', 'Employee', 'Skill') GROUP BY 1 ORDER BY 1
      """)
  }

  /// How many constraints of a kind lead from or to the tables of people and firms.
  private func constraints(_ kind: String) throws -> String {
    try psql(
      """
      SELECT coalesce(string_agg(pg_get_constraintdef(oid), '; ' ORDER BY 1), '') FROM pg_constraint \
      WHERE contype = '\(kind)' AND (conrelid IN ('"Person"'::regclass, '"Firm"'::regclass) \
      OR confrelid IN ('"Person"'::regclass, '"Firm"'::regclass))
      """)
  }

  /// Makes, changes, links and deletes objects, and compares with psql after each save.
  func useGraph(_ datastore: SwiftDatastore) async throws {
    try await datastore.write { context in
      for region in 1...2 {
        let firm: V1.Firm = try context.createObject()
        (firm.region, firm.name) = (region, "F\(region)")
        var first: V1.Person?
        for number in 1...50 {
          let person: V1.Person = try context.createObject()
          (person.number, person.badge) = (number, "\(region)-\(number)")
          person.firm = firm
          person.manager = first
          first = first ?? person
        }
      }
      let skill: V1.Skill = try context.createObject()
      skill.name = "chess"
      let players: [V1.Person] = try context.fetch(where: \.$number <= 3)
      skill.people = Set(players)
    }
    let summary = """
      SELECT f.name, count(*), sum(p.number), count(p.manager) FROM "Person" p \
      JOIN "Firm" f ON p.firm = f._id GROUP BY 1 ORDER BY 1
      """
    #expect(try psql(summary) == "F1|50|1275|49\nF2|50|1275|49")
    let pairs = try psql(
      """
      SELECT relname FROM pg_class WHERE relname ~ 'skills|people' AND relkind = 'r' \
      AND relnamespace = 'datastore'::regnamespace
      """)
    #expect(try psql("SELECT count(*) FROM \"\(pairs)\"") == "6")
    try await datastore.write { context in
      let people: [V1.Person] = try context.fetch(where: \.$number > 40)
      for person in people where person.firm.region == 1 { person.number += 100 }
      for person in people where person.firm.region == 2 { context.deleteObject(person) }
    }
    #expect(try psql(summary) == "F1|50|2275|49\nF2|40|820|39")
    // Two rows that exchange unique values. Citus refuses to put a text out of the way meanwhile.
    if try Self.isOneMachine {
      try await datastore.write { context in
        let two: [V1.Person] = try context.fetch(where: \.$badge == "1-1" || \.$badge == "1-2")
        (two[0].badge, two[1].badge) = (two[1].badge, two[0].badge)
      }
    }
    try await datastore.write { context in
      let firms: [V1.Firm] = try context.fetch(where: \.$name == "F2")
      for firm in firms { context.deleteObject(firm) }
    }
    #expect(try psql(summary) == "F1|50|2275|49")
    #expect(try psql("SELECT count(*) FROM \"\(pairs)\"") == "3")
  }

  @Test(
    "On one machine the property is the first part of the key, and nothing else is different",
    .enabled(if: try DistributionTests.isOneMachine))
  func oneMachine() async throws {
    let names = ["Person.firm", "Firm.region"]
    let datastore = try open(V1.model(), names)
    #expect(try primaryKeys() == "Firm|region,_id\nPerson|firm,_id\nSkill|_id")
    #expect(try constraints("f").components(separatedBy: "; ").count == 3)
    try await useGraph(datastore)
    // A second row with the same unique value is refused.
    await #expect(throws: (any Error).self) {
      try await datastore.write { context in
        let firm: V1.Firm = try context.createObject()
        (firm.region, firm.name) = (1, "F1")
      }
    }
    try datastore.close()
    try open(V1.model(), names.reversed()).close()
  }

  // Promise: a store that is distributed is opened with another property, or migrated under other names →
  // refused in a sentence; carried along.
  // Also: `DistributionTests.migrated`
  @Test(
    "A store is opened with what it was made with, and other programs find that out by themselves")
  func remembered() throws {
    try open(V1.model(), ["Person.firm"]).close()
    func sentence(_ names: [String]) -> String {
      do {
        try open(V1.model(), names).close()
        return "opened"
      } catch {
        return "\(error)"
      }
    }
    #expect(
      sentence([]).contains("are distributed by Person.firm, and the program says by nothing"),
      "\(sentence([]))")
    #expect(sentence(["Person.number"]).contains("the program says by Person.number"))
    #expect(sentence(["Person.firm", "Firm.region"]).contains("The rows of Firm in"))
    #expect(sentence(["Persons.firm"]).contains("the model has no entity “Persons”"))
    #expect(sentence(["Person.age"]).contains("Person has no property “age”"))
    #expect(sentence(["Person.skills"]).contains("it leads to many objects"))
    #expect(sentence(["Person.manager"]).contains("it has to have a value in every row"))
    #expect(sentence(["Person"]).contains("write an entity and a property of it"))
    #expect(sentence(["Person.firm", "Person.badge"]).contains("by another property already"))
    #expect(sentence(["Person.firm"]) == "opened")
    let store = try #require(
      try SwiftDatastore.store(inPostgreSQL: address, storeName: "datastore"))
    try store.close()
    // A store made without a distribution opens without it.
    try SwiftDatastore(dataModel: V1.model(), postgreSQL: address, storeName: "plain").close()
    #expect(throws: StoreError.self) {
      try SwiftDatastore(
        dataModel: V1.model(), postgreSQL: address, storeName: "plain",
        distributedBy: ["Person.firm"])
    }
  }

  @Test(
    "A migration keeps by what rows are distributed, also under other names",
    .enabled(if: try DistributionTests.isOneMachine))
  func migrated() async throws {
    let datastore = try open(V1.model(), ["Person.firm"])
    try await useGraph(datastore)
    try datastore.close()
    await #expect(throws: StoreError.self) {
      try await SwiftDatastore.open(dataModel: V2.model(), postgreSQL: address)
    }
    let migrated = try await SwiftDatastore.open(
      dataModel: V2.model(), postgreSQL: address, distributedBy: ["Employee.company"])
    #expect(try primaryKeys() == "Employee|company,_id\nFirm|_id\nSkill|_id")
    #expect(
      try psql(#"SELECT count(*), sum(number::int), count(manager) FROM "Employee""#)
        == "50|2275|49")
    try await migrated.write { context in
      let people: [V2.Person] = try context.fetch()
      for person in people { person.note = "kept" }
    }
    try migrated.close()
    try open(V2.model(), ["Employee.company"]).close()
    let declared = try ServerDeclarations.of("datastore", in: database, server)
    try SwiftDatastore(
      dataModel: V2.model(), postgreSQL: address, storeName: "fresh",
      distributedBy: ["Employee.company"]
    ).close()
    let fresh = try ServerDeclarations.of("fresh", in: database, server)
    #expect(
      declared == fresh,
      "\(declared.subtracting(fresh).sorted()) instead of \(fresh.subtracting(declared).sorted())")
  }

  // Promise: a server distributes tables, which then have no references and little uniqueness → the graph
  // is saved, changed and deleted as before; migrations are refused.
  @Test(
    "Where the server distributes tables it is asked to, and what such tables cannot have is left out"
  )
  func distributed() async throws {
    if try Self.isOneMachine {
      try server.psql(
        database,
        """
        CREATE TABLE public.calls (place regclass, col text);
        CREATE FUNCTION pg_catalog.create_distributed_table(place regclass, col text) RETURNS void
        LANGUAGE sql AS $$ INSERT INTO public.calls VALUES (place, col) $$
        """)
    } else {
      try server.psql(
        database,
        """
        CREATE VIEW public.calls AS SELECT logicalrelid AS place, \
        column_to_column_name(logicalrelid, partkey) AS col FROM pg_dist_partition WHERE partmethod = 'h'
        """)
    }
    // Without being asked, nothing is distributed.
    try SwiftDatastore(dataModel: V1.model(), postgreSQL: address, storeName: "plain").close()
    #expect(try psql("SELECT count(*) FROM public.calls") == "0")
    let names = ["Person.firm", "Firm.region"]
    let datastore = try open(V1.model(), names)
    #expect(
      try psql("SELECT place::text, col FROM public.calls ORDER BY 1")
        == "\"Firm\"|region\n\"Person\"|firm")
    #expect(try primaryKeys() == "Firm|region,_id\nPerson|firm,_id\nSkill|_id")
    #expect(try constraints("f") == "")
    // Uniqueness holds, and is checked at once.
    #expect(
      try psql(
        """
        SELECT count(*), bool_and(indimmediate) FROM pg_index WHERE indisunique AND NOT indisprimary \
        AND indrelid IN ('"Person"'::regclass, '"Firm"'::regclass)
        """) == "3|t")
    #expect(
      try psql(
        """
        SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal AND tgname !~ '^truncate_trigger' \
        AND tgrelid IN ('"Person"'::regclass, '"Firm"'::regclass)
        """) == "0")
    try await useGraph(datastore)
    try await datastore.newContext().perform { context in
      let firm: V1.Firm = try context.createObject()
      (firm.region, firm.name) = (1, "F1")
      let error = #expect(throws: StoreError.self) { try context.saveChanges() }
      guard case .notUnique("Firm", ["region", "name"], firm.key)? = error else {
        Issue.record("\(error.debugDescription)")
        return
      }
    }
    try datastore.close()
    try open(V1.model(), names).close()
    #expect(try psql("SELECT count(*) FROM public.calls") == "2")
    let forecast = try SwiftDatastore.requiredMigrations(
      ofPostgreSQL: address, dataModel: V2.model())
    #expect("\(forecast.obstacles)".contains("on several machines"), "\(forecast)")
    await #expect(throws: MigrationError.self) {
      try await SwiftDatastore.open(
        dataModel: V2.model(), postgreSQL: address,
        distributedBy: ["Employee.company", "Firm.region"])
    }
    #expect(try psql(#"SELECT count(*) FROM "Person""#) == "50")
  }
}
#endif
