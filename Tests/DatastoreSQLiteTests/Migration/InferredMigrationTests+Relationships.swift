import DatastoreCore
import DatastoreTestSupport

extension InferredMigrationTests {
  static let relationshipCases: [MigrationCase] = [
    MigrationCase(
      name: "a to-one relationship is added", kind: .instant,
      old: [person, entity("Firm", attribute("n"))],
      new: [
        entity(
          "Person", attribute("name", isOptional: false), attribute("tel"),
          relationship("firm", .toOne, "Firm")), entity("Firm", attribute("n")),
      ],
      sql: people, query: "SELECT coalesce(firm, '-') FROM Person ORDER BY _id",
      expected: ["-", "-", "-"]),
    MigrationCase(
      name: "a many-to-many relationship is added", kind: .instant,
      old: [entity("Person", attribute("name")), entity("Tag", attribute("label"))], new: tags,
      sql: "", query: "SELECT count(*) || '' FROM Person_tags", expected: ["0"]),
    MigrationCase(
      name: "relationships are renamed", kind: .instant, old: firms,
      new: [
        entity(
          "Firm", attribute("name"),
          relationship("people", .toMany, "Person", "employer", from: "staff")),
        entity(
          "Person", attribute("name"),
          relationship("employer", .toOne, "Firm", "people", from: "firm")),
      ],
      sql: firmRows, query: "SELECT coalesce(employer, '-') FROM Person ORDER BY _id",
      expected: ["1", "1", "2", "-"]),
    MigrationCase(
      name: "a many-to-many relationship is renamed", kind: .instant, old: tags,
      new: [
        entity(
          "Person", attribute("name"), relationship("marks", .toMany, "Tag", "people", from: "tags")
        ),
        entity("Tag", attribute("label"), relationship("people", .toMany, "Person", "marks")),
      ],
      sql: tagRows, query: "SELECT Person || marks FROM Person_marks ORDER BY 1",
      expected: ["11", "12", "22"]),
    MigrationCase(
      name: "a renaming turns the sides of a table of pairs round", kind: .lossless, old: tags,
      new: [
        entity(
          "Zoe", from: "Person", attribute("name"), relationship("tags", .toMany, "Tag", "people")),
        entity("Tag", attribute("label"), relationship("people", .toMany, "Zoe", "tags")),
      ],
      sql: tagRows, query: "SELECT Tag || people FROM Tag_people ORDER BY 1",
      expected: ["11", "21", "22"]),
    MigrationCase(
      name: "to-one becomes to-many", kind: .lossless, old: firms,
      new: [
        entity("Firm", attribute("name"), relationship("staff", .toMany, "Person", "firm")),
        entity("Person", attribute("name"), relationship("firm", .toMany, "Firm", "staff")),
      ],
      sql: firmRows, query: "SELECT Firm || staff FROM Firm_staff ORDER BY 1",
      expected: ["11", "12", "23"]),
    MigrationCase(
      name: "to-many becomes to-one where each has one", kind: .lossless, old: tags,
      new: [
        entity("Person", attribute("name"), relationship("tags", .toOne, "Tag", "people")),
        entity("Tag", attribute("label"), relationship("people", .toMany, "Person", "tags")),
      ],
      sql: """
        INSERT INTO Person (_id, name) VALUES (1, 'Ann'), (2, 'Bob');
        INSERT INTO Tag (_id, label) VALUES (1, 'x'), (2, 'y');
        INSERT INTO Person_tags (Person, tags) VALUES (1, 2), (2, 2);
        """,
      query: "SELECT name || tags FROM Person", expected: ["Ann2", "Bob2"]),
    MigrationCase(
      name: "to-many becomes to-one, the rest declared", kind: .loss, old: tags,
      new: [
        entity("Person", attribute("name"), relationship("tags", .toOne, "Tag", "people")),
        entity("Tag", attribute("label"), relationship("people", .toMany, "Person", "tags")),
      ],
      sql: tagRows, query: "SELECT name || tags FROM Person", expected: ["Ann1", "Bob2"],
      policy: .declared(["Person.tags"])),
    MigrationCase(
      name: "a relationship gets an order", kind: .instant, old: firms,
      new: [
        entity("Firm", attribute("name"), relationship("staff", .orderedToMany, "Person", "firm")),
        entity("Person", attribute("name"), relationship("firm", .toOne, "Firm", "staff")),
      ],
      sql: firmRows, query: "SELECT coalesce(_order_staff, '-') FROM Person",
      expected: ["-", "-", "-", "-"]),
    MigrationCase(
      name: "an order is dropped", kind: .loss,
      old: [
        entity("Firm", attribute("name"), relationship("staff", .orderedToMany, "Person", "firm")),
        entity("Person", attribute("name"), relationship("firm", .toOne, "Firm", "staff")),
      ], new: firms,
      sql: firmRows + "UPDATE Person SET _order_staff = 5 - _id",
      query: "SELECT coalesce(firm, '-') FROM Person ORDER BY _id", expected: ["1", "1", "2", "-"],
      policy: .declared(["Firm.staff"])),
    MigrationCase(
      name: "an order stays when its relationship is renamed", kind: .instant,
      old: [
        entity("Firm", attribute("name"), relationship("staff", .orderedToMany, "Person", "firm")),
        entity("Person", attribute("name"), relationship("firm", .toOne, "Firm", "staff")),
      ],
      new: [
        entity(
          "Firm", attribute("name"),
          relationship("people", .orderedToMany, "Person", "firm", from: "staff")),
        entity("Person", attribute("name"), relationship("firm", .toOne, "Firm", "people")),
      ],
      sql: firmRows + "UPDATE Person SET _order_staff = 5 - _id",
      query: "SELECT _order_people || '' FROM Person", expected: ["4", "3", "2", "1"]),
    MigrationCase(
      name: "an inverse goes", kind: .lossless, old: firms,
      new: [
        entity("Firm", attribute("name")),
        entity("Person", attribute("name"), relationship("firm", .toOne, "Firm")),
      ],
      sql: firmRows, query: "SELECT coalesce(firm, '-') FROM Person ORDER BY _id",
      expected: ["1", "1", "2", "-"]),
    MigrationCase(
      name: "an inverse comes", kind: .lossless,
      old: [
        entity("Firm", attribute("name")),
        entity("Person", attribute("name"), relationship("firm", .toOne, "Firm")),
      ], new: firms, sql: firmRows, query: "SELECT coalesce(firm, '-') FROM Person ORDER BY _id",
      expected: ["1", "1", "2", "-"]),
    MigrationCase(
      name: "pairs move into a column", kind: .lossless,
      old: [
        entity("Firm", attribute("name"), relationship("staff", .orderedToMany, "Person")),
        entity("Person", attribute("name")),
      ],
      new: [
        entity("Firm", attribute("name"), relationship("staff", .orderedToMany, "Person", "firm")),
        entity("Person", attribute("name"), relationship("firm", .toOne, "Firm", "staff")),
      ],
      sql: """
        INSERT INTO Firm (_id) VALUES (7);
        INSERT INTO Person (_id, name) VALUES (1, 'Ann'), (2, 'Bob');
        INSERT INTO Firm_staff (Firm, staff, _order) VALUES (7, 1, 1), (7, 2, 0);
        """,
      query: "SELECT name || firm || _order_staff FROM Person", expected: ["Ann71", "Bob70"]),
    MigrationCase(
      name: "a delete rule becomes no action", kind: .lossless, old: firms,
      new: [
        entity(
          "Firm", attribute("name"),
          relationship("staff", .toMany, "Person", "firm", rule: .noAction)),
        entity("Person", attribute("name"), relationship("firm", .toOne, "Firm", "staff")),
      ],
      sql: firmRows, query: "SELECT coalesce(firm, '-') FROM Person ORDER BY _id",
      expected: ["1", "1", "2", "-"]),
  ]
}
