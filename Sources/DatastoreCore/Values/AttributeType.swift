/// The type of an attribute's values, which determines how they are stored.
///
/// | type | stored as |
/// |---|---|
/// | integers, `boolean` | INTEGER (booleans 0 and 1) |
/// | `float`, `double` | REAL |
/// | `date` | REAL, seconds since 2001-01-01 00:00 UTC |
/// | `calendarDate` | TEXT, `2024-05-01` |
/// | `string`, `url` | TEXT |
/// | `decimal` | INTEGER when whole, REAL up to 15 significant digits, TEXT only beyond both |
/// | `uuid` | BLOB of 16 bytes |
/// | `data`, `coded` | BLOB |
/// | `undefined` | whatever class a value has (columns of third-party files) |
@nonexhaustive
public enum AttributeType: String, Sendable, Hashable, Codable, CaseIterable {
  /// Signed integers by number of bits.
  case integer8, integer16, integer32, integer64
  /// Unsigned integers by number of bits; those of 64 are stored up to 2⁶³ − 1, and saving a greater one
  /// fails.
  case unsigned8, unsigned16, unsigned32, unsigned64
  /// `Bool`.
  case boolean
  /// Floating-point numbers of 32 and of 64 bits.
  case float, double
  /// `Decimal`, with every digit.
  case decimal
  /// `String`.
  case string
  /// `URL`, as its text.
  case url
  /// `Date`.
  case date
  /// `CalendarDate`: a date without a time.
  case calendarDate
  /// `UUID`.
  case uuid
  /// `Data`.
  case data
  /// A `Codable` value, as JSON.
  case coded
  /// Values of any type.
  case undefined
}

/// The types of columns. Attribute types with the same one are stored alike, and differ in what values mean.
package enum StoredType: Sendable {
  case integer8, integer16, integer32, integer64, unsigned8, unsigned16, unsigned32, unsigned64
  case boolean, float, double, decimal, text, moment, uuid, bytes
  /// A value of any type.
  case any
}

extension AttributeType {
  /// The type of its column. What an engine does with a column follows from it.
  package var storedType: StoredType {
    switch self {
    case .integer8: .integer8
    case .integer16: .integer16
    case .integer32: .integer32
    case .integer64: .integer64
    case .unsigned8: .unsigned8
    case .unsigned16: .unsigned16
    case .unsigned32: .unsigned32
    case .unsigned64: .unsigned64
    case .boolean: .boolean
    case .float: .float
    case .double: .double
    case .decimal: .decimal
    case .string, .url, .calendarDate: .text
    case .date: .moment
    case .uuid: .uuid
    case .data, .coded: .bytes
    case .undefined: .any
    }
  }

  /// Whether values are numbers, for which arithmetic and aggregates make sense.
  public var isNumeric: Bool {
    switch storedType {
    case .integer8, .integer16, .integer32, .integer64, .unsigned8, .unsigned16, .unsigned32,
      .unsigned64, .float, .double, .decimal:
      true
    case .boolean, .text, .moment, .uuid, .bytes, .any: false
    }
  }

  /// Whether values are whole numbers.
  public var isInteger: Bool { self != .boolean && wholeNumbers != nil }

  /// Whether it makes sense to ask which of two values is the greater one.
  package var isOrdered: Bool {
    switch storedType {
    case .boolean, .uuid, .bytes: false
    case .integer8, .integer16, .integer32, .integer64, .unsigned8, .unsigned16, .unsigned32,
      .unsigned64, .float, .double, .decimal, .text, .moment, .any:
      true
    }
  }

  /// The integers that the type can hold and a file can store; nil for other types.
  package var wholeNumbers: ClosedRange<Int64>? {
    switch storedType {
    case .boolean: 0...1
    case .integer8: Int64(Int8.min)...Int64(Int8.max)
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    case .integer64: Int64.min...Int64.max
    case .unsigned8: 0...Int64(UInt8.max)
    case .unsigned16: 0...Int64(UInt16.max)
    case .unsigned32: 0...Int64(UInt32.max)
    case .unsigned64: 0...Int64.max
    case .float, .double, .decimal, .text, .moment, .uuid, .bytes, .any: nil
    }
  }
}

extension AttributeType {
  /// The type of the attribute when it is read from a table made for it in a third-party file: such columns
  /// have fewer types.
  package var foreignType: AttributeType {
    switch self {
    case .boolean: .boolean
    case .float, .double: .double
    case .data, .coded: .data
    case .string, .url, .date, .calendarDate, .uuid, .decimal, .undefined: .string
    case .integer8, .integer16, .integer32, .integer64, .unsigned8, .unsigned16, .unsigned32,
      .unsigned64:
      .integer64
    }
  }
}

extension AttributeType {
  /// The type in a word, as in every screen, schema and list of columns.
  package var word: String {
    switch self {
    case .integer8, .integer16, .integer32, .integer64: "integer"
    case .unsigned8, .unsigned16, .unsigned32, .unsigned64: "unsigned"
    case .boolean: "boolean"
    case .float, .double: "real"
    case .decimal: "decimal"
    case .string: "text"
    case .url: "URL"
    case .date: "date-time"
    case .calendarDate: "date"
    case .uuid: "UUID"
    case .data: "data"
    case .coded: "coded"
    case .undefined: "any"
    }
  }
}
