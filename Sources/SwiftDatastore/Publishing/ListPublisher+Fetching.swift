public import DatastoreCore

/// Making publishers and fetching their lists.
extension ListPublisher {
  /// A publisher for one class; `performFetch()` reads the list.
  ///
  /// Traps without an order, and for a class that is not part of the datastore's model.
  ///
  /// - Parameters:
  ///   - viewContext: the context its objects belong to.
  ///   - condition: which objects; all if nil.
  ///   - order: the order; must not be empty.
  ///   - group: the property whose value defines the sections, as in a `FetchedObjectsController`.
  public convenience init<P: ComparableProperty>(
    viewContext: SwiftDatastoreViewContext, where condition: Where<T>? = nil,
    orderBy order: [OrderBy<T>], groupBy group: any KeyPath<T, P> & Sendable
  ) {
    self.init(
      FetchedObjectsController(
        viewContext: viewContext, where: condition, orderBy: order, groupBy: group))
  }

  /// A publisher without sections: all objects are in one.
  ///
  /// Traps without an order, and for a class that is not part of the datastore's model.
  ///
  /// - Parameters:
  ///   - viewContext: the context its objects belong to.
  ///   - condition: which objects; all if nil.
  ///   - order: the order; must not be empty.
  public convenience init(
    viewContext: SwiftDatastoreViewContext, where condition: Where<T>? = nil,
    orderBy order: [OrderBy<T>]
  ) {
    self.init(
      FetchedObjectsController(viewContext: viewContext, where: condition, orderBy: order))
  }

  /// Reads the list and notifies the observers. Waits for the store; for long lists use the async form.
  ///
  /// - Throws: `StoreError` when the store cannot be read.
  public func performFetch() throws {
    try controller.performFetch()
    publishFetched()
  }

  /// Reads the list off the main actor and notifies the observers. A newer fetch cancels an older one, which
  /// then throws `CancellationError`; cancelling the task interrupts the query.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  public func performFetch() async throws {
    try await controller.performFetch()
    publishFetched()
  }

  /// Reads the list again with another condition and order, grouped by a property, and notifies the
  /// observers; until then they see the old list. A newer fetch cancels an older one.
  ///
  /// - Parameters:
  ///   - condition: which objects; all if nil.
  ///   - order: the order; must not be empty.
  ///   - group: the property whose value defines the sections.
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  public func refetch<P: ComparableProperty>(
    where condition: Where<T>?, orderBy order: [OrderBy<T>],
    groupBy group: any KeyPath<T, P> & Sendable
  ) async throws {
    try await controller.change(where: condition, orderBy: order, groupBy: group)
    publishFetched()
  }

  /// Reads the list again with another condition and order, without sections.
  ///
  /// - Parameters:
  ///   - condition: which objects; all if nil.
  ///   - order: the order; must not be empty.
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  public func refetch(where condition: Where<T>?, orderBy order: [OrderBy<T>]) async throws {
    try await controller.change(where: condition, orderBy: order)
    publishFetched()
  }
}

extension ListPublisher {
  /// A publisher for a query; traps without an order, and for a class that is not part of the datastore's
  /// model.
  ///
  /// - Parameters:
  ///   - viewContext: the context its objects belong to.
  ///   - query: the objects, their order and their sections.
  public convenience init(viewContext: SwiftDatastoreViewContext, _ query: From<T>) {
    self.init(FetchedObjectsController(viewContext: viewContext, query))
  }

  /// Reads the list again with another query, including its offset and limit, and notifies the observers;
  /// until then they see the old list. A newer fetch cancels an older one.
  ///
  /// - Parameter query: the objects and their order.
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  public func refetch(_ query: From<T>) async throws {
    try await controller.change(to: query)
    publishFetched()
  }

  /// Reads the list again with another query, from synchronous code: waits for the store.
  ///
  /// - Parameter query: the objects and their order.
  /// - Throws: `StoreError` when the store cannot be read.
  package func refetchAndWait(_ query: From<T>) throws {
    controller.replaceQuery(query)
    try performFetch()
  }

  /// Whether the list or its first rows have been read.
  package var hasFetched: Bool { controller.hasFetched }
  /// Whether the whole list has been read.
  package var isComplete: Bool { controller.isComplete }

  /// Reads the first rows off the main actor, with a query that stops there, and then the list; the observers
  /// are notified of each.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`, also when a newer fetch has
  ///   begun.
  package func performFetch(firstRows count: Int) async throws {
    try await controller.fetchFirstRows(count)
    publishFetched()
    guard !controller.isComplete else { return }
    try Task.checkCancellation()
    try await performFetch()
  }

  /// Returns when no fetch is running, neither a requested one nor one started by a change.
  package func settled() async { await controller.settled() }
}

extension ListPublisher where T == DynamicObject {
  /// A publisher for an entity without a compiled class.
  ///
  /// - Parameters:
  ///   - viewContext: the context its objects belong to.
  ///   - request: the query and its order.
  ///   - group: the path of the property whose value defines the sections; if nil, there is one section.
  /// - Throws: `UnknownEntityError`, or `PredicateFault` when the condition does not fit the entity.
  public convenience init(
    viewContext: SwiftDatastoreViewContext, request: FetchRequest, groupBy group: [String]? = nil
  ) throws {
    self.init(
      try FetchedObjectsController(viewContext: viewContext, request: request, groupBy: group))
  }
}
