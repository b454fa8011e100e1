import DatastoreCore

/// Reading values.
extension ObjectContext {
  /// The values of the objects that meet a condition, unsaved changes included.
  ///
  /// Relationships that are part of the values are read together: the number of queries does not grow with
  /// the number of values.
  ///
  /// - Parameters:
  ///   - type: the type of the values.
  ///   - condition: which objects; all if nil.
  ///   - order: the order; by key if empty.
  ///   - offset: the number of objects to skip.
  ///   - limit: the greatest number of values; 0 means no limit.
  /// - Returns: a value for each object.
  /// - Throws: `UnknownEntityError`; `StoreError` when the store cannot be read; the errors of the type's
  ///   `init(_:)`.
  public func fetch<V: DatastoreValue>(
    _ type: V.Type, where condition: Where<V.Object>? = nil,
    orderBy order: [OrderBy<V.Object>] = [],
    offset: Int = 0, limit: Int = 0
  ) throws -> [V] {
    try fetch(
      type,
      From(
        FetchRequest(
          entity: V.entityName, predicate: condition?.predicate,
          sortDescriptors: order.map(\.sortDescriptor), offset: offset, limit: limit)))
  }

  /// The values of the objects of a query.
  ///
  /// - Parameters:
  ///   - type: the type of the values.
  ///   - query: the objects and their order.
  /// - Returns: a value for each object.
  /// - Throws: like `fetch(_:where:orderBy:offset:limit:)`.
  public func fetch<V: DatastoreValue>(_ type: V.Type, _ query: From<V.Object>) throws -> [V] {
    let objects = try fetch(query)
    // The first values show which relationships are followed.
    let explored = 16
    let isIdentified = V.self is any IdentifiedDatastoreValue.Type
    let graph = core.graph
    guard objects.count > explored, graph.valueTrail.followed == nil else {
      return try objects.map { try $0.makeValue(type, isIdentified: isIdentified) }
    }
    graph.valueTrail.followed = []
    defer { graph.valueTrail.followed = nil }
    var values = try objects[..<explored].map {
      try $0.makeValue(type, isIdentified: isIdentified)
    }
    values.reserveCapacity(objects.count)
    let followed = graph.valueTrail.followed ?? []
    graph.valueTrail.followed = nil
    defer { if !followed.isEmpty { graph.forgetPrefetched() } }
    for path in followed.sorted(by: { $0.count < $1.count }) {
      try graph.prefetch(path, from: objects)
    }
    for object in objects[explored...] {
      values.append(try object.makeValue(type, isIdentified: isIdentified))
    }
    return values
  }

  /// The value of the first object that meets a condition, or nil.
  ///
  /// - Parameters:
  ///   - type: the type of the value.
  ///   - condition: which objects; all if nil.
  ///   - order: the order; by key if empty.
  /// - Returns: the value of the first one.
  /// - Throws: like `fetch(_:where:orderBy:offset:limit:)`.
  public func fetchFirst<V: DatastoreValue>(
    _ type: V.Type, where condition: Where<V.Object>? = nil, orderBy order: [OrderBy<V.Object>] = []
  ) throws -> V? {
    try fetch(type, where: condition, orderBy: order, limit: 1).first
  }

  /// The value of an object.
  ///
  /// - Parameters:
  ///   - type: the type of the value.
  ///   - object: an object of this context.
  /// - Returns: the value.
  /// - Throws: the errors of the type's `init(_:)`.
  public func value<V: DatastoreValue>(_ type: V.Type = V.self, of object: V.Object) throws -> V {
    try object.makeValue(type)
  }
}

/// Staging, saving and deleting values.
extension ObjectContext {
  /// Stages a value: sets its properties on a new object, or on the one that the value is tied to. It is
  /// saved with everything else that is staged.
  ///
  /// - Parameter value: the value.
  /// - Returns: the object.
  /// - Throws: `DatastoreValueError` if the value does not fit, or its object is gone; the errors of its
  ///   `assign(to:in:)`, `createObject()` and `fetch`. Nothing of the value is staged then.
  @discardableResult
  public func stage<V: DatastoreValue>(_ value: V) throws -> V.Object {
    try core.graph.staging {
      var keys = try keyedObjects(of: V.self)
      return try stage(value, &keys)
    }
  }

  /// Stages values; those with keys are looked up together.
  ///
  /// - Parameter values: the values. Of several with one key the last counts.
  /// - Returns: the object of each value.
  /// - Throws: like `stage(_:)`; nothing of any value is staged then.
  @discardableResult
  public func stageAll<V: DatastoreValue>(_ values: [V]) throws -> [V.Object] {
    try core.graph.staging {
      var keys = try keyedObjects(of: V.self)
      if keys != nil {
        try keys?.lookUp(values.compactMap { ($0 as? any NameKeyedDatastoreValue)?.storedKey })
      }
      return try values.map { try stage($0, &keys) }
    }
  }

  /// Saves a value, and updates it: it and its parts get the identifiers of their objects.
  ///
  /// Saves the context if nothing else was staged in it; otherwise the value is staged as well, and saved
  /// with the rest.
  ///
  /// - Parameter value: the value.
  /// - Returns: whether it is saved or staged.
  /// - Throws: like `stage(_:)` and `saveChanges()`; nothing of the value is staged then.
  @discardableResult
  public func save<V: DatastoreValue>(_ value: inout V) throws -> DatastoreValueSaving {
    let (objects, saving) = try saving { [try stage(value)] }
    for object in objects { try refresh(&value, from: object) }
    return saving
  }

  /// Saves values with one transaction, and updates them; see `save(_:)`. Of several values with one key the
  /// last counts: all of them are equal to it afterwards.
  ///
  /// - Parameter values: the values.
  /// - Returns: whether they are saved or staged.
  /// - Throws: like `save(_:)`; nothing of any value is staged then.
  @discardableResult
  public func saveAll<V: DatastoreValue>(_ values: inout [V]) throws -> DatastoreValueSaving {
    let all = values
    let (objects, saving) = try saving { try stageAll(all) }
    for (index, object) in objects.enumerated() { try refresh(&values[index], from: object) }
    return saving
  }

  /// Saves a value whose key was changed: the object with the former key, if any, gets the new one.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - former: the key of its object so far.
  /// - Returns: whether it is saved or staged.
  /// - Throws: like `save(_:)`.
  @discardableResult
  public func save<V: KeyedDatastoreValue>(
    _ value: inout V, replacing former: V.KeyProperty.KeyPathType
  ) throws -> DatastoreValueSaving {
    let staged = value
    let (objects, saving) = try saving {
      try core.graph.staging {
        var keys = try V.objects(in: core)
        let known = try keys.object(with: V.KeyProperty.storedValue(of: former))
        guard let object = known as? V.Object else { return [try stage(staged)] }
        keys.set(staged.storedKey, of: object)
        try staged.assign(to: object, in: self)
        return [object]
      }
    }
    for object in objects { try refresh(&value, from: object) }
    return saving
  }

  /// Deletes the object that a value is tied to, with the delete rules of its relationships. Saves the
  /// context if nothing else was staged in it.
  ///
  /// - Parameter value: a value with an identifier or a key.
  /// - Returns: false when there is no such object; nothing is done then.
  /// - Throws: `DatastoreValueError.noIdentity` for other values; the errors of `saveChanges()`.
  @discardableResult
  public func delete<V: DatastoreValue>(_ value: V) throws -> Bool {
    guard let object = try known(value) else { return false }
    _ = try saving {
      deleteObject(object)
      return [object]
    }
    return true
  }
}
