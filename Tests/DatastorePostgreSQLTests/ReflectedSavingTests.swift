#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreSQL
import DatastoreTestSupport
import Foundation
import Testing

// Promise: tables of other programs are written: keys of any kind, constraints looked at at once, enums,
// domains, json, generated columns → compared with what was read, in an order that constraints allow, told
// by entity and property.
// Also: `ReflectedRefusalTests`, beside psql
@Suite("Saving to tables of other programs")
struct ReflectedSavingTests {
  let server: PostgreSQLServer
  let database: String

  init() throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
  }

  private func store(_ statements: String, user: String = "postgres") throws -> PostgreSQLStore {
    try psql(statements)
    let address = server.address(of: database).replacing("user=postgres", with: "user=\(user)")
    return try PostgreSQLStore(showing: PostgreSQLAddress(address), isReadOnly: false)
  }

  @discardableResult
  private func psql(_ sql: String) throws -> String { try server.psql(database, sql) }

  private func key(_ store: PostgreSQLStore, _ entity: String, _ values: Value...) throws -> RowKey
  {
    let entity = try #require(store.schema.entity(named: entity))
    return try #require(store.key(entity: entity.index, values: values))
  }

  @Test("Every kind of column is written, and compared with what was read")
  func everyKind() throws {
    let store = try store(
      """
      CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
      CREATE TYPE pair AS (a int, b text);
      CREATE DOMAIN short AS varchar(9) CHECK (VALUE <> 'bad'); CREATE DOMAIN shorter AS short;
      CREATE TABLE thing (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, i2 int2, i4 int4, i8 int8,
        r real, d float8, n numeric(12, 3), inf numeric, b boolean, t text, v shorter, c char(4), u uuid,
        y bytea, m mood, at timestamptz, local timestamp, day date, clock time, tags text[], j jsonb, raw json,
        span int4range, iv interval, bits bit(3), p point, duo pair, ip inet, cost money,
        twice int GENERATED ALWAYS AS (i2 * 2) STORED);
      INSERT INTO thing (i2, i4, i8, r, d, n, inf, b, t, v, c, u, y, m, at, local, day, clock, tags, j, raw, span, iv,
        bits, p, duo, ip, cost)
        VALUES (-3, 7, 9223372036854775807, 0.1, 'NaN', 1.5, 'Infinity', true, 'ß', 'dom', 'ab',
        '00112233-4455-6677-8899-aabbccddeeff', '\\x00ff', 'ok', '2001-01-01 00:00:01.123456+00',
        '2001-01-01 00:00:00.5', '2024-02-29', '12:00', '{a,"b c"}', '{"a": 1}', '{"b" : 2}', '[1,5)',
        '1 day', B'101', '(1,2)', '(1,x)', '10.0.0.1', '1.50');
      """)
    let new: [(String, Value, String)] = [
      ("i2", 4, "4"), ("i4", -70_000, "-70000"), ("i8", .integer(.min), "-9223372036854775808"),
      ("r", 0.5, "0.5"), ("d", 2.25, "2.25"), ("n", "123456789.125", "123456789.125"),
      ("inf", 3, "3"), ("b", 0, "f"), ("t", "tab\tß", "tab\tß"), ("v", "edom", "edom"),
      ("c", "xyz", "xyz "),
      ("u", .blob(Data(repeating: 1, count: 16)), "01010101-0101-0101-0101-010101010101"),
      ("y", .blob(Data([1, 0, 2])), "\\x010002"), ("m", "happy", "happy"),
      ("at", 0.5, "2001-01-01 00:00:00.5+00"), ("local", 86_400, "2001-01-02 00:00:00"),
      ("day", "2020-01-31", "2020-01-31"), ("clock", "23:59:59", "23:59:59"),
      ("tags", "{x,\"y z\"}", "{x,\"y z\"}"), ("j", "{\"k\": [1]}", "{\"k\": [1]}"),
      ("raw", "[1,  2]", "[1,  2]"), ("span", "[2,7)", "[2,7)"), ("iv", "P2D", "2 days"),
      ("bits", "011", "011"), ("p", "(3,4)", "(3,4)"), ("duo", "(2,y)", "(2,y)"),
      ("ip", "192.168.0.0/16", "192.168.0.0/16"), ("cost", "$2.75", "$2.75"),
    ]
    for (name, value, shown) in new {
      var changes = Changes(store)
      try changes.update("thing", 1, from: [:], to: [name: value])
      let waits = store.waitCount
      let result = try changes.save()
      #expect(store.waitCount == waits + 1, "\(name)")
      #expect(result.stale.values.allSatisfy { $0 == [1] })
      #expect(try psql("SET TimeZone = 'UTC'; SELECT \(name) FROM thing") == shown, "\(name)")
    }
    #expect(try psql("SELECT twice FROM thing") == "8")
    // All at once, as a row that was seen, back to NULL.
    var changes = Changes(store)
    try changes.update(
      "thing", 1, from: [:], to: Dictionary(uniqueKeysWithValues: new.map { ($0.0, .null) }))
    try changes.save()
    #expect(
      try psql("SELECT count(*) FROM thing WHERE num_nonnulls(i2, t, m, j, duo, tags) = 0") == "1")
    for (name, value) in [("m", "angry"), ("v", "bad"), ("j", "{"), ("v", "much too long")]
      as [(String, Value)]
    {
      var wrong = Changes(store)
      try wrong.update("thing", 1, from: [:], to: [name: value])
      let error = #expect(throws: StoreError.self, "\(name)") { try wrong.save() }
      #expect(error?.description.contains("thing") == true, "\(error.debugDescription)")
    }
  }

  @Test(
    "New rows take numbers from the sequence, defaults from the table, and are read again where it filled them in"
  )
  func inserting() throws {
    let store = try store(
      """
      CREATE SCHEMA "Odd ""Place";
      CREATE TABLE "Odd ""Place"."my table" (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        "the name" text NOT NULL DEFAULT 'none', at timestamptz DEFAULT now());
      CREATE TABLE counted (id serial PRIMARY KEY, name varchar(20));
      CREATE TABLE plain (id bigint PRIMARY KEY, name text);
      CREATE TABLE tag (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), label text);
      CREATE TABLE code (code text PRIMARY KEY, name text);
      INSERT INTO plain VALUES (41, 'x');
      """)
    var changes = Changes(store)
    let odd = try changes.insert("my table", [:])
    let named = try changes.insert("my table", ["the name": "mine"])
    let counted = try changes.insert("counted", ["name": "a"])
    let chosen = try changes.insert("counted", ["id": 77, "name": "b"])
    let plain = try changes.insert("plain", ["name": "y"])
    let tag = try changes.insert("tag", ["label": "red"])
    let code = try changes.insert("code", ["code": "DE", "name": "Germany"])
    let result = try changes.save()
    #expect((odd, named, counted, plain) == (1, 2, 1, 42))
    let entity = try #require(store.schema.entity(named: "counted"))
    #expect(result.rekeyed[entity.index] == [chosen: 77])
    #expect(
      try psql(#"SELECT "the name", at IS NOT NULL FROM "Odd ""Place"."my table" ORDER BY 1"#)
        == "mine|t\nnone|t")
    #expect(try psql("SELECT id, name FROM counted ORDER BY 1") == "1|a\n77|b")
    #expect(try psql("SELECT label, id IS NOT NULL FROM tag") == "red|t")
    #expect(try store.row("tag", tag)?["label"] == "red")
    #expect(try store.row("code", code)?["name"] == "Germany")
    #expect(
      try store.key(entity: #require(store.schema.entity(named: "code")).index, values: ["DE"])
        == code)
    let mine = try #require(store.schema.entity(named: "my table"))
    #expect(result.stale[mine.index]?.contains(odd) == true)
    // The sequence goes on for others.
    #expect(try psql("INSERT INTO counted (name) VALUES ('c') RETURNING id") == "4")
    // Many rows ask for more numbers each time.
    let waits = store.waitCount
    let more = try (0..<500).map { _ in try store.makeKey(entity: entity.index) }
    #expect(Set(more).count == 500)
    #expect(store.waitCount - waits < 12)
    var keyless = Changes(store)
    try keyless.insert("code", ["name": "nowhere"])
    let error = #expect(throws: StoreError.self) { try keyless.save() }
    guard case .missingValue("code", "primary key", _) = error else {
      Issue.record("\(error.debugDescription)")
      return
    }
  }

  @Test("Rows with keys of several columns are changed, told from others, and deleted")
  func compositeKeys() throws {
    let store = try store(
      """
      CREATE TABLE customer (id bigint PRIMARY KEY, name text NOT NULL);
      CREATE TABLE line (customer_id bigint REFERENCES customer ON DELETE CASCADE, day date, what text, n int,
        PRIMARY KEY (customer_id, day));
      CREATE TABLE note (id int PRIMARY KEY, customer_id bigint, day date, body text,
        FOREIGN KEY (customer_id, day) REFERENCES line);
      INSERT INTO customer VALUES (1, 'A'), (2, 'B');
      INSERT INTO line VALUES (1, '2024-01-01', 'x', 1), (1, '2024-01-02', 'y', 2), (2, '2024-01-01', 'z', 3);
      INSERT INTO note VALUES (1, 1, '2024-01-01', 'hello'), (2, NULL, NULL, 'none'), (3, NULL, '2024-01-01', 'half');
      """)
    _ = try store.fetchKeys(FetchRequest(entity: "line"))
    let first = try key(store, "line", 1, "2024-01-01")
    let second = try key(store, "line", 1, "2024-01-02")
    var changes = Changes(store)
    try changes.update("line", first, from: [:], to: ["what": "X", "n": 10])
    try changes.update("line", second, from: [:], to: ["what": "Y", "n": 20])
    try changes.update("note", 1, from: [:], to: ["line": .key(second)])
    try changes.update("note", 3, from: [:], to: ["line": .key(first)])
    let third = try changes.insert("line", ["customer": 2, "day": "2024-03-01", "what": "new"])
    try changes.insert("note", ["line": .key(third), "body": "to a new one"])
    try changes.save()
    #expect(
      try psql("SELECT customer_id, day, what FROM line ORDER BY 1, 2")
        == "1|2024-01-01|X\n1|2024-01-02|Y\n2|2024-01-01|z\n2|2024-03-01|new")
    #expect(
      try psql("SELECT customer_id, day FROM note ORDER BY id")
        == "1|2024-01-02\n|\n1|2024-01-01\n2|2024-03-01")
    #expect(try store.row("line", third)?["what"] == "new")
    var other = Changes(store)
    try other.update("line", first, from: [:], to: ["n": 11])
    try other.update("line", second, from: [:], to: ["n": 21])
    try psql("UPDATE line SET n = 12 WHERE day = '2024-01-01' AND customer_id = 1")
    let error = #expect(throws: ConflictError.self) { try other.save() }
    #expect(
      error?.conflicts == [
        Conflict(
          entity: "line", key: first,
          properties: [.init(name: "n", original: 10, mine: 11, theirs: 12)], isDeleted: false)
      ])
    #expect(try psql("SELECT sum(n) FROM line") == "35")
    var moved = Changes(store)
    try moved.update("line", first, from: [:], to: ["day": "2025-01-01"])
    let refused = #expect(throws: StoreError.self) { try moved.save() }
    guard case .keyChanged("line", "day", first) = refused else {
      Issue.record("\(refused.debugDescription)")
      return
    }
    var gone = Changes(store)
    try gone.update("note", 1, from: [:], to: ["line": .null])
    try gone.delete("line", second)
    try gone.save()
    #expect(try psql("SELECT count(*) FROM line WHERE day = '2024-01-02'") == "0")
  }

  @Test("What refers to each other is written in an order that constraints looked at at once allow")
  func order() throws {
    let store = try store(
      """
      CREATE TABLE boss (id int PRIMARY KEY, name text, aide int);
      CREATE TABLE worker (id int PRIMARY KEY, name text UNIQUE, boss int NOT NULL REFERENCES boss,
        mentor int REFERENCES worker);
      ALTER TABLE boss ADD FOREIGN KEY (aide) REFERENCES worker;
      CREATE TABLE city (id int PRIMARY KEY, code text UNIQUE NOT NULL, twin text REFERENCES city (code));
      CREATE TABLE person (id int PRIMARY KEY, city text REFERENCES city (code) ON DELETE RESTRICT);
      """)
    var changes = Changes(store)
    // Named in the wrong order, and in a circle.
    let ann = RowKey(1)
    let chief = RowKey(1)
    try changes.insert("worker", key: 2, ["name": "Bob", "boss": .key(chief), "mentor": .key(ann)])
    try changes.insert("worker", key: ann, ["name": "Ann", "boss": .key(chief)])
    try changes.insert("boss", key: chief, ["name": "Eve", "aide": .key(ann)])
    try changes.insert("person", key: 1, ["city": 2])
    try changes.insert("city", key: 1, ["code": "B", "twin": 2])
    try changes.insert("city", key: 2, ["code": "P", "twin": 1])
    try changes.save()
    #expect(try psql("SELECT name, boss, mentor FROM worker ORDER BY 1") == "Ann|1|\nBob|1|1")
    #expect(try psql("SELECT name, aide FROM boss") == "Eve|1")
    #expect(try psql("SELECT code, twin FROM city ORDER BY 1") == "B|P\nP|B")
    #expect(try psql("SELECT city FROM person") == "P")
    #expect(try store.row("person", 1)?["city"] == 2)
    // The old row is deleted when the reference has moved to the new one, which gets its unique name.
    var more = Changes(store)
    try more.delete("boss", chief)
    try more.update("worker", ann, from: [:], to: ["boss": 2])
    try more.update("worker", 2, from: [:], to: ["boss": 2])
    try more.insert("boss", key: 2, ["name": "Joe"])
    try more.save()
    #expect(try psql("SELECT id, name, aide FROM boss") == "2|Joe|")
    var names = Changes(store)
    try names.update("worker", 2, from: [:], to: ["mentor": .null])
    try names.delete("worker", ann)
    try names.insert("worker", key: 3, ["name": "Ann", "boss": 2, "mentor": 2])
    try names.save()
    #expect(try psql("SELECT id, name FROM worker ORDER BY 1") == "2|Bob\n3|Ann")
    var all = Changes(store)
    try all.delete("boss", 2)
    try all.delete("worker", 3)
    try all.delete("worker", 2)
    try all.save()
    #expect(try psql("SELECT (SELECT count(*) FROM boss) + (SELECT count(*) FROM worker)") == "0")
  }

  @Test("Pairs of any keys are linked and unlinked")
  func pairs() throws {
    let store = try store(
      """
      CREATE SCHEMA app;
      CREATE TABLE app.customer (id bigint PRIMARY KEY, name text);
      CREATE TABLE app.tag (id uuid PRIMARY KEY, label text UNIQUE);
      CREATE TABLE app.customer_tag (customer_id bigint REFERENCES app.customer, tag_id uuid REFERENCES app.tag,
        PRIMARY KEY (customer_id, tag_id) DEFERRABLE);
      INSERT INTO app.customer VALUES (1, 'A'), (2, 'B');
      INSERT INTO app.tag VALUES ('00000000-0000-0000-0000-000000000001', 'red');
      """)
    _ = try store.fetchKeys(FetchRequest(entity: "tag"))
    let red = try key(store, "tag", .blob(Data(count: 15) + [1]))
    var changes = Changes(store)
    let blue = try changes.insert("tag", ["id": .blob(Data(count: 15) + [2]), "label": "blue"])
    try changes.link("customer", "tag", 1, red)
    try changes.link("customer", "tag", 2, blue)
    try changes.save()
    #expect(
      try psql("SELECT customer_id, right(tag_id::text, 1) FROM app.customer_tag ORDER BY 1")
        == "1|1\n2|2")
    #expect(try store.related("customer", "tag", 2) == [blue])
    var fewer = Changes(store)
    let links = try #require(changes.set.links.first)
    var removed = LinkChanges(entity: links.entity, slot: links.slot)
    removed.removed = links.added
    fewer.set.links = [removed]
    try fewer.delete("tag", red)
    try fewer.save()
    #expect(try psql("SELECT customer_id FROM app.customer_tag") == "2")
    #expect(try psql("SELECT label FROM app.tag") == "blue")
  }

  @Test(
    "A row that moves to another partition is saved, and two that swap what is unique later are, too"
  )
  func partitionsAndDeferredKeys() throws {
    let store = try store(
      """
      CREATE TABLE part (id int, area text, n int, PRIMARY KEY (id, n)) PARTITION BY LIST (area);
      CREATE TABLE swap (id int PRIMARY KEY, place int, UNIQUE (place) DEFERRABLE);
      """.replacing("PRIMARY KEY (id, n)", with: "PRIMARY KEY (id, area)")
        + """
        CREATE TABLE part_n PARTITION OF part FOR VALUES IN ('n');
        CREATE TABLE part_s PARTITION OF part FOR VALUES IN ('s');
        INSERT INTO part VALUES (1, 'n', 5), (2, 's', 6);
        INSERT INTO swap VALUES (1, 1), (2, 2);
        """)
    _ = try store.fetchKeys(FetchRequest(entity: "part"))
    var changes = Changes(store)
    try changes.update("part", try key(store, "part", 1, "n"), from: [:], to: ["n": 50])
    try changes.insert("part", ["id": 3, "area": "s", "n": 7])
    try changes.update("swap", 1, from: [:], to: ["place": 2])
    try changes.update("swap", 2, from: [:], to: ["place": 1])
    try changes.save()
    #expect(try psql("SELECT id, area, n FROM part ORDER BY 1") == "1|n|50\n2|s|6\n3|s|7")
    #expect(try psql("SELECT place FROM swap ORDER BY id") == "2\n1")
  }
}
#endif
