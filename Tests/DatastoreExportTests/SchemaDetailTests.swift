import DatastoreCore
import DatastoreExport
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

/// The output of `schema` for third-party tables: everything in their declarations.
@Suite("Schemas of third-party files")
struct SchemaDetailTests {
  private static func outline(_ sql: String) throws -> SchemaOutline {
    let directory = try TemporaryDirectory()
    let url = directory.url.appending(path: "t.sqlite")
    try SQLiteFile.make(at: url, sql)
    let store = try SQLiteStore(existing: url, isReadOnly: true)
    defer { try? store.close() }
    return try SchemaOutline(store)
  }

  private static let sql = """
    CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'nobody');
    CREATE TABLE "order" (
      id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer(id) ON DELETE CASCADE,
      total REAL DEFAULT (1 + 1) CHECK (total >= 0 AND 'CHECK (' <> ')'),
      doubled AS (total * 2), CONSTRAINT named CHECK (id > 0) -- CHECK (not this)
    );
    CREATE TABLE line (
      order_id INT, place INT, text ANY, PRIMARY KEY (order_id, place),
      FOREIGN KEY (order_id) REFERENCES "order"
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER guard BEFORE DELETE ON customer BEGIN
      SELECT RAISE(ABORT, 'customers stay');
    END;
    CREATE VIEW rich AS SELECT name
      FROM customer;
    """

  @Test("Text shows keys, NOT NULL, defaults, checks, triggers and the SQL of views")
  func text() throws {
    #expect(
      SchemaFormat.text.text(of: try Self.outline(Self.sql)) == """
        customer (table)
        ├─ id       INTEGER  primary key
        ├─ name     TEXT     not null, default 'nobody'
        ├─ order    ⇉ order  to many, inverse customer, cascade
        └─ trigger  guard
                    CREATE TRIGGER guard BEFORE DELETE ON customer BEGIN
                      SELECT RAISE(ABORT, 'customers stay');
                    END

        order (table)
        ├─ id           INTEGER     primary key
        ├─ customer_id  INTEGER     not null, references customer(id) on delete cascade
        ├─ total        REAL        default 1 + 1
        ├─ doubled      any         generated
        ├─ customer     → customer  to one, inverse order, nullify
        ├─ line         ⇉ line      to many, inverse order, deny
        ├─ check        (total >= 0 AND 'CHECK (' <> ')')
        └─ check        (id > 0)

        line (table, without rowid, strict)
        ├─ order_id  INT           primary key 1, not null, references order
        ├─ place     INT           integer, primary key 2, not null
        ├─ text      ANY
        ├─ order     → order       to one, inverse line, nullify
        └─ unique    order, place

        rich (view, read-only)
        ├─ name  TEXT
        └─ as
                 CREATE VIEW rich AS SELECT name
                   FROM customer

        """)
  }

  @Test(
    "A graph shows the columns of keys and foreign keys, with type and NOT NULL, and kinds of tables"
  )
  func graph() throws {
    #expect(
      SchemaFormat.graph.text(of: try Self.outline(Self.sql))
        == """
        ┌─────────────────────────────────────────────────────────────────────────────┐
        │ customer                                                                    │
        │   id  INTEGER  primary key                                                  │
        │   order ⇉ order                                                             ├─┐
        └─────────────────────────────────────────────────────────────────────────────┘ │
                                                                                        │
        ┌─────────────────────────────────────────────────────────────────────────────┐ │
        │ order                                                                       │ │
        │   id           INTEGER  primary key                                         │ │
        │   customer_id  INTEGER  not null, references customer(id) on delete cascade │ │
        │   customer → customer                                                       ├─┘
        │   line ⇉ line                                                               ├─┐
        └─────────────────────────────────────────────────────────────────────────────┘ │
                                                                                        │
        ┌─────────────────────────────────────────────────────────────────────────────┐ │
        │ line (without rowid, strict)                                                │ │
        │   order_id  INT  primary key 1, not null, references order                  │ │
        │   place     INT  integer, primary key 2, not null                           │ │
        │   order → order                                                             ├─┘
        └─────────────────────────────────────────────────────────────────────────────┘

        ┌─────────────────────────────────────────────────────────────────────────────┐
        │ rich (view, read-only)                                                      │
        └─────────────────────────────────────────────────────────────────────────────┘

        """)
  }

  @Test("Mermaid and Graphviz show every column, with keys and NOT NULL")
  func diagrams() throws {
    let outline = try Self.outline(Self.sql)
    let mermaid = SchemaFormat.mermaid.text(of: outline)
    #expect(
      mermaid.contains(
        """
          "order" {
            INTEGER id PK
            INTEGER customer_id FK "not null, references customer(id) on delete cascade"
            REAL total "default 1 + 1"
            any doubled "generated"
          }
          "line" {
            INT order_id PK, FK "not null, references order"
            INT place PK "integer, not null"
            ANY text
          }

        """), "\(mermaid)")
    let dot = SchemaFormat.dot.text(of: outline)
    for row in [
      "<tr><td colspan=\"3\" bgcolor=\"lightgrey\"><b>order</b></td></tr>",
      "<tr><td align=\"left\">id</td><td align=\"left\">INTEGER</td><td align=\"left\">primary key</td></tr>",
      "<tr><td align=\"left\"><b>customer_id</b></td><td align=\"left\">INTEGER</td>"
        + "<td align=\"left\">not null, references customer(id) on delete cascade</td></tr>",
    ] {
      #expect(dot.contains("      \(row)\n"), "\(dot)")
    }
  }

  @Test("JSON has the same, for programs")
  func json() throws {
    let text = SchemaFormat.json.text(of: try Self.outline(Self.sql))
    let root = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let entities = try #require(root?["entities"] as? [[String: Any]])
    let order = try #require(entities.first { $0["name"] as? String == "order" })
    let columns = try #require(order["columns"] as? [[String: Any]])
    #expect(columns.map { $0["name"] as? String } == ["id", "customer_id", "total", "doubled"])
    #expect(columns.map { $0["notNull"] as? Bool } == [false, true, false, false])
    #expect(columns.map { $0["primaryKey"] as? Int } == [1, nil, nil, nil])
    #expect(columns.map { $0["default"] as? String } == [nil, nil, "1 + 1", nil])
    let references = try #require(columns[1]["references"] as? [[String: String]])
    #expect(references == [["target": "customer(id)", "onDelete": "CASCADE"]])
    #expect(order["checks"] as? [String] == ["(total >= 0 AND 'CHECK (' <> ')')", "(id > 0)"])
    let line = try #require(entities.first { $0["name"] as? String == "line" })
    #expect(line["strict"] as? Bool == true && line["withoutRowid"] as? Bool == true)
    let customer = try #require(entities.first { $0["name"] as? String == "customer" })
    let triggers = try #require(customer["triggers"] as? [[String: String]])
    #expect(triggers.first?["name"] == "guard")
    #expect(triggers.first?["sql"]?.contains("RAISE(ABORT") == true)
    let view = try #require(entities.first { $0["name"] as? String == "rich" })
    #expect((view["sql"] as? String)?.hasPrefix("CREATE VIEW rich AS") == true)
  }

  @Test("SQL of a file cannot speak to the terminal")
  func harmless() throws {
    let text = SchemaFormat.text.text(
      of: try Self.outline("CREATE VIEW v AS SELECT '\u{1B}[31m' AS a;"))
    #expect(!text.unicodeScalars.contains("\u{1B}"))
  }
}
