public import Foundation
public import SwiftDatastore

/// A type that `@Field.Stored` can store. An enum with raw values, and any `AttributeValueType`, become one by naming it.
///
/// ```swift
/// enum Gender: String, FieldStorableType { case female, male }
/// ```
public protocol FieldStorableType: AttributeValueType {
  /// What `$property` gives.
  associatedtype
    FieldProperty: AssignableProperty & ComparableProperty & FetchableProperty & SelectableProperty
        & WritableSnapshotProperty
    = Attribute.NotOptional<Self>.Property
  where FieldProperty.PropertyValue == Self
  /// Whether a value may be missing.
  static var isOptionalField: Bool { get }
}

extension FieldStorableType {
  public static var isOptionalField: Bool { false }
}

extension Optional: FieldStorableType where Wrapped: FieldStorableType {
  public typealias FieldProperty = Attribute.Optional<Wrapped>.Property
  public static var isOptionalField: Bool { true }
}

extension Bool: FieldStorableType {}
extension Int: FieldStorableType {}
extension Int8: FieldStorableType {}
extension Int16: FieldStorableType {}
extension Int32: FieldStorableType {}
extension Int64: FieldStorableType {}
extension Double: FieldStorableType {}
extension Float: FieldStorableType {}
extension Decimal: FieldStorableType {}
extension String: FieldStorableType {}
extension Date: FieldStorableType {}
extension Data: FieldStorableType {}
extension URL: FieldStorableType {}
extension UUID: FieldStorableType {}
