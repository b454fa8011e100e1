import Basics
public import DatastoreCore
import Foundation

extension Attribute {
  /// An attribute that holds any `Codable` value, or nothing. Stored as JSON, unless `coder:` says
  /// otherwise.
  ///
  /// ```swift
  /// struct Address: Codable, Sendable { var street: String; var city: String }
  /// @Attribute.Coded var address: Address?
  /// @Attribute.Coded var nicknames: [String]? = []
  /// @Attribute.Coded(coder: .propertyList) var thumbnail: Picture?
  /// ```
  ///
  /// Each read decodes and each assignment encodes the whole value, O(size); so does a change in place
  /// (`employee.address?.city = "Umeå"`). A stored value that cannot be decoded reads as nil and stays stored
  /// until another is assigned. Conditions can compare values for equality (as JSON with sorted keys); their
  /// order is that of the JSON's bytes.
  ///
  /// Assigning traps when the value's own `encode(to:)` or the coder throws.
  ///
  /// For a value that is always there, see `Attribute.Coded.NotOptional`.
  @propertyWrapper
  public struct Coded<T: Codable & Sendable>: SlottedWrapper {
    @usableFromInline package let slot: Int16

    /// See ``Attribute`` for the parameters.
    public init(
      renamedFrom: String? = nil, named: String? = nil, hashModifier: String? = nil,
      coder: @autoclosure () -> AttributeCoder<T> = .json
    ) {
      self.init(
        default: { nil }, renamedFrom: renamedFrom, named: named, hashModifier: hashModifier,
        coder: coder)
    }

    /// See ``Attribute`` for the parameters.
    public init(
      wrappedValue: @autoclosure () -> T?, renamedFrom: String? = nil, named: String? = nil,
      hashModifier: String? = nil, coder: @autoclosure () -> AttributeCoder<T> = .json
    ) {
      self.init(
        default: wrappedValue, renamedFrom: renamedFrom, named: named,
        hashModifier: hashModifier, coder: coder)
    }

    /// Evaluates the default and the coder for the model only, not for each object.
    private init(
      default value: () -> T?, renamedFrom: String?, named: String?, hashModifier: String?,
      coder: () -> AttributeCoder<T>
    ) {
      slot = DatastoreObject.takeSlot {
        let coder = coder()
        return AttributeRecord(
          type: .coded, isOptional: true, defaultValue: coder.stored(value()),
          isIndexed: false, isUnique: false, renamedFrom: renamedFrom, storedName: named,
          hashModifier: hashModifier, coder: coder.name.map { ($0, coder) })
      }
    }

    @available(*, unavailable, message: "@Attribute.Coded belongs in a DatastoreObject")
    public var wrappedValue: T? {
      get { trap("@Attribute.Coded belongs in a DatastoreObject") }
      // swift-format-ignore: UseSingleLinePropertyGetter
      set { trap("@Attribute.Coded belongs in a DatastoreObject") }
    }

    @available(*, unavailable, message: "@Attribute.Coded belongs in a DatastoreObject")
    public var projectedValue: Property { trap("@Attribute.Coded belongs in a DatastoreObject") }

    public static subscript<Object: DatastoreObject>(
      _enclosingInstance object: Object, wrapped _: ReferenceWritableKeyPath<Object, T?>,
      storage storage: ReferenceWritableKeyPath<Object, Coded<T>>
    ) -> T? {
      get { Property(object: object, slot: Slot(object[keyPath: storage].slot)).value }
      set { Property.assign(newValue, to: object, at: Slot(object[keyPath: storage].slot)) }
    }

    public static subscript<Object: DatastoreObject>(
      _enclosingInstance object: Object, projected _: KeyPath<Object, Property>,
      storage storage: ReferenceWritableKeyPath<Object, Coded<T>>
    ) -> Property { Property(object: object, slot: Slot(object[keyPath: storage].slot)) }

    /// The projected value `$property`.
    public struct Property: AssignableProperty, ComparableProperty {
      public let object: DatastoreObject
      public let slot: Slot

      public init(object: DatastoreObject, slot: Slot) {
        self.object = object
        self.slot = slot
      }

      public var value: T? {
        let data: Data? = object.readOptionalAttribute(slot)
        // nil for bytes that are no `T`, as documented: an older or third-party program may have written
        // them.
        return data.flatMap { try? Coded.coder(of: object, slot).decode($0) }
      }

      public static func assign(_ value: T?, to object: DatastoreObject, at slot: Slot) {
        object.writeAttribute(Coded.coder(of: object, slot).stored(value), slot)
      }

      public static func storedValue(of value: T) -> Value { AttributeCoder.json.stored(value) }

      public static func storedValue(
        of value: T, in owner: DatastoreObject.Type, at slot: Slot
      ) -> Value {
        Coded.coder(in: owner, slot).stored(value)
      }
    }

    static func coder(of object: DatastoreObject, _ slot: Slot) -> AttributeCoder<T> {
      object.entity.codedSlots.contains(slot) ? coder(in: type(of: object), slot) : .json
    }

    /// The coder that a class has for an attribute.
    static func coder(in owner: DatastoreObject.Type, _ slot: Slot) -> AttributeCoder<T> {
      owner.recordedCoder(at: slot) as? AttributeCoder<T> ?? .json
    }
  }
}
