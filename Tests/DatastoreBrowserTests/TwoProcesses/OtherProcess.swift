import DatastoreTestSupport
import Foundation

/// Random changes that the sqlite3 program makes to a table meanwhile, and to the model with it.
struct OtherProcess {
  let program: SQLiteProgram
  let url: URL
  let kind: SharedTable.Kind
  private(set) var history: [String] = []
  private var extraColumns = 0

  init(_ url: URL, _ kind: SharedTable.Kind) throws {
    program = try SQLiteProgram(url)
    self.url = url
    self.kind = kind
    _ = program.run(".timeout 5000")
  }

  /// Runs statements; true when SQLite had nothing to say.
  @discardableResult
  mutating func run(_ sql: String) -> Bool {
    let answer = program.run(sql)
    history.append(answer.isEmpty ? sql : "\(sql) -- \(answer.joined(separator: " "))")
    return answer.isEmpty
  }

  mutating func record(_ text: String) { history.append("-- \(text)") }

  /// One random change.
  mutating func act(_ table: inout SharedTable, _ random: inout SeededRandom) {
    switch random.below(22) {
    case 0..<6: update(&table, &random)
    case 6..<9: insert(&table, &random)
    case 9..<11: delete(&table, &random)
    case 11..<14: replace(&table, &random)
    case 14..<16: run("VACUUM;")
    case 20..<22: rebuild(&random)
    case 16:
      extraColumns += 1
      run("ALTER TABLE t ADD COLUMN extra\(extraColumns) TEXT;")
    case 17: _ = program.run("PRAGMA wal_checkpoint(TRUNCATE);")
    case 18:
      // Refused while we have the file open in WAL mode.
      let mode = random.below(2) == 0 ? "DELETE" : "WAL"
      history.append(
        "PRAGMA journal_mode = \(mode); -- \(program.run("PRAGMA journal_mode = \(mode);"))")
    default: replaceFile()
    }
  }

  private mutating func update(_ table: inout SharedTable, _ random: inout SeededRandom) {
    guard let name = table.names.randomElement(using: &random) else { return }
    // The last column is part of a key.
    let column = random.below(kind.declaration.contains("(id, mark)") ? 2 : 3)
    let value = table.makeValues()[column]
    if run("UPDATE t SET \(SharedTable.columns[column]) = '\(value)' WHERE name = '\(name)';") {
      table.rows[name]?.values[column] = value
    }
  }

  private mutating func insert(_ table: inout SharedTable, _ random: inout SeededRandom) {
    insert(id: nil, table.makeValues(), &table)
  }

  private mutating func delete(_ table: inout SharedTable, _ random: inout SeededRandom) {
    guard let name = table.names.randomElement(using: &random) else { return }
    if run("DELETE FROM t WHERE name = '\(name)';") { table.rows[name] = nil }
  }

  /// Deletes a row and gives its key to another one, which has one value of the old row.
  private mutating func replace(_ table: inout SharedTable, _ random: inout SeededRandom) {
    guard let name = table.names.randomElement(using: &random), let old = table.rows[name],
      run("DELETE FROM t WHERE name = '\(name)';")
    else { return }
    table.rows[name] = nil
    var values = table.makeValues()
    let kept = random.below(3)
    values[kept] = old.values[kept]
    insert(id: old.id, values, &table)
  }

  private mutating func insert(id: String?, _ values: [String], _ table: inout SharedTable) {
    let name = "r\(table.makeNumber())"
    let list = values.map { "'\($0)'" }.joined(separator: ", ")
    let id = id ?? (kind.isText ? "k\(table.makeNumber())" : "\(table.makeNumber() + 100_000)")
    if run("INSERT INTO t (id, name, n, note, mark) VALUES ('\(id)', '\(name)', \(list));") {
      table.rows[name] = SharedTable.Row(id: id, values: values)
    }
  }

  /// Makes the table again with its rows in another order, as programs do whose SQLite cannot drop a column.
  private mutating func rebuild(_ random: inout SeededRandom) {
    // The counter of AUTOINCREMENT would begin again.
    guard !kind.declaration.contains("AUTOINCREMENT"),
      let sql = program.run("SELECT sql FROM sqlite_master WHERE name = 't';").first,
      let columns = sql.firstIndex(of: "(")
    else { return }
    let order =
      ["name", "name DESC", "note", "mark DESC", "rowid DESC"]
      .randomElement(using: &random) ?? "name"
    let by = kind.declaration.contains("WITHOUT ROWID") ? "name" : order
    run(
      """
      BEGIN; CREATE TABLE made \(sql[columns...]); INSERT INTO made SELECT * FROM t ORDER BY \(by); \
      DROP TABLE t; ALTER TABLE made RENAME TO t; COMMIT;
      """)
  }

  /// Puts another file in the place of this one, with the same contents.
  private mutating func replaceFile() {
    let copy = url.path + ".copy"
    run(".backup '\(copy)'")
    _ = program.run(".open :memory:")
    for suffix in ["-wal", "-shm", "-journal"] {
      try? FileManager.default.removeItem(atPath: url.path + suffix)
    }
    rename(copy, url.path)
    run(".open '\(url.path)'\n.timeout 5000")
    record("another file")
  }
}
