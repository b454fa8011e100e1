import Basics
public import DatastoreCore

extension Relationship.ToMany {
  /// A relationship to any number of objects whose order is kept.
  ///
  /// ```swift
  /// @Relationship.ToMany.Ordered(deleteRule: .cascade) var tasks: [Task]
  /// ```
  ///
  /// An object that is assigned twice keeps only its first place.
  @propertyWrapper
  public struct Ordered: SlottedWrapper {
    @usableFromInline package let slot: Int16

    /// See ``Relationship`` for the parameters.
    @inlinable
    public init(
      deleteRule: DeleteRule = .nullify, minimumCount: Int = 0, maximumCount: Int = 0,
      renamedFrom: String? = nil, named: String? = nil, hashModifier: String? = nil
    ) {
      slot = DatastoreObject.takeSlot(relationship: {
        RelationshipRecord(
          kind: .orderedToMany, destination: D.self, inverse: nil, deleteRule: deleteRule,
          minimumCount: minimumCount, maximumCount: maximumCount,
          renamedFrom: renamedFrom, storedName: named, hashModifier: hashModifier)
      })
    }

    /// See ``Relationship`` for the parameters.
    @inlinable
    public init<P: RelationshipProperty>(
      inverse: @autoclosure @escaping @Sendable () -> KeyPath<D, P>,
      deleteRule: DeleteRule = .nullify, minimumCount: Int = 0, maximumCount: Int = 0,
      renamedFrom: String? = nil, named: String? = nil, hashModifier: String? = nil
    ) {
      slot = DatastoreObject.takeSlot(relationship: {
        RelationshipRecord(
          kind: .orderedToMany, destination: D.self,
          inverse: { ClassReflection.of(D.self).slot(of: inverse()) }, deleteRule: deleteRule,
          minimumCount: minimumCount, maximumCount: maximumCount,
          renamedFrom: renamedFrom, storedName: named, hashModifier: hashModifier)
      })
    }

    @available(*, unavailable, message: "a relationship belongs in a DatastoreObject")
    public var wrappedValue: [D] {
      get { trap("a relationship belongs in a DatastoreObject") }
      // swift-format-ignore: UseSingleLinePropertyGetter
      set { trap("a relationship belongs in a DatastoreObject") }
    }

    @available(*, unavailable, message: "a relationship belongs in a DatastoreObject")
    public var projectedValue: Property { trap("a relationship belongs in a DatastoreObject") }

    @inlinable
    public static subscript<Object: DatastoreObject>(
      _enclosingInstance object: Object, wrapped _: ReferenceWritableKeyPath<Object, [D]>,
      storage storage: ReferenceWritableKeyPath<Object, Self>
    ) -> [D] {
      get { Property(object: object, slot: Slot(object[keyPath: storage].slot)).value }
      set { Property.assign(newValue, to: object, at: Slot(object[keyPath: storage].slot)) }
    }

    @inlinable
    public static subscript<Object: DatastoreObject>(
      _enclosingInstance object: Object, projected _: KeyPath<Object, Property>,
      storage storage: ReferenceWritableKeyPath<Object, Self>
    ) -> Property { Property(object: object, slot: Slot(object[keyPath: storage].slot)) }

    /// The projected value `$property`.
    public struct Property: AssignableProperty, ToManyProperty {
      /// The class it leads to.
      public typealias Destination = D
      public let object: DatastoreObject
      public let slot: Slot

      @inlinable
      public init(object: DatastoreObject, slot: Slot) {
        self.object = object
        self.slot = slot
      }

      public var value: [D] {
        object.requireReading(slot)
        return object.readableRelatedObjects(at: slot).compactMap { $0 as? D }
      }
    }
  }
}
