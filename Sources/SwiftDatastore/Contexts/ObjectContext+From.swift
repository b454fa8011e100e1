import Basics
import DatastoreCore

/// Queries as values: everything that reads or changes many objects takes a `From`.
extension ObjectContext {
  /// The objects of a query, unsaved changes included unless it says otherwise; each is an instance of its
  /// own class.
  ///
  /// - Parameter query: the objects and their order.
  /// - Throws: `UnknownEntityError`, or `StoreError` when the store cannot be read.
  public func fetch<T: DatastoreObject>(_ query: From<T>) throws -> [T] {
    guard query.includesPendingChanges, query.prefetched.isEmpty else {
      let objects: [T] =
        query.includesPendingChanges
        ? try fetch(query.request)
        : core.typed(
          try core.coordinator.log.fetching(query.description, \.count) {
            try core.graph.fetchSaved(core.resolved(query.request))
          }, as: T.self, of: query.request.entity)
      if !query.prefetched.isEmpty { core.graph.forgetPrefetched() }
      for path in query.prefetched { try prefetch(path, from: objects) }
      return objects
    }
    return try fetch(query.request)
  }

  /// The first object of a query, or nil.
  ///
  /// - Parameter query: the objects and their order.
  /// - Throws: like `fetch(_:)`.
  public func fetchFirst<T: DatastoreObject>(_ query: From<T>) throws -> T? {
    try fetch(query.limit(1)).first
  }

  /// How many objects a query finds, its offset and limit included.
  ///
  /// - Parameter query: the objects and their order.
  /// - Throws: like `fetch(_:)`.
  public func count<T: DatastoreObject>(_ query: From<T>) throws -> Int {
    if query.includesPendingChanges { return try count(query.request) }
    return try core.coordinator.log.fetching("count(*) \(query)", \.self) {
      try core.graph.countSaved(core.resolved(query.request))
    }
  }

  /// The identifiers of a query's objects; no object is read unless there are unsaved changes.
  ///
  /// - Parameter query: the objects and their order.
  /// - Throws: like `fetch(_:)`.
  public func fetchIDs<T: DatastoreObject>(_ query: From<T>) throws -> [DatastoreObjectID] {
    if query.includesPendingChanges { return try fetchIDs(query.request) }
    let entity = try core.entity(named: query.request.entity)
    let store = core.graph.storeID
    return try core.graph.savedKeys(core.resolved(query.request))
      .map { DatastoreObjectID(store: store, entity: entity, key: $0) }
  }

  /// The rows of a selection: tuples of values, without objects. Unsaved changes do not count.
  ///
  /// ```swift
  /// for (name, salary) in try context.rows(From<Employee>().select(\.$name, \.$salary)) { … }
  /// ```
  ///
  /// - Parameter selection: the properties to read.
  /// - Throws: `SelectedValueError` for a stored value that is not of its property's type;
  ///   `AggregateValueError` for a sum that its type cannot hold; `UnknownEntityError`; `StoreError` when the
  ///   store cannot be read.
  public func rows<T: DatastoreObject, Row>(_ selection: Selection<T, Row>) throws -> [Row] {
    var selection = selection
    selection.request = try core.resolved(selection.request)
    let entity = try core.entity(named: selection.request.entity)
    let schema = core.graph.schema
    let pages = try core.coordinator.log.fetching(
      selection.description, \.rowCount
    ) {
      try core.readStore.answer(
        ValueTableQuestion(selection.query(from: entity, in: schema)))
    }
    let row = SelectedRow(
      of: selection.columns, from: entity, in: schema, storeID: core.graph.storeID)
    var rows: [Row] = []
    rows.reserveCapacity(pages.rowCount)
    for page in pages {
      for index in 0..<page.rowCount {
        row.move(to: index, of: page)
        rows.append(try selection.read(row))
      }
    }
    return rows
  }

  /// The first row of a selection, or nil. A selection of aggregates over all objects has only one row.
  ///
  /// ```swift
  /// let (number, average) = try context.firstRow(
  ///   From<Employee>().select(.count(), .average(\.$salary))) ?? (0, nil)
  /// ```
  ///
  /// - Parameter selection: the properties to read.
  /// - Throws: like `rows(_:)`.
  public func firstRow<T: DatastoreObject, Row>(_ selection: Selection<T, Row>) throws -> Row? {
    try rows(selection.limit(1)).first
  }

  /// Deletes the saved objects of a query, and applies the delete rules of their relationships.
  ///
  /// Traps when the query has an order, an offset or a limit.
  ///
  /// - Parameter query: the objects.
  /// - Returns: the number of deleted objects of the class, cascaded ones of the class included.
  /// - Throws: like `deleteMany(_:where:)`.
  @discardableResult
  public func deleteMany<T: DatastoreObject>(_ query: From<T>) throws -> Int {
    query.requireWhole("many objects are deleted by their condition alone")
    return try deleteMany(
      entityName: query.request.entity, where: core.resolved(query.request).predicate)
  }

  /// Sets new values on the saved objects of a query.
  ///
  /// Traps when the query has an order, an offset or a limit.
  ///
  /// - Parameters:
  ///   - query: the objects.
  ///   - properties: the values; if empty, nothing is done.
  /// - Returns: how many objects met the condition.
  /// - Throws: like `updateMany(_:where:propertiesToUpdate:)`.
  @discardableResult
  public func updateMany<T: DatastoreObject>(
    _ query: From<T>, propertiesToUpdate properties: [PropertyToUpdate<T>]
  ) throws -> Int {
    query.requireWhole("many objects are updated by their condition alone")
    return try core.updateMany(
      core.entity(named: query.request.entity), core.resolved(query.request).predicate,
      properties.map { ($0.slot, $0.value) })
  }
}

extension From {
  /// Builds a query from separate arguments.
  init(
    where condition: Where<T>?, orderBy order: [OrderBy<T>] = [], offset: Int = 0, limit: Int = 0
  ) {
    self.init(
      FetchRequest(
        entity: T.entityName, predicate: condition?.predicate,
        sortDescriptors: order.map(\.sortDescriptor), offset: offset, limit: limit))
  }
}

extension ContextCore {
  /// Casts objects of an entity to its class. Traps if that is another class.
  func typed<T: DatastoreObject>(
    _ objects: [ManagedObject], as type: T.Type, of entity: String
  ) -> [T] {
    if coordinator.types.isExactly(T.self, entity, in: graph.schema) {
      // Every object of an entity is an instance of the entity's class, which was compared above, or of a
      // class that inherits from it. Checking each object again would cost as much as making it.
      return unsafeBitCast(objects, to: [T].self)
    }
    return objects.map { object in
      guard let object = object as? T else {
        trap("\(entity) is not the entity of \(T.self)")
      }
      return object
    }
  }
}

extension [RowPage] {
  /// The number of rows on all pages.
  fileprivate var rowCount: Int { reduce(0) { $0 + $1.rowCount } }
}
