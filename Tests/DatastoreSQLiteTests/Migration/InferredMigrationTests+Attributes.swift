import DatastoreCore
import DatastoreTestSupport

extension InferredMigrationTests {
  static let attributeCases: [MigrationCase] = [
    MigrationCase(
      name: "an optional attribute is added", kind: .instant, old: [person],
      new: [
        entity("Person", attribute("name", isOptional: false), attribute("tel"), attribute("fax"))
      ],
      sql: people, query: "SELECT name || coalesce(fax, '-') FROM Person",
      expected: ["Ann-", "Bob-", "Cid-"]),
    MigrationCase(
      name: "a required attribute with a default is added", kind: .instant, old: [person],
      new: [
        entity(
          "Person", attribute("name", isOptional: false), attribute("tel"),
          attribute("age", .integer64, isOptional: false, default: 7))
      ],
      sql: people, query: "SELECT name || age FROM Person", expected: ["Ann7", "Bob7", "Cid7"]),
    MigrationCase(
      name: "an attribute is renamed", kind: .instant, old: [person],
      new: [
        entity("Person", attribute("name", isOptional: false), attribute("phone", from: "tel"))
      ],
      sql: people, query: "SELECT name || coalesce(phone, '-') FROM Person",
      expected: ["Ann1", "Bob-", "Cid3"]),
    MigrationCase(
      name: "two attributes swap their names", kind: .instant,
      old: [entity("Person", attribute("a"), attribute("b", isIndexed: true))],
      new: [
        entity("Person", attribute("a", isIndexed: true, from: "b"), attribute("b", from: "a"))
      ],
      sql: "INSERT INTO Person (_id, a, b) VALUES (1, 'one', 'two')",
      query: "SELECT a || b FROM Person", expected: ["twoone"]),
    MigrationCase(
      name: "an attribute changes the case of its name", kind: .instant, old: [person],
      new: [entity("Person", attribute("name", isOptional: false), attribute("Tel", from: "tel"))],
      sql: people, query: "SELECT coalesce(Tel, '-') FROM Person", expected: ["1", "-", "3"]),
    MigrationCase(
      name: "a default value changes", kind: .metadata, old: [person],
      new: [
        entity("Person", attribute("name", isOptional: false, default: "x"), attribute("tel"))
      ],
      sql: people, query: "SELECT name FROM Person", expected: ["Ann", "Bob", "Cid"]),
    MigrationCase(
      name: "required becomes optional", kind: .lossless, old: [person],
      new: [entity("Person", attribute("name"), attribute("tel"))],
      sql: people, query: "SELECT name FROM Person", expected: ["Ann", "Bob", "Cid"]),
    MigrationCase(
      name: "optional becomes required, and a default fills", kind: .checked, old: [person],
      new: [
        entity(
          "Person", attribute("name", isOptional: false),
          attribute("tel", isOptional: false, default: "none"))
      ],
      sql: people, query: "SELECT tel FROM Person", expected: ["1", "none", "3"]),
    MigrationCase(
      name: "an attribute becomes unique", kind: .instant, old: [person],
      new: [
        entity("Person", attribute("name", isOptional: false, isUnique: true), attribute("tel"))
      ],
      sql: people, query: "SELECT name FROM Person", expected: ["Ann", "Bob", "Cid"]),
    MigrationCase(
      name: "an index comes and another goes", kind: .instant,
      old: [entity("Person", attribute("a", isIndexed: true), attribute("b"))],
      new: [entity("Person", attribute("a"), attribute("b", isIndexed: true))],
      sql: "INSERT INTO Person (_id, a, b) VALUES (1, 'x', 'y')",
      query: "SELECT a || b FROM Person", expected: ["xy"]),
    MigrationCase(
      name: "an integer becomes wider", kind: .instant,
      old: [entity("A", attribute("n", .integer16))],
      new: [entity("A", attribute("n", .integer64))],
      sql: "INSERT INTO A (_id, n) VALUES (1, 300), (2, NULL)",
      query: "SELECT coalesce(n, 'none') FROM A", expected: ["300", "none"]),
    MigrationCase(
      name: "an integer becomes narrower", kind: .instant,
      old: [entity("A", attribute("n", .integer64))], new: [entity("A", attribute("n", .integer8))],
      sql: "INSERT INTO A (_id, n) VALUES (1, 100), (2, NULL)",
      query: "SELECT coalesce(n, 'none') FROM A", expected: ["100", "none"]),
    MigrationCase(
      name: "an integer becomes a double", kind: .checked,
      old: [entity("A", attribute("n", .integer64))], new: [entity("A", attribute("n", .double))],
      sql: "INSERT INTO A (_id, n) VALUES (1, 3), (2, NULL)",
      query: "SELECT typeof(n) || coalesce(n, '') FROM A", expected: ["real3.0", "null"]),
    MigrationCase(
      name: "a double becomes an integer", kind: .checked,
      old: [entity("A", attribute("n", .double))], new: [entity("A", attribute("n", .integer32))],
      sql: "INSERT INTO A (_id, n) VALUES (1, 3.0), (2, NULL)",
      query: "SELECT typeof(n) || coalesce(n, '') FROM A", expected: ["integer3", "null"]),
    MigrationCase(
      name: "text becomes an integer", kind: .checked,
      old: [entity("A", attribute("n", .string))], new: [entity("A", attribute("n", .integer64))],
      sql: "INSERT INTO A (_id, n) VALUES (1, '42'), (2, NULL), (3, '-7')",
      query: "SELECT typeof(n) || coalesce(n, '') FROM A",
      expected: ["integer42", "null", "integer-7"]),
    MigrationCase(
      name: "an integer becomes text", kind: .lossless,
      old: [entity("A", attribute("n", .integer64))], new: [entity("A", attribute("n", .string))],
      sql: "INSERT INTO A (_id, n) VALUES (1, 42), (2, NULL)",
      query: "SELECT typeof(n) || coalesce(n, '') FROM A", expected: ["text42", "null"]),
    MigrationCase(
      name: "text becomes a UUID", kind: .checked,
      old: [entity("A", attribute("n", .string))], new: [entity("A", attribute("n", .uuid))],
      sql: "INSERT INTO A (_id, n) VALUES (1, '00000000-0000-0000-0000-0000000000ff')",
      query: "SELECT hex(n) FROM A", expected: ["000000000000000000000000000000FF"]),
    MigrationCase(
      name: "a UUID becomes data", kind: .instant,
      old: [entity("A", attribute("n", .uuid))], new: [entity("A", attribute("n", .data))],
      sql: "INSERT INTO A (_id, n) VALUES (1, x'000000000000000000000000000000FF')",
      query: "SELECT hex(n) FROM A", expected: ["000000000000000000000000000000FF"]),
    MigrationCase(
      name: "text becomes JSON", kind: .lossless,
      old: [entity("A", attribute("n", .string))], new: [entity("A", attribute("n", .coded))],
      sql: "INSERT INTO A (_id, n) VALUES (1, 'it')",
      query: "SELECT typeof(n) || CAST(n AS TEXT) FROM A", expected: ["blob\"it\""]),
    MigrationCase(
      name: "a removed attribute that is empty", kind: .lossless, old: [person],
      new: [entity("Person", attribute("name", isOptional: false))],
      sql: "INSERT INTO Person (_id, name) VALUES (1, 'Ann')",
      query: "SELECT name FROM Person", expected: ["Ann"]),
    MigrationCase(
      name: "a removed attribute that is declared", kind: .loss, old: [person],
      new: [entity("Person", attribute("name", isOptional: false))],
      sql: people, query: "SELECT name FROM Person", expected: ["Ann", "Bob", "Cid"],
      policy: .declared(["Person.tel"])),
    MigrationCase(
      name: "many changes of one table at once", kind: .loss,
      old: [
        entity(
          "A", attribute("a", .integer64), attribute("b", .string), attribute("c", .double),
          attribute("d"), attribute("_id"))
      ],
      new: [
        entity(
          "A", attribute("a", .string), attribute("bb", from: "b"),
          attribute("d", isOptional: false),
          attribute("e", .integer64, default: 3))
      ],
      sql: #"INSERT INTO A (_id_2, a, b, c, d, _id) VALUES (5, 1, 'x', 2.5, 'y', 'z')"#,
      query: "SELECT _id || a || bb || d || e FROM A", expected: ["51xy3"],
      policy: .declared(.all)),
  ]
}
