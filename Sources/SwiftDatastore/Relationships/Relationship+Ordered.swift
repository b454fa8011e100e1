import Basics
public import CSlots
public import DatastoreCore

extension Relationship.ToMany {
  /// A relationship to any number of objects whose order is kept.
  ///
  /// ```swift
  /// @Relationship.ToMany.Ordered(deleteRule: .cascade) var tasks: [Task]
  /// ```
  ///
  /// An object that is assigned twice is at its first place only.
  @propertyWrapper
  public struct Ordered {
    @usableFromInline package let slot: Int16

    /// - Parameters:
    ///   - deleteRule: what happens to the other side when this object is deleted.
    ///   - minimumCount: fewest objects a non-empty relationship may hold when saved; 0 means no limit.
    ///   - maximumCount: most objects it may hold when saved; 0 means no limit.
    ///   - renamedFrom: the name it had in an older version of the model.
    ///   - named: the name that it has in the file; its own unless it is said. The property can then be renamed in
    ///     Swift, and the file stays as it is.
    ///   - hashModifier: a text that makes the entity another version, where only the meaning of values has
    ///     changed.
    @inlinable
    public init(
      deleteRule: DeleteRule = .nullify, minimumCount: Int = 0, maximumCount: Int = 0,
      renamedFrom: String? = nil, named: String? = nil, hashModifier: String? = nil
    ) {
      slot = cslots_take()
      if cslots_is_recording() != 0 {
        ModelRecorder.record(
          RelationshipRecord(
            kind: .orderedToMany, destination: D.self, inverse: nil, deleteRule: deleteRule,
            minimumCount: minimumCount, maximumCount: maximumCount,
            renamedFrom: renamedFrom, storedName: named, hashModifier: hashModifier),
          slot: slot)
      }
    }

    /// - Parameters:
    ///   - inverse: the relationship of the other class that leads back.
    ///   - deleteRule: what happens to the other side when this object is deleted.
    ///   - minimumCount: fewest objects a non-empty relationship may hold when saved; 0 means no limit.
    ///   - maximumCount: most objects it may hold when saved; 0 means no limit.
    ///   - renamedFrom: the name it had in an older version of the model.
    ///   - named: the name that it has in the file; its own unless it is said. The property can then be renamed in
    ///     Swift, and the file stays as it is.
    ///   - hashModifier: a text that makes the entity another version, where only the meaning of values has
    ///     changed.
    @inlinable
    public init<P: RelationshipProperty>(
      inverse: @autoclosure @escaping @Sendable () -> KeyPath<D, P>,
      deleteRule: DeleteRule = .nullify, minimumCount: Int = 0, maximumCount: Int = 0,
      renamedFrom: String? = nil, named: String? = nil, hashModifier: String? = nil
    ) {
      slot = cslots_take()
      if cslots_is_recording() != 0 {
        ModelRecorder.record(
          RelationshipRecord(
            kind: .orderedToMany, destination: D.self,
            inverse: { ClassReflection.of(D.self).slot(of: inverse()) }, deleteRule: deleteRule,
            minimumCount: minimumCount, maximumCount: maximumCount,
            renamedFrom: renamedFrom, storedName: named, hashModifier: hashModifier),
          slot: slot)
      }
    }

    @available(*, unavailable, message: "a relationship belongs in a DatastoreObject")
    public var wrappedValue: [D] {
      get { trap("a relationship belongs in a DatastoreObject") }
      // swift-format-ignore: UseSingleLinePropertyGetter
      set { trap("a relationship belongs in a DatastoreObject") }
    }

    @available(*, unavailable, message: "a relationship belongs in a DatastoreObject")
    public var projectedValue: Property {
      trap("a relationship belongs in a DatastoreObject")
    }

    @inlinable

    public static subscript<Object: DatastoreObject>(
      _enclosingInstance object: Object,
      wrapped _: ReferenceWritableKeyPath<Object, [D]>,
      storage storage: ReferenceWritableKeyPath<Object, Self>
    ) -> [D] {
      get { Property(object: object, slot: Slot(object[keyPath: storage].slot)).value }
      set {
        object.requireAccess()
        object.setRelated(newValue, at: Slot(object[keyPath: storage].slot))
      }
    }

    @inlinable

    public static subscript<Object: DatastoreObject>(
      _enclosingInstance object: Object,
      projected _: KeyPath<Object, Property>,
      storage storage: ReferenceWritableKeyPath<Object, Self>
    ) -> Property {
      Property(object: object, slot: Slot(object[keyPath: storage].slot))
    }

    /// What `$property` gives.
    public struct Property: ToManyProperty {
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
        object.requireAccess()
        return object.readableRelatedObjects(at: slot).compactMap { $0 as? D }
      }
    }
  }
}

extension Relationship.ToMany.Ordered: SlottedWrapper {}
