import DatastoreCore
import DatastoreSQL
import Foundation
import GRDB
import GRDBSQLite

/// The SQL functions of this library's statements. Schemas and triggers of files cannot call them
/// (`SQLITE_DIRECTONLY`).
enum SQLFunctions {
  /// The arguments of a call.
  typealias Values = UnsafeMutablePointer<OpaquePointer?>?

  static let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY

  /// Adds all functions to a connection.
  static func register(in database: Database, keyTables: KeyTables) throws {
    try add("datastore_key", in: database, context: keyTables) { context, count, values in
      SQLFunctions.key(context, count, values)
    }
    try add("datastore_key_value", 3, in: database, context: keyTables) { context, count, values in
      SQLFunctions.keyValue(context, count, values)
    }
    try add("datastore_dangling", in: database, context: keyTables) { context, count, values in
      SQLFunctions.dangling(context, count, values)
    }
    try add("datastore_dangling_value", 2, in: database, context: keyTables) {
      SQLFunctions.danglingValue($0, $1, $2)
    }
    try add("datastore_fold", 2, in: database) { SQLFunctions.fold($0, $1, $2) }
    for (place, comparator) in Predicate.TextComparator.allCases.enumerated()
    where !comparator.isPart {
      try added(
        sqlite3_create_function_v2(
          database.sqliteConnection, "datastore_\(comparator.rawValue)", 3, flags,
          // The number of the comparator stands in the place of an address, from 1: 0 would be none.
          UnsafeMutableRawPointer(bitPattern: place + 1), { SQLFunctions.holds($0, $1, $2) }, nil,
          nil, nil))
    }
    try add("datastore_arithmetic", 3, in: database) { SQLFunctions.arithmetic($0, $1, $2) }
    try add("datastore_function", in: database) { SQLFunctions.function($0, $1, $2) }
    try add("datastore_decimal", 1, in: database) { SQLFunctions.decimal($0, $1, $2) }
    try add("datastore_date_part", 3, in: database) { SQLFunctions.datePart($0, $1, $2) }
    try add("datastore_date_text", 2, in: database) { SQLFunctions.dateText($0, $1, $2) }
    try add("datastore_external", 2, in: database) { SQLFunctions.external($0, $1, $2) }
    try registerAggregates(in: database)
  }

  /// - Parameter count: the number of arguments; -1 for any number. SQLite refuses others.
  private static func add(
    _ name: String, _ count: Int32 = -1, in database: Database, context: KeyTables? = nil,
    _ function: @convention(c) (OpaquePointer?, Int32, Values) -> Void
  ) throws {
    let code = sqlite3_create_function_v2(
      database.sqliteConnection, name, count, flags,
      context.map { Unmanaged.passRetained($0).toOpaque() }, function, nil, nil,
      { pointer in pointer.map { Unmanaged<KeyTables>.fromOpaque($0).release() } })
    try added(code)
  }

  static func added(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  private static func keyTables(_ context: OpaquePointer?) -> KeyTables? {
    sqlite3_user_data(context).map { Unmanaged<KeyTables>.fromOpaque($0).takeUnretainedValue() }
  }

  /// `datastore_key(entity, value, …)`: the number of an interned key; NULL when a value is, unless the whole
  /// row is the key.
  private static func key(_ context: OpaquePointer?, _ count: Int32, _ values: Values) {
    guard let values, count > 1, let table = keyTable(values[0], context) else {
      return refuse("datastore_key", context)
    }
    var key: [Value] = []
    key.reserveCapacity(Int(count) - 1)
    for index in 1..<Int(count) {
      let value = table.isOfWholeRows ? computed(values[index]) : Self.value(values[index])
      if value.isNull, !table.isOfWholeRows { return sqlite3_result_null(context) }
      key.append(value)
    }
    do {
      sqlite3_result_int64(context, try table.number(of: key).rawValue)
    } catch {
      sqlite3_result_error(context, error.description, -1)
    }
  }

  /// The interned keys of an entity, by its number.
  private static func keyTable(_ value: OpaquePointer?, _ context: OpaquePointer?) -> KeyTable? {
    guard sqlite3_value_type(value) == SQLITE_INTEGER else { return nil }
    return keyTables(context)?.table(entity: sqlite3_value_int64(value))
  }

  /// Reports an error: the functions are meant for this library's statements, but anyone can call them.
  private static func refuse(_ name: String, _ context: OpaquePointer?) {
    sqlite3_result_error(context, "wrong arguments to function \(name)()", -1)
  }

  /// A cell of a row computed by the file.
  private static func computed(_ value: OpaquePointer?) -> Value {
    switch sqlite3_value_type(value) {
    case SQLITE_TEXT, SQLITE_BLOB:
      ComputedCell.isCut(Int(sqlite3_value_bytes(value)))
        ? .text(ComputedCell.cut(value)) : Self.value(value)
    default: Self.value(value)
    }
  }

  /// `datastore_key_value(entity, number, index)`: one of the values of an interned key.
  private static func keyValue(_ context: OpaquePointer?, _ count: Int32, _ values: Values) {
    guard let values, count == 3, let table = keyTable(values[0], context) else {
      return refuse("datastore_key_value", context)
    }
    guard sqlite3_value_type(values[1]) == SQLITE_INTEGER,
      let key = table.values(of: RowKey(sqlite3_value_int64(values[1]))),
      let index = Int(exactly: sqlite3_value_int64(values[2])), key.indices.contains(index)
    else { return sqlite3_result_null(context) }
    result(key[index], context)
  }

  /// `datastore_dangling(value, …)`: the key of a reference to a missing row; NULL
  /// when a value is.
  private static func dangling(_ context: OpaquePointer?, _ count: Int32, _ values: Values) {
    guard let values, count > 0, let table = keyTables(context)?.dangling else {
      return refuse("datastore_dangling", context)
    }
    var reference: [Value] = []
    for index in 0..<Int(count) {
      if sqlite3_value_type(values[index]) == SQLITE_NULL { return sqlite3_result_null(context) }
      reference.append(value(values[index]))
    }
    guard let number = try? table.number(of: reference) else {
      return sqlite3_result_null(context)
    }
    sqlite3_result_int64(context, number.rawValue)
  }

  /// `datastore_dangling_value(key, index)`: one of the values of a reference that leads nowhere; NULL for
  /// other keys.
  private static func danglingValue(_ context: OpaquePointer?, _ count: Int32, _ values: Values) {
    guard let values, count == 2, let table = keyTables(context)?.dangling else {
      return refuse("datastore_dangling_value", context)
    }
    let key = RowKey(sqlite3_value_int64(values[0]))
    guard sqlite3_value_type(values[0]) == SQLITE_INTEGER, DanglingKey.isOne(key),
      let reference = table.values(of: key),
      let index = Int(exactly: sqlite3_value_int64(values[1])), reference.indices.contains(index)
    else { return sqlite3_result_null(context) }
    result(reference[index], context)
  }

  static func value(_ value: OpaquePointer?) -> Value {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      // nil without memory for the text.
      .text(
        sqlite3_value_text(value).map {
          String(
            stored: UnsafeBufferPointer(start: $0, count: Int(sqlite3_value_bytes(value))))
        } ?? "")
    case SQLITE_BLOB:
      .blob(
        sqlite3_value_blob(value).map { Data(bytes: $0, count: Int(sqlite3_value_bytes(value))) }
          ?? Data())
    default: .null
    }
  }

  static func result(_ value: Value, _ context: OpaquePointer?) {
    switch value {
    case .null: sqlite3_result_null(context)
    case .integer(let integer): sqlite3_result_int64(context, integer)
    case .real(let real): sqlite3_result_double(context, real)
    case .text(var text):
      text.withStoredUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          sqlite3_result_text64(
            context, $0.baseAddress, UInt64($0.count), RawStatement.transient,
            UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let data):
      if data.isEmpty { return sqlite3_result_zeroblob(context, 0) }
      data.withUnsafeBytes {
        sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), RawStatement.transient)
      }
    }
  }
}
