import DatastoreCore
import DatastoreSQL
import Foundation
import GRDB
import GRDBSQLite

/// Answers queries row by row.
extension SQLiteReadTransaction {
  func sql(of query: ValueQuery) throws -> String {
    let builder = QueryBuilder(mapping)
    let entity = try builder.entity(named: query.entity)
    let (sql, _) = try builder.answer(to: query, includingGenerated: true)
    let statement = try store.reading(entity) { try RawStatement(sql, in: database) }
    // It is SQLite's memory, and nil only when there is none.
    guard let text = sqlite3_expanded_sql(statement.pointer) else { return sql.rendered.text }
    defer { sqlite3_free(text) }
    return String(cString: text)
  }

  func answer(
    sql: String, begin: ([AnswerColumn]) throws -> Void, row: (RowPage, Int) throws -> Void
  ) throws {
    try TypedSQL(sql, for: .reading).run {
      let statement = try Self.prepare(sql, in: database)
      try begin(statement.answerColumns)
      try stream(statement, row)
    }
  }

  static func prepare(_ sql: String, in database: Database) throws -> RawStatement {
    func fault(_ message: String) -> SQLTextError {
      SQLTextError(sql: sql, message: message, utf8Offset: nil)
    }
    if try NestedSelects(in: database).isTooMany(in: sql) {
      throw fault("This is not run: \(NestedSelects.refusal).")
    }
    let statement: RawStatement
    do {
      statement = try RawStatement(SQLFragment(stringLiteral: sql), in: database)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      let offset = Int(sqlite3_error_offset(database.sqliteConnection))
      throw SQLTextError(error, sql, at: 0...sql.utf8.count ~= offset ? offset : nil)
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

  /// The greatest time that a row waits for the next ones, in nanoseconds.
  private static let patience: UInt64 = 50_000_000

  /// Reads all rows and passes them on by the page, which costs less than one by one; the first one at once.
  func stream(
    _ statement: RawStatement, _ row: (RowPage, Int) throws -> Void
  ) throws {
    let count = Int(sqlite3_column_count(statement.pointer))
    var page = RowPage(columnCount: count)
    var lastTime: UInt64 = 0
    func handOn() throws {
      let full = page
      page = RowPage(sealing: full)
      for index in 0..<full.rowCount { try row(full, index) }
      lastTime = Self.now
      try Task.checkCancellation()
    }
    do {
      while try statement.step() {
        let index = page.appendRow(key: 0)
        for column in 0..<count {
          page.setCell(
            sqlite3_column_value(statement.pointer, Int32(column)), row: index, column: column)
        }
        if page.isFull || Self.now &- lastTime >= Self.patience { try handOn() }
      }
    } catch {
      // If a statement fails, the rows before are still valid.
      if page.rowCount > 0 { try handOn() }
      throw error
    }
    if page.rowCount > 0 { try handOn() }
  }

  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
