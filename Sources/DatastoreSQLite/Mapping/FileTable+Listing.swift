import DatastoreCore
import DatastoreSQL
import GRDB

/// Listing tables and views.
extension FileTable {
  /// Every table and view of a file in the order of their creation, without its columns. Leaves out SQLite's
  /// own tables and the shadow tables of virtual ones.
  ///
  /// `PRAGMA table_list` prepares every view, which cannot be interrupted. So in a file with a view that is
  /// too complex (`NestedSelects`) kinds and options are read from the declarations instead.
  static func listed(in database: Database) throws -> [FileTable] {
    let selects = try NestedSelects(in: database)
    var tables =
      selects.isAnyViewTooMany ? try declared(in: database) : try fromTableList(in: database)
    for index in tables.indices
    where tables[index].kind == .view && selects.isTooMany(inView: tables[index].name) {
      tables[index].unreadableReason = NestedSelects.refusal
    }
    return tables
  }

  private static func fromTableList(in database: Database) throws -> [FileTable] {
    let list = try RawStatement(
      """
      SELECT l.name, l.type, l.wr, l.strict, m.sql FROM pragma_table_list AS l \
      LEFT JOIN sqlite_master AS m ON m.name = l.name AND m.type IN ('table', 'view') \
      WHERE l.schema = 'main' AND l.type IN ('table', 'view', 'virtual') \
      AND l.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY m.rowid
      """, in: database)
    var tables: [FileTable] = []
    while try list.step() {
      let declaration = list.value(at: 4)
      tables.append(
        FileTable(
          name: list.value(at: 0).plainText,
          kind: EntityInformation.Kind(rawValue: list.value(at: 1).plainText) ?? .table,
          isStrict: list.value(at: 3) == 1, isWithoutRowid: list.value(at: 2) == 1,
          declaration: declaration.isNull ? nil : declaration.plainText))
    }
    return tables
  }

  private static func declared(in database: Database) throws -> [FileTable] {
    let list = try RawStatement(
      """
      SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'view') \
      AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid
      """, in: database)
    var tables: [FileTable] = []
    while try list.step() {
      let sql = list.value(at: 2).plainText
      // SQLite writes the first words of a declaration itself, the rest as typed.
      let kind: EntityInformation.Kind =
        list.value(at: 1) == "view"
        ? .view : sql.uppercased().hasPrefix("CREATE VIRTUAL TABLE") ? .virtual : .table
      let tokens = kind == .table ? SQLToken.all(of: sql) : []
      let options = tokens.suffix(from: tokens.lastIndex(of: .close) ?? tokens.endIndex)
      tables.append(
        FileTable(
          name: list.value(at: 0).plainText, kind: kind,
          isStrict: options.contains(.name("strict")),
          isWithoutRowid: options.contains(.name("without")), declaration: sql))
    }
    return withoutShadows(tables)
  }

  /// Leaves out the internal tables of SQLite's own modules: their names are those of their virtual tables
  /// with one of these suffixes.
  private static func withoutShadows(_ tables: [FileTable]) -> [FileTable] {
    let parts = [
      "content", "docsize", "segdir", "segments", "stat", "config", "data", "idx", "node",
      "parent", "rowid",
    ]
    let shadows = Set(
      tables.filter { $0.kind == .virtual }.flatMap { table in
        parts.map { "\(table.name)_\($0)".lowercased() }
      })
    return tables.filter { $0.kind != .table || !shadows.contains($0.name.lowercased()) }
  }
}
