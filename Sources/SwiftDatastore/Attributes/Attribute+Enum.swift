import Basics
import CSlots
public import DatastoreCore

extension Attribute {
  /// An attribute that holds one case of an enum, or nothing. The raw value is stored.
  ///
  /// ```swift
  /// enum Position: Int16 { case developer, uiDesigner, productOwner }
  /// @Attribute.Enum var position: Position?
  /// ```
  ///
  /// A stored raw value that the enum does not know reads as nil. Of an enum that is `CaseIterable` the
  /// store also keeps the cases, so that the browser shows them by name and offers them.
  @propertyWrapper
  public struct Enum<T: RawRepresentable> where T.RawValue: AttributeValueType {
    @usableFromInline package let slot: Int16

    /// - Parameters:
    ///   - indexed: whether the store keeps an index on it.
    ///   - unique: whether no two objects may have the same value; missing values do not count.
    ///   - renamedFrom: the name it had in an older version of the model.
    ///   - named: the name that it has in the file; its own unless it is said. The property can then be renamed in
    ///     Swift, and the file stays as it is.
    ///   - hashModifier: a text that makes the entity another version, where only the meaning of values has
    ///     changed.
    @inlinable
    public init(
      indexed: Bool = false, unique: Bool = false, renamedFrom: String? = nil, named: String? = nil,
      hashModifier: String? = nil
    ) {
      self.init(
        default: .null, indexed: indexed, unique: unique, renamedFrom: renamedFrom, named: named,
        hashModifier: hashModifier)
    }

    /// - Parameters:
    ///   - wrappedValue: the value every new object starts with.
    ///   - indexed: whether the store keeps an index on it.
    ///   - unique: whether no two objects may have the same value; missing values do not count.
    ///   - renamedFrom: the name it had in an older version of the model.
    ///   - named: the name that it has in the file; its own unless it is said. The property can then be renamed in
    ///     Swift, and the file stays as it is.
    ///   - hashModifier: a text that makes the entity another version, where only the meaning of values has
    ///     changed.
    @inlinable
    public init(
      wrappedValue: T?, indexed: Bool = false, unique: Bool = false, renamedFrom: String? = nil,
      named: String? = nil, hashModifier: String? = nil
    ) {
      self.init(
        default: wrappedValue?.rawValue.storedValue ?? .null, indexed: indexed,
        unique: unique, renamedFrom: renamedFrom, named: named, hashModifier: hashModifier)
    }

    @usableFromInline
    init(
      default value: Value, indexed: Bool, unique: Bool, renamedFrom: String?, named: String?,
      hashModifier: String?
    ) {
      slot = cslots_take()
      if cslots_is_recording() != 0 {
        ModelRecorder.record(
          AttributeRecord(
            type: T.RawValue.attributeType, isOptional: true, defaultValue: value,
            isIndexed: indexed, isUnique: unique, renamedFrom: renamedFrom, storedName: named,
            hashModifier: hashModifier, cases: Self.cases),
          slot: slot)
      }
    }

    /// The cases of an enum that lists them; nil for others.
    private static var cases: [EnumCase]? {
      func list<Listed: CaseIterable>(_ type: Listed.Type) -> [EnumCase] {
        type.allCases.compactMap { element in
          (element as? T).map {
            EnumCase(name: String(describing: $0), value: $0.rawValue.storedValue)
          }
        }
      }
      return (T.self as? any CaseIterable.Type).map { list($0) }
    }

    @available(*, unavailable, message: "@Attribute.Enum belongs in a DatastoreObject")
    public var wrappedValue: T? {
      get { trap("@Attribute.Enum belongs in a DatastoreObject") }
      // swift-format-ignore: UseSingleLinePropertyGetter
      set { trap("@Attribute.Enum belongs in a DatastoreObject") }
    }

    @available(*, unavailable, message: "@Attribute.Enum belongs in a DatastoreObject")
    public var projectedValue: Property {
      trap("@Attribute.Enum belongs in a DatastoreObject")
    }

    @inlinable
    public static subscript<Object: DatastoreObject>(
      _enclosingInstance object: Object,
      wrapped _: ReferenceWritableKeyPath<Object, T?>,
      storage storage: ReferenceWritableKeyPath<Object, Enum<T>>
    ) -> T? {
      // Inlined, as the key path is then a place that is known.
      @inline(__always) get {
        Property(object: object, slot: Slot(object[keyPath: storage].slot)).value
      }
      @inline(__always) set {
        object.writeAttribute(
          newValue?.rawValue.storedValue ?? .null, Slot(object[keyPath: storage].slot))
      }
    }

    @inlinable
    public static subscript<Object: DatastoreObject>(
      _enclosingInstance object: Object,
      projected _: KeyPath<Object, Property>,
      storage storage: ReferenceWritableKeyPath<Object, Enum<T>>
    ) -> Property {
      Property(object: object, slot: Slot(object[keyPath: storage].slot))
    }

    /// What `$property` gives.
    public struct Property: ComparableProperty {
      public let object: DatastoreObject
      public let slot: Slot

      public init(object: DatastoreObject, slot: Slot) {
        self.object = object
        self.slot = slot
      }

      public var value: T? {
        let raw: T.RawValue? = object.readOptionalAttribute(slot)
        return raw.flatMap(T.init(rawValue:))
      }

      public static func storedValue(of value: T) -> Value { value.rawValue.storedValue }
    }
  }
}

extension Attribute.Enum: SlottedWrapper {}
