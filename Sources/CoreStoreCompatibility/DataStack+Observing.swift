public import SwiftDatastore

/// Following lists and objects of the view context. A list is read at once, and must have an order: without
/// one this traps. `Where`, `OrderBy` and `Tweak` clauses that are not in the query are given one by one or
/// in an array; objects may belong to any context. All functions throw
/// `CoreStoreError.persistentStoreNotFound` without a storage, and `StoreError` when the store cannot be
/// read.
@MainActor extension DataStack {
  /// A list with observers for each change.
  public func monitorList<O>(
    _ query: some ChainBuilder<O>, _ clauses: any FetchClause...
  ) throws -> ListMonitor<O> { try monitorList(query, clauses) }

  /// A list with observers for each change, with the clauses one by one or in an array.
  public func monitorList<O>(
    _ query: some ChainBuilder<O>, _ clauses: [any FetchClause]
  ) throws -> ListMonitor<O> {
    let query = query.from.applying(clauses)
    return ListMonitor(try publishList(query), query)
  }

  /// A list that is read in the background, and then passed to the closure, even if reading it has failed,
  /// which is logged.
  public func monitorList<O>(
    createAsynchronously: @escaping @MainActor (ListMonitor<O>) -> Void,
    _ query: some ChainBuilder<O>, _ clauses: any FetchClause...
  ) throws { try monitorList(createAsynchronously: createAsynchronously, query, clauses) }

  /// A list that is read in the background, with the clauses one by one or in an array.
  public func monitorList<O>(
    createAsynchronously: @escaping @MainActor (ListMonitor<O>) -> Void,
    _ query: some ChainBuilder<O>, _ clauses: [any FetchClause]
  ) throws {
    let (datastore, query) = (try datastore, query.from.applying(clauses))
    let publisher = ListPublisher(viewContext: datastore.sharedViewContext, query)
    Task {
      do {
        try await publisher.performFetch()
      } catch {
        datastore.reportFailure(.refetchingList, error)
      }
      createAsynchronously(ListMonitor(publisher, query))
    }
  }

  /// A list in sections with observers for each change.
  public func monitorSectionedList<O>(
    _ query: some ChainBuilder<O>, _ clauses: any FetchClause...
  ) throws -> ListMonitor<O> { try monitorList(query, clauses) }

  /// A list in sections, with the clauses one by one or in an array.
  public func monitorSectionedList<O>(
    _ query: From<O>, _ sectionBy: SectionBy<O>, _ clauses: any FetchClause...
  ) throws -> ListMonitor<O> { try monitorList(query.sectionBy(sectionBy), clauses) }

  /// A list in sections, with the clauses one by one or in an array.
  public func monitorSectionedList<O>(
    _ query: From<O>, _ sectionBy: SectionBy<O>, _ clauses: [any FetchClause]
  ) throws -> ListMonitor<O> { try monitorList(query.sectionBy(sectionBy), clauses) }

  /// A list in sections that is read in the background.
  public func monitorSectionedList<O>(
    createAsynchronously: @escaping @MainActor (ListMonitor<O>) -> Void,
    _ query: some ChainBuilder<O>, _ clauses: any FetchClause...
  ) throws { try monitorList(createAsynchronously: createAsynchronously, query, clauses) }

  /// A list in sections that is read in the background, with the clauses one by one or in an array.
  public func monitorSectionedList<O>(
    createAsynchronously made: @escaping @MainActor (ListMonitor<O>) -> Void,
    _ query: From<O>, _ sectionBy: SectionBy<O>, _ clauses: any FetchClause...
  ) throws { try monitorList(createAsynchronously: made, query.sectionBy(sectionBy), clauses) }

  /// A list in sections that is read in the background, with the clauses one by one or in an array.
  public func monitorSectionedList<O>(
    createAsynchronously made: @escaping @MainActor (ListMonitor<O>) -> Void,
    _ query: From<O>, _ sectionBy: SectionBy<O>, _ clauses: [any FetchClause]
  ) throws { try monitorList(createAsynchronously: made, query.sectionBy(sectionBy), clauses) }

  /// An object with observers for each change.
  public func monitorObject<O: DatastoreObject>(_ object: O) throws -> ObjectMonitor<O> {
    ObjectMonitor(try publishObject(object))
  }

  /// A list as a value, with notifications of its changes.
  public func publishList<O>(
    _ query: some ChainBuilder<O>, _ clauses: any FetchClause...
  ) throws -> ListPublisher<O> { try publishList(query, clauses) }

  /// A list as a value, with the clauses one by one or in an array.
  public func publishList<O>(
    _ query: some ChainBuilder<O>, _ clauses: [any FetchClause]
  ) throws -> ListPublisher<O> {
    let context = try datastore.sharedViewContext
    let publisher = ListPublisher(viewContext: context, query.from.applying(clauses))
    try publisher.performFetch()
    return publisher
  }

  /// A list in sections as a value, with notifications of its changes.
  public func publishList<O>(
    _ query: From<O>, _ sectionBy: SectionBy<O>, _ clauses: any FetchClause...
  ) throws -> ListPublisher<O> { try publishList(query.sectionBy(sectionBy), clauses) }

  /// A list in sections as a value, with the clauses one by one or in an array.
  public func publishList<O>(
    _ query: From<O>, _ sectionBy: SectionBy<O>, _ clauses: [any FetchClause]
  ) throws -> ListPublisher<O> { try publishList(query.sectionBy(sectionBy), clauses) }

  /// An object as a value, with notifications of its changes: `publisher(of:)` of the view context.
  public func publishObject<O: DatastoreObject>(_ object: O) throws -> ObjectPublisher<O> {
    try publishObject(object.objectID)
  }

  /// The object with an identifier as a value, with notifications of its changes.
  public func publishObject<O: DatastoreObject>(
    _ objectID: DatastoreObjectID
  ) throws -> ObjectPublisher<O> { try datastore.sharedViewContext.publisher(for: objectID) }
}
