import DatastoreCore
import Foundation
import GRDBSQLite

/// What a cell of a third-party file must hold, so that a property of a compiled class can be read.
///
/// SQLite lets a column hold values of any kind, whatever its declaration says. A file of ours cannot hold
/// others than its model's; a file of another program is looked at cell by cell, so that reading
/// throws before an object is handed out whose property would trap.
package struct CellRule: Sendable {
  let slot: Slot
  private let entity: String
  private let property: String
  private let type: AttributeType
  private let isOptional: Bool
  /// Whole numbers that fit the property's type.
  private let range: ClosedRange<Int64>

  init(_ attribute: AttributeDescription, slot: Slot, entity: String) {
    self.slot = slot
    self.entity = entity
    property = attribute.name
    type = attribute.type
    isOptional = attribute.isOptional
    range =
      switch attribute.type {
      case .integer8: Int64(Int8.min)...Int64(Int8.max)
      case .integer16: Int64(Int16.min)...Int64(Int16.max)
      case .integer32: Int64(Int32.min)...Int64(Int32.max)
      case .unsigned8: 0...Int64(UInt8.max)
      case .unsigned16: 0...Int64(UInt16.max)
      case .unsigned32: 0...Int64(UInt32.max)
      case .unsigned64: 0...Int64.max
      default: Int64.min...Int64.max
      }
  }

  /// Looks at a value of a row of the table before it becomes a cell.
  ///
  /// O(1) but for decimals and addresses, which are parsed.
  /// - Throws: `StoreError.unfitValue`, `.noStoredValue`.
  @inline(__always)
  func check(_ value: OpaquePointer?, key: Int64) throws {
    if !accepts(value) { throw failure(value, key: key) }
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

  private func failure(_ value: OpaquePointer?, key: Int64) -> StoreError {
    let value = SQLFunctions.value(value)
    if value.isNull { return .noStoredValue(entity: entity, property: property, key: key) }
    return .unfitValue(
      entity: entity, property: property, key: key, detail: "\(value), which is not \(type.noun)")
  }
}

extension AttributeType {
  /// What a value of the type is, in a sentence.
  var noun: String {
    switch self {
    case .integer64: "a whole number"
    case .integer8: "a whole number from -128 to 127"
    case .integer16: "a whole number from -32768 to 32767"
    case .integer32: "a whole number of 32 bits"
    case .unsigned8: "a whole number from 0 to 255"
    case .unsigned16: "a whole number from 0 to 65535"
    case .unsigned32, .unsigned64: "a whole number of \(self == .unsigned32 ? 32 : 64) bits from 0"
    case .boolean: "true or false (1 or 0)"
    case .float, .double: "a number"
    case .decimal: "a decimal number"
    case .string: "text"
    case .url: "the address of something"
    case .date: "a number of seconds since 2001"
    case .calendarDate: "a date such as 2024-05-01"
    case .uuid: "a UUID of 16 bytes"
    case .data, .coded: "bytes"
    case .undefined: "a value"
    }
  }
}
