import Basics
import DatastoreCore

/// Finding the objects of values.
extension ObjectContext {
  /// The look-up of objects for values with keys; nil for other types.
  func keyedObjects<V: DatastoreValue>(of type: V.Type) throws -> KeyedObjects? {
    guard let keyed = V.self as? any NameKeyedDatastoreValue.Type else { return nil }
    return try keyed.objects(in: core)
  }

  func stage<V: DatastoreValue>(_ value: V, _ keys: inout KeyedObjects?) throws -> V.Object {
    let object: V.Object
    if let known = try tied(value, &keys) {
      object = known
    } else {
      object = try makeObject(of: V.self)
      if keys != nil, let key = (value as? any NameKeyedDatastoreValue)?.storedKey {
        keys?.set(key, of: object)
      }
    }
    try value.assign(to: object, in: self)
    return object
  }

  /// Stages a value of any type.
  func stageAny(_ value: any DatastoreValue) throws -> DatastoreObject { try stage(value) }

  private func makeObject<V: DatastoreValue>(of type: V.Type) throws -> V.Object {
    let entity = try V.entity(in: core)
    guard let object = try core.create(entity) as? V.Object else {
      trap("\(V.entityName) belongs to another class in this datastore")
    }
    return object
  }

  /// The object that a value is tied to; nil for a new value.
  ///
  /// - Throws: `DatastoreValueError.gone` if the object no longer exists.
  private func tied<V: DatastoreValue>(
    _ value: V, _ keys: inout KeyedObjects?
  ) throws -> V.Object? {
    if V.self is any IdentifiedDatastoreValue.Type,
      let id = (value as? any IdentifiedDatastoreValue)?.objectID
    {
      guard let object: V.Object = try object(ifThere: id) else {
        throw DatastoreValueError.gone(value: "\(V.self)", id: id)
      }
      return object
    }
    guard keys != nil, let key = (value as? any NameKeyedDatastoreValue)?.storedKey else {
      return nil
    }
    return try keys?.object(with: key) as? V.Object
  }

  /// The object of a value to delete; nil if there is none.
  ///
  /// - Throws: `DatastoreValueError.noIdentity` for a value that cannot have one.
  func known<V: DatastoreValue>(_ value: V) throws -> V.Object? {
    let identified = value as? any IdentifiedDatastoreValue
    if let id = identified?.objectID { return try object(ifThere: id) }
    guard let key = (value as? any NameKeyedDatastoreValue)?.storedKey else {
      if identified != nil { return nil }
      throw DatastoreValueError.noIdentity(value: "\(V.self)")
    }
    var keys = try keyedObjects(of: V.self)
    return try keys?.object(with: key) as? V.Object
  }

  private func object<T: DatastoreObject>(ifThere id: DatastoreObjectID) throws -> T? {
    do {
      let object: T = try object(with: id)
      return object.isKnownDeleted ? nil : object
    } catch is ObjectNotFoundError {
      return nil
    }
  }

  /// Runs `stage` and saves, or undoes all of it.
  func saving<Object>(_ stage: () throws -> [Object]) throws -> ([Object], DatastoreValueSaving) {
    let isAlone = !hasChanges
    return try core.graph.staging {
      let objects = try stage()
      guard isAlone else { return (objects, .staged) }
      try saveChanges()
      return (objects, .saved)
    }
  }

  func refresh<V: DatastoreValue>(_ value: inout V, from object: V.Object) throws {
    try value.refresh(from: object)
    if V.self is any IdentifiedDatastoreValue.Type { object.identify(&value) }
  }
}
