public import DatastoreCore
public import Foundation

/// Stored as REAL: seconds since 2001-01-01 00:00 UTC, which is the representation of `Date`, so nothing is
/// lost.
extension Date: AttributeValueType {
  public typealias SumValue = Double
  public static var attributeType: AttributeType { .date }
  @inlinable
  public var storedValue: Value { .real(timeIntervalSinceReferenceDate) }
  @inlinable
  public init?(storedValue: Value) {
    guard let seconds = Double(storedValue: storedValue) ?? Self.seconds(storedValue) else {
      return nil
    }
    self.init(timeIntervalSinceReferenceDate: seconds)
  }

  /// A moment of somebody else's table that needs more digits than a number has is text.
  @usableFromInline
  static func seconds(_ value: Value) -> Double? {
    guard case .text(let text) = value else { return nil }
    return ISODate.parse(text)
  }
}

extension Data: AttributeValueType {
  public static var attributeType: AttributeType { .data }
  @inlinable
  public var storedValue: Value { .blob(self) }
  @inlinable
  public init?(storedValue: Value) {
    guard case .blob(let data) = storedValue else { return nil }
    self = data
  }
}

/// Stored as a BLOB of its 16 bytes.
extension UUID: AttributeValueType {
  public static var attributeType: AttributeType { .uuid }
  public var storedValue: Value { .blob(bytes) }
  public init?(storedValue: Value) {
    guard case .blob(let data) = storedValue, data.count == 16 else { return nil }
    var bytes = UUID().uuid
    withUnsafeMutableBytes(of: &bytes) { $0.copyBytes(from: data) }
    self.init(uuid: bytes)
  }
}

extension URL: AttributeValueType {
  public static var attributeType: AttributeType { .url }
  public var storedValue: Value { .text(absoluteString) }
  public init?(storedValue: Value) {
    guard case .text(let text) = storedValue else { return nil }
    self.init(string: text)
  }
}

/// Stored as INTEGER or REAL if that is the same number, or as TEXT if it has more than 15 significant digits
/// (see `Value.init(decimal:)`): every digit is kept.
extension Decimal: AttributeValueType {
  public static var attributeType: AttributeType { .decimal }
  public var storedValue: Value { Value(decimal: self) }
  public init?(storedValue: Value) { self.init(stored: storedValue) }
}

/// Lets `@Attribute.NotOptional` wrap a property whose type has an exclamation mark:
///
/// ```swift
/// @Attribute.NotOptional var id: UUID!
/// ```
///
/// Such a property reads as nil until it has a value, instead of trapping; saving without a value still
/// throws `ValidationError`.
extension Optional: AttributeValueType where Wrapped: AttributeValueType {
  public typealias SumValue = Wrapped.SumValue
  public static var attributeType: AttributeType { Wrapped.attributeType }

  @inlinable
  public var storedValue: Value { self?.storedValue ?? .null }

  /// Reads `.null` as the missing value; nil for values of another kind.
  @inlinable
  public init?(storedValue: Value) {
    if storedValue.isNull {
      self = .none
    } else if let value = Wrapped(storedValue: storedValue) {
      self = value
    } else {
      return nil
    }
  }
}

/// A value of any kind, for columns of other programs that mix kinds:
///
/// ```swift
/// @Attribute.Optional var remark: Value?
/// ```
///
/// Stored unchanged. NULL is the missing value.
extension Value: AttributeValueType {
  public static var attributeType: AttributeType { .undefined }
  @inlinable
  public var storedValue: Value { self }
  @inlinable
  public init?(storedValue: Value) {
    if storedValue.isNull { return nil }
    self = storedValue
  }
}

/// Stored as TEXT: `1872-11-30`.
extension CalendarDate: AttributeValueType {
  public static var attributeType: AttributeType { .calendarDate }
  public var storedValue: Value { .text(description) }
  public init?(storedValue: Value) {
    guard case .text(let text) = storedValue else { return nil }
    self.init(text)
  }
}

extension String: MeasuredAttributeValue {}
extension Data: MeasuredAttributeValue {}
extension URL: MeasuredAttributeValue {}

/// The type of an attribute that holds dates, with or without a time.
public protocol DateValueType: AttributeValueType {}

extension Date: DateValueType {}
extension CalendarDate: DateValueType {}
