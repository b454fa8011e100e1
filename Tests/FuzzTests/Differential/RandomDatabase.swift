import DatastoreTestSupport

/// A database of another program, drawn at random: every kind of table, key, type and encoding, with JSON,
/// views, triggers and full-text search in its schema.
struct RandomDatabase {
  struct Column {
    let name: String
    let declaration: String
    var isGenerated = false
  }

  struct Table {
    let name: String
    var columns: [Column]
    /// The declarations after the columns.
    var constraints: [String] = []
    var options = ""

    var sql: String {
      let parts = columns.map { "\(quoted($0.name)) \($0.declaration)" } + constraints
      return "CREATE TABLE \(quoted(name)) (\(parts.joined(separator: ", ")))\(options);"
    }
  }

  private(set) var tables: [Table] = []
  /// Makes and fills the file.
  private(set) var script = ""
  private var random: SeededRandom

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    let encoding = ["UTF-8", "UTF-8", "UTF-16le", "UTF-16be"][random.below(4)]
    script = """
      PRAGMA encoding = '\(encoding)'; PRAGMA page_size = \(512 << random.below(4));
      PRAGMA auto_vacuum = \(random.below(3));
      PRAGMA journal_mode = \(["DELETE", "WAL", "TRUNCATE"][random.below(3)]);

      """
    for number in 0...random.below(4) { addTable(number) }
    addViews()
    if random.below(3) == 0 { addFullText() }
    if random.below(4) == 0 { addTree() }
    if random.below(3) == 0 { addTrigger() }
    if random.below(3) == 0 {
      script += "DELETE FROM \(quoted(tables[0].name)) WHERE random() % 3 = 0;\n"
    }
  }

  // MARK: Tables

  private static let names = [
    "people", "order", "sel\"ect", "Ünï côde", "a.b", "it's", "日本", "x y", "group", "_id", "key",
    "Value",
  ]
  private static let types = [
    "INTEGER", "INT", "BIGINT", "TEXT", "VARCHAR(20)", "REAL", "DOUBLE", "NUMERIC", "DECIMAL(10,2)",
    "BLOB", "", "BOOLEAN", "DATETIME", "DATE", "FLOAT",
  ]

  private mutating func addTable(_ number: Int) {
    let name = "\(Self.names[random.below(Self.names.count)]) \(number)"
    var table = Table(name: name, columns: [])
    let isStrict = random.below(6) == 0
    addKey(to: &table, isStrict: isStrict)
    for place in 0...random.below(5) {
      table.columns.append(
        Column(
          name: "\(Self.names[random.below(Self.names.count)])\(place)",
          declaration: declaration(isStrict: isStrict)))
    }
    if random.below(3) == 0 {
      table.columns.append(
        Column(name: "doc", declaration: "TEXT CHECK (doc IS NULL OR json_valid(doc))"))
      table.columns.append(
        Column(
          name: "doc a",
          declaration: "TEXT GENERATED ALWAYS AS (json_extract(doc, '$.a')) "
            + (random.below(2) == 0 ? "VIRTUAL" : "STORED"),
          isGenerated: true))
    }
    if !tables.isEmpty, !isStrict, random.below(2) == 0,
      let parent = tables.last(where: { $0.columns[0].name == "id" })
    {
      let action = ["", " ON DELETE CASCADE", " ON DELETE SET NULL"][random.below(3)]
      table.columns.append(
        Column(
          name: "parent_id",
          declaration: "INTEGER REFERENCES \(quoted(parent.name)) (id)\(action)"))
    }
    script += table.sql + "\n"
    if table.columns.contains(where: { $0.name == "doc" }) {
      script +=
        "CREATE INDEX \(quoted("by json \(number)")) ON \(quoted(name)) (json_extract(doc, '$.a'));\n"
    } else if random.below(3) == 0, let column = table.columns.last {
      script +=
        "CREATE INDEX \(quoted("by \(number)")) ON \(quoted(name)) (\(quoted(column.name)));\n"
    }
    for row in 0..<random.below(12) { insert(into: table, row) }
    tables.append(table)
  }

  private mutating func addKey(to table: inout Table, isStrict: Bool) {
    let kind = random.below(7)
    switch kind {
    case 0: break
    case 1:
      table.columns.append(Column(name: "id", declaration: "INTEGER PRIMARY KEY AUTOINCREMENT"))
    case 2: table.columns.append(Column(name: "code", declaration: "TEXT PRIMARY KEY"))
    case 3, 4:
      table.columns.append(Column(name: "part", declaration: "TEXT NOT NULL"))
      table.columns.append(Column(name: "line", declaration: "INTEGER NOT NULL"))
      table.constraints.append("PRIMARY KEY (part, line)")
    default: table.columns.append(Column(name: "id", declaration: "INTEGER PRIMARY KEY"))
    }
    var options: [String] = []
    if kind == 4 || (kind == 2 && random.below(2) == 0) { options.append("WITHOUT ROWID") }
    if isStrict { options.append("STRICT") }
    if !options.isEmpty { table.options = " " + options.joined(separator: ", ") }
  }

  private mutating func declaration(isStrict: Bool) -> String {
    let type =
      isStrict
      ? ["INTEGER", "TEXT", "REAL", "BLOB", "ANY", "INT"][random.below(6)]
      : Self.types[random.below(Self.types.count)]
    var text = type
    if random.below(6) == 0 { text += " COLLATE NOCASE" }
    switch random.below(8) {
    case 0:
      text += " DEFAULT \(isStrict ? "NULL" : ["7", "1.5", "'x'", "x'0a'", "-3"][random.below(5)])"
    case 1 where !isStrict: text += " NOT NULL DEFAULT 0"
    case 2 where !isStrict: text += " DEFAULT (abs(-4) + 1)"
    default: break
    }
    return text
  }

  private mutating func insert(into table: Table, _ row: Int) {
    let columns = table.columns.filter { !$0.isGenerated }
    let values = columns.map { column in
      switch column.name {
      case "id": return "\(row * 3 + 1)"
      case "code": return "'code \(row)'"
      case "part": return "'part \(row % 2)'"
      case "line": return "\(row)"
      case "doc":
        return random.below(4) == 0
          ? "NULL" : "json_object('a', \(literal(ofKind: random.below(3))))"
      case "parent_id": return random.below(3) == 0 ? "NULL" : "1"
      default: return literal(for: column.declaration, isStrict: table.options.contains("STRICT"))
      }
    }
    // Rows that a constraint refuses are left out.
    script += """
      INSERT OR IGNORE INTO \(quoted(table.name)) (\(columns.map { quoted($0.name) }.joined(separator: ", "))) \
      VALUES (\(values.joined(separator: ", ")));

      """
  }

  // MARK: Values

  /// A value as SQL, in STRICT tables of the column's type.
  private mutating func literal(for declaration: String, isStrict: Bool) -> String {
    guard isStrict, let type = declaration.split(separator: " ").first else {
      return literal(ofKind: random.below(6))
    }
    if random.below(5) == 0 { return "NULL" }
    switch type {
    case "INTEGER", "INT": return literal(ofKind: 0)
    case "TEXT": return literal(ofKind: 1)
    case "REAL": return literal(ofKind: 2)
    case "BLOB": return literal(ofKind: 3)
    default: return literal(ofKind: random.below(6))
    }
  }

  /// 0 integer, 1 text, 2 real, 3 blob, 4 NULL, 5 an awkward value.
  mutating func literal(ofKind kind: Int) -> String {
    switch kind {
    case 0:
      return "\([0, 1, -1, 255, -32769, 1 << 40, Int64.max, Int64.min + 1, 42][random.below(9)])"
    case 1:
      let text = ["", "a", "Straße", "日本語", "12", "1.50", "it''s", "e\u{301}", "😀", "NULL", "true"]
      return "'\(text[random.below(text.count)])'"
    case 2:
      var bits = UInt64.random(in: 0 ... .max, using: &random)
      if bits & 0x7FF0_0000_0000_0000 == 0x7FF0_0000_0000_0000 { bits &= ~(1 << 62) }
      return Self.literal(ofReal: Double(bitPattern: bits))
    case 3: return "x'\(["", "00", "ff00ff", "e9", "53514c"][random.below(5)])'"
    case 4: return "NULL"
    default:
      return ["CAST(x'61006200' AS TEXT)", "9e999", "-0.0", "0.1", "1e-320", "'\t'"][
        random.below(6)]
    }
  }

  /// Exact to the bit, which no decimal text is to SQLite 3.40.
  static func literal(ofReal real: Double) -> String {
    let bits = String(real.bitPattern, radix: 16)
    return "ieee754_from_blob(x'\(String(repeating: "0", count: 16 - bits.count))\(bits)')"
  }

  // MARK: The rest of the schema

  private mutating func addViews() {
    let table = tables[random.below(tables.count)]
    let first = quoted(table.columns[0].name)
    switch random.below(4) {
    case 0:
      script +=
        "CREATE VIEW \"a view\" AS SELECT \(first) AS one, count(*) FROM \(quoted(table.name)) GROUP BY 1;\n"
    // Text in double quotes, as many programs write it.
    case 1:
      script +=
        "CREATE VIEW \"texts\" AS SELECT \"ST_\" || \(first) AS label FROM \(quoted(table.name));\n"
    case 2:
      script +=
        "CREATE VIEW jsons AS SELECT json_object('k', 1) ->> '$.k' AS k, value FROM json_each('[1, \"a\"]');\n"
    default: break
    }
  }

  private mutating func addFullText() {
    script += """
      CREATE TABLE message (id INTEGER PRIMARY KEY, body TEXT);
      CREATE VIRTUAL TABLE message_text USING fts5(body, content='message', content_rowid='id');
      CREATE TRIGGER message_added AFTER INSERT ON message BEGIN
        INSERT INTO message_text (rowid, body) VALUES (new.id, new.body); END;
      CREATE TRIGGER message_gone AFTER DELETE ON message BEGIN
        INSERT INTO message_text (message_text, rowid, body) VALUES ('delete', old.id, old.body); END;
      CREATE TRIGGER message_changed AFTER UPDATE ON message BEGIN
        INSERT INTO message_text (message_text, rowid, body) VALUES ('delete', old.id, old.body);
        INSERT INTO message_text (rowid, body) VALUES (new.id, new.body); END;
      INSERT INTO message VALUES (1, 'hello world'), (2, 'Grüße'), (3, '');

      """
    tables.append(
      Table(
        name: "message",
        columns: [
          Column(name: "id", declaration: "INTEGER PRIMARY KEY"),
          Column(name: "body", declaration: "TEXT"),
        ]))
  }

  private mutating func addTree() {
    script += """
      CREATE TABLE place (id INTEGER PRIMARY KEY, x REAL);
      CREATE VIRTUAL TABLE place_tree USING rtree(id, low, high);
      CREATE TRIGGER place_changed AFTER UPDATE OF x ON place BEGIN
        UPDATE place_tree SET low = new.x, high = new.x WHERE id = new.id; END;
      INSERT INTO place VALUES (1, 1.5), (2, -3);
      INSERT INTO place_tree SELECT id, x, x FROM place;

      """
    tables.append(
      Table(
        name: "place",
        columns: [
          Column(name: "id", declaration: "INTEGER PRIMARY KEY"),
          Column(name: "x", declaration: "REAL"),
        ]))
  }

  private mutating func addTrigger() {
    let table = tables[random.below(tables.count)]
    script += """
      CREATE TABLE log (what TEXT, whom);
      CREATE TRIGGER "logged" AFTER UPDATE ON \(quoted(table.name)) BEGIN
        INSERT INTO log VALUES ("changed", new.\(quoted(table.columns[0].name))); END;

      """
  }
}

/// A name as SQL.
func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
