import Basics
public import DatastoreCore
import Foundation

extension Attribute.Coded {
  /// An attribute that always holds a `Codable` value. Stored like `Attribute.Coded`.
  ///
  /// ```swift
  /// @Attribute.Coded.NotOptional var address = Address()
  /// @Attribute.Coded.NotOptional(coder: .propertyList) var tags: [String] = []
  /// @Attribute.Coded.NotOptional(initial: { Session() }) var session: Session
  /// ```
  ///
  /// Each read decodes and each assignment encodes the whole value, O(size); so does a change in place
  /// (`employee.address.city = "Umeå"`). A stored value that cannot be decoded reads as that of a new object,
  /// and stays stored until another is assigned; `$address.decoded` is nil then. The column is `NOT NULL`, so
  /// other tools have to keep the rule, too.
  ///
  /// Assigning traps when the value's own `encode(to:)` or the coder throws.
  @propertyWrapper
  public struct NotOptional: SlottedWrapper {
    @usableFromInline package let slot: Int16

    /// See ``Attribute`` for the parameters.
    public init(
      wrappedValue: @autoclosure () -> T, renamedFrom: String? = nil, named: String? = nil,
      hashModifier: String? = nil, coder: @autoclosure () -> AttributeCoder<T> = .json
    ) {
      slot = DatastoreObject.takeSlot {
        let coder = coder()
        return AttributeRecord(
          type: .coded, isOptional: false, defaultValue: coder.stored(wrappedValue()),
          isIndexed: false, isUnique: false, renamedFrom: renamedFrom, storedName: named,
          hashModifier: hashModifier, coder: coder.name.map { ($0, coder) })
      }
    }

    /// See ``Attribute`` for the parameters.
    public init(
      renamedFrom: String? = nil, named: String? = nil, hashModifier: String? = nil,
      coder: @autoclosure () -> AttributeCoder<T> = .json, initial: @escaping @Sendable () -> T
    ) {
      slot = DatastoreObject.takeSlot {
        let coder = coder()
        return AttributeRecord(
          type: .coded, isOptional: false, isIndexed: false, isUnique: false,
          renamedFrom: renamedFrom, storedName: named, hashModifier: hashModifier,
          initial: { coder.stored(initial()) }, coder: coder.name.map { ($0, coder) })
      }
    }

    @available(
      *, unavailable, message: "@Attribute.Coded.NotOptional belongs in a DatastoreObject"
    )
    public var wrappedValue: T {
      get { trap("@Attribute.Coded.NotOptional belongs in a DatastoreObject") }
      // swift-format-ignore: UseSingleLinePropertyGetter
      set { trap("@Attribute.Coded.NotOptional belongs in a DatastoreObject") }
    }

    @available(
      *, unavailable, message: "@Attribute.Coded.NotOptional belongs in a DatastoreObject"
    )
    public var projectedValue: Property {
      trap("@Attribute.Coded.NotOptional belongs in a DatastoreObject")
    }

    public static subscript<Object: DatastoreObject>(
      _enclosingInstance object: Object, wrapped _: ReferenceWritableKeyPath<Object, T>,
      storage storage: ReferenceWritableKeyPath<Object, NotOptional>
    ) -> T {
      get { Property(object: object, slot: Slot(object[keyPath: storage].slot)).value }
      set { Property.assign(newValue, to: object, at: Slot(object[keyPath: storage].slot)) }
    }

    public static subscript<Object: DatastoreObject>(
      _enclosingInstance object: Object, projected _: KeyPath<Object, Property>,
      storage storage: ReferenceWritableKeyPath<Object, NotOptional>
    ) -> Property { Property(object: object, slot: Slot(object[keyPath: storage].slot)) }

    /// The projected value `$property`.
    public struct Property: AssignableProperty, ComparableProperty {
      public let object: DatastoreObject
      public let slot: Slot

      public init(object: DatastoreObject, slot: Slot) {
        self.object = object
        self.slot = slot
      }

      public var value: T {
        decoded ?? Attribute.Coded<T>.valueOfNewObjects(in: type(of: object), slot)
      }

      /// The value, or nil when the stored bytes cannot be decoded: an older or third-party program may have
      /// written them.
      public var decoded: T? {
        guard let data: Data = object.readAttribute(slot) else { object.missingValue(slot) }
        return try? Attribute.Coded<T>.coder(of: object, slot).decode(data)
      }

      public static func assign(_ value: T, to object: DatastoreObject, at slot: Slot) {
        object.writeAttribute(Attribute.Coded<T>.coder(of: object, slot).stored(value), slot)
      }

      public static func storedValue(of value: T) -> Value { AttributeCoder.json.stored(value) }

      public static func storedValue(
        of value: T, in owner: DatastoreObject.Type, at slot: Slot
      ) -> Value {
        Attribute.Coded<T>.coder(in: owner, slot).stored(value)
      }
    }
  }

  /// The value in a new object of a class, for objects whose bytes cannot be decoded.
  static func valueOfNewObjects(in owner: DatastoreObject.Type, _ slot: Slot) -> T {
    let reflection = ClassReflection.of(owner)
    guard case .attribute(let record) = reflection.records[slot],
      case .blob(let data) = record.initial?() ?? record.attribute.defaultValue,
      let value = try? coder(in: owner, slot).decode(data)
    else {
      trap(
        "the coder of \(owner.entityName).\(reflection.names[slot]) cannot decode its own encoding of the value of new "
          + "objects")
    }
    return value
  }
}
