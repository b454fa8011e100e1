#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreSQL
import DatastoreTestSupport
import Testing

/// Any database as entities, with psql as the other program that makes it.
struct ReflectionTests {
  let server: PostgreSQLServer
  let database: String

  init() throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
  }

  private func store(_ statements: String) throws -> PostgreSQLStore {
    try server.psql(database, statements)
    return try PostgreSQLStore(showing: PostgreSQLAddress(server.address(of: database)))
  }

  private func entity(_ name: String, _ store: PostgreSQLStore) throws -> Entity {
    try #require(store.schema.entity(named: name))
  }

  private func type(_ name: String, of entity: Entity) -> AttributeType? {
    entity.slot(named: name).flatMap { entity.properties[$0].attribute?.type }
  }

  /// To Swift they are one name each.
  @Test func namesThatDifferInNormalizationAreToldApart() throws {
    let (nfc, nfd) = ("caf\u{E9}", "cafe\u{301}")
    let store = try store(
      """
      CREATE TABLE "\(nfc)" (id int PRIMARY KEY, "\(nfc)" text, "\(nfd)" text);
      CREATE TABLE "\(nfd)" (id int PRIMARY KEY, "\(nfd)" text);
      CREATE TABLE visit (id int PRIMARY KEY, at int REFERENCES "\(nfd)");
      INSERT INTO "\(nfc)" VALUES (1, 'c', 'd'); INSERT INTO "\(nfd)" VALUES (1, 'e'), (2, 'f');
      """)
    #expect(store.schema.entities.count == 3)
    for (table, column, value) in [(nfc, nfc, "c"), (nfc, nfd, "d"), (nfd, nfd, "e")] {
      let entity = try entity(table, store)
      let page = try #require(try store.fetch(FetchRequest(entity: entity.name)).first)
      let slot = try #require(entity.slot(named: column))
      #expect(page.value(row: 0, slot: slot) == .text(value))
    }
    let visit = try entity("visit", store)
    let link = try #require(visit.links.compactMap(\.self).first)
    #expect(store.schema.entities[link.destination].index == (try entity(nfd, store).index))
  }

  // Promise: a type of PostgreSQL that nobody knows → selected as text; SQL that was typed says to write
  // `::text`.
  @Test func everyKindOfColumnIsRead() throws {
    let store = try store(
      """
      CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
      CREATE DOMAIN short AS varchar(9); CREATE DOMAIN shorter AS short;
      CREATE TABLE thing (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, i2 int2, i8 int8, r real,
        d float8, n numeric, b boolean, t text, v shorter, c char(4), u uuid, y bytea, m mood,
        at timestamptz, local timestamp, day date, tags text[], j jsonb, span int4range, iv interval,
        twice int GENERATED ALWAYS AS (i2 * 2) STORED);
      INSERT INTO thing (i2, i8, r, d, n, b, t, v, c, u, y, m, at, local, day, tags, j, span, iv)
        VALUES (-3, 9223372036854775807, 0.5, 'NaN', 1.50, true, 'ß', 'dom', 'ab',
        '00112233-4455-6677-8899-aabbccddeeff', '\\x00ff', 'happy', '2001-01-01 00:00:01+00',
        '2001-01-01 00:00:00.5', '2024-02-29', '{a,"b c"}', '{"a": 1}', '[1,5)', '1 day');
      """)
    let thing = try entity("thing", store)
    let types: [(String, AttributeType)] = [
      ("i2", .integer16), ("i8", .integer64), ("r", .float), ("d", .double), ("n", .decimal),
      ("b", .boolean), ("t", .string), ("v", .string), ("u", .uuid), ("y", .data),
      ("m", .string), ("at", .date), ("local", .date), ("day", .calendarDate), ("tags", .string),
    ]
    for (name, expected) in types { #expect(type(name, of: thing) == expected, "\(name)") }
    let mood = try #require(thing.slot(named: "m"))
    #expect(store.allowedValues(of: mood, in: thing) == ["sad", "ok", "happy"])
    #expect(store.isReadOnly)

    let page = try #require(try store.fetch(FetchRequest(entity: "thing")).first)
    func value(_ name: String) throws -> Value {
      page.value(row: 0, slot: try #require(thing.slot(named: name)))
    }
    #expect(try value("i2") == -3)
    #expect(try value("i8") == .integer(.max))
    #expect(try value("r") == 0.5)
    #expect(try value("d") == .null)
    #expect(try value("n") == 1.5)
    #expect(try value("b") == 1)
    #expect(try value("t") == "ß")
    #expect(try value("v") == "dom")
    #expect(try value("c") == "ab")
    #expect(try value("m") == "happy")
    #expect(try value("at") == 1.0)
    #expect(try value("local") == 0.5)
    #expect(try value("day") == "2024-02-29")
    #expect(try value("tags") == "{a,\"b c\"}")
    #expect(try value("j") == "{\"a\": 1}")
    #expect(try value("span") == "[1,5)")
    #expect(try value("twice") == -6)
    for (name, text) in [("m", "happy"), ("j", "{\"a\": 1}"), ("day", "2024-02-29")] {
      let request = FetchRequest(
        entity: "thing",
        predicate: .comparison(.init(.keyPath([name]), .equal, .value(.text(text)))))
      #expect(try store.count(request) == 1, "\(name)")
    }
  }

  @Test func foreignKeysAreRelationshipsAndPairsAreManyToMany() throws {
    let store = try store(
      """
      CREATE SCHEMA sales;
      CREATE TABLE country (code text PRIMARY KEY, name text);
      CREATE TABLE customer (id bigint PRIMARY KEY, name text NOT NULL, country text REFERENCES country);
      CREATE TABLE sales.customer (id int PRIMARY KEY);
      CREATE TABLE sales.line (customer_id bigint REFERENCES public.customer ON DELETE CASCADE,
        no int, what text, PRIMARY KEY (customer_id, no));
      CREATE TABLE tag (id uuid PRIMARY KEY, label text);
      CREATE TABLE customer_tag (customer_id bigint REFERENCES customer, tag_id uuid REFERENCES tag,
        PRIMARY KEY (customer_id, tag_id));
      INSERT INTO country VALUES ('DE', 'Germany'), ('FR', 'France');
      INSERT INTO customer VALUES (1, 'A', 'DE'), (2, 'B', 'FR'), (3, 'C', NULL);
      INSERT INTO sales.line VALUES (1, 1, 'x'), (1, 2, 'y'), (2, 1, 'z');
      INSERT INTO tag VALUES ('00000000-0000-0000-0000-000000000001', 'red');
      INSERT INTO customer_tag VALUES (1, '00000000-0000-0000-0000-000000000001');
      """)
    #expect(
      Set(store.schema.entities.map(\.name))
        == ["country", "customer", "sales.customer", "line", "tag"])
    let customer = try entity("customer", store)
    let lines = try #require(customer.slot(named: "line"))
    #expect(try store.relatedKeys(entity: customer.index, slot: lines, key: 1).count == 2)
    let tags = try #require(customer.slot(named: "tag"))
    let red = try #require(try store.relatedKeys(entity: customer.index, slot: tags, key: 1).first)
    let tag = try entity("tag", store)
    let page = try #require(try store.rows(entity: tag.index, keys: [red]).first)
    #expect(page.value(row: 0, slot: try #require(tag.slot(named: "label"))) == "red")

    let line = try entity("line", store)
    let keys = try store.fetchKeys(FetchRequest(entity: "line"))
    #expect(keys.count == 3)
    #expect(try store.rows(entity: line.index, keys: keys).reduce(0) { $0 + $1.rowCount } == 3)
    let german = Predicate.comparison(
      .init(.keyPath(["country", "name"]), .equal, .value("Germany")))
    #expect(try store.fetchKeys(FetchRequest(entity: "customer", predicate: german)) == [1])
    let many = Predicate.comparison(.init(.count(["line"]), .greaterThan, .value(1)))
    #expect(try store.fetchKeys(FetchRequest(entity: "customer", predicate: many)) == [1])
  }

  @Test func whatIsRareIsReflectedAsPsqlShowsIt() throws {
    let store = try store(
      """
      CREATE EXTENSION postgres_fdw;
      CREATE SERVER loop FOREIGN DATA WRAPPER postgres_fdw
        OPTIONS (host '\(server.directory)', dbname '\(database)');
      CREATE USER MAPPING FOR postgres SERVER loop OPTIONS (user 'postgres', password_required 'false');
      CREATE SCHEMA "Two"; CREATE SCHEMA "b.c";
      CREATE TYPE pair AS (a int, b text);
      CREATE TABLE near (id int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED, name text, duo pair, span tstzrange,
        spans int4multirange, grid int[][]);
      CREATE TABLE "Two".near (code varchar(3) NOT NULL UNIQUE, name text);
      CREATE TABLE "b.c"."odd ""name" (a int, "B b" text, PRIMARY KEY ("B b", a));
      CREATE TABLE keyless (n int, at timestamptz);
      CREATE FOREIGN TABLE far (id int, name text) SERVER loop OPTIONS (table_name 'near');
      INSERT INTO near VALUES (1, 'one', '(1,"x y")', '[2024-01-01 00:00+00,)', '{[1,3)}', '{{1,2},{3,4}}');
      INSERT INTO "Two".near VALUES ('a', 'A'); INSERT INTO keyless VALUES (1, NULL), (1, NULL);
      INSERT INTO "b.c"."odd ""name" VALUES (1, 'x');
      """)
    #expect(
      Set(store.schema.entities.map(\.name))
        == ["near", "Two.near", "odd \"name", "keyless", "far"])
    for name in ["far", "keyless"] { #expect(try entity(name, store).isReadOnly, "\(name)") }
    for name in ["near", "Two.near", "odd \"name"] {
      #expect(try !entity(name, store).isReadOnly, "\(name)")
    }
    let row = try #require(try store.row("near", 1))
    for name in ["duo", "span", "spans", "grid"] {
      let shown = try server.psql(
        database, "SET TimeZone = 'UTC'; SELECT \(name)::text FROM public.near")
      #expect(row[name] == .text(shown), "\(name)")
    }
    #expect(try store.fetchKeys(FetchRequest(entity: "keyless")).count == 2)
    #expect(try store.fetch(FetchRequest(entity: "far")).first?.rowCount == 1)
    let two = try entity("Two.near", store)
    let key = try #require(try store.fetchKeys(FetchRequest(entity: "Two.near")).first)
    #expect(store.keyValues(entity: two.index, key: key) == ["a"])
    let odd = try #require(try store.fetchKeys(FetchRequest(entity: "odd \"name")).first)
    #expect(store.keyValues(entity: try entity("odd \"name", store).index, key: odd) == ["x", 1])
  }

  @Test func tablesOfNativeStoresAreNotWrittenBehindTheirBack() throws {
    let address = try PostgreSQLAddress(server.address(of: database))
    try PostgreSQLStore(CompanySchema.schema, at: address, named: "company").close()
    try server.psql(database, "CREATE TABLE plain (id int PRIMARY KEY)")
    let store = try PostgreSQLStore(showing: address, isReadOnly: false)
    #expect(try entity("Employee", store).isReadOnly)
    #expect(try !entity("plain", store).isReadOnly)
    try store.close()
  }

  @Test func aForeignTableWithoutAWrapperIsTheOnlyOneThatCannotBeRead() throws {
    let store = try store(
      """
      CREATE FOREIGN DATA WRAPPER nothing;
      CREATE SERVER nowhere FOREIGN DATA WRAPPER nothing;
      CREATE FOREIGN TABLE "far" (id int) SERVER nowhere;
      CREATE VIEW farther AS SELECT * FROM "far";
      CREATE TABLE near (id int PRIMARY KEY);
      INSERT INTO near VALUES (1), (2)
      """)
    #expect(try store.fetchKeys(FetchRequest(entity: "near")).count == 2)
    for name in ["far", "farther"] {
      let error = #expect(throws: StoreError.self) {
        _ = try store.fetch(FetchRequest(entity: name))
      }
      #expect("\(error, default: "")".contains("has no handler"))
    }
  }

  @Test func partitionsAreHiddenAndViewsAreReadOnly() throws {
    let store = try store(
      """
      CREATE TABLE part (id int PRIMARY KEY, k text) PARTITION BY RANGE (id);
      CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM (0) TO (100);
      INSERT INTO part SELECT i, 'k' || i FROM generate_series(0, 50) AS i;
      CREATE VIEW early AS SELECT k FROM part WHERE id < 5;
      CREATE MATERIALIZED VIEW sums AS SELECT count(*) AS n FROM part;
      CREATE TABLE secret (id int PRIMARY KEY);
      """)
    #expect(Set(store.schema.entities.map(\.name)) == ["part", "early", "sums", "secret"])
    #expect(try store.count(FetchRequest(entity: "part")) == 51)
    #expect(try store.fetchKeys(FetchRequest(entity: "early")).count == 5)
    let early = try entity("early", store)
    #expect(early.isReadOnly)
    #expect(store.information(about: early).declaration?.contains("id < 5") == true)
  }
}
#endif
