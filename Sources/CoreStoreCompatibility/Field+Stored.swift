public import DatastoreCore
public import SwiftDatastore

extension FieldContainer {
  /// A value that is stored; it may be missing where its type is optional.
  ///
  /// ```swift
  /// @Field.Stored("title") var title: String = "Mr."
  /// @Field.Stored("nickname") var nickname: String?
  /// @Field.Stored("identifier", dynamicInitialValue: { UUID() }) var identifier: UUID
  /// ```
  ///
  /// The same as `Attribute.NotOptional` and `Attribute.Optional`.
  ///
  /// `keyPath` is the name of the property in the file and in texts, `previousVersionKeyPath` the one that it had in an older
  /// version of the model; `versionHashModifier` is a text that makes it another version, where only its meaning has changed.
  /// `customGetter` makes the value when the property is read and `customSetter` is given what is assigned; conditions,
  /// orders, snapshots and `$property` have the stored value. `affectedByKeyPaths` makes no difference: a getter runs
  /// each time, and observers are told of the properties that they observe.
  public typealias Stored<V: FieldStorableType> = Slotted<V, V.FieldProperty>
}

extension Attribute.NotOptional.Property: AssignableProperty {}
extension Attribute.Optional.Property: AssignableProperty {}

extension AssignableProperty where PropertyValue: AttributeValueType {
  @inlinable
  public static func assign(_ value: PropertyValue, to object: DatastoreObject, at slot: Slot) {
    object.writeAttribute(value.storedValue, slot)
  }
}

extension FieldContainer.Slotted where V: FieldStorableType, Property == V.FieldProperty {
  /// With the value that every new object starts with, always the same one.
  public init(
    wrappedValue initial: @autoclosure () -> V, _ keyPath: String,
    versionHashModifier: String? = nil, previousVersionKeyPath: String? = nil,
    customGetter: FieldContainer.Getter<V>? = nil, customSetter: FieldContainer.Setter<V>? = nil,
    affectedByKeyPaths: @autoclosure () -> Set<String> = []
  ) {
    number = Self.takeNumber(customGetter, customSetter) { access in
      Self.record(
        keyPath, initial().storedValue, nil, versionHashModifier, previousVersionKeyPath, access)
    }
  }

  /// With a closure that makes the value of each new object.
  public init(
    _ keyPath: String, versionHashModifier: String? = nil, previousVersionKeyPath: String? = nil,
    customGetter: FieldContainer.Getter<V>? = nil, customSetter: FieldContainer.Setter<V>? = nil,
    affectedByKeyPaths: @autoclosure () -> Set<String> = [],
    dynamicInitialValue: @escaping @Sendable () -> V
  ) {
    number = Self.takeNumber(customGetter, customSetter) { access in
      Self.record(
        keyPath, .null, { dynamicInitialValue().storedValue }, versionHashModifier,
        previousVersionKeyPath, access)
    }
  }

  /// Without a value to start with.
  public init(
    _ keyPath: String, versionHashModifier: String? = nil, previousVersionKeyPath: String? = nil,
    customGetter: FieldContainer.Getter<V>? = nil, customSetter: FieldContainer.Setter<V>? = nil,
    affectedByKeyPaths: @autoclosure () -> Set<String> = []
  ) where V: ExpressibleByNilLiteral {
    number = Self.takeNumber(customGetter, customSetter) { access in
      Self.record(keyPath, .null, nil, versionHashModifier, previousVersionKeyPath, access)
    }
  }

  private static func record(
    _ keyPath: String, _ value: Value, _ initial: (@Sendable () -> Value)?, _ modifier: String?,
    _ formerName: String?, _ access: (any Sendable)?
  ) -> AttributeRecord {
    AttributeRecord(
      name: keyPath, type: V.attributeType, isOptional: V.isOptionalField, defaultValue: value,
      isIndexed: false, isUnique: false, renamedFrom: formerName, storedName: nil,
      hashModifier: modifier, initial: initial, access: access)
  }
}
