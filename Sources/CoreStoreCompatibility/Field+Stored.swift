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
  @propertyWrapper
  public struct Stored<V: FieldStorableType>: SlottedWrapper {
    @usableFromInline package let slot: Int16

    /// With the value that every new object starts with, always the same one.
    public init(
      wrappedValue initial: @autoclosure () -> V, _ keyPath: String,
      versionHashModifier: String? = nil, previousVersionKeyPath: String? = nil
    ) {
      slot = O.takeSlot {
        Self.record(
          keyPath, initial().storedValue, nil, versionHashModifier, previousVersionKeyPath)
      }
    }

    /// With a closure that makes the value of each new object.
    public init(
      _ keyPath: String, versionHashModifier: String? = nil, previousVersionKeyPath: String? = nil,
      dynamicInitialValue: @escaping @Sendable () -> V
    ) {
      slot = O.takeSlot {
        Self.record(
          keyPath, .null, { dynamicInitialValue().storedValue }, versionHashModifier,
          previousVersionKeyPath)
      }
    }

    /// Without a value to start with.
    public init(
      _ keyPath: String, versionHashModifier: String? = nil, previousVersionKeyPath: String? = nil
    ) where V: ExpressibleByNilLiteral {
      slot = O.takeSlot {
        Self.record(keyPath, .null, nil, versionHashModifier, previousVersionKeyPath)
      }
    }

    private static func record(
      _ keyPath: String, _ value: Value, _ initial: (@Sendable () -> Value)?, _ modifier: String?,
      _ formerName: String?
    ) -> AttributeRecord {
      AttributeRecord(
        name: keyPath, type: V.attributeType, isOptional: V.isOptionalField, defaultValue: value,
        isIndexed: false, isUnique: false, renamedFrom: formerName, storedName: nil,
        hashModifier: modifier, initial: initial)
    }

    @available(*, unavailable, message: "@Field.Stored belongs in a CoreStoreObject")
    public var wrappedValue: V {
      get { fatalError("@Field.Stored belongs in a CoreStoreObject") }
      // swift-format-ignore: UseSingleLinePropertyGetter
      set { fatalError("@Field.Stored belongs in a CoreStoreObject") }
    }

    @available(*, unavailable, message: "@Field.Stored belongs in a CoreStoreObject")
    public var projectedValue: V.FieldProperty {
      fatalError("@Field.Stored belongs in a CoreStoreObject")
    }

    @inlinable
    public static subscript(
      _enclosingInstance object: O, wrapped _: ReferenceWritableKeyPath<O, V>,
      storage storage: ReferenceWritableKeyPath<O, Stored<V>>
    ) -> V {
      get { V.FieldProperty(object: object, slot: Slot(object[keyPath: storage].slot)).value }
      set { object.writeAttribute(newValue.storedValue, Slot(object[keyPath: storage].slot)) }
    }

    @inlinable
    public static subscript(
      _enclosingInstance object: O, projected _: KeyPath<O, V.FieldProperty>,
      storage storage: ReferenceWritableKeyPath<O, Stored<V>>
    ) -> V.FieldProperty {
      V.FieldProperty(object: object, slot: Slot(object[keyPath: storage].slot))
    }
  }
}
