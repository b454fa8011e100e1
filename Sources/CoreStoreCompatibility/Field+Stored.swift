import DatastoreCore
public import Foundation
public import SwiftDatastore

extension FieldContainer {
  /// A stored value; it may be missing if its type is optional.
  ///
  /// ```swift
  /// @Field.Stored("title") var title: String = "Mr."
  /// @Field.Stored("nickname") var nickname: String?
  /// @Field.Stored("identifier", dynamicInitialValue: { UUID() }) var identifier: UUID
  /// ```
  ///
  /// The same as `Attribute.NotOptional` and `Attribute.Optional`.
  ///
  /// `keyPath` is the name of the property in the file and in texts, `previousVersionKeyPath` its name in an
  /// older version of the model; `versionHashModifier` is a text that makes it another version, if only its
  /// meaning has changed. `customGetter` makes the value when the property is read and `customSetter`
  /// receives assigned values; conditions, orders, snapshots and `$property` have the stored value.
  /// `affectedByKeyPaths` has no effect: a getter runs each time, and observers are notified of the
  /// properties that they observe.
  public typealias Stored<V: FieldStorableType> = Slotted<V, V.FieldProperty>
}

extension FieldContainer.Slotted where V: FieldStorableType, Property == V.FieldProperty {
  /// With a constant value that every new object starts with.
  public init(
    wrappedValue initial: @autoclosure () -> V, _ keyPath: String,
    versionHashModifier: String? = nil, previousVersionKeyPath: String? = nil,
    customGetter: Getter? = nil, customSetter: Setter? = nil,
    affectedByKeyPaths: @autoclosure () -> Set<String> = []
  ) {
    number = Self.take(
      keyPath, versionHashModifier, previousVersionKeyPath, customGetter, customSetter,
      FieldCoding.stored, value: initial)
  }

  /// With a closure that makes the value of each new object.
  public init(
    _ keyPath: String, versionHashModifier: String? = nil, previousVersionKeyPath: String? = nil,
    customGetter: Getter? = nil, customSetter: Setter? = nil,
    affectedByKeyPaths: @autoclosure () -> Set<String> = [],
    dynamicInitialValue: @escaping @Sendable () -> V
  ) {
    number = Self.take(
      keyPath, versionHashModifier, previousVersionKeyPath, customGetter, customSetter,
      FieldCoding.stored, initial: dynamicInitialValue)
  }

  /// Without a value to start with.
  public init(
    _ keyPath: String, versionHashModifier: String? = nil, previousVersionKeyPath: String? = nil,
    customGetter: Getter? = nil, customSetter: Setter? = nil,
    affectedByKeyPaths: @autoclosure () -> Set<String> = []
  ) where V: ExpressibleByNilLiteral {
    number = Self.take(
      keyPath, versionHashModifier, previousVersionKeyPath, customGetter, customSetter,
      FieldCoding.stored)
  }
}

extension FieldCoding where V: FieldStorableType {
  fileprivate static func stored() -> FieldCoding {
    FieldCoding(
      type: V.attributeType, isOptional: V.isOptionalField, encode: { $0.storedValue },
      decode: { _ in nil })
  }
}

/// A type that `@Field.Stored` can store. An enum with raw values, and any `AttributeValueType`, become one
/// by naming it.
///
/// ```swift
/// enum Gender: String, FieldStorableType { case female, male }
/// ```
public protocol FieldStorableType: AttributeValueType {
  /// The type of `$property`.
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
