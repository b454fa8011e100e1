import DatastoreCore
import DatastoreSQL
import Foundation
import GRDBSQLite

extension CellRule {
  /// Checks a value of a row of the table before it becomes a cell.
  ///
  /// O(1), except for decimals and addresses, which are parsed.
  /// - Throws: `StoreError.unfitValue`, `.noStoredValue`.
  @inline(__always)
  func check(_ value: OpaquePointer?, key: RowKey) throws {
    if !accepts(value) { throw failure(SQLFunctions.value(value), key: key) }
  }

  @inline(__always)
  private func accepts(_ value: OpaquePointer?) -> Bool {
    switch (sqlite3_value_type(value), type) {
    case (SQLITE_NULL, _): isOptional
    case (_, .undefined): true
    case (SQLITE_INTEGER, .integer64), (SQLITE_INTEGER, .boolean), (SQLITE_INTEGER, .double),
      (SQLITE_INTEGER, .float), (SQLITE_INTEGER, .date), (SQLITE_INTEGER, .decimal),
      (SQLITE_FLOAT, .double), (SQLITE_FLOAT, .float), (SQLITE_FLOAT, .date),
      (SQLITE_TEXT, .string), (SQLITE_BLOB, .data), (SQLITE_BLOB, .coded):
      true
    case (SQLITE_INTEGER, _) where type.isInteger: range.contains(sqlite3_value_int64(value))
    case (SQLITE_BLOB, .uuid): sqlite3_value_bytes(value) == 16
    case (SQLITE_FLOAT, .decimal), (SQLITE_TEXT, .decimal):
      Decimal(stored: SQLFunctions.value(value)) != nil
    case (SQLITE_TEXT, .url): URL(string: SQLFunctions.value(value).plainText) != nil
    case (SQLITE_TEXT, .calendarDate): CalendarDate(SQLFunctions.value(value).plainText) != nil
    default: false
    }
  }
}
