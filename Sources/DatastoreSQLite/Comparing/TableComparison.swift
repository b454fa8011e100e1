import Basics
import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite
import Glibc

/// The rows of a table that are not what they were.
struct TableComparison {
  /// A row that holds something else now, and the columns, in lower case, that do.
  struct Change {
    let key: [Value]
    let columns: Set<String>
  }

  private(set) var inserted: [[Value]] = []
  private(set) var deleted: [[Value]] = []
  private(set) var updated: [Change] = []
  private(set) var insertedCount = 0
  private(set) var deletedCount = 0
  private(set) var updatedCount = 0

  private let columns: ComparedColumns
  private let limit: Int

  /// Looks every row up among the former ones, and where some of these are left, those the other way round.
  ///
  /// - Parameters:
  ///   - count: how many former rows there are.
  ///   - limit: of each kind no more keys are kept.
  /// - Throws: `DatabaseError`, also when it is interrupted.
  init(
    _ columns: ComparedColumns, now: Database, former: Database, count: Int, limit: Int
  ) throws {
    self.columns = columns
    self.limit = limit
    let rows = try RawStatement(columns.rows, in: now)
    let formerRow = try RawStatement(columns.row, in: former)
    var left = count
    while try rows.step() {
      guard try find(formerRow, rows) else {
        insertedCount += 1
        if inserted.count < limit { inserted.append(key(rows)) }
        continue
      }
      left -= 1
      note(rows, formerRow)
    }
    guard left > 0 else { return }
    let formerRows = try RawStatement(columns.rows, in: former)
    let row = try RawStatement(columns.row, in: now)
    while try formerRows.step() {
      if try find(row, formerRows) { continue }
      deletedCount += 1
      if deleted.count < limit { deleted.append(key(formerRows)) }
    }
  }

  private func key(_ row: RawStatement) -> [Value] {
    columns.key.indices.map { row.value(at: Int32($0)) }
  }

  /// Steps a statement to the row with the key of another one.
  private func find(_ statement: RawStatement, _ other: RawStatement) throws -> Bool {
    sqlite3_reset(statement.pointer)
    for column in 0..<Int32(columns.key.count) {
      sqlite3_bind_value(
        statement.pointer, column + 1, sqlite3_column_value(other.pointer, column))
    }
    return try statement.step()
  }

  private mutating func note(_ row: RawStatement, _ former: RawStatement) {
    let stored = Int32(columns.key.count)..<Int32(columns.key.count + columns.stored.count)
    guard stored.contains(where: { !Self.isSame(row, former, $0) }) else { return }
    updatedCount += 1
    guard updated.count < limit else { return }
    let changed = stored.filter { !Self.isSame(row, former, $0) }
    updated.append(
      Change(
        key: key(row),
        columns: Set(changed.map { columns.stored[Int($0 - stored.lowerBound)].caselessKey })))
  }

  /// Whether a cell of two rows is the same: storage class and content.
  private static func isSame(_ row: RawStatement, _ other: RawStatement, _ column: Int32) -> Bool {
    let (one, two) = (row.pointer, other.pointer)
    let type = sqlite3_column_type(one, column)
    guard type == sqlite3_column_type(two, column) else { return false }
    switch type {
    case SQLITE_INTEGER:
      return sqlite3_column_int64(one, column) == sqlite3_column_int64(two, column)
    case SQLITE_FLOAT:
      return sqlite3_column_double(one, column).bitPattern
        == sqlite3_column_double(two, column).bitPattern
    case SQLITE_TEXT:
      return isSame(
        sqlite3_column_text(one, column), sqlite3_column_text(two, column),
        sqlite3_column_bytes(one, column), sqlite3_column_bytes(two, column))
    case SQLITE_BLOB:
      return isSame(
        sqlite3_column_blob(one, column), sqlite3_column_blob(two, column),
        sqlite3_column_bytes(one, column), sqlite3_column_bytes(two, column))
    default: return true
    }
  }

  private static func isSame(
    _ one: UnsafeRawPointer?, _ two: UnsafeRawPointer?, _ count: Int32, _ otherCount: Int32
  ) -> Bool {
    guard count == otherCount, count > 0 else { return count == otherCount }
    guard let one, let two else { return one == two }
    return memcmp(one, two, Int(count)) == 0
  }
}
