import Basics
public import CSlots
public import DatastoreCore

extension Attribute {
  /// An attribute that may be missing.
  ///
  /// ```swift
  /// @Attribute.Optional var phone: String?
  /// @Attribute.Optional(renamedFrom: "mail") var email: String?
  /// ```
  @propertyWrapper
  public struct Optional<T: AttributeValueType> {
    @usableFromInline package let slot: Int16

    /// - Parameters:
    ///   - indexed: whether the store keeps an index on it.
    ///   - unique: whether no two objects may have the same value; missing values do not count.
    ///   - searchable: whether the store keeps an index of its words, in which `SEARCH` finds them; texts only.
    ///   - renamedFrom: the name it had in an older version of the model.
    ///   - named: the name that it has in the file; its own unless it is said. The property can then be renamed in
    ///     Swift, and the file stays as it is.
    ///   - hashModifier: a text that makes the entity another version, where only the meaning of values has
    ///     changed.
    ///   - validate: what its values must be like when an object is saved.
    ///   - initial: makes the value of each new object.
    @inlinable
    public init(
      indexed: Bool = false, unique: Bool = false, searchable: Bool = false,
      renamedFrom: String? = nil, named: String? = nil,
      hashModifier: String? = nil, validate: @autoclosure () -> Validation<T> = [],
      initial: (@Sendable () -> T?)? = nil
    ) {
      slot = cslots_take()
      if cslots_is_recording() != 0 {
        ModelRecorder.record(
          AttributeRecord(
            type: T.attributeType, isOptional: true, isIndexed: indexed, isUnique: unique,
            isSearchable: searchable,
            renamedFrom: renamedFrom, storedName: named, hashModifier: hashModifier,
            initial: Self.stored(initial), rules: validate().rules),
          slot: slot)
      }
    }

    /// - Parameters:
    ///   - wrappedValue: the value every new object starts with.
    ///   - indexed: whether the store keeps an index on it.
    ///   - unique: whether no two objects may have the same value; missing values do not count.
    ///   - searchable: whether the store keeps an index of its words, in which `SEARCH` finds them; texts only.
    ///   - renamedFrom: the name it had in an older version of the model.
    ///   - named: the name that it has in the file; its own unless it is said. The property can then be renamed in
    ///     Swift, and the file stays as it is.
    ///   - hashModifier: a text that makes the entity another version, where only the meaning of values has
    ///     changed.
    ///   - validate: what its values must be like when an object is saved.
    @inlinable
    public init(
      wrappedValue: T?, indexed: Bool = false, unique: Bool = false, searchable: Bool = false,
      renamedFrom: String? = nil,
      named: String? = nil, hashModifier: String? = nil,
      validate: @autoclosure () -> Validation<T> = []
    ) {
      slot = cslots_take()
      if cslots_is_recording() != 0 {
        ModelRecorder.record(
          AttributeRecord(
            type: T.attributeType, isOptional: true,
            defaultValue: wrappedValue?.storedValue ?? .null, isIndexed: indexed,
            isUnique: unique, isSearchable: searchable, renamedFrom: renamedFrom, storedName: named,
            hashModifier: hashModifier, rules: validate().rules),
          slot: slot)
      }
    }

    @usableFromInline
    static func stored(_ initial: (@Sendable () -> T?)?) -> (@Sendable () -> Value)? {
      guard let initial else { return nil }
      return { initial()?.storedValue ?? .null }
    }

    @available(*, unavailable, message: "@Attribute.Optional belongs in a DatastoreObject")
    public var wrappedValue: T? {
      get { trap("@Attribute.Optional belongs in a DatastoreObject") }
      // swift-format-ignore: UseSingleLinePropertyGetter
      set { trap("@Attribute.Optional belongs in a DatastoreObject") }
    }

    @available(*, unavailable, message: "@Attribute.Optional belongs in a DatastoreObject")
    public var projectedValue: Property {
      trap("@Attribute.Optional belongs in a DatastoreObject")
    }

    @inlinable
    public static subscript<Object: DatastoreObject>(
      _enclosingInstance object: Object,
      wrapped _: ReferenceWritableKeyPath<Object, T?>,
      storage storage: ReferenceWritableKeyPath<Object, Attribute.Optional<T>>
    ) -> T? {
      // Inlined, as the key path is then a place that is known.
      @inline(__always) get { object.readOptionalAttribute(Slot(object[keyPath: storage].slot)) }
      @inline(__always) set {
        object.writeAttribute(newValue?.storedValue ?? .null, Slot(object[keyPath: storage].slot))
      }
    }

    @inlinable
    public static subscript<Object: DatastoreObject>(
      _enclosingInstance object: Object,
      projected _: KeyPath<Object, Property>,
      storage storage: ReferenceWritableKeyPath<Object, Attribute.Optional<T>>
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

      public var value: T? { object.readOptionalAttribute(slot) }

      public static func storedValue(of value: T) -> Value { value.storedValue }
    }
  }
}

extension Attribute.Optional: SlottedWrapper {}
