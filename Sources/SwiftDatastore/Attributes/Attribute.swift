import Basics
public import DatastoreCore

/// The namespace of the attribute wrappers: `NotOptional`, `Optional`, `Enum`, `Coded` and `Virtual`.
///
/// The wrapper of a stored attribute holds nothing but a number, its *slot*. It reaches the object it
/// is in through the static `_enclosingInstance` subscript, and the value through the object's
/// packed row, so reading a property is an array access.
///
/// What they say of a property means the same in each of them:
///
/// - `wrappedValue`, written behind `=`: the value that every new object starts with.
/// - `initial`: makes the value of each new object.
/// - `indexed`: whether the store keeps an index on it.
/// - `unique`: whether no two objects may have the same value; missing values do not count.
/// - `searchable`: whether the store keeps an index of its words, in which `SEARCH` finds them; texts only.
/// - `renamedFrom`: the name it had in an older version of the model.
/// - `named`: the name that it has in the file; its own unless it is said. The property can then be renamed
///   in Swift, and the file stays as it is.
/// - `hashModifier`: a text that makes the entity another version, where only the meaning of values has
///   changed.
/// - `validate`: what its values must be like when an object is saved.
/// - `coder`: how values become bytes: JSON, a property list, or a coder of one's own.
public enum Attribute {
  /// What `@Attribute.NotOptional`, `@Attribute.Optional` and `@Attribute.Enum` make: the number of a
  /// property in its class.
  ///
  /// A wrapper of its own where another one is nested in it, as the compiler finds no type inside a name that
  /// stands for another: `Coded`, `Relationship.ToOne` and `Relationship.ToMany`.
  @propertyWrapper
  public struct Slotted<V, P: StoredAttribute>: SlottedWrapper where P.PropertyValue == V {
    /// What `$property` gives.
    public typealias Property = P

    @usableFromInline package let slot: Int16

    /// Without a value to start with. Stands here, and says nothing of `P`, as the compiler looks for it
    /// nowhere else when a property has no `=`.
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
      // Inlined, as the key path is then a place that is known.
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

/// What `$property` gives for an attribute whose value is a cell of its row as it is there.
public protocol StoredAttribute: AssignableProperty, ComparableProperty {
  /// How values are stored and shown.
  static var attributeType: AttributeType { get }
  /// Whether a value may be missing.
  static var isOptional: Bool { get }
  /// The cases of an enum that lists them; nil for all others.
  static var cases: [EnumCase]? { get }
  /// The value of the property of an object.
  static func value(of object: DatastoreObject, at slot: Slot) -> PropertyValue
  /// The value as it is stored.
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
  /// What a value is read as; the raw value of an enum.
  associatedtype FetchedValue: AttributeValueType
}
