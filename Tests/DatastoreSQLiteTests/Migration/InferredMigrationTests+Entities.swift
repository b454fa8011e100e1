import DatastoreCore
import DatastoreTestSupport

extension InferredMigrationTests {
  static let entityCases: [MigrationCase] = [
    MigrationCase(
      name: "an entity is added", kind: .instant, old: [person],
      new: [person, entity("Visit", attribute("day", .calendarDate))],
      sql: people, query: "SELECT count(*) || '' FROM Visit", expected: ["0"]),
    MigrationCase(
      name: "an entity is renamed", kind: .instant, old: firms,
      new: [
        entity("Firm", attribute("name"), relationship("staff", .toMany, "Worker", "firm")),
        entity(
          "Worker", from: "Person", attribute("name"), relationship("firm", .toOne, "Firm", "staff")
        ),
      ],
      sql: firmRows,
      query: "SELECT w.name || f.name FROM Worker w JOIN Firm f ON f._id = w.firm ORDER BY w._id",
      expected: ["AnnA", "BobA", "CidB"]),
    MigrationCase(
      name: "two entities swap their names", kind: .instant,
      old: [
        entity("A", attribute("n"), relationship("b", .toOne, "B")), entity("B", attribute("m")),
      ],
      new: [
        entity("A", from: "B", attribute("m")),
        entity("B", from: "A", attribute("n"), relationship("b", .toOne, "A")),
      ],
      sql: "INSERT INTO B (_id, m) VALUES (1, 'm'); INSERT INTO A (_id, n, b) VALUES (9, 'n', 1)",
      query: "SELECT b.n || a.m FROM B b JOIN A a ON a._id = b.b", expected: ["nm"]),
    MigrationCase(
      name: "an entity is removed", kind: .loss, old: [person, entity("Visit", attribute("day"))],
      new: [person], sql: people + "INSERT INTO Visit (_id) VALUES (1)",
      query: "SELECT name FROM Person", expected: ["Ann", "Bob", "Cid"],
      policy: .declared(["Visit"])),
    MigrationCase(
      name: "an entity gets a child", kind: .lossless, old: [person],
      new: [
        person,
        entity(
          "Clerk", parent: "Person", attribute("name", isOptional: false), attribute("tel"),
          attribute("desk")),
      ],
      sql: people, query: "SELECT _entity || name FROM Person",
      expected: ["PersonAnn", "PersonBob", "PersonCid"]),
    MigrationCase(
      name: "an entity is put under a parent", kind: .lossless,
      old: [
        person,
        entity("Clerk", attribute("name", isOptional: false), attribute("tel"), attribute("desk")),
        entity("Task", relationship("clerk", .toOne, "Clerk")),
      ],
      new: [
        person,
        entity(
          "Clerk", parent: "Person", attribute("name", isOptional: false), attribute("tel"),
          attribute("desk")), entity("Task", relationship("clerk", .toOne, "Clerk")),
      ],
      sql: people
        + """
        INSERT INTO Clerk (_id, name, desk) VALUES (2, 'Eve', 'd');
        INSERT INTO Task (_id, clerk) VALUES (1, 2);
        """,
      query: """
        SELECT _id || _entity || name || coalesce(desk, '') FROM Person \
        UNION ALL SELECT 'task ' || clerk FROM Task
        """,
      expected: ["1PersonAnn", "2PersonBob", "3PersonCid", "4ClerkEved", "task 4"]),
    MigrationCase(
      name: "an entity is taken out of its family", kind: .lossless,
      old: [
        entity("Person", attribute("name")),
        entity("Clerk", parent: "Person", attribute("name"), attribute("desk")),
      ],
      new: [
        entity("Person", attribute("name")), entity("Clerk", attribute("name"), attribute("desk")),
      ],
      sql: """
        INSERT INTO Person (_id, _entity, name, desk) VALUES (1, 'Person', 'Ann', NULL), (2, 'Clerk', 'Eve', 'd')
        """,
      query: "SELECT _id || name FROM Person UNION ALL SELECT _id || name || desk FROM Clerk",
      expected: ["1Ann", "2Eved"]),
    MigrationCase(
      name: "an attribute moves to the parent", kind: .lossless,
      old: [
        entity("Person", attribute("name")),
        entity("Clerk", parent: "Person", attribute("name"), attribute("desk")),
      ],
      new: [
        entity("Person", attribute("name"), attribute("desk")),
        entity("Clerk", parent: "Person", attribute("name"), attribute("desk")),
      ],
      sql: """
        INSERT INTO Person (_id, _entity, name, desk) VALUES (1, 'Person', 'Ann', NULL), (2, 'Clerk', 'Eve', 'd')
        """,
      query: "SELECT name || coalesce(desk, '-') FROM Person", expected: ["Ann-", "Eved"]),
    MigrationCase(
      name: "a child is removed", kind: .loss,
      old: [
        entity("Person", attribute("name")),
        entity("Clerk", parent: "Person", attribute("name"), attribute("desk")),
        entity("Task", relationship("owner", .toOne, "Person")),
      ],
      new: [
        entity("Person", attribute("name")),
        entity("Task", relationship("owner", .toOne, "Person")),
      ],
      sql: """
        INSERT INTO Person (_id, _entity, name) VALUES (1, 'Person', 'Ann'), (2, 'Clerk', 'Eve');
        INSERT INTO Task (_id, owner) VALUES (1, 1), (2, 2);
        """,
      query: "SELECT name FROM Person UNION ALL SELECT coalesce(owner, 'none') FROM Task",
      expected: ["Ann", "1", "none"], policy: .declared(["Clerk"])),
  ]
}
