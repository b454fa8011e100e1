public import DatastoreCore

/// A value of any kind, for columns of other programs that hold more than one:
///
/// ```swift
/// @Attribute.Optional var remark: Value?
/// ```
///
/// Stored as it is. NULL is the missing value.
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
