import GRDBSQLite

/// An error code of SQLite with its message.
struct SQLiteFailure: Error, CustomStringConvertible {
  let description: String
}

/// A connection of the C API, with the pragmas that GRDB and the library use too.
final class SQLiteConnection {
  private var handle: OpaquePointer?

  init(_ path: String) throws {
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    try check(sqlite3_open_v2(path, &handle, flags, nil))
    try run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON")
  }

  func close() throws {
    try check(sqlite3_close(handle))
    handle = nil
  }

  func run(_ sql: String) throws {
    try check(sqlite3_exec(handle, sql, nil, nil, nil))
  }

  func statement(_ sql: String) throws -> SQLiteStatement {
    var pointer: OpaquePointer?
    try check(sqlite3_prepare_v2(handle, sql, -1, &pointer, nil))
    guard let pointer else { throw SQLiteFailure(description: "empty statement: \(sql)") }
    return SQLiteStatement(pointer: pointer)
  }

  func check(_ code: Int32) throws {
    guard code != SQLITE_OK else { return }
    throw SQLiteFailure(description: String(cString: sqlite3_errmsg(handle)))
  }
}

/// A prepared statement, reused for every row.
final class SQLiteStatement {
  let pointer: OpaquePointer

  init(pointer: OpaquePointer) {
    self.pointer = pointer
  }

  deinit { sqlite3_finalize(pointer) }

  /// Steps to the next row; false at the end.
  @inline(__always)
  func step() throws -> Bool {
    switch sqlite3_step(pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw SQLiteFailure(description: String(cString: sqlite3_errstr(code)))
    }
  }

  /// Runs a statement that has no rows, and makes it ready for the next time.
  @inline(__always)
  func run() throws {
    while try step() {}
    sqlite3_reset(pointer)
  }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(pointer, column) }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(pointer, column) == SQLITE_NULL }

  func text(_ column: Int32) -> String? {
    sqlite3_column_text(pointer, column).map { String(cString: $0) }
  }

  /// Binds nil as NULL.
  @inline(__always)
  func bind(_ integer: Int64?, at index: Int32) {
    if let integer {
      sqlite3_bind_int64(pointer, index, integer)
    } else {
      sqlite3_bind_null(pointer, index)
    }
  }

  /// Binds nil as NULL.
  @inline(__always)
  func bind(_ text: String?, at index: Int32) {
    if let text { bind(text, at: index) } else { sqlite3_bind_null(pointer, index) }
  }

  /// Binds text that is copied, as it may be gone before the step.
  @inline(__always)
  func bind(_ text: String, at index: Int32) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        _ = sqlite3_bind_text(
          pointer, index, $0.baseAddress, Int32($0.count),
          unsafeBitCast(-1, to: sqlite3_destructor_type.self))
      }
    }
  }
}
