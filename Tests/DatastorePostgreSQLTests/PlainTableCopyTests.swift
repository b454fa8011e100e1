#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreSQL
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

/// Tables of other programs between files and servers, with sqlite3 and psql as the witnesses.
struct PlainTableCopyTests {
  private let server: PostgreSQLServer
  private let database: String
  private let folder: TemporaryDirectory
  private var file: URL { folder.file("shop.sqlite") }
  private var back: URL { folder.file("back.sqlite") }

  init() throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
    folder = try TemporaryDirectory()
  }

  @discardableResult
  func copyFile(
    _ statements: String? = nil, in schema: String? = nil, isTrial: Bool = false
  ) throws -> MadeTables {
    if let statements { _ = try SQLiteFile.output(of: statements, at: file) }
    let address = try PostgreSQLAddress(server.address(of: database))
    return try SQLiteStore.withPlainTables(of: file) {
      try PostgreSQLStore.makePlainTables(of: $0, at: address, in: schema, isTrial: isTrial)
    }
  }

  @discardableResult
  func copyServer(_ schema: String? = nil) throws -> MadeTables {
    let address = try PostgreSQLAddress(server.address(of: database))
    return try PostgreSQLStore.withPlainTables(of: address, schema: schema) {
      try SQLiteStore.makePlainTables(of: $0, at: back)
    }
  }

  func psql(_ sql: String) throws -> String { try server.psql(database, sql) }

  func sqlite(_ sql: String) throws -> String {
    try SQLiteFile.output(of: sql, at: back).trimmingCharacters(in: .newlines)
  }

  /// The contents of the schema in which tables are made.
  var made: String {
    get throws {
      try psql(
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1")
    }
  }

  // Promise: a SQLite file of any program is copied into a server and back → every row is what it was, keys,
  // what is unique, what is required and foreign keys are declared as they were, whatever names they have.
  // Also: (seed printed)
  @Test("Random tables come back as they were")
  func thereAndBack() throws {
    for round in RandomCases.rounds(of: 40) {
      let seed = RandomCases.seed(round)
      let tables = RandomPlainTables(seed: seed)
      let place = folder.file("random \(round).sqlite")
      let end = folder.file("back \(round).sqlite")
      _ = try SQLiteFile.output(of: tables.script, at: place)
      let address = try PostgreSQLAddress(server.address(of: database))
      let schema = "round \(round)"
      let there = try SQLiteStore.withPlainTables(of: place) {
        try PostgreSQLStore.makePlainTables(of: $0, at: address, in: schema)
      }
      let here = try PostgreSQLStore.withPlainTables(of: address, schema: schema) {
        try SQLiteStore.makePlainTables(of: $0, at: end)
      }
      #expect(there.rowCount == tables.rowCount && here.rowCount == tables.rowCount, "\(seed)")
      for question in tables.questions {
        let expected = try SQLiteFile.output(of: question, at: place)
        let found = try SQLiteFile.output(of: question, at: end)
        #expect(found == expected, "seed \(seed): \(question)\n\(there.losses)\n\(here.losses)")
      }
    }
  }

  // Promise: a copy of tables is written to → new rows get keys that no row ever had, and every rule of
  // foreign keys holds, in circles, too.
  @Test("Keys count on, and references keep their rules")
  func keysAndReferences() throws {
    try copyFile(
      """
      CREATE TABLE "order" (id INTEGER PRIMARY KEY AUTOINCREMENT,
        first INTEGER REFERENCES Line (NO));
      CREATE TABLE line (no INTEGER PRIMARY KEY, parent INTEGER REFERENCES line ON DELETE SET NULL,
        "order" INTEGER NOT NULL REFERENCES "order" ON DELETE CASCADE);
      CREATE TABLE stock (place TEXT, item INTEGER, n INTEGER NOT NULL DEFAULT 7,
        PRIMARY KEY (place, item)) WITHOUT ROWID;
      CREATE TABLE move (place TEXT, item INTEGER,
        FOREIGN KEY (place, item) REFERENCES stock ON DELETE RESTRICT);
      CREATE UNIQUE INDEX firsts ON "order" (first); CREATE INDEX parents ON line (parent, "order");
      INSERT INTO "order" VALUES (-5, NULL), (3, 1), (90, NULL); DELETE FROM "order" WHERE id = 90;
      INSERT INTO line VALUES (1, 2, 3), (2, 1, 3); INSERT INTO stock VALUES ('a', 1, 2);
      INSERT INTO move VALUES ('a', 1), (NULL, 9);
      """)
    #expect(
      try psql(
        """
        INSERT INTO "order" DEFAULT VALUES; INSERT INTO line ("order") VALUES (3);
        INSERT INTO stock VALUES ('b', 1);
        SELECT max(id) FROM "order"; SELECT max(no) FROM line; SELECT n FROM stock WHERE place = 'b'
        """) == "91\n3\n7")
    #expect(throws: PSQLError.self) { try psql("DELETE FROM stock") }
    #expect(throws: PSQLError.self) { try psql("INSERT INTO \"order\" (first) VALUES (1)") }
    #expect(
      try psql(
        "DELETE FROM line WHERE no = 3; SELECT count(*) FROM pg_indexes WHERE tablename = 'line'")
        == "2")
    try copyServer()
    #expect(
      try sqlite(
        """
        PRAGMA foreign_keys = ON; INSERT INTO "order" (first) VALUES (NULL);
        SELECT max(id) FROM "order";
        UPDATE line SET parent = NULL; UPDATE "order" SET first = NULL;
        DELETE FROM "order" WHERE id = 3; SELECT count(*) FROM line; SELECT * FROM move;
        SELECT name, pk FROM pragma_table_info('stock') WHERE pk;
        """) == "93\n0\na|1\n|9\nplace|1\nitem|2")
  }

  @Test("Columns have the types that all their values fit, and what does not fit is told")
  func types() throws {
    let made = try copyFile(
      """
      CREATE TABLE t (whole INT, part DOUBLE, yes BOOLEAN, no BOOLEAN, word VARCHAR(9), bytes BLOB,
        free, price DECIMAL(9, 2), amount INTEGER, long DOUBLE PRECISION, "at" DATETIME, none);
      INSERT INTO t VALUES (9223372036854775807, 9e999, 1, 2, '', x'',
        'a', 3, 'many', 'NaN', 'soon', NULL),
        (-9223372036854775808, -9e999, 0, 1, NULL, x'00ff', 2, 2.5, 1, 1.5, 17, NULL);
      """)
    #expect(
      try psql(
        """
        SELECT string_agg(column_name || ' ' || data_type, ', ' ORDER BY ordinal_position)
        FROM information_schema.columns WHERE table_name = 't'; SELECT * FROM t
        """) == """
          whole bigint, part double precision, yes boolean, no bigint, word text, bytes bytea, free text, \
          price double precision, amount text, long double precision, at text, none text
          9223372036854775807|Infinity|t|2||\\x|a|3|many|NaN|soon|
          -9223372036854775808|-Infinity|f|1||\\x00ff|2|2.5|1|1.5|17|
          """)
    #expect(try psql("SELECT count(*) FROM t WHERE word IS NULL") == "1")
    #expect(
      made.losses == [
        "t.no is a whole number: 1 value is no boolean.", "t.free is text: 1 value is no text.",
        "t.amount is text: 1 value is no whole number.", "t.at is text; it was DATETIME.",
      ])
  }

  @Test("Dates of every convention are moments there, and days are days")
  func dates() throws {
    let made = try copyFile(
      """
      CREATE TABLE visit (day DATE, created_at TEXT, unix_date INTEGER, ms_date INTEGER,
        chrome_time INTEGER, julian_date REAL, zero_date INTEGER);
      INSERT INTO visit VALUES
        ('2024-02-29', '2024-02-29T13:05:09.250Z', 1709211909, 1709211909250, 13353685509250000,
        2460370.25, 1709211909),
        ('1999-12-31', '2024-02-29T13:05:10Z', 1709211910, 1709211910000, 13353685510000000,
        2460370.5, 0);
      """)
    #expect(
      try psql("SET TimeZone = 'UTC'; SELECT * FROM visit") == """
        2024-02-29|2024-02-29 13:05:09.25+00|2024-02-29 13:05:09+00|2024-02-29 13:05:09.25+00|\
        2024-02-29 13:05:09.25+00|2024-02-29 18:00:00+00|1709211909
        1999-12-31|2024-02-29 13:05:10+00|2024-02-29 13:05:10+00|2024-02-29 13:05:10+00|\
        2024-02-29 13:05:10+00|2024-03-01 00:00:00+00|0
        """)
    #expect(made.losses == ["visit.zero_date is a whole number: 1 value is no date."])
  }

  @Test("The tables of one schema have their own names, whatever others are called")
  func oneSchema() throws {
    _ = try psql(
      """
      CREATE TABLE t (a int PRIMARY KEY); CREATE SCHEMA s; INSERT INTO t VALUES (1);
      CREATE TABLE s.t (a int PRIMARY KEY, b int REFERENCES public.t, c int REFERENCES s.t);
      INSERT INTO s.t VALUES (2, 1, 2);
      """)
    let made = try copyServer("s")
    #expect(try sqlite("SELECT * FROM t") == "2|1|2")
    #expect(try sqlite("SELECT \"table\", \"from\" FROM pragma_foreign_key_list('t')") == "t|c")
    #expect(
      made.losses == [
        """
        t.b is no foreign key: what it refers to in public.t is not there, not unique, or of another type.
        """
      ])
  }

  // Promise: the types of a server are copied into a file → no digit of a number and no part of a value is
  // lost.
  @Test("What SQLite has no type for is text, with every digit")
  func serverTypes() throws {
    _ = try psql(
      """
      CREATE TYPE mood AS ENUM ('sad', 'glad'); CREATE DOMAIN small AS int CHECK (VALUE < 9);
      CREATE TABLE t (id serial PRIMARY KEY, n numeric, m numeric(30, 9), j jsonb, a int[], e mood,
        i interval, r int4range, z timestamptz, l timestamp, d date, u uuid, f real, g float8,
        b bool NOT NULL DEFAULT true, s small, c char(4), twice int GENERATED ALWAYS AS (id * 2) STORED,
        word text DEFAULT 'hm', x bytea, CHECK (n > 0));
      INSERT INTO t VALUES (5, 123456789012345678901234567890.123456789, 'NaN', '{"a": 1}',
        '{1,NULL}', 'glad', '1 day 02:00', '[1,5)', '2024-02-29 13:05:09.25+00', '2024-02-29 13:05',
        '0044-03-15 BC', '00000000-0000-0000-0000-00000000000a', 0.5, 'NaN', false, 8, 'ab');
      UPDATE t SET x = '\\x00ff'; CREATE VIEW v AS SELECT 1; CREATE SCHEMA "Other";
      CREATE TABLE "Other".t (a int PRIMARY KEY DEFAULT 3); INSERT INTO "Other".t VALUES (2147483647);
      CREATE INDEX odd ON t ((id + 1)); CREATE INDEX part ON t (s) WHERE s > 1;
      """)
    let made = try copyServer()
    #expect(
      try sqlite(
        """
        UPDATE t SET x = hex(x); SELECT * FROM t; SELECT typeof(g), typeof(n), datetime(z) FROM t;
        SELECT * FROM "Other.t"; INSERT INTO t (n, b) VALUES (1, 1);
        SELECT max(id), min(word) FROM t
        """) == """
          5|123456789012345678901234567890.123456789|NaN|{"a": 1}|{1,NULL}|glad|P1DT2H|[1,5)|\
          2024-02-29 13:05:09.25Z|2024-02-29 13:05:00|0044-03-15 BC|\
          00000000-0000-0000-0000-00000000000a|0.5|NaN|0|8|ab|10|hm|00FF
          text|text|2024-02-29 13:05:09
          2147483647
          6|hm
          """)
    for loss in [
      "The view v is left out.", "t.n is text; it was numeric.", "t.a is text; it was integer[].",
      "The check ((n > (0)::numeric)) of t is left out.",
      "t.twice is a plain column with the values that were computed.",
      "The index odd of t is left out: it is one of expressions, or of some rows only.",
      "The index part of t is left out: it is one of expressions, or of some rows only.",
    ] {
      #expect(made.losses.contains(loss), "\(loss) in \(made.losses)")
    }
  }

  @Test("What a file has besides tables and rows is told")
  func losses() throws {
    let made = try copyFile(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, n INTEGER CHECK (n > 0),
        name TEXT COLLATE NOCASE UNIQUE, twice AS (n * 2), at TEXT DEFAULT CURRENT_TIMESTAMP);
      CREATE TABLE b (a REFERENCES a (name), x INTEGER REFERENCES a, y REFERENCES gone,
        z INTEGER REFERENCES a, k TEXT PRIMARY KEY);
      CREATE VIEW v AS SELECT * FROM a; CREATE INDEX odd ON a (n + 1);
      CREATE INDEX some ON a (n) WHERE n > 1; CREATE VIRTUAL TABLE words USING fts5(t);
      CREATE TRIGGER tr AFTER INSERT ON a BEGIN SELECT 1; END;
      INSERT INTO a (id, n, name) VALUES (1, 2, 'A');
      INSERT INTO b VALUES ('a', 1, 1, 7, NULL), ('A', 1, 1, 1, 'k');
      """)
    #expect(try self.made.split(separator: "\n").filter { !$0.contains("_") } == ["a", "b"])
    #expect(try psql("SELECT twice FROM a; SELECT count(*) FROM b WHERE k IS NULL") == "4\n1")
    #expect(
      made.losses == [
        "The view v is left out.", "The virtual table words is left out, and with it its index.",
        "b has no primary key; its columns are unique: some rows have no value there.",
        "The check (n > 0) of a is left out.",
        "a.name is compared byte by byte; its collation is left out.",
        "a.twice is a plain column with the values that were computed.",
        "The trigger tr of a is left out.",
        "The index odd of a is left out: it is one of expressions, or of some rows only.",
        "The index some of a is left out: it is one of expressions, or of some rows only.",
        "b.a is no foreign key: 1 row refers to nothing in a.",
        "b.z is no foreign key: 1 row refers to nothing in a.",
        "a.at has no default; it was CURRENT_TIMESTAMP.",
        """
        b.y is no foreign key: what it refers to in gone is not there, not unique, or of another type.
        """,
      ])
  }

  // Promise: a copy of tables fails, at whatever row or name → the server has nothing of it.
  @Test(
    "What a server cannot hold is refused with its place",
    arguments: [
      (
        "CREATE TABLE t (a); INSERT INTO t VALUES ('b'), (CAST(x'6100' AS TEXT))",
        "t.a of the row 2 has a NUL character"
      ),
      (
        "CREATE TABLE t (a TEXT); INSERT INTO t VALUES (CAST(x'ff61' AS TEXT))",
        "t.a of the row 1 is not valid UTF-8"
      ),
      (
        "CREATE TABLE t (a, b); INSERT INTO t VALUES (x'00', 1), ('x', 2)",
        "t.a holds bytes beside other values"
      ),
      ("CREATE TABLE t (a PRIMARY KEY); INSERT INTO t VALUES (1), ('1')", "t_pkey"),
      ("CREATE TABLE t (a); CREATE TABLE \"\(String(repeating: "n", count: 64))\" (a)", "too long"),
      ("CREATE TABLE pg_t (a)", "pg_t”"), ("CREATE TABLE t (a, \"\")", "something without a name"),
      ("CREATE TABLE t (a, ctid)", "ctid"),
      ("CREATE TABLE taken (a); CREATE TABLE t (a)", "“taken” is in the database"),
    ])
  func refused(statements: String, sentence: String) throws {
    _ = try psql("CREATE VIEW taken AS SELECT 1")
    let error = #expect(throws: (any Error).self) { try copyFile(statements) }
    #expect("\(error as Any)".contains(sentence), "\(error as Any)")
    #expect(try made == "taken")
  }

  @Test("What a file cannot hold is refused, and there is no file")
  func refusedByFiles() throws {
    _ = try psql("CREATE TABLE t (a int, \"A\" int)")
    let error = #expect(throws: PlainTableFault.self) { try copyServer() }
    #expect("\(error as Any)".contains("“A” in the table “t” is the same there as “a”"))
    _ = try psql("ALTER TABLE t DROP a; CREATE TABLE \"T\" ()")
    #expect(try copyServer().losses == ["The table T is left out: it has no columns."])
    #expect(try SQLiteFile.output(of: "SELECT name FROM sqlite_schema", at: back) == "t\n")
  }

  @Test("A trial says the statements, and makes nothing")
  func trial() throws {
    let statements = """
      CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE DEFAULT 'it''s',
        b INTEGER REFERENCES b ON DELETE CASCADE);
      CREATE TABLE b (id INTEGER PRIMARY KEY); CREATE INDEX i ON a (b); INSERT INTO b VALUES (41);
      """
    let trial = try copyFile(statements, in: "new", isTrial: true)
    #expect(
      trial.statements == [
        #"CREATE SCHEMA "new""#,
        #"CREATE TABLE "new"."a" ("id" bigint NOT NULL, "name" text NOT NULL DEFAULT 'it''s', "b" bigint)"#,
        #"CREATE TABLE "new"."b" ("id" bigint NOT NULL)"#,
        #"COPY "new"."a" ("id", "name", "b") FROM STDIN (FORMAT binary)"#,
        #"COPY "new"."b" ("id") FROM STDIN (FORMAT binary)"#,
        #"ALTER TABLE "new"."a" ADD PRIMARY KEY ("id")"#,
        #"ALTER TABLE "new"."a" ALTER COLUMN "id" ADD GENERATED BY DEFAULT AS IDENTITY (START WITH 1)"#,
        #"ALTER TABLE "new"."a" ADD UNIQUE ("name")"#,
        #"ALTER TABLE "new"."b" ADD PRIMARY KEY ("id")"#,
        #"ALTER TABLE "new"."b" ALTER COLUMN "id" ADD GENERATED BY DEFAULT AS IDENTITY (START WITH 42)"#,
        #"CREATE INDEX ON "new"."a" ("b")"#,
        #"ALTER TABLE "new"."a" ADD FOREIGN KEY ("b") REFERENCES "new"."b" ("id") ON DELETE CASCADE"#,
      ])
    #expect(trial.rowCount == 1 && trial.place == "the schema “new” of the database “\(database)”")
    #expect(try psql("SELECT count(*) FROM pg_namespace WHERE nspname = 'new'") == "0")
    try copyFile(in: "new")
    #expect(try psql("SELECT count(*) FROM new.b") == "1")
  }

  @Test("A copy that is taken back leaves nothing")
  func cancelled() async throws {
    _ = try SQLiteFile.output(
      of: """
        CREATE TABLE t (a TEXT);
        WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT 20000)
        INSERT INTO t SELECT value FROM n;
        """, at: file)
    let address = try PostgreSQLAddress(server.address(of: database))
    let url = file
    let work = Task {
      try SQLiteStore.withPlainTables(of: url) { source in
        try PostgreSQLStore.makePlainTables(of: Stopping(source), at: address, in: nil)
      }
    }
    await #expect(throws: CancellationError.self) { try await work.value }
    #expect(try made == "")
  }
}

/// A source whose reader cancels its task in the middle.
private struct Stopping: PlainTableSource {
  let source: any PlainTableSource
  var tables: [PlainTable] { source.tables }
  var losses: [String] { source.losses }
  var rowCount: Int { source.rowCount }
  var place: String { source.place }

  init(_ source: any PlainTableSource) { self.source = source }

  func forEachPage(of table: PlainTable, _ take: (RowPage) throws -> Void) throws {
    var count = 0
    try source.forEachPage(of: table) { page in
      try take(page)
      count += 1
      if count == 3 { withUnsafeCurrentTask { $0?.cancel() } }
    }
  }
}
#endif
