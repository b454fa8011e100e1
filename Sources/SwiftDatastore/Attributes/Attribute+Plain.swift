public import DatastoreCore

extension Attribute {
  /// An attribute that always has a value.
  ///
  /// ```swift
  /// @Attribute.NotOptional var name: String
  /// @Attribute.NotOptional var salary: Double = 0
  /// @Attribute.NotOptional(initial: { UUID() }) var id: UUID
  /// @Attribute.NotOptional(indexed: true) var surname: String
  /// ```
  ///
  /// Reading it before a new object has a value traps. Saving an object without a value throws
  /// `ValidationError`.
  public typealias NotOptional<T: AttributeValueType> = Slotted<T, NotOptionalProperty<T>>

  /// An attribute that may be missing.
  ///
  /// ```swift
  /// @Attribute.Optional var phone: String?
  /// @Attribute.Optional(renamedFrom: "mail") var email: String?
  /// ```
  public typealias Optional<T: AttributeValueType> = Slotted<T?, OptionalProperty<T>>
}

/// `NotOptional` and `Optional`, whose values are compared as they are read.
extension Attribute.Slotted where P: FetchableProperty, P.FetchedValue == P.KeyPathType {
  /// See ``Attribute`` for the parameters.
  @inlinable
  public init(
    indexed: Bool = false, unique: Bool = false, searchable: Bool = false,
    renamedFrom: String? = nil, named: String? = nil, hashModifier: String? = nil,
    validate: @autoclosure () -> Validation<P.KeyPathType> = [],
    initial: (@Sendable () -> V)? = nil
  ) {
    slot = DatastoreObject.takeSlot {
      Self.record(
        indexed: indexed, unique: unique, searchable: searchable, renamedFrom: renamedFrom,
        named: named, hashModifier: hashModifier, initial: initial, rules: validate().rules)
    }
  }

  /// See ``Attribute`` for the parameters.
  @inlinable
  public init(
    wrappedValue: V, indexed: Bool = false, unique: Bool = false, searchable: Bool = false,
    renamedFrom: String? = nil, named: String? = nil, hashModifier: String? = nil,
    validate: @autoclosure () -> Validation<P.KeyPathType> = []
  ) {
    slot = DatastoreObject.takeSlot {
      Self.record(
        default: wrappedValue, indexed: indexed, unique: unique, searchable: searchable,
        renamedFrom: renamedFrom, named: named, hashModifier: hashModifier,
        rules: validate().rules)
    }
  }
}

extension Attribute {
  /// The projected value `$property` of `@Attribute.NotOptional`.
  public struct NotOptionalProperty<T: AttributeValueType>: StoredAttribute {
    public typealias PropertyValue = T
    public let object: DatastoreObject
    public let slot: Slot

    @inlinable
    public init(object: DatastoreObject, slot: Slot) {
      self.object = object
      self.slot = slot
    }

    @inlinable
    public static func value(of object: DatastoreObject, at slot: Slot) -> T {
      if let value: T = object.readAttribute(slot) { return value }
      object.missingValue(slot)
    }

    public static var attributeType: AttributeType { T.attributeType }
    public static var isOptional: Bool { false }
    @inlinable public static func stored(_ value: T) -> Value { value.storedValue }
    public static func storedValue(of value: T) -> Value { value.storedValue }
  }

  /// The projected value `$property` of `@Attribute.Optional`.
  public struct OptionalProperty<T: AttributeValueType>: StoredAttribute {
    public typealias PropertyValue = T?
    public let object: DatastoreObject
    public let slot: Slot

    @inlinable
    public init(object: DatastoreObject, slot: Slot) {
      self.object = object
      self.slot = slot
    }

    @inlinable
    public static func value(of object: DatastoreObject, at slot: Slot) -> T? {
      object.readOptionalAttribute(slot)
    }

    public static var attributeType: AttributeType { T.attributeType }
    public static var isOptional: Bool { true }
    @inlinable public static func stored(_ value: T?) -> Value { value?.storedValue ?? .null }
    public static func storedValue(of value: T) -> Value { value.storedValue }
  }
}
