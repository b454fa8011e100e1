package import DatastoreCore

/// A requirement on a cell of a third-party file, so that a property of a compiled class can be read.
///
/// SQLite lets a column hold values of any kind, whatever its declaration. A native file holds only its
/// model's. A third-party file is checked cell by cell, so that reading throws before it returns an object
/// whose property would trap.
package struct CellRule: Sendable {
  package let slot: Slot
  private let entity: String
  private let property: String
  package let type: AttributeType
  package let isOptional: Bool
  /// The whole numbers that fit the property's type.
  package let range: ClosedRange<Int64>

  package init(_ attribute: AttributeDescription, slot: Slot, entity: String) {
    self.slot = slot
    self.entity = entity
    property = attribute.name
    type = attribute.type
    isOptional = attribute.isOptional
    range = attribute.type.wholeNumbers ?? Int64.min...Int64.max
  }

  /// The error for a value that does not fit.
  package func failure(_ value: Value, key: RowKey) -> StoreError {
    if value.isNull { return .noStoredValue(entity: entity, property: property, key: key) }
    return .unfitValue(
      entity: entity, property: property, key: key, detail: "\(value), which is not \(type.noun)")
  }
}

extension AttributeType {
  /// A value of the type, in a sentence.
  package var noun: String {
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
