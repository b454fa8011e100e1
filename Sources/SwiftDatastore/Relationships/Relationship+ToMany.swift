import Basics
public import DatastoreCore

extension Relationship {
  /// A relationship to any number of objects, without an order.
  ///
  /// ```swift
  /// @Relationship.ToMany var employees: Set<Employee>  // inverse: Employee.company
  /// ```
  ///
  /// Assigning or mutating it updates the other side of every object that was added or removed. Reading is
  /// O(members); `insert` and `remove` on the property also read all members, while those of `$employees` do
  /// not.
  @propertyWrapper
  public struct ToMany<D: DatastoreObject>: SlottedWrapper {
    @usableFromInline package let slot: Int16

    /// See ``Relationship`` for the parameters.
    @inlinable
    public init(
      isSymmetric: Bool = false, deleteRule: DeleteRule = .nullify, minimumCount: Int = 0,
      maximumCount: Int = 0, renamedFrom: String? = nil, named: String? = nil,
      hashModifier: String? = nil
    ) {
      slot = DatastoreObject.takeSlot(relationship: {
        RelationshipRecord(
          kind: .toMany, destination: D.self, inverse: nil, isSymmetric: isSymmetric,
          deleteRule: deleteRule, minimumCount: minimumCount, maximumCount: maximumCount,
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
          kind: .toMany, destination: D.self,
          inverse: { ClassReflection.of(D.self).slot(of: inverse()) }, deleteRule: deleteRule,
          minimumCount: minimumCount, maximumCount: maximumCount,
          renamedFrom: renamedFrom, storedName: named, hashModifier: hashModifier)
      })
    }

    @available(*, unavailable, message: "a relationship belongs in a DatastoreObject")
    public var wrappedValue: Set<D> {
      get { trap("a relationship belongs in a DatastoreObject") }
      // swift-format-ignore: UseSingleLinePropertyGetter
      set { trap("a relationship belongs in a DatastoreObject") }
    }

    @available(*, unavailable, message: "a relationship belongs in a DatastoreObject")
    public var projectedValue: Property { trap("a relationship belongs in a DatastoreObject") }

    @inlinable
    public static subscript<Object: DatastoreObject>(
      _enclosingInstance object: Object, wrapped _: ReferenceWritableKeyPath<Object, Set<D>>,
      storage storage: ReferenceWritableKeyPath<Object, Self>
    ) -> Set<D> {
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

      public var value: Set<D> {
        object.requireReading(slot)
        return Set(object.readableRelatedObjects(at: slot).compactMap { $0 as? D })
      }
    }
  }
}
