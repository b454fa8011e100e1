import Basics
public import DatastoreCore

extension Relationship {
  /// A relationship to one object, or none.
  ///
  /// ```swift
  /// @Relationship.ToOne(inverse: \.$employees) var company: Company?
  /// ```
  ///
  /// Assigning it updates the other side at once.
  ///
  /// A relationship that is its own inverse is symmetric: if Ann's spouse is Kim, Kim's spouse is Ann.
  ///
  /// ```swift
  /// @Relationship.ToOne(isSymmetric: true) var spouse: Person?
  /// ```
  @propertyWrapper
  public struct ToOne<D: DatastoreObject>: SlottedWrapper {
    @usableFromInline package let slot: Int16

    /// See ``Relationship`` for the parameters.
    @inlinable
    public init(
      isSymmetric: Bool = false, deleteRule: DeleteRule = .nullify, renamedFrom: String? = nil,
      named: String? = nil, hashModifier: String? = nil
    ) {
      slot = DatastoreObject.takeSlot(relationship: {
        RelationshipRecord(
          kind: .toOne, destination: D.self, inverse: nil, isSymmetric: isSymmetric,
          deleteRule: deleteRule, renamedFrom: renamedFrom, storedName: named,
          hashModifier: hashModifier)
      })
    }

    /// See ``Relationship`` for the parameters.
    @inlinable
    public init<P: RelationshipProperty>(
      inverse: @autoclosure @escaping @Sendable () -> KeyPath<D, P>,
      deleteRule: DeleteRule = .nullify, renamedFrom: String? = nil, named: String? = nil,
      hashModifier: String? = nil
    ) {
      slot = DatastoreObject.takeSlot(relationship: {
        RelationshipRecord(
          kind: .toOne, destination: D.self,
          inverse: { ClassReflection.of(D.self).slot(of: inverse()) }, deleteRule: deleteRule,
          renamedFrom: renamedFrom, storedName: named, hashModifier: hashModifier)
      })
    }

    @available(*, unavailable, message: "a relationship belongs in a DatastoreObject")
    public var wrappedValue: D? {
      get { trap("a relationship belongs in a DatastoreObject") }
      // swift-format-ignore: UseSingleLinePropertyGetter
      set { trap("a relationship belongs in a DatastoreObject") }
    }

    @available(*, unavailable, message: "a relationship belongs in a DatastoreObject")
    public var projectedValue: Property { trap("a relationship belongs in a DatastoreObject") }

    @inlinable
    public static subscript<Object: DatastoreObject>(
      _enclosingInstance object: Object, wrapped _: ReferenceWritableKeyPath<Object, D?>,
      storage storage: ReferenceWritableKeyPath<Object, Self>
    ) -> D? {
      get { Property(object: object, slot: Slot(object[keyPath: storage].slot)).value }
      set { Property.assign(newValue, to: object, at: Slot(object[keyPath: storage].slot)) }
    }

    @inlinable
    public static subscript<Object: DatastoreObject>(
      _enclosingInstance object: Object, projected _: KeyPath<Object, Property>,
      storage storage: ReferenceWritableKeyPath<Object, Self>
    ) -> Property { Property(object: object, slot: Slot(object[keyPath: storage].slot)) }

    /// The projected value `$property`.
    public struct Property: AssignableProperty, ComparableProperty, RelationshipProperty {
      /// The class it leads to.
      public typealias Destination = D
      public static var isToMany: Bool { false }
      public let object: DatastoreObject
      public let slot: Slot

      @inlinable
      public init(object: DatastoreObject, slot: Slot) {
        self.object = object
        self.slot = slot
      }

      @inlinable
      public var value: D? {
        object.requireReading(slot)
        return object.readableRelated(at: slot) as? D
      }

      @inlinable
      public static func assign(_ value: D?, to object: DatastoreObject, at slot: Slot) {
        object.requireAccess()
        object.setRelated(value, at: slot)
      }

      public static func storedValue(of value: D) -> Value { .key(value.key) }
    }
  }
}
