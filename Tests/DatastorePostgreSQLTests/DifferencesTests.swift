#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreSQL
import DatastoreTestSupport
import Foundation
import Testing

/// The changes of a server's rows since they were kept, no matter who has written them, compared with psql.
@Suite("Differences from the rows that were there, in a server")
struct DifferencesTests {
  let server: PostgreSQLServer
  let database: String

  init() throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
  }

  private func open() throws -> PostgreSQLStore {
    try PostgreSQLStore(showing: PostgreSQLAddress(server.address(of: database)))
  }

  @discardableResult
  private func psql(_ sql: String) throws -> String { try server.psql(database, sql) }

  private static let tables: [(name: String, key: [String], columns: [String])] = [
    ("t", ["id"], ["a", "b"]), ("pair", ["k", "l"], ["a", "b"]), ("unique_id", ["u"], ["t_id"]),
  ]

  private static let declarations = """
    CREATE TABLE t (id int PRIMARY KEY, a text, b numeric, c text GENERATED ALWAYS AS (a || 'x') STORED);
    CREATE TABLE pair (k text, l int, a timestamptz, b bytea, PRIMARY KEY (k, l));
    CREATE TABLE unique_id (u uuid PRIMARY KEY, t_id int);
    CREATE TABLE keyless (a int);
    CREATE VIEW v AS SELECT * FROM t;
    """

  /// Each row of the tables as psql has it: `t 3`, with its columns as text.
  private func rows() throws -> [String: [String]] {
    var rows: [String: [String]] = [:]
    for table in Self.tables {
      let key = table.key.map { "replace(\($0)::text, '-', '')" }.joined(separator: " || ',' || ")
      let columns = table.columns.map { "coalesce(\($0)::text, 'NULL')" }
        .joined(separator: " || '|' || ")
      for line in try psql("SELECT \(key) || '|' || \(columns) FROM \(table.name)")
        .split(separator: "\n")
      {
        let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        rows["\(table.name) \(parts[0])"] = Array(parts.dropFirst())
      }
    }
    return rows
  }

  private static func statement(_ random: inout SeededRandom) -> String {
    let number = Int.random(in: 1...9, using: &random)
    let text = ["NULL", "'x'", "'X'", "''", "'ß'"].randomElement(using: &random) ?? "NULL"
    let decimal =
      ["NULL", "1", "2.5", "12345678901234567890.5"].randomElement(using: &random) ?? "NULL"
    let time =
      ["NULL", "'2001-01-01 00:00+00'", "'2001-01-01 00:00:00.5+00'"]
      .randomElement(using: &random) ?? "NULL"
    let id = "'00000000-0000-0000-0000-00000000000\(number)'"
    return switch Int.random(in: 0..<8, using: &random) {
    case 0: "INSERT INTO t VALUES (\(number), \(text), \(decimal)) ON CONFLICT DO NOTHING"
    case 1: "UPDATE t SET a = \(text), b = \(decimal) WHERE id = \(number)"
    case 2: "DELETE FROM t WHERE id = \(number)"
    case 3:
      """
      INSERT INTO pair VALUES ('k\(number % 3)', \(number), \(time), '\\x0\(number)') \
      ON CONFLICT (k, l) DO UPDATE SET a = excluded.a
      """
    case 4: "UPDATE pair SET b = '\\x0\(number)' WHERE l < \(number)"
    case 5: "DELETE FROM pair WHERE l = \(number)"
    case 6:
      "INSERT INTO unique_id VALUES (\(id), \(number)) ON CONFLICT (u) DO UPDATE SET t_id = 1"
    default: "DELETE FROM unique_id WHERE u = \(id)"
    }
  }

  /// A part of a key as psql writes it, without the hyphens of a UUID.
  private static func text(_ value: Value) -> String {
    switch value {
    case .text(let text): text
    case .blob(let data):
      data.map { String(format: "%02x", $0) }.joined()
    default: "\(value)"
    }
  }

  /// Each object as a line: `updated t 3 a b`.
  private func lines(_ differences: StoreDifferences, _ store: PostgreSQLStore) -> [String] {
    differences.parts.flatMap(\.objects).map { object in
      let entity = store.schema.entities[object.entity]
      let key =
        store.keyValues(entity: object.entity, key: object.key)?
        .map(Self.text).joined(separator: ",") ?? "\(object.key)"
      let columns = Self.tables.first { $0.name == entity.name }?.columns ?? []
      let names = object.changes.map { entity.properties[$0.slot].name }
      return "\(object.kind.rawValue) \(entity.name) \(key)"
        + (object.kind == .updated
          ? columns.filter(names.contains).map { " \($0)" }.joined() : "")
    }
  }

  @Test("They are those that psql finds, whatever others write; the store may be opened again")
  func agreement() async throws {
    let seed = RandomCases.seed()
    var random = SeededRandom(seed: seed)
    try psql(Self.declarations)
    for round in RandomCases.rounds(of: 12) {
      let edits = (0..<40).map { _ in Self.statement(&random) }
      try psql(edits.prefix(28).joined(separator: ";\n"))
      let first = try open()
      let baseline = try await first.answer(BaselineQuestion())
      let before = try rows()
      try psql(edits.suffix(12).joined(separator: ";\n"))
      let after = try rows()
      var expected: [String] = []
      for key in Set(before.keys).union(after.keys) {
        let (old, new) = (before[key], after[key])
        if old == new { continue }
        guard let old, let new else {
          expected.append("\(old == nil ? "inserted" : "deleted") \(key)")
          continue
        }
        let table = try #require(Self.tables.first { key.hasPrefix("\($0.name) ") })
        let columns = zip(table.columns, zip(old, new)).filter { $1.0 != $1.1 }
        expected.append("updated \(key)" + columns.map { " \($0.0)" }.joined())
      }
      // Keys that are no numbers get other numbers from another store.
      let other = try open()
      _ = try await other.fetch(FetchRequest(entity: "pair", limit: 3))
      for store in [first, other] {
        let differences = try await store.answer(DifferencesQuestion(since: baseline, limit: 100))
        try #require(
          lines(differences, store).sorted() == expected.sorted(),
          "seed \(seed), round \(round): \(edits)")
        #expect(differences.parts.reduce(0) { $0 + $1.count } == expected.count)
        #expect(differences.leftOut.map(\.table) == ["keyless"])
      }
      try first.close()
      try other.close()
    }
  }

  @Test("Of many, the first are told and all are counted; tables with too much are named")
  func limits() async throws {
    try psql(
      """
      CREATE TABLE a_large (id int PRIMARY KEY, a bytea);
      INSERT INTO a_large SELECT i, decode(repeat('00', 1000000), 'hex') FROM generate_series(1, 40) AS i;
      CREATE TABLE many (id int PRIMARY KEY);
      INSERT INTO many SELECT * FROM generate_series(1, 250001);
      CREATE TABLE t (id int PRIMARY KEY, a int);
      """)
    let store = try open()
    let baseline = try await store.answer(BaselineQuestion())
    try psql("INSERT INTO t SELECT i, i FROM generate_series(1, 50) AS i; DELETE FROM a_large")
    let differences = try await store.answer(DifferencesQuestion(since: baseline, limit: 20))
    #expect(differences.parts.map(\.count) == [50])
    #expect(differences.parts.map(\.objects.count) == [20])
    #expect(differences.leftOut.map(\.table).sorted() == ["a_large", "many"])
    try store.close()
  }

  @Test("Members of relationships that pairs of a table hold, and objects of a family")
  func native() async throws {
    let schema = try Schema([
      entity("Thing", attribute("name")),
      entity("Box", parent: "Thing", attribute("name"), attribute("size", .integer64)),
      entity("Note", attribute("text"), relationship("tags", .toMany, "Tag", "notes")),
      entity("Tag", attribute("word"), relationship("notes", .toMany, "Note", "tags")),
    ])
    let address = try PostgreSQLAddress(server.address(of: database))
    let store = try PostgreSQLStore(schema, at: address, named: "things")
    var made = Changes(store)
    try made.insert("Thing", key: 1, ["name": "one"])
    try made.insert("Box", key: 2, ["name": "two", "size": 4])
    try made.insert("Note", key: 1, ["text": "one"])
    try made.insert("Note", key: 2, ["text": "two"])
    try made.insert("Tag", key: 1, ["word": "red"])
    try made.insert("Tag", key: 2, ["word": "blue"])
    _ = try store.save(made.set)
    let pairs = try psql(
      """
      SELECT format('%I.%I', table_schema, table_name) FROM information_schema.tables
      WHERE table_schema = 'things' AND table_name LIKE '%tags%'
      """
    ).trimmingCharacters(in: .whitespacesAndNewlines)
    let columns = try psql(
      """
      SELECT format('%I', attname) FROM pg_attribute WHERE attrelid = '\(pairs)'::regclass AND attnum > 0 \
      ORDER BY attnum
      """
    ).split(separator: "\n")
    try psql("INSERT INTO \(pairs) (\(columns[0]), \(columns[1])) VALUES (1, 1), (2, 2)")
    let baseline = try await store.answer(BaselineQuestion())
    try psql(
      """
      UPDATE things."Thing" SET size = 5 WHERE size = 4;
      DELETE FROM \(pairs) WHERE \(columns[0]) = 1;
      INSERT INTO \(pairs) (\(columns[0]), \(columns[1])) VALUES (1, 2);
      """)
    let differences = try await store.answer(DifferencesQuestion(since: baseline, limit: 9))
    #expect(lines(differences, store) == ["updated Box 2", "updated Note 1"])
    let box = try #require(differences.parts.first?.objects.first)
    #expect(box.changes.map { [$0.old, $0.new] } == [[4, 5]])
    let note = try #require(differences.parts.last?.objects.first)
    #expect(note.members.map(\.added) == [[2]] && note.members.map(\.removed) == [[1]])
    try store.close()
  }
}
#endif
