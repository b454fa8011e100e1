import DatastoreCore
import DatastoreSQL
import Foundation
import GRDB
import GRDBSQLite

/// A statement used through bind, step and reset, without GRDB's row layer.
///
/// Only valid inside the database access that prepared it.
struct RawStatement {
  let statement: Statement
  let pointer: OpaquePointer

  /// Prepares a fragment and binds its values.
  ///
  /// - Parameter isCached: whether to keep the statement for the next use of its text.
  init(_ fragment: SQLFragment, in database: Database, isCached: Bool = false) throws {
    let (text, bindings) = fragment.rendered
    try self.init(rendered: text, in: database, isCached: isCached)
    for (index, value) in bindings.enumerated() { try bind(value, at: Int32(index + 1)) }
  }

  /// Prepares the rendered text of a fragment, without binding values.
  init(rendered text: String, in database: Database, isCached: Bool = false) throws {
    statement =
      try isCached ? database.cachedStatement(sql: text) : database.makeStatement(sql: text)
    pointer = statement.sqliteStatement
    sqlite3_reset(pointer)
  }

  /// Binds a copy of a value.
  func bind(_ value: Value, at index: Int32) throws {
    let code: Int32
    switch value {
    case .null: code = sqlite3_bind_null(pointer, index)
    case .integer(let integer): code = sqlite3_bind_int64(pointer, index, integer)
    case .real(let real): code = sqlite3_bind_double(pointer, index, real)
    case .text(var text):
      code = text.withStoredUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          sqlite3_bind_text64(
            pointer, index, $0.baseAddress ?? Self.empty, UInt64($0.count), Self.transient,
            UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let data):
      code = data.withUnsafeBytes {
        $0.isEmpty
          ? sqlite3_bind_zeroblob(pointer, index, 0)
          : sqlite3_bind_blob64(
            pointer, index, $0.baseAddress, UInt64($0.count), Self.transient)
      }
    }
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Binds a cell without copying its bytes: the page must live until the statement is reset.
  @inline(__always)
  func bind(_ page: RowPage, row: Int, slot: Slot, at index: Int32) throws {
    let code: Int32
    switch page.tag(row: row, slot: slot) {
    case .null: code = sqlite3_bind_null(pointer, index)
    case .integer:
      code = sqlite3_bind_int64(pointer, index, page.integer(row: row, slot: slot))
    case .real: code = sqlite3_bind_double(pointer, index, page.real(row: row, slot: slot))
    case .text:
      let bytes = page.bytes(row: row, slot: slot)
      code = bytes.withMemoryRebound(to: CChar.self) {
        // A nil destructor is SQLITE_STATIC.
        sqlite3_bind_text64(
          pointer, index, $0.baseAddress ?? Self.empty, UInt64($0.count), nil,
          UInt8(SQLITE_UTF8))
      }
    case .blob:
      let bytes = page.bytes(row: row, slot: slot)
      code =
        bytes.isEmpty
        ? sqlite3_bind_zeroblob(pointer, index, 0)
        : sqlite3_bind_blob64(pointer, index, bytes.baseAddress, UInt64(bytes.count), nil)
    }
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Runs the statement to its end and resets it.
  @inline(__always)
  func run() throws {
    var code = sqlite3_step(pointer)
    while code == SQLITE_ROW { code = sqlite3_step(pointer) }
    if code != SQLITE_DONE {
      let error = failure(code)
      sqlite3_reset(pointer)
      throw error
    }
    sqlite3_reset(pointer)
  }

  /// Steps to the next row; returns false at the end.
  @inline(__always)
  func step() throws -> Bool {
    let code = sqlite3_step(pointer)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw failure(code)
  }

  /// A column of the current row that holds a key.
  @inline(__always)
  func key(at column: Int32) -> RowKey { RowKey(sqlite3_column_int64(pointer, column)) }

  /// Binds a key. The index must be one of the statement's parameters.
  @inline(__always)
  func bind(_ key: RowKey, at index: Int32) { sqlite3_bind_int64(pointer, index, key.rawValue) }

  /// The first column of the first row, after which the statement is reset; nil without a row.
  func firstInteger() throws -> Int64? {
    defer { sqlite3_reset(pointer) }
    guard try step(), sqlite3_column_type(pointer, 0) != SQLITE_NULL else { return nil }
    return sqlite3_column_int64(pointer, 0)
  }

  /// A column of the current row, copied.
  func value(at column: Int32) -> Value {
    switch sqlite3_column_type(pointer, column) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(pointer, column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(pointer, column))
    case SQLITE_TEXT:
      .text(
        String(
          stored: UnsafeBufferPointer(
            start: sqlite3_column_text(pointer, column),
            count: Int(sqlite3_column_bytes(pointer, column)))))
    case SQLITE_BLOB:
      .blob(
        sqlite3_column_blob(pointer, column).map {
          Data(bytes: $0, count: Int(sqlite3_column_bytes(pointer, column)))
        } ?? Data())
    default: .null
    }
  }

  func reset() {
    sqlite3_reset(pointer)
    sqlite3_clear_bindings(pointer)
  }

  /// The error of a step that failed.
  func failure(_ code: Int32) -> DatabaseError {
    let database = sqlite3_db_handle(pointer)
    return DatabaseError(
      resultCode: ResultCode(
        rawValue: sqlite3_extended_errcode(database) == SQLITE_OK
          ? code : sqlite3_extended_errcode(database)),
      // Not GRDB's `sql`, which ends the program on a connection that is used outside of GRDB's queue.
      message: String(cString: sqlite3_errmsg(database)),
      sql: sqlite3_sql(pointer).map { String(cString: $0) })
  }

  /// SQLite's SQLITE_TRANSIENT: copy the bytes at once.
  static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  /// The pointer for empty text, because a null pointer would bind NULL.
  private static var empty: UnsafePointer<CChar> { emptyText.pointer }
  private static let emptyText = EmptyText()
}

/// One byte that is always zero.
///
/// Sendable: never written after it was made.
private struct EmptyText: @unchecked Sendable {
  let pointer: UnsafePointer<CChar>

  init() {
    let memory = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    memory.initialize(to: 0)
    pointer = UnsafePointer(memory)
  }
}

extension RawStatement {
  /// The number that SQLite raises whenever the tables are changed.
  static func schemaVersion(_ database: Database) throws -> Int64? {
    let statement = try RawStatement("PRAGMA schema_version", in: database, isCached: true)
    return try statement.firstInteger()
  }
}

/// Values of statements whose kind is known.
extension Value {
  /// The text, or an empty one.
  var plainText: String {
    if case .text(let text) = self { text } else { "" }
  }
}
