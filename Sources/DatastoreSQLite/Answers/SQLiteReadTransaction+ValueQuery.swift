import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// Answers row by row: nothing is kept of a row once the next one is read.
extension SQLiteReadTransaction {
  func answer(
    _ query: ValueQuery, includingGenerated: Bool, begin: ([AnswerColumn]) throws -> Void,
    row: (RowPage) throws -> Void
  ) throws {
    let builder = QueryBuilder(mapping)
    let entity = try builder.entity(named: query.entity)
    let (sql, columns) = try builder.answer(to: query, includingGenerated: includingGenerated)
    let statement = try store.reading(entity) { try RawStatement(sql, in: database) }
    try begin(columns)
    try store.reading(entity) { try Self.step(statement, row) }
  }

  func answer(
    sql: String, begin: ([AnswerColumn]) throws -> Void, row: (RowPage) throws -> Void
  ) throws {
    try TypedSQL(sql, for: .reading).run {
      let statement = try Self.prepare(sql, in: database)
      try begin(Self.columns(of: statement))
      try Self.step(statement, row)
    }
  }

  static func prepare(_ sql: String, in database: Database) throws -> RawStatement {
    func fault(_ message: String, at offset: Int? = nil) -> SQLTextError {
      SQLTextError(sql: sql, message: message, utf8Offset: offset)
    }
    if try NestedSelects(in: database).isTooMany(in: sql) {
      throw fault("This is not run: \(NestedSelects.refusal).")
    }
    let statement: RawStatement
    do {
      statement = try RawStatement(SQLFragment(stringLiteral: sql), in: database)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      let offset = sqlite3_error_offset(database.sqliteConnection)
      let message = error.message ?? "no details"
      throw fault(
        "SQLite cannot run this: \(message).",
        at: offset >= 0 && offset <= sql.utf8.count ? Int(offset) : nil)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_MISUSE {
      throw fault("Give one statement of SQL, not several.")
    }
    let isWriting = sqlite3_stmt_readonly(statement.pointer) == 0
    guard !isWriting, sqlite3_column_count(statement.pointer) > 0 else {
      var error = fault("Only statements that read can be run here, such as SELECT.")
      error.isWriting = isWriting
      throw error
    }
    guard sqlite3_bind_parameter_count(statement.pointer) == 0 else {
      throw fault("The statement has parameters, for which there are no values; write them out.")
    }
    return statement
  }

  private static func step(_ statement: RawStatement, _ row: (RowPage) throws -> Void) throws {
    let count = Int(sqlite3_column_count(statement.pointer))
    var page = RowPage(columnCount: count, rowCapacity: 1)
    var steps = 0
    while try statement.step() {
      page.appendRow(key: 0)
      for column in 0..<count {
        page.setCell(
          sqlite3_column_value(statement.pointer, Int32(column)), row: 0, column: column)
      }
      let next = RowPage(sealing: page)
      try row(page)
      page = next
      steps &+= 1
      if steps & 0xFF == 0 { try Task.checkCancellation() }
    }
  }
}
