public import DatastoreCore
public import Foundation

/// Stored as REAL: seconds since 2001-01-01 00:00 UTC, which is what `Date` holds, so nothing is lost.
extension Date: AttributeValueType {
  public typealias SumValue = Double
  public static var attributeType: AttributeType { .date }
  @inlinable
  public var storedValue: Value { .real(timeIntervalSinceReferenceDate) }
  @inlinable
  public init?(storedValue: Value) {
    guard let seconds = Double(storedValue: storedValue) else { return nil }
    self.init(timeIntervalSinceReferenceDate: seconds)
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

/// Stored as INTEGER or REAL where that says the same number, as TEXT where it has more than 15
/// significant digits (see `Value.init(decimal:)`): every digit survives.
extension Decimal: AttributeValueType {
  public static var attributeType: AttributeType { .decimal }
  public var storedValue: Value { Value(decimal: self) }
  public init?(storedValue: Value) { self.init(stored: storedValue) }
}
