public import DatastoreCore

/// The projected value `$property`: a property of one object.
///
/// `employee.$name.observe { … }` uses it with its object; `\.$name` names the property in `Where`, `OrderBy`
/// and the like.
public protocol EntityProperty: SendableMetatype {
  /// The type of the property's value.
  associatedtype PropertyValue
  /// The object it belongs to.
  var object: DatastoreObject { get }
  /// Its number within its class.
  var slot: Slot { get }
  /// The current value; belongs to the queue or actor of the object's context.
  var value: PropertyValue { get }
  /// Only this library makes properties.
  init(object: DatastoreObject, slot: Slot)
  /// The operand for conditions on the property, behind the relationships of `path`.
  static func operand(along path: [String]) -> Predicate.Operand
}

extension EntityProperty {
  public static func operand(along path: [String]) -> Predicate.Operand { .keyPath(path) }
}

/// Something that a `Where` can compare with a value.
public protocol QueryProperty: SendableMetatype {
  /// The type of the values it is compared with.
  associatedtype KeyPathType
  /// The stored form of such a value.
  static func storedValue(of value: KeyPathType) -> Value
  /// The stored form of such a value in one property of a class: coded attributes have coders of their own.
  static func storedValue(
    of value: KeyPathType, in owner: DatastoreObject.Type, at slot: Slot
  ) -> Value
}

extension QueryProperty {
  public static func storedValue(
    of value: KeyPathType, in _: DatastoreObject.Type, at _: Slot
  ) -> Value {
    storedValue(of: value)
  }
}

/// A property with its own value in each row, for finding and sorting objects: attributes and to-one
/// relationships.
public protocol ComparableProperty: EntityProperty, QueryProperty {}

/// A property that can be assigned: all but computed ones.
public protocol AssignableProperty: EntityProperty {
  /// Sets the property of an object.
  static func assign(_ value: PropertyValue, to object: DatastoreObject, at slot: Slot)
}

/// A to-one or to-many relationship.
public protocol RelationshipProperty: EntityProperty {
  /// The class it leads to.
  associatedtype Destination: DatastoreObject
  /// Whether it leads to any number of objects.
  static var isToMany: Bool { get }
}

/// A relationship to any number of objects, ordered or not.
public protocol ToManyProperty: RelationshipProperty {}

extension ToManyProperty {
  public static var isToMany: Bool { true }

  /// The number of objects, for conditions and orders: `\.$tasks.count > 3`, `.desc(\.$tasks.count)`.
  public var count: RelationshipCount { RelationshipCount(object: object, slot: slot) }
}

extension AssignableProperty where Self: ToManyProperty, PropertyValue: Sequence<Destination> {
  @inlinable
  public static func assign(_ value: PropertyValue, to object: DatastoreObject, at slot: Slot) {
    object.requireAccess()
    object.setRelated(Array(value), at: slot)
  }
}

/// The number of objects that a to-many relationship leads to.
///
/// After another to-many relationship (`\.$employees ~ \.$tasks.count`) it counts the objects of all of them
/// together.
public struct RelationshipCount: EntityProperty, QueryProperty {
  public let object: DatastoreObject
  public let slot: Slot

  public init(object: DatastoreObject, slot: Slot) {
    self.object = object
    self.slot = slot
  }

  /// The current number; reads the members. O(members).
  public var value: Int {
    object.requireReading(slot)
    return object.readableRelatedObjects(at: slot).count
  }

  public static func operand(along path: [String]) -> Predicate.Operand { .count(path) }

  public static func storedValue(of value: Int) -> Value { .integer(Int64(value)) }
}

extension EntityProperty {
  /// Calls the closure with the current value after every change of the property: assignments (also of an
  /// equal value), changes from the other side of a relationship, undo, revert, refresh, and merges of other
  /// contexts' saves. Never once the object is gone.
  ///
  /// It runs at once, on the queue or actor of the object's context. A property may have any number of
  /// observers. Each lives as long as its object, so keep a reference to the object: a context releases
  /// objects that nothing else refers to. A closure that uses the object keeps it alive, unless it captures
  /// it `weak` or `unowned`.
  public func observe(_ closure: @escaping (PropertyValue) -> Void) {
    object.observe(slot: slot, calling(closure))
  }

  /// Calls the closure until the token is released or cancelled. Chosen when a token is expected:
  ///
  /// ```swift
  /// let token: PropertyObservation = employee.$name.observe { name in … }
  /// ```
  @_disfavoredOverload
  public func observe(_ closure: @escaping (PropertyValue) -> Void) -> PropertyObservation {
    object.observation(slot: slot, calling(closure))
  }

  private func calling(
    _ closure: @escaping (PropertyValue) -> Void
  ) -> (ManagedObject, SlotSet) -> Void {
    let slot = slot
    return { object, _ in
      guard object.state != .gone, let object = object as? DatastoreObject else { return }
      closure(Self(object: object, slot: slot).value)
    }
  }
}
