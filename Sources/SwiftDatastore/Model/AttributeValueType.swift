public import DatastoreCore

/// A type whose values an attribute can store.
///
/// Whole numbers up to 9,223,372,036,854,775,807, SQLite's greatest, can be saved. A greater `UInt64` can be
/// assigned and compared with, but saving it throws `ValidationError`.
///
/// All integer widths, `Double`, `Float`, `Bool`, `String`, `Date`, `CalendarDate`, `Data`, `UUID`, `URL`
/// and `Decimal` conform. Enums need no conformance: use `Attribute.Enum`.
public protocol AttributeValueType: Sendable {
  /// The type of a sum of such values: a 64-bit integer for whole numbers and `Bool`, which counts as 1 and
  /// 0, so that the sum has room; `Double` for `Float`; otherwise the type itself.
  associatedtype SumValue: AttributeValueType = Self
  /// How values are stored and shown.
  static var attributeType: AttributeType { get }
  /// The value in its stored form.
  var storedValue: Value { get }
  /// Converts a stored value; nil when it is of another kind.
  init?(storedValue: Value)
  /// Converts a cell; nil like `init?(storedValue:)`, which it calls unless a type has a faster way.
  static func read(_ cell: borrowing StoredCell) -> Self?
}

extension AttributeValueType {
  @inlinable
  public static func read(_ cell: borrowing StoredCell) -> Self? {
    Self(storedValue: cell.value)
  }
}

extension AttributeValueType where Self: FixedWidthInteger {
  @inlinable
  public var storedValue: Value {
    if let integer = Int64(exactly: self) { return .integer(integer) }
    return .text("\(self)")
  }

  @inlinable
  public init?(storedValue: Value) {
    switch storedValue {
    case .integer(let integer): self.init(stored: integer)
    case .text(let text) where !Self.isSigned && Self.bitWidth == 64: self.init(text)
    default: return nil
    }
  }

  @inlinable
  public static func read(_ cell: borrowing StoredCell) -> Self? {
    guard cell.tag == .integer else { return nil }
    return Self(stored: cell.integer)
  }

  /// nil if out of range.
  @inlinable
  init?(stored integer: Int64) {
    if Self.isSigned && Self.bitWidth == 64 {
      self.init(truncatingIfNeeded: integer)
    } else {
      self.init(exactly: integer)
    }
  }
}

extension Int: AttributeValueType {
  public static var attributeType: AttributeType { .integer64 }
}
extension Int8: AttributeValueType {
  public typealias SumValue = Int
  public static var attributeType: AttributeType { .integer8 }
}
extension Int16: AttributeValueType {
  public typealias SumValue = Int
  public static var attributeType: AttributeType { .integer16 }
}
extension Int32: AttributeValueType {
  public typealias SumValue = Int
  public static var attributeType: AttributeType { .integer32 }
}
extension Int64: AttributeValueType {
  public static var attributeType: AttributeType { .integer64 }
}
extension UInt: AttributeValueType {
  public static var attributeType: AttributeType { .unsigned64 }
}
extension UInt8: AttributeValueType {
  public typealias SumValue = Int
  public static var attributeType: AttributeType { .unsigned8 }
}
extension UInt16: AttributeValueType {
  public typealias SumValue = Int
  public static var attributeType: AttributeType { .unsigned16 }
}
extension UInt32: AttributeValueType {
  public typealias SumValue = Int
  public static var attributeType: AttributeType { .unsigned32 }
}
extension UInt64: AttributeValueType {
  public static var attributeType: AttributeType { .unsigned64 }
}

extension Bool: AttributeValueType {
  public typealias SumValue = Int
  public static var attributeType: AttributeType { .boolean }
  @inlinable
  public var storedValue: Value { .integer(self ? 1 : 0) }
  @inlinable
  public init?(storedValue: Value) {
    guard case .integer(let integer) = storedValue else { return nil }
    self = integer != 0
  }
}

extension Double: AttributeValueType {
  public static var attributeType: AttributeType { .double }
  @inlinable
  public var storedValue: Value { isNaN ? .null : .real(self) }
  @inlinable
  public init?(storedValue: Value) {
    switch storedValue {
    case .real(let real): self = real
    case .integer(let integer): self = Double(integer)
    default: return nil
    }
  }
  @inlinable
  public static func read(_ cell: borrowing StoredCell) -> Double? {
    switch cell.tag {
    case .real: cell.real
    case .integer: Double(cell.integer)
    default: nil
    }
  }
}

extension Float: AttributeValueType {
  public typealias SumValue = Double
  public static var attributeType: AttributeType { .float }
  @inlinable
  public var storedValue: Value { Double(self).storedValue }
  @inlinable
  public init?(storedValue: Value) {
    guard let double = Double(storedValue: storedValue) else { return nil }
    self = Float(double)
  }
}

extension String: AttributeValueType {
  public static var attributeType: AttributeType { .string }
  @inlinable
  public var storedValue: Value { .text(self) }
  @inlinable
  public init?(storedValue: Value) {
    guard case .text(let text) = storedValue else { return nil }
    self = text
  }
  @inlinable
  public static func read(_ cell: borrowing StoredCell) -> String? {
    cell.tag == .text ? cell.text : nil
  }
}

/// An enum with raw values conforms by declaration: `enum Position: Int16, AttributeValueType { … }`.
extension AttributeValueType where Self: RawRepresentable, RawValue: AttributeValueType {
  public static var attributeType: AttributeType { RawValue.attributeType }
  public var storedValue: Value { rawValue.storedValue }
  public init?(storedValue: Value) {
    guard let raw = RawValue(storedValue: storedValue) else { return nil }
    self.init(rawValue: raw)
  }
}
