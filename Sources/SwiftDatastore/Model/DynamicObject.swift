import Basics
public import DatastoreCore

/// An object without a compiled class: properties are read and written by name.
///
/// Every object of a datastore that was opened with `SwiftDatastore(opening:)` is a dynamic object.
///
/// ```swift
/// let employee: DynamicObject = …
/// employee["salary"] = .real(4200)
/// let company = employee.object("company")
/// ```
///
/// Traps when the entity has no property of a name.
public final class DynamicObject: DatastoreObject {
  /// The value of an attribute, or the key of a to-one destination.
  public subscript(name: String) -> Value {
    get { self[slot(named: name)] }
    set { self[slot(named: name)] = newValue }
  }

  /// The value by slot, the place of the property in `entity.properties`.
  public subscript(slot: Slot) -> Value {
    get {
      requireReading(slot)
      return value(at: slot)
    }
    set {
      requireAccess()
      require(
        entity.links[slot] == nil,
        "\(entity.name).\(entity.properties[slot].name) is a relationship; use `set(_:for:)`")
      setValue(newValue, at: slot)
    }
  }

  /// The destination of a to-one relationship.
  public func object(_ name: String) -> DynamicObject? {
    let slot = slot(named: name)
    requireReading(slot)
    return readableRelated(at: slot) as? DynamicObject
  }

  /// The members of a to-many relationship; in order, if it is ordered.
  public func objects(_ name: String) -> [DynamicObject] {
    let slot = slot(named: name)
    requireReading(slot)
    return readableRelatedObjects(at: slot).compactMap { $0 as? DynamicObject }
  }

  /// Stages the destination of a to-one relationship.
  public func set(_ object: DynamicObject?, for name: String) {
    requireAccess()
    setRelated(object, at: slot(named: name))
  }

  /// Stages the members of a to-many relationship.
  public func set(_ objects: [DynamicObject], for name: String) {
    requireAccess()
    setRelated(objects, at: slot(named: name))
  }

  /// Calls the closure after every change of one property, for as long as the object lives; see
  /// `EntityProperty.observe(_:)`.
  public func observe(_ name: String, _ closure: @escaping (DynamicObject) -> Void) {
    observe(slot: slot(named: name)) { object, _ in
      if let object = object as? DynamicObject { closure(object) }
    }
  }

  /// Calls the closure until the token is released or cancelled.
  @_disfavoredOverload
  public func observe(
    _ name: String, _ closure: @escaping (DynamicObject) -> Void
  ) -> PropertyObservation {
    observation(slot: slot(named: name)) { object, _ in
      if let object = object as? DynamicObject { closure(object) }
    }
  }
}
