#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreSQL
import DatastoreTestSupport
import Testing

// Promise: a comparison means something else in PostgreSQL (order of NULL, text beside numbers, integers
// beside reals above 2^53, folding) → it answers what the memory says; what cannot be said is narrowed down
// by the server and decided in memory.
// Also: `ResidualTests`
/// The trees that are drawn for SQLite, on tables of PostgreSQL's: all are answered, as the memory says. What the server
/// cannot say with that meaning it narrows down, and the memory decides the rest.
@Suite("Memory and PostgreSQL agree on predicates and sort orders")
struct PredicateAgreementTests {
  private static let trees = 100

  @Test("Random trees on random rows", arguments: RandomCases.rounds(of: trees))
  func randomTrees(round: Int) throws {
    let seed = RandomCases.seed(round)
    var random = SeededRandom(seed: seed)
    let server = try PostgreSQLServer.shared()
    let database = try server.makeDatabase()
    try server.psql(database, AgreementTables.statements(&random))
    let store = try PostgreSQLStore(showing: PostgreSQLAddress(server.address(of: database)))
    defer { try? store.close() }
    let rows = try AgreementRows(store) { Issue.record($0) }
    var draw = PredicateAgreementDraw(
      schema: store.schema, samples: rows.values, keys: rows.keys, random: random)
    for tree in 0..<Self.trees {
      let entity = store.schema.entities[tree % store.schema.entities.count]
      let predicate = draw.predicate(entity)
      try predicate.validate(for: entity, in: store.schema)
      let order = draw.order(entity)
      let comment = Comment(rawValue: "seed \(seed), tree \(tree): \(entity.name)")
      do {
        if let fault = try rows.disagreement(entity, predicate, order) {
          Issue.record("\(comment): \(fault)")
          return
        }
      } catch {
        Issue.record("\(comment): \(predicate) sorted by \(order): \(error)")
        return
      }
    }
  }
}

/// Rows that conversions go wrong on, in tables that another program makes.
private enum AgreementTables {
  static func statements(_ random: inout SeededRandom) -> String {
    var statements = """
      CREATE TABLE place (id int PRIMARY KEY, name text, size int8);
      CREATE TABLE person (id int8 PRIMARY KEY, name text, age int8, salary float8, price numeric,
        active boolean, born timestamptz, local timestamp, badge bytea, uid uuid, code varchar(9),
        short int2, weight real, place_id int REFERENCES place, boss_id int8 REFERENCES person);
      CREATE TABLE item (region text, number int, what text, price float8,
        person_id int8 REFERENCES person, PRIMARY KEY (region, number));
      CREATE TABLE tag (id uuid PRIMARY KEY, label text);
      CREATE TABLE person_tag (person_id int8 REFERENCES person, tag_id uuid REFERENCES tag,
        PRIMARY KEY (person_id, tag_id));

      """
    func one(_ values: [String]) -> String { values.randomElement(using: &random) ?? "NULL" }
    func text() -> String {
      if Int.random(in: 0..<5, using: &random) == 0 { return "NULL" }
      let text = AgreementValues.text(&random).replacing("\0", with: "").replacing("'", with: "''")
      return "E'\(text.replacing("\\", with: "\\\\"))'"
    }
    func integer() -> String {
      one(["NULL", "'\(AgreementValues.integer(&random))'::int8"])
    }
    func real() -> String { one(["NULL", "'\(AgreementValues.real(&random))'::float8"]) }
    let moments = [
      "NULL", "'2001-01-01 00:00:00+00'", "'2024-02-29 13:05:09.5+00'", "'infinity'",
      "'2023-12-31 23:59:59.999999+00'", "'1999-01-04 01:00:00+00'",
    ]
    let uuids = (1...4).map { "'00000000-0000-0000-0000-00000000000\($0)'" }
    for id in 1...4 {
      statements += "INSERT INTO place VALUES (\(id), \(text()), \(integer()));\n"
    }
    for id in 1...14 {
      let values = [
        "\(id)", text(), integer(), real(),
        one(["NULL", "10", "9.5", "-0.25", "1.50", "100"]), one(["NULL", "true", "false"]),
        one(moments), one(moments), one(["NULL", "'\\x'", "'\\x00ff'", "'\\x61'"]),
        one(uuids + ["NULL"]), one(["NULL", "'abc'", "'ABC'", "'É'"]),
        one(["NULL", "0", "1", "-1", "7"]), one(["NULL", "0.1", "0.5", "1", "1e30"]),
        one(["NULL", "1", "2", "3"]), id == 1 ? "NULL" : one(["NULL", "1", "\(id - 1)"]),
      ]
      statements += "INSERT INTO person VALUES (\(values.joined(separator: ", ")));\n"
    }
    for number in 1...8 {
      statements += """
        INSERT INTO item VALUES (\(one(["'EU'", "'US'", "'1'"])), \(number), \(text()), \(real()),
          \(one(["NULL", "1", "2", "3", "4"])));

        """
    }
    for uuid in uuids { statements += "INSERT INTO tag VALUES (\(uuid), \(text()));\n" }
    for _ in 0..<12 {
      statements += """
        INSERT INTO person_tag VALUES (\(Int.random(in: 1...14, using: &random)), \(one(uuids)))
          ON CONFLICT DO NOTHING;

        """
    }
    return statements
  }
}
#endif
