import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

extension SQLPagesQuestion: FileQuestion {
  /// The number of rows in the first page, which should arrive at once; later pages are full.
  private static var firstRows: Int { 64 }

  func answer(in transaction: SQLiteReadTransaction) throws {
    try TypedSQL(sql, for: .reading).run {
      let statement = try SQLiteReadTransaction.prepare(sql, in: transaction.database)
      begin(statement.answerColumns)
      try pages(statement)
    }
  }

  private func pages(_ statement: RawStatement) throws {
    let count = Int(sqlite3_column_count(statement.pointer))
    var page = RowPage(columnCount: count)
    var most = Self.firstRows
    while try statement.step() {
      let row = page.appendRow(key: 0)
      for column in 0..<count {
        page.setCell(
          sqlite3_column_value(statement.pointer, Int32(column)), row: row, column: column)
      }
      guard page.rowCount >= most || page.isFull else { continue }
      let next = RowPage(sealing: page)
      guard receive(page) else { return }
      page = next
      most = RowPage.fullCount
    }
    page.seal()
    if page.rowCount > 0 { _ = receive(page) }
  }
}

extension RawStatement {
  var answerColumns: [AnswerColumn] {
    (0..<sqlite3_column_count(pointer)).map { index in
      var column = AnswerColumn(
        name: sqlite3_column_name(pointer, index).map { String(cString: $0) } ?? "",
        type: .undefined, isGenerated: false)
      column.declaredType = sqlite3_column_decltype(pointer, index)
        .map { String(cString: $0) }
      return column
    }
  }
}

extension SQLNamesQuestion: FileQuestion {
  func answer(in transaction: SQLiteReadTransaction) throws -> [Table] {
    let database = transaction.database
    let list = try RawStatement(
      """
      SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') \
      AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
      """, in: database)
    let selects = try NestedSelects(in: database)
    var names: [Table] = []
    while try list.step() {
      let table = list.value(at: 0).plainText
      if selects.isTooMany(inView: table) { continue }
      let info = try RawStatement(
        "SELECT name FROM pragma_table_xinfo(\(.text(table))) WHERE hidden <> 1", in: database)
      var columns: [String] = []
      // A view that refers to a missing table has no columns.
      while (try? info.step()) ?? false { columns.append(info.value(at: 0).plainText) }
      names.append(Table(table: table, columns: columns))
    }
    return names
  }
}
