import Basics
public import DatastoreCore

extension Relationship.ToOne {
  /// A relationship that always leads to one object.
  ///
  /// ```swift
  /// @Relationship.ToOne.Required(inverse: \.$tasks) var owner: Person
  /// ```
  ///
  /// Saving an object without a destination throws `ValidationError`, and reading the relationship before it
  /// is set traps. The column is `NOT NULL`, so other tools have to keep the rule, too. Give the inverse the
  /// delete rule `.cascade` or `.deny`: with `.nullify`, a deletion that would clear this relationship cannot
  /// be saved.
  @propertyWrapper
  public struct Required: SlottedWrapper {
    @usableFromInline package let slot: Int16

    /// See ``Relationship`` for the parameters.
    @inlinable
    public init(
      deleteRule: DeleteRule = .nullify, renamedFrom: String? = nil, named: String? = nil,
      hashModifier: String? = nil
    ) {
      slot = DatastoreObject.takeSlot(relationship: {
        RelationshipRecord(
          kind: .toOne, destination: D.self, inverse: nil, deleteRule: deleteRule,
          renamedFrom: renamedFrom, storedName: named, hashModifier: hashModifier,
          isOptional: false)
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
          renamedFrom: renamedFrom, storedName: named, hashModifier: hashModifier,
          isOptional: false)
      })
    }

    @available(*, unavailable, message: "a relationship belongs in a DatastoreObject")
    public var wrappedValue: D {
      get { trap("a relationship belongs in a DatastoreObject") }
      // swift-format-ignore: UseSingleLinePropertyGetter
      set { trap("a relationship belongs in a DatastoreObject") }
    }

    @available(*, unavailable, message: "a relationship belongs in a DatastoreObject")
    public var projectedValue: Property { trap("a relationship belongs in a DatastoreObject") }

    @inlinable
    public static subscript<Object: DatastoreObject>(
      _enclosingInstance object: Object, wrapped _: ReferenceWritableKeyPath<Object, D>,
      storage storage: ReferenceWritableKeyPath<Object, Self>
    ) -> D {
      get {
        let slot = Slot(object[keyPath: storage].slot)
        if let value = Property(object: object, slot: slot).value { return value }
        object.missingValue(slot)
      }
      set { Property.assign(newValue, to: object, at: Slot(object[keyPath: storage].slot)) }
    }

    @inlinable
    public static subscript<Object: DatastoreObject>(
      _enclosingInstance object: Object, projected _: KeyPath<Object, Property>,
      storage storage: ReferenceWritableKeyPath<Object, Self>
    ) -> Property { Property(object: object, slot: Slot(object[keyPath: storage].slot)) }
  }
}
