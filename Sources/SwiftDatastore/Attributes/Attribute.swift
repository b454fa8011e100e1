import Basics
public import DatastoreCore

/// The namespace of the attribute wrappers: `NotOptional`, `Optional`, `Enum`, `Coded` and `Virtual`.
///
/// The wrapper of a stored attribute holds only a number, its *slot*. It reaches its object through the
/// static `_enclosingInstance` subscript, and the value through the object's packed row, so reading a
/// property is an array access.
///
/// The parameters mean the same in each wrapper:
///
/// - `wrappedValue`, written after `=`: the initial value of every new object.
/// - `initial`: makes the value of each new object.
/// - `indexed`: whether the store keeps an index on it.
/// - `unique`: whether no two objects may have the same value; missing values do not count.
/// - `searchable`: whether the store keeps an index of its words, in which `SEARCH` finds them; texts only.
/// - `renamedFrom`: the name of the property in an older version of the model.
/// - `named`: the name in the file; by default that of the property. With it, you can rename the property in
///   Swift and leave the file unchanged.
/// - `hashModifier`: a text that is part of the entity's version: change it when only the meaning of values
///   has changed.
/// - `validate`: rules for its values when an object is saved.
/// - `coder`: how values become bytes: JSON, a property list, or a custom coder.
public enum Attribute {
  /// The wrapper behind `@Attribute.NotOptional`, `@Attribute.Optional` and `@Attribute.Enum`: the number of
  /// a property in its class.
  ///
  /// Wrappers with a nested wrapper need their own type, because the compiler finds no type inside a type
  /// alias: `Coded`, `Relationship.ToOne` and `Relationship.ToMany`.
  @propertyWrapper
  public struct Slotted<V, P: StoredAttribute>: SlottedWrapper where P.PropertyValue == V {
    /// The projected value `$property`.
    public typealias Property = P

    @usableFromInline package let slot: Int16

    /// No initial value. Declared here without a constraint on `P`, because for a property without `=` the
    /// compiler looks nowhere else.
    @inlinable
    public init() { slot = DatastoreObject.takeSlot { Self.record() } }

    @available(*, unavailable, message: "@Attribute belongs in a DatastoreObject")
    public var wrappedValue: V {
      get { trap("@Attribute belongs in a DatastoreObject") }
      // swift-format-ignore: UseSingleLinePropertyGetter
      set { trap("@Attribute belongs in a DatastoreObject") }
    }

    @available(*, unavailable, message: "@Attribute belongs in a DatastoreObject")
    public var projectedValue: P { trap("@Attribute belongs in a DatastoreObject") }

    @inlinable
    public static subscript<Object: DatastoreObject>(
      _enclosingInstance object: Object, wrapped _: ReferenceWritableKeyPath<Object, V>,
      storage storage: ReferenceWritableKeyPath<Object, Self>
    ) -> V {
      // Inlined, because the key path is then a known offset.
      @inline(__always) get { P.value(of: object, at: Slot(object[keyPath: storage].slot)) }
      @inline(__always) set {
        P.assign(newValue, to: object, at: Slot(object[keyPath: storage].slot))
      }
    }

    @inlinable
    public static subscript<Object: DatastoreObject>(
      _enclosingInstance object: Object, projected _: KeyPath<Object, P>,
      storage storage: ReferenceWritableKeyPath<Object, Self>
    ) -> P { P(object: object, slot: Slot(object[keyPath: storage].slot)) }

    @usableFromInline
    static func record(
      default value: V? = nil, indexed: Bool = false, unique: Bool = false,
      searchable: Bool = false, renamedFrom: String? = nil, named: String? = nil,
      hashModifier: String? = nil, initial: (@Sendable () -> V)? = nil,
      rules: [ValidationRule] = []
    ) -> AttributeRecord {
      AttributeRecord(
        type: P.attributeType, isOptional: P.isOptional,
        defaultValue: value.map(P.stored) ?? .null, isIndexed: indexed, isUnique: unique,
        isSearchable: searchable, renamedFrom: renamedFrom, storedName: named,
        hashModifier: hashModifier,
        initial: initial.map { make -> @Sendable () -> Value in { P.stored(make()) } },
        cases: P.cases, rules: rules)
    }
  }
}

/// The projected value `$property` of an attribute whose value is a cell of its row, unconverted.
public protocol StoredAttribute: AssignableProperty, ComparableProperty {
  /// How values are stored and shown.
  static var attributeType: AttributeType { get }
  /// Whether a value may be missing.
  static var isOptional: Bool { get }
  /// The cases of an enum that lists them; nil for all others.
  static var cases: [EnumCase]? { get }
  /// Reads the property of an object.
  static func value(of object: DatastoreObject, at slot: Slot) -> PropertyValue
  /// The stored form of a value.
  static func stored(_ value: PropertyValue) -> Value
}

extension StoredAttribute {
  public static var cases: [EnumCase]? { nil }

  public var value: PropertyValue { Self.value(of: object, at: slot) }

  @inlinable
  public static func assign(_ value: PropertyValue, to object: DatastoreObject, at slot: Slot) {
    object.writeAttribute(stored(value), slot)
  }
}

/// An attribute whose stored values can be read without objects.
public protocol FetchableProperty: EntityProperty {
  /// The type of values that are read; the raw value of an enum.
  associatedtype FetchedValue: AttributeValueType
}
