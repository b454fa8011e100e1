import Basics
import DatastoreCore
import DatastoreSQL
import GRDB

/// The indexes of words of a native file: FTS5 tables that index the texts of other tables without storing
/// them, and triggers that keep them up to date, whichever program writes those tables.
///
/// A program whose SQLite has no FTS5 can read the file, but cannot write the tables with such an index.
/// `INSERT OR REPLACE` fires no trigger for the row that it removes, unless `PRAGMA recursive_triggers` is
/// on: the words of that row stay in the index under its key.
struct WordTables {
  private let tables: [NativeWordTable]

  init(_ mapping: SchemaMapping) { tables = NativeTables(mapping: mapping).wordTables }

  /// Their names, in lower case, with those of FTS5's internal tables.
  var names: Set<String> {
    Set(
      tables.flatMap { table in
        [table.name] + NativeWordTable.parts.map { "\(table.name)_\($0)" }
      }.map { $0.lowercased() })
  }

  /// The names of their triggers, in lower case.
  var triggers: Set<String> {
    Set(tables.flatMap { $0.triggers.map { $0.name.caselessKey } })
  }

  /// Whether all of them exist, as declared.
  ///
  /// - Throws: the errors of SQLite.
  func areThere(in database: Database) throws -> Bool { try missing(in: database).isEmpty }

  /// Creates those that are missing or outdated, with the words of all rows. O(texts) then.
  ///
  /// - Throws: the errors of SQLite.
  func make(in database: Database) throws {
    for table in try missing(in: database) {
      try drop(table, in: database)
      for statement in table.declarations { try RawStatement(statement, in: database).run() }
      try RawStatement(table.rebuilding, in: database).run()
    }
  }

  /// Drops those that are not among others, or for which `isKept` returns false.
  ///
  /// - Throws: the errors of SQLite.
  func drop(
    besides others: WordTables, in database: Database,
    keeping isKept: (String) -> Bool = { _ in true }
  ) throws {
    for table in tables where !(others.tables.contains(table) && isKept(table.table)) {
      try drop(table, in: database)
    }
  }

  private func drop(_ table: NativeWordTable, in database: Database) throws {
    for trigger in table.triggers {
      try RawStatement("DROP TRIGGER IF EXISTS \(name: trigger.name)", in: database).run()
    }
    // A table of an entity may have its name now.
    let isThere = try RawStatement(
      """
      SELECT 1 FROM sqlite_master WHERE name = \(.text(table.name)) COLLATE NOCASE \
      AND sql LIKE 'CREATE VIRTUAL TABLE%'
      """, in: database
    ).firstInteger()
    if isThere != nil { try RawStatement("DROP TABLE \(name: table.name)", in: database).run() }
  }

  private func missing(in database: Database) throws -> [NativeWordTable] {
    if tables.isEmpty { return [] }
    let list = try RawStatement(
      "SELECT sql FROM sqlite_master WHERE type IN ('table', 'trigger') AND sql IS NOT NULL",
      in: database)
    var declarations: Set<String> = []
    while try list.step() { declarations.insert(list.value(at: 0).plainText) }
    return tables.filter { table in
      table.declarations.contains { !declarations.contains($0.rendered.text) }
    }
  }
}

extension NativeWordTable {
  /// The table and its triggers, verbatim as SQLite keeps them.
  fileprivate var declarations: [SQLFragment] {
    [
      """
      CREATE VIRTUAL TABLE \(name: name) USING fts5(\(list()), content=\(name: table), \
      content_rowid=\(name: key))
      """
    ] + triggers.map(\.statement)
  }

  /// Indexes the words of all rows.
  fileprivate var rebuilding: SQLFragment {
    "INSERT INTO \(name: name) (\(name: name)) VALUES ('rebuild')"
  }

  fileprivate var triggers: [(name: String, statement: SQLFragment)] {
    let added: SQLFragment = """
      INSERT INTO \(name: name) (rowid, \(list())) \
      VALUES (new.\(name: key), \(list(of: "new")));
      """
    let removed: SQLFragment = """
      INSERT INTO \(name: name) (\(name: name), rowid, \(list())) \
      VALUES ('delete', old.\(name: key), \(list(of: "old")));
      """
    let differs = ([key] + columns).map {
      "old.\(name: $0) IS NOT new.\(name: $0)" as SQLFragment
    }.joined(by: " OR ")
    let events: [(String, SQLFragment)] = [
      ("insert", "AFTER INSERT ON \(name: table) BEGIN \(added) END"),
      ("delete", "AFTER DELETE ON \(name: table) BEGIN \(removed) END"),
      (
        "update",
        """
        AFTER UPDATE OF \(name: key), \(list()) ON \(name: table) WHEN \(differs) \
        BEGIN \(removed) \(added) END
        """
      ),
    ]
    return events.map { event, rest in
      let trigger = "\(name)_\(event)"
      return (trigger, "CREATE TRIGGER \(name: trigger) \(rest)")
    }
  }

  private func list() -> SQLFragment {
    columns.map { "\(name: $0)" as SQLFragment }.joined(by: ", ")
  }

  private func list(of row: String) -> SQLFragment {
    let row = SQLFragment(stringLiteral: row)
    return columns.map { "\(row).\(name: $0)" as SQLFragment }.joined(by: ", ")
  }
}
