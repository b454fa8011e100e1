#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport

/// Rows that conversions go wrong on, in tables that another program makes.
enum PredicateAgreementServerTables {
  static func store(_ random: inout SeededRandom) throws -> PostgreSQLStore {
    let server = try PostgreSQLServer.shared()
    let database = try server.makeDatabase()
    _ = try server.psql(database, statements(&random))
    return try PostgreSQLStore(showing: PostgreSQLAddress(server.address(of: database)))
  }

  private static func statements(_ random: inout SeededRandom) -> String {
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
