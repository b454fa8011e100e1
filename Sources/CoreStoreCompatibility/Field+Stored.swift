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
    versionHashModifier: String? = nil, previousVersionKeyPath: String? = nil
  ) {
    slot = Self.takeSlot(
      keyPath, initial().storedValue, nil, versionHashModifier, previousVersionKeyPath)
  }

  /// With a closure that makes the value of each new object.
  public init(
    _ keyPath: String, versionHashModifier: String? = nil, previousVersionKeyPath: String? = nil,
    dynamicInitialValue: @escaping @Sendable () -> V
  ) {
    slot = Self.takeSlot(
      keyPath, .null, { dynamicInitialValue().storedValue }, versionHashModifier,
      previousVersionKeyPath)
  }

  /// Without a value to start with.
  public init(
    _ keyPath: String, versionHashModifier: String? = nil, previousVersionKeyPath: String? = nil
  ) where V: ExpressibleByNilLiteral {
    slot = Self.takeSlot(keyPath, .null, nil, versionHashModifier, previousVersionKeyPath)
  }

  private static func takeSlot(
    _ keyPath: String, _ value: @autoclosure () -> Value, _ initial: (@Sendable () -> Value)?,
    _ modifier: String?, _ formerName: String?
  ) -> Int16 {
    O.takeSlot {
      AttributeRecord(
        name: keyPath, type: V.attributeType, isOptional: V.isOptionalField,
        defaultValue: value(), isIndexed: false, isUnique: false, renamedFrom: formerName,
        storedName: nil, hashModifier: modifier, initial: initial)
    }
  }
}
