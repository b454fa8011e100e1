import Basics
import DatastoreCore

/// Properties by name, for code that knows the names only at run time.
extension DatastoreObject {
  /// The value of a property: an attribute as a Swift value (the raw value of an enum, the bytes of a coded
  /// attribute), the object of a to-one relationship, or the objects of a to-many relationship as an array.
  /// nil if it is missing.
  ///
  /// Runs on the queue or actor of the object's context. Traps when the entity has no such property.
  ///
  /// - Parameter key: the name of the property.
  public final func value(forKey key: String) -> Any? {
    let slot = slot(named: key)
    requireReading(slot)
    switch entity.properties[slot] {
    case .attribute(let attribute):
      return attribute.type.valueType.init(storedValue: value(at: slot))
    case .relationship(let relationship):
      return relationship.kind.isToMany
        ? readableRelatedObjects(at: slot).compactMap { $0 as? DatastoreObject }
        : readableRelated(at: slot)
    }
  }

  /// Stages the value of a property: a value of the kind that `value(forKey:)` returns, a set instead of an
  /// array, or nil.
  ///
  /// Runs on the queue or actor of the object's context. Traps when the entity has no such property, or it
  /// cannot hold the value.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - key: the name of the property.
  public final func setValue(_ value: Any?, forKey key: String) {
    requireAccess()
    let slot = slot(named: key)
    switch (entity.properties[slot], value) {
    case (.attribute(let attribute), _):
      let stored = value == nil ? .null : (value as? any AttributeValueType)?.storedValue
      guard let stored, stored.isNull || attribute.type.valueType.init(storedValue: stored) != nil
      else { return misfit(value, key) }
      setValue(stored, at: slot)
    case (.relationship(let relationship), nil) where relationship.kind.isToMany:
      setRelated([], at: slot)
    case (.relationship(let relationship), let objects as any Collection)
    where relationship.kind.isToMany:
      let members = objects.compactMap { $0 as? DatastoreObject }
      guard members.count == objects.count else { return misfit(value, key) }
      setRelated(members, at: slot)
    case (.relationship, nil): setRelated(nil as DatastoreObject?, at: slot)
    case (.relationship(let relationship), let object as DatastoreObject)
    where !relationship.kind.isToMany:
      setRelated(object, at: slot)
    default: misfit(value, key)
    }
  }

  private func misfit(_ value: Any?, _ key: String) {
    trap("\(entity.name).\(key) cannot hold \(value ?? "nil")")
  }
}
