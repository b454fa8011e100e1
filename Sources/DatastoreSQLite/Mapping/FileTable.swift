import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// One table or view as declared in the file.
struct FileTable: DescribedTable, Hashable {
  struct Column: DescribedColumn, Hashable {
    let name: String
    let declaredType: String
    /// The type in an annotation; SQLite's conversion of stored values remains that of the declared one.
    var saidType: String?
    let isNotNull: Bool
    let defaultText: String?
    /// Its position in the primary key from 1; 0 when it is not part of it.
    let keyPosition: Int
    let isGenerated: Bool
    var isBinary = true
  }

  let name: String
  let kind: EntityInformation.Kind
  let isStrict: Bool
  let isWithoutRowid: Bool
  let declaration: String?
  var columns: [Column] = []
  var indexes: [DescribedIndex] = []
  var foreignKeys: [DescribedReference] = []
  /// The reason why SQLite is not asked about it: the end of a sentence.
  var unreadableReason: String?
  var hasVirtualRowid = false

  /// The columns of the primary key in its order.
  var primaryKey: [String] {
    columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }.map(\.name)
  }

  /// The column that is the rowid itself: <https://www.sqlite.org/lang_createtable.html#rowid>.
  ///
  /// `INTEGER PRIMARY KEY DESC` is, for historical reasons, not a rowid; it has an index of its own.
  var rowidColumn: String? {
    guard kind == .table, !isWithoutRowid, primaryKey.count == 1,
      !indexes.contains(where: \.isPrimaryKey)
    else { return nil }
    return columns.first { $0.keyPosition == 1 && $0.declaredType.uppercased() == "INTEGER" }?.name
  }

  var key: KeyMapping {
    switch kind {
    case .view, .materializedView, .foreignTable, .partitionedTable: return .wholeRow
    case .virtual where !hasVirtualRowid: return .wholeRow
    case .table where isWithoutRowid: return .columns(primaryKey)
    case .table, .virtual:
      if let rowidColumn { return .rowid(rowidColumn) }
      let taken = Set(columns.map { $0.name.lowercased() })
      return ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }.map { .rowid($0) }
        ?? .wholeRow
    }
  }
}

extension FileTable {
  /// Every table and view of a file in the order of their creation, without SQLite's own tables and the
  /// shadow tables of virtual ones.
  ///
  /// Reads the file's schema only. Tables and views that SQLite cannot resolve (views with missing functions,
  /// virtual tables of modules that are not loaded) have no columns.
  static func all(in database: Database) throws -> [FileTable] {
    var tables = try listed(in: database)
    for index in tables.indices where tables[index].unreadableReason == nil {
      do {
        try tables[index].readColumns(database)
        if tables[index].kind == .table {
          try tables[index].readIndexes(database)
          try tables[index].readForeignKeys(database)
        }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        tables[index].columns = []
      }
    }
    return tables
  }

  private mutating func readColumns(_ database: Database) throws {
    let statement = try RawStatement(
      """
      SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(\(.text(name))) \
      WHERE hidden <> 1 ORDER BY cid
      """, in: database)
    while try statement.step() {
      let fallback = statement.value(at: 3)
      columns.append(
        Column(
          name: statement.value(at: 0).plainText, declaredType: statement.value(at: 1).plainText,
          isNotNull: statement.value(at: 2) == 1,
          defaultText: fallback.isNull ? nil : fallback.plainText,
          keyPosition: statement.value(at: 4).wholeNumber,
          isGenerated: statement.value(at: 5).wholeNumber >= 2))
    }
    for index in columns.indices {
      columns[index].isBinary = isBinary(columns[index].name, database)
    }
    if kind == .virtual {
      hasVirtualRowid =
        (try? RawStatement("SELECT rowid FROM \(name: name) LIMIT 0", in: database)) != nil
    }
  }

  private func isBinary(_ column: String, _ database: Database) -> Bool {
    // SQLite does not report the collations of a view's columns.
    guard kind == .table else { return false }
    var collation: UnsafePointer<CChar>?
    let code = sqlite3_table_column_metadata(
      database.sqliteConnection, "main", name, column, nil, &collation, nil, nil, nil)
    guard code == SQLITE_OK, let collation else { return true }
    return String(cString: collation).uppercased() == "BINARY"
  }

  private mutating func readIndexes(_ database: Database) throws {
    let list = try RawStatement(
      """
      SELECT name, "unique", origin FROM pragma_index_list(\(.text(name))) WHERE partial = 0 \
      ORDER BY seq DESC
      """, in: database)
    while try list.step() {
      let statement = try RawStatement(
        """
        SELECT name, cid FROM pragma_index_xinfo(\(.text(list.value(at: 0).plainText))) \
        WHERE key = 1 ORDER BY seqno
        """, in: database)
      var names: [String] = []
      var hasExpression = false
      while try statement.step() {
        if statement.value(at: 1).wholeNumber < 0 { hasExpression = true }
        names.append(statement.value(at: 0).plainText)
      }
      if hasExpression { continue }
      indexes.append(
        DescribedIndex(
          columns: names, isUnique: list.value(at: 1) == 1,
          isPrimaryKey: list.value(at: 2).plainText == "pk"))
    }
  }

  private mutating func readForeignKeys(_ database: Database) throws {
    let statement = try RawStatement(
      """
      SELECT id, "table", "from", "to", on_delete, on_update FROM pragma_foreign_key_list(\(.text(name))) \
      ORDER BY id DESC, seq
      """, in: database)
    var lastID: Value = .null
    while try statement.step() {
      let id = statement.value(at: 0)
      let from = [statement.value(at: 2).plainText]
      let to = statement.value(at: 3).isNull ? [] : [statement.value(at: 3).plainText]
      if id == lastID, let last = foreignKeys.popLast() {
        foreignKeys.append(
          DescribedReference(
            table: last.table, columns: last.columns + from, referenced: last.referenced + to,
            onDelete: last.onDelete, onUpdate: last.onUpdate))
      } else {
        foreignKeys.append(
          DescribedReference(
            table: statement.value(at: 1).plainText, columns: from, referenced: to,
            onDelete: statement.value(at: 4).plainText, onUpdate: statement.value(at: 5).plainText))
      }
      lastID = id
    }
  }
}
