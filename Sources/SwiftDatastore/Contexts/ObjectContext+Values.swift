public import DatastoreCore

/// Questions that are answered with values instead of objects. They are about what is saved: unsaved
/// changes do not count.
extension ObjectContext {
  /// Properties of saved objects, one dictionary for each, by property name. A missing value has no
  /// key; others have the type of their property, enums that of their raw value.
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - properties: what is read; with none, nothing is, and the answer is empty.
  ///   - condition: which objects; all without it.
  ///   - order: in which order; by key without it.
  ///   - offset: objects left out at the start.
  ///   - limit: the greatest number of objects; 0 means no limit.
  /// - Throws: `UnknownEntityError`, or `StoreError` when the store cannot be read.
  public func fetch<T: DatastoreObject>(
    _ type: T.Type, properties: [PropertyToFetch<T>], where condition: Where<T>? = nil,
    orderBy order: [OrderBy<T>] = [], offset: Int = 0, limit: Int = 0
  ) throws -> [[String: Any?]] {
    if properties.isEmpty { return [] }
    let rows = try core.readStore.answer(
      ValuesQuestion(
        of: properties.map { [$0.name] },
        in: FetchRequest(
          entity: core.entity(of: T.self).name, predicate: condition?.predicate,
          sortDescriptors: order.map(\.sortDescriptor), offset: offset, limit: limit)))
    return rows.map { row in
      var typed: [String: Any?] = [:]
      for (property, value) in zip(properties, row) {
        if let value = property.typed(value) { typed[property.name] = value }
      }
      return typed
    }
  }

  /// The stored values of paths (`["company", "name"]`) in the rows of a request.
  ///
  /// - Throws: `StoreError` for paths that lead to no single value, or when the store cannot be read.
  public func fetchValues(_ request: FetchRequest, of paths: [[String]]) throws -> [[Value]] {
    if paths.isEmpty { return [] }
    return try core.readStore.answer(ValuesQuestion(of: paths, in: request))
  }

  /// Identifiers of objects, unsaved changes included; no object is read unless there are such changes.
  /// They name the class that was asked for, and are equal to those that name the object's own.
  ///
  /// - Throws: like `fetch(where:orderBy:offset:limit:)`.
  public func fetchIDs<T: DatastoreObject>(
    _ type: T.Type = T.self, where condition: Where<T>? = nil, orderBy order: [OrderBy<T>] = [],
    offset: Int = 0, limit: Int = 0
  ) throws -> [DatastoreObjectID] {
    try fetchIDs(
      FetchRequest(
        entity: core.entity(of: T.self).name, predicate: condition?.predicate,
        sortDescriptors: order.map(\.sortDescriptor), offset: offset, limit: limit))
  }

  /// Identifiers of the objects of a request.
  ///
  /// - Throws: like `fetch(where:orderBy:offset:limit:)`.
  public func fetchIDs(_ request: FetchRequest) throws -> [DatastoreObjectID] {
    let entity = try core.entity(named: request.entity)
    let keys =
      core.graph.hasChanges
      ? try core.graph.fetch(request).map(\.key) : try core.graph.store.fetchKeys(request)
    return keys.map { DatastoreObjectID(store: core.graph.storeID, entity: entity, key: $0) }
  }

  /// This context's objects for identifiers of one class, in their order, read together. Objects that do
  /// not exist (any more) are left out.
  ///
  /// - Throws: `ObjectNotFoundError` for identifiers of another datastore or class; `StoreError` when
  ///   the store cannot be read.
  public func objects<T: DatastoreObject>(
    _ type: T.Type = T.self, with ids: [DatastoreObjectID]
  ) throws -> [T] {
    let objects = try ids.map { id in
      guard id.store == core.graph.storeID else {
        throw ObjectNotFoundError(id: id, reason: "it belongs to another datastore")
      }
      guard let object = core.graph.object(entity: id.entity, key: id.key) as? T else {
        throw ObjectNotFoundError(id: id, reason: "it is not a \(T.self)")
      }
      return object
    }
    try core.graph.fulfil(objects)
    return objects.filter { $0.state != .gone }
  }

  /// Objects of one class with the objects that relationships lead them to, which are read with one query
  /// for each relationship instead of one for each object.
  ///
  /// ```swift
  /// let all: [Employee] = try context.fetch(prefetching: [\.$company, \.$tasks])
  /// ```
  ///
  /// What was read ahead is kept until the next fetch that reads ahead.
  ///
  /// - Throws: like `fetch(where:orderBy:offset:limit:)`.
  public func fetch<T: DatastoreObject>(
    where condition: Where<T>? = nil, orderBy order: [OrderBy<T>] = [], offset: Int = 0,
    limit: Int = 0, prefetching relationships: [any PartialKeyPath<T> & Sendable]
  ) throws -> [T] {
    let objects: [T] = try fetch(
      where: condition, orderBy: order, offset: offset, limit: limit)
    let reflection = ClassReflection.of(T.self)
    core.graph.forgetPrefetched()
    for relationship in relationships {
      try core.graph.prefetch([reflection.slot(ofRelationship: relationship)], from: objects)
    }
    return objects
  }

  /// Reads ahead what a path of relationship names leads to from objects of one class.
  ///
  /// - Throws: `StoreError.unknownProperty` where a name is not a relationship, or what the store throws.
  public func prefetch(_ path: [String], from objects: [DatastoreObject]) throws {
    guard var entity = objects.first?.entity else { return }
    var slots: [Slot] = []
    for name in path {
      guard let slot = entity.slot(named: name), let link = entity.links[slot] else {
        throw StoreError.unknownProperty(entity: entity.name, property: name)
      }
      slots.append(slot)
      entity = core.graph.schema.entities[link.destination]
    }
    try core.graph.prefetch(slots, from: objects)
  }
}

extension ClassReflection {
  /// The slot of a relationship by a key path without its type; traps for anything else.
  func slot<T: DatastoreObject>(ofRelationship keyPath: PartialKeyPath<T>) -> Slot {
    guard let object = prototype as? T,
      let property = object[keyPath: keyPath] as? any RelationshipProperty
    else {
      preconditionFailure(
        "\(keyPath) is not a relationship of \(T.self); write it with a dollar sign: \\.$company")
    }
    return property.slot
  }
}
