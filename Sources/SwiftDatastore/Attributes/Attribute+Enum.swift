public import DatastoreCore

extension Attribute {
  /// An attribute that holds one case of an enum, or nothing. The raw value is stored.
  ///
  /// ```swift
  /// enum Position: Int16 { case developer, uiDesigner, productOwner }
  /// @Attribute.Enum var position: Position?
  /// ```
  ///
  /// A stored raw value that the enum does not know reads as nil. If the enum is `CaseIterable`, the store
  /// also records its cases, so that the browser shows and offers them by name.
  public typealias Enum<T: RawRepresentable> = Slotted<T?, EnumProperty<T>>
  where T.RawValue: AttributeValueType
}

extension Attribute.Slotted {
  /// See ``Attribute`` for the parameters.
  @inlinable
  public init<T>(
    indexed: Bool = false, unique: Bool = false, renamedFrom: String? = nil, named: String? = nil,
    hashModifier: String? = nil
  ) where P == Attribute.EnumProperty<T> {
    slot = DatastoreObject.takeSlot {
      Self.record(
        indexed: indexed, unique: unique, renamedFrom: renamedFrom, named: named,
        hashModifier: hashModifier)
    }
  }

  /// See ``Attribute`` for the parameters.
  @inlinable
  public init<T>(
    wrappedValue: V, indexed: Bool = false, unique: Bool = false, renamedFrom: String? = nil,
    named: String? = nil, hashModifier: String? = nil
  ) where P == Attribute.EnumProperty<T> {
    slot = DatastoreObject.takeSlot {
      Self.record(
        default: wrappedValue, indexed: indexed, unique: unique, renamedFrom: renamedFrom,
        named: named, hashModifier: hashModifier)
    }
  }
}

extension Attribute {
  /// The projected value `$property` of `@Attribute.Enum`.
  public struct EnumProperty<T: RawRepresentable>: StoredAttribute
  where T.RawValue: AttributeValueType {
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
      let raw: T.RawValue? = object.readOptionalAttribute(slot)
      return raw.flatMap(T.init(rawValue:))
    }

    public static var attributeType: AttributeType { T.RawValue.attributeType }
    public static var isOptional: Bool { true }
    @inlinable public static func stored(_ value: T?) -> Value {
      value?.rawValue.storedValue ?? .null
    }
    public static func storedValue(of value: T) -> Value { value.rawValue.storedValue }

    public static var cases: [EnumCase]? {
      func list<Listed: CaseIterable>(_ type: Listed.Type) -> [EnumCase] {
        type.allCases.compactMap { element in
          (element as? T).map {
            EnumCase(name: String(describing: $0), value: $0.rawValue.storedValue)
          }
        }
      }
      return (T.self as? any CaseIterable.Type).map { list($0) }
    }
  }
}
