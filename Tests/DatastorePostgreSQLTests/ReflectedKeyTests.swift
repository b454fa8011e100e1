#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreSQL
import DatastoreTestSupport
import Foundation
import Testing

// Promise: rows of other programs' tables are changed and deleted whatever their key is: moments to the
// microsecond in every year, NaN, arrays → exactly these rows.
@Suite("Keys of tables of other programs that numbers of seconds and lists do not hold")
struct ReflectedKeyTests {
  let server: PostgreSQLServer
  let database: String

  init() throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
  }

  private func store(_ statements: String) throws -> PostgreSQLStore {
    try psql(statements)
    return try PostgreSQLStore(
      showing: PostgreSQLAddress(server.address(of: database)), isReadOnly: false)
  }

  @discardableResult
  private func psql(_ sql: String) throws -> String {
    try server.psql(database, "SET TimeZone = 'UTC';" + sql)
  }

  @Test(
    "Rows next to each other in time are told from each other",
    arguments: ["timestamp", "timestamptz"])
  func moments(type: String) throws {
    let store = try store(
      """
      CREATE TABLE period (until \(type) PRIMARY KEY, since \(type), n int);
      INSERT INTO period VALUES
        ('9999-12-31 23:59:59.999999', '0001-01-01 00:00:00.000001', 1),
        ('9999-12-31 23:59:59.999998', '1500-02-28 12:00:00.123457', 2),
        ('1600-01-01 00:00:00.000001', '2001-01-01 00:00:01.123456', 3),
        ('9999-12-31 23:59:59', 'infinity', 4), ('2024-02-29 01:02:03.456789', '-infinity', 5);
      """)
    let keys = try store.fetchKeys(
      FetchRequest(entity: "period", sortDescriptors: [SortDescriptor(["n"])]))
    #expect(
      try keys.map { try store.row("period", $0)?["since"] } == [
        "0001-01-01 00:00:00.000001", "1500-02-28 12:00:00.123457", 1.123456, .real(.infinity),
        .real(-.infinity),
      ])
    let seen = try store.row("period", keys[0]) ?? [:]
    var changes = Changes(store)
    // Compared with what was read, and changed.
    for (number, key) in keys.enumerated() where number != 1 {
      try changes.update("period", key, from: [:], to: ["n": .integer(Int64(number) * 10)])
    }
    try changes.update("period", keys[2], from: [:], to: ["since": "9999-12-31 23:59:59.999997"])
    try changes.delete("period", keys[1])
    try changes.save()
    let rows = try psql("SELECT until::timestamp, since::timestamp, n FROM period ORDER BY 1")
    #expect(
      rows == """
        1600-01-01 00:00:00.000001|9999-12-31 23:59:59.999997|20
        2024-02-29 01:02:03.456789|-infinity|40
        9999-12-31 23:59:59|infinity|30
        9999-12-31 23:59:59.999999|0001-01-01 00:00:00.000001|0
        """)
    // A deletion that is taken back.
    var deletion = Changes(store)
    try deletion.delete("period", keys[0])
    try deletion.save()
    var restored = Changes(store)
    try restored.insert("period", seen)
    try restored.save()
    #expect(
      try psql(
        "SELECT n FROM period WHERE until = '9999-12-31 23:59:59.999999' "
          + "AND since = '0001-01-01 00:00:00.000001'") == "1")
  }

  @Test("NaN is the key of one row")
  func notANumber() throws {
    let store = try store(
      """
      CREATE TABLE f (k float8 PRIMARY KEY, n int); INSERT INTO f VALUES ('NaN', 1), (1.5, 2);
      CREATE TABLE d (k numeric, l float4, n int, PRIMARY KEY (k, l)); INSERT INTO d VALUES ('NaN', 'NaN', 1), (1, 1, 2);
      """)
    for entity in ["f", "d"] {
      let keys = try store.fetchKeys(
        FetchRequest(entity: entity, sortDescriptors: [SortDescriptor(["n"])]))
      #expect(keys.count == 2)
      var changes = Changes(store)
      for key in keys { try changes.update(entity, key, from: [:], to: ["n": 7]) }
      try changes.save()
      #expect(try psql("SELECT k, n FROM \(entity) ORDER BY k DESC LIMIT 1") == "NaN|7")
      var deletion = Changes(store)
      try deletion.delete(entity, keys[0])
      try deletion.save()
      #expect(try psql("SELECT count(*), max(n) FROM \(entity)") == "1|7")
    }
  }

  @Test("Arrays are keys like others, alone and beside another column")
  func arrays() throws {
    let store = try store(
      """
      CREATE TABLE a (k int[] PRIMARY KEY, n int);
      INSERT INTO a VALUES ('{1,2}', 1), ('{2}', 2), ('{{1,2},{3,4}}', 3), ('{}', 4);
      CREATE TABLE b (k text[], l text, n int, PRIMARY KEY (k, l));
      INSERT INTO b VALUES ('{"a,b",c}', 'x', 1), ('{c}', 'x', 2), ('{c}', 'y', 3), ('{"{d}"}', 'y', 4);
      CREATE TABLE c (id int PRIMARY KEY, a int[] REFERENCES a); INSERT INTO c VALUES (1, '{2}'), (2, '{1,2}');
      """)
    for entity in ["a", "b"] {
      let keys = try store.fetchKeys(
        FetchRequest(entity: entity, sortDescriptors: [SortDescriptor(["n"])]))
      let pages = try store.rows(
        entity: #require(store.schema.entity(named: entity)).index, keys: keys)
      #expect(pages.map(\.rowCount).reduce(0, +) == 4)
      var changes = Changes(store)
      for key in keys.dropLast() {
        let n = try #require(store.row(entity, key)?["n"]?.number)
        try changes.update(entity, key, from: [:], to: ["n": .integer(Int64(n) * 10)])
      }
      try changes.delete(entity, keys[3])
      try changes.save()
      #expect(try psql("SELECT n FROM \(entity) ORDER BY 1") == "10\n20\n30")
    }
    let rows = try store.values(
      FetchRequest(entity: "c", sortDescriptors: [SortDescriptor(["id"])]), "a")
    let keys = try store.fetchKeys(
      FetchRequest(entity: "a", sortDescriptors: [SortDescriptor(["n"])]))
    #expect(rows == [[.key(keys[1])], [.key(keys[0])]])
  }
}
#endif
