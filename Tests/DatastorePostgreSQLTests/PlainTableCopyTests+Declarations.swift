#if PostgreSQL
import DatastoreSQL
import DatastoreTestSupport
import Testing

/// What is declared beside the rows: counters, defaults, types.
extension PlainTableCopyTests {
  @Test("The next number goes to a server and back, whether it was given there or not")
  func counters() throws {
    try copyFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);
      INSERT INTO t VALUES (7, 'a'), (100, 'gone'); DELETE FROM t WHERE id = 100;
      CREATE TABLE u (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);
      """)
    try copyServer()
    #expect(
      try sqlite(
        """
        INSERT INTO t (name) VALUES ('b'); INSERT INTO u (name) VALUES ('c');
        SELECT id FROM t; SELECT id FROM u
        """) == "7\n101\n1")
  }

  @Test("A number that a server has given and nobody has is not given in a file")
  func countedOn() throws {
    _ = try psql(
      """
      CREATE TABLE t (id serial PRIMARY KEY, a int); INSERT INTO t (a) VALUES (1), (2), (3);
      DELETE FROM t WHERE id > 1; CREATE TABLE "odd ""name" ("The key" bigserial PRIMARY KEY);
      INSERT INTO "odd ""name" DEFAULT VALUES;
      """)
    try copyServer()
    #expect(
      try sqlite(
        """
        INSERT INTO t (a) VALUES (9); SELECT max(id) FROM t;
        INSERT INTO "odd ""name" DEFAULT VALUES; SELECT max("The key") FROM "odd ""name"
        """) == "4\n2")
  }

  // Promise: the defaults of a server's table that are values are those of its copy in a file → a new row
  // there has the same values.
  @Test("Defaults that are values are those of a new row; what is computed is told")
  func defaults() throws {
    _ = try psql(
      """
      CREATE TYPE mood AS ENUM ('sad', 'it''s');
      CREATE TABLE t (id int PRIMARY KEY, i int DEFAULT -1, b bigint DEFAULT 9223372036854775807,
        g float8 DEFAULT 1.5, w float8 DEFAULT 2, n numeric(10, 3) DEFAULT 10.50,
        neg numeric DEFAULT -0.5,
        y bool DEFAULT false, s text DEFAULT 'it''s "::text', v varchar(9) DEFAULT 'x',
        e mood DEFAULT 'it''s',
        j jsonb DEFAULT '{"a": [1]}', z timestamp DEFAULT '2024-01-01', u uuid
        DEFAULT '00000000-0000-0000-0000-00000000000a', a int[] DEFAULT '{1,2}',
        x bytea DEFAULT '\\x00ff');
      CREATE TABLE r (id int PRIMARY KEY, c text DEFAULT 'a' || 'b',
        at timestamptz DEFAULT now());
      INSERT INTO t (id) VALUES (1);
      """)
    let made = try copyServer()
    let columns = "i, b, g, w, n + 0, neg, y, s, v, e, j, z, u, a, hex(x)"
    #expect(
      try sqlite(
        """
        INSERT INTO t (id) VALUES (2);
        SELECT count(*) FROM (SELECT \(columns) FROM t GROUP BY \(columns))
        """) == "1")
    #expect(
      try sqlite("SELECT s, typeof(i), typeof(w) FROM t WHERE id = 2")
        == "it's \"::text|integer|real")
    #expect(
      made.losses.filter { $0.contains("has no default") } == [
        "r.c has no default; it was ('a'::text || 'b'::text).",
        "r.at has no default; it was now().",
      ])
  }

  @Test("Numbers of four bytes have in a file the digits that the server shows")
  func shortReals() throws {
    _ = try psql(
      """
      CREATE TABLE t (r real, g float8);
      INSERT INTO t VALUES (1.1, 1.1), (3.4e38, 1), (-0.1, 'NaN'), ('NaN', 2), ('Infinity', 3), (16777216, 4)
      """)
    try copyServer()
    #expect(
      try sqlite("SELECT r, g FROM t ORDER BY rowid")
        == "1.1|1.1\n3.4e+38|1.0\n-0.1|NaN\nNaN|2.0\nInf|3.0\n16777216.0|4.0")
  }

  @Test("What is checked otherwise in a file is told")
  func weakenedConstraints() throws {
    _ = try psql(
      """
      CREATE TABLE t (id int PRIMARY KEY, u int, span int4range, other int REFERENCES t DEFERRABLE,
        CONSTRAINT apart EXCLUDE USING gist (span WITH &&));
      CREATE UNIQUE INDEX one ON t (u) NULLS NOT DISTINCT;
      """)
    #expect(
      try copyServer().losses == [
        "t.span is text; it was int4range.",
        "The index apart of t is left out: it excludes rows that are alike in its own way.",
        "The index one of t takes any number of rows without a value; it took one.",
        "The constraint t_other_fkey of t is checked at once; it could be deferred.",
      ])
  }

  @Test("A foreign key that waits for the end of a transaction waits in a server, and back")
  func deferred() throws {
    try copyFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER REFERENCES t NOT DEFERRABLE INITIALLY DEFERRED,
        b INTEGER REFERENCES t (id) NOT NULL DEFERRABLE INITIALLY DEFERRED, c INTEGER, d INTEGER,
        FOREIGN KEY (c) REFERENCES t DEFERRABLE /* INITIALLY DEFERRED */,
        FOREIGN KEY (d) REFERENCES t ON DELETE SET NULL deferrable initially deferred);
      """)
    #expect(
      try psql(
        """
        SELECT string_agg(conkey[1]::text, ' ' ORDER BY conkey[1]) FROM pg_constraint
        WHERE contype = 'f' AND conrelid = 't'::regclass AND condeferred
        """) == "3 5")
    #expect(try copyServer().losses.isEmpty)
    #expect(
      try sqlite(
        """
        PRAGMA foreign_keys = ON; BEGIN; INSERT INTO t (id, b, d) VALUES (1, 9, 9);
        INSERT INTO t (id, b) VALUES (9, 9); COMMIT; SELECT count(*) FROM t
        """) == "2")
  }

  @Test("A declared type that no value of the file has kept is told")
  func declaredTypes() throws {
    let made = try copyFile(
      """
      CREATE TABLE t (e NUMERIC, h DATE, plain, free, none DATE);
      INSERT INTO t VALUES (1, '2024-01-01', 1, 'a', NULL),
        (9007199254740993, '2024-13-01', 'a', 'b', NULL), (1.5, 'soon', 2, 'c', NULL);
      """)
    #expect(
      made.losses == [
        "t.e is text; it was NUMERIC.", "t.h is text; it was DATE.",
        "t.plain is text: 2 values are no texts.",
      ])
  }
}
#endif
