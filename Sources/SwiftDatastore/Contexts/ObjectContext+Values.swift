public import DatastoreCore

/// Queries that return values instead of objects. They read saved data: unsaved changes do not count.
extension ObjectContext {
  /// Properties of saved objects, one dictionary for each object, by property name. A missing value has no
  /// key; other values have the type of their property, or of its raw value for enums.
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - properties: the properties to read; if empty, the result is empty.
  ///   - condition: which objects; all if nil.
  ///   - order: the order; by key if empty.
  ///   - offset: the number of objects to skip.
  ///   - limit: the greatest number of objects; 0 means no limit.
  /// - Throws: `UnknownEntityError`, or `StoreError` when the store cannot be read.
  public func fetch<T: DatastoreObject>(
    _ type: T.Type, properties: [PropertyToFetch<T>], where condition: Where<T>? = nil,
    orderBy order: [OrderBy<T>] = [], offset: Int = 0, limit: Int = 0
  ) throws -> [[String: Any?]] {
    if properties.isEmpty { return [] }
    let query = From(where: condition, orderBy: order, offset: offset, limit: limit)
    return try rows(
      Selection(
        request: query.request, columns: properties.map { .value($0.operand) }, groupKeys: nil,
        having: [], groupOrder: []
      ) { (row: SelectedRow) -> [String: Any?] in
        var typed: [String: Any?] = [:]
        for property in properties {
          if let value = property.typed(row.stored()) { typed[property.name] = value }
        }
        return typed
      } as Selection<T, [String: Any?]>)
  }

  /// The stored values of paths (`["company", "name"]`) in the rows of a request.
  ///
  /// - Throws: `StoreError` for paths that lead to no single value, or when the store cannot be read.
  public func fetchValues(_ request: FetchRequest, of paths: [[String]]) throws -> [[Value]] {
    if paths.isEmpty { return [] }
    let request = try core.resolved(request)
    return try core.stored(
      ValueQuery(
        core.terms(paths, of: request), of: request, from: core.entity(named: request.entity),
        in: core.graph.schema))
  }

  /// Identifiers of objects, unsaved changes included; reads no object unless there are such changes. They
  /// name the class in the request, and are equal to those that name the object's own class.
  ///
  /// - Throws: like `fetch(where:orderBy:offset:limit:)`.
  public func fetchIDs<T: DatastoreObject>(
    _ type: T.Type = T.self, where condition: Where<T>? = nil, orderBy order: [OrderBy<T>] = [],
    offset: Int = 0, limit: Int = 0
  ) throws -> [DatastoreObjectID] {
    try fetchIDs(From(where: condition, orderBy: order, offset: offset, limit: limit))
  }

  /// Identifiers of the objects of a request.
  ///
  /// - Throws: like `fetch(where:orderBy:offset:limit:)`.
  public func fetchIDs(_ request: FetchRequest) throws -> [DatastoreObjectID] {
    let request = try core.resolved(request)
    let entity = try core.entity(named: request.entity)
    let keys = try core.coordinator.log.fetching(
      "SELECT SELF \(From<DynamicObject>(request))", \.count
    ) {
      core.graph.hasChanges
        ? try core.graph.fetch(request).map(\.key) : try core.graph.store.fetchKeys(request)
    }
    let store = core.graph.storeID
    return keys.map { DatastoreObjectID(store: store, entity: entity, key: $0) }
  }

  /// This context's objects for identifiers of one class, in their order, read together. Leaves out objects
  /// that do not exist (any more).
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

  /// Objects of one class together with the objects of their relationships, which are read with one query for
  /// each relationship instead of one for each object.
  ///
  /// ```swift
  /// let all: [Employee] = try context.fetch(prefetching: [\.$company, \.$tasks])
  /// ```
  ///
  /// The context keeps the prefetched objects until the next fetch that prefetches.
  ///
  /// - Throws: like `fetch(where:orderBy:offset:limit:)`.
  public func fetch<T: DatastoreObject>(
    where condition: Where<T>? = nil, orderBy order: [OrderBy<T>] = [], offset: Int = 0,
    limit: Int = 0, prefetching relationships: [any PartialKeyPath<T> & Sendable]
  ) throws -> [T] {
    var query = From(where: condition, orderBy: order, offset: offset, limit: limit)
    for relationship in relationships { query = query.prefetching(relationship) }
    return try fetch(query)
  }

  /// Prefetches the objects that a path of relationship names leads to from objects of one class.
  ///
  /// - Throws: `StoreError.unknownProperty` if a name is not a relationship, and the errors of the store.
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

extension ContextCore {
  /// The terms of paths; a path that ends at an object stands for its key.
  func terms(_ paths: [[String]], of request: FetchRequest) throws -> [QueryColumn.Term] {
    let entity = try entity(named: request.entity)
    return paths.map { path in
      if let resolved = try? PredicatePath(path, from: entity, in: graph.schema),
        case .object = resolved.destination
      {
        return .key(path)
      }
      return .value(.keyPath(path))
    }
  }

  /// The rows of a query as stored values.
  func stored(_ query: ValueQuery) throws -> [[Value]] {
    try readStore.answer(ValueTableQuestion(query)).flatMap { page in
      (0..<page.rowCount).map { row in
        (0..<page.columnCount).map { page.value(row: row, column: $0) }
      }
    }
  }
}
