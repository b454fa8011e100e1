public import DatastoreCore

/// Lets `@Attribute.NotOptional` wrap a property whose type has an exclamation mark:
///
/// ```swift
/// @Attribute.NotOptional var id: UUID!
/// ```
///
/// Such a property reads as nil until it has a value, where others trap; saving without one throws
/// `ValidationError` all the same.
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
