public import SwiftDatastore

/// Further ways of CoreStore to say a clause.
extension Where {
  /// Every object.
  public init() { self.init(true) }

  /// The same condition.
  public init(_ clause: Where) { self = clause }

  /// A condition from text in the NSPredicate format language, with its arguments in an array. Traps for a text that
  /// cannot be read.
  public init(_ format: String, argumentArray: [Any]?) {
    self.init(format, given: argumentArray ?? [])
  }

  /// A condition on a property that a text names, which has one of some values: `Where<Person>("age", isMemberOf: [30, 31])`.
  public init(_ keyPath: String, isMemberOf values: some Sequence<any AttributeValueType>) {
    self.init(keyPath, isAnyOf: Array(values))
  }

  /// The same for values of one type.
  public init<V: AttributeValueType>(_ keyPath: String, isMemberOf values: some Sequence<V>) {
    self.init(keyPath, isAnyOf: Array(values))
  }

  /// A condition on a relationship that a text names, which leads to one of some objects.
  public init<D: DatastoreObject>(_ keyPath: String, isMemberOf objects: some Sequence<D>) {
    self = objects.map { Where(keyPath, isEqualTo: $0) }.combinedByOr()
  }

  private init(_ keyPath: String, isAnyOf values: [any AttributeValueType]) {
    self.init("%K IN %@", keyPath, values)
  }
}

extension OrderBy {
  /// What is compared first, second and so on.
  public init(_ sortKeys: [SortKey]) {
    self.init()
    self.sortKeys = sortKeys
  }
}

extension GroupBy {
  /// By the names of attributes.
  public init(_ keyPaths: [String]) {
    self.init()
    self.keyPaths = keyPaths
  }
}

extension From {
  /// With a condition that all of these hold.
  public func `where`(combineByAnd conditions: Where<T>...) -> From {
    self.where(conditions.combinedByAnd())
  }

  /// With a condition that any of these holds.
  public func `where`(combineByOr conditions: Where<T>...) -> From {
    self.where(conditions.combinedByOr())
  }

  /// With a condition from text in the NSPredicate format language. Traps for a text that cannot be read.
  public func `where`(format: String, _ arguments: Any?...) -> From {
    self.where(Where(format, given: arguments))
  }

  /// The same with the arguments in an array.
  public func `where`(format: String, argumentArray: [Any]?) -> From {
    self.where(Where(format, argumentArray: argumentArray))
  }

  /// In the order of a clause.
  public func orderBy(_ clause: OrderBy<T>) -> From { clause.applied(to: self) }

  /// With one more clause.
  public func appending(_ clause: any FetchClause) -> From { applying([clause]) }

  /// With more clauses.
  public func appending(contentsOf clauses: some Sequence<any FetchClause>) -> From {
    applying(Array(clauses))
  }
}

/// Clauses in an array, for code that puts them together.
extension ObjectContext {
  /// The objects of a query.
  public func fetchAll<O: DatastoreObject>(
    _ query: From<O>, _ clauses: [any FetchClause]
  ) throws -> [O] { try fetchAll(query.applying(clauses)) }

  /// The first object of a query, or nil.
  public func fetchOne<O: DatastoreObject>(
    _ query: From<O>, _ clauses: [any FetchClause]
  ) throws -> O? { try fetchOne(query.applying(clauses)) }

  /// How many objects a query finds.
  public func fetchCount<O: DatastoreObject>(
    _ query: From<O>, _ clauses: [any FetchClause]
  ) throws -> Int { try fetchCount(query.applying(clauses)) }

  /// The identifiers of the objects of a query.
  public func fetchObjectIDs<O: DatastoreObject>(
    _ query: From<O>, _ clauses: [any FetchClause]
  ) throws -> [DatastoreObjectID] { try fetchObjectIDs(query.applying(clauses)) }

  /// The identifier of the first object of a query, or nil.
  public func fetchObjectID<O: DatastoreObject>(
    _ query: From<O>, _ clauses: [any FetchClause]
  ) throws -> DatastoreObjectID? { try fetchObjectID(query.applying(clauses)) }

  /// Deletes the objects of a query one by one. Returns how many.
  @discardableResult
  public func deleteAll<O: DatastoreObject>(
    _ query: From<O>, _ clauses: [any FetchClause]
  ) throws -> Int { try deleteAll(query.applying(clauses)) }

  /// Deletes the objects of identifiers; those that are not there are passed over.
  public func delete(objectIDs: some Sequence<DatastoreObjectID>) throws {
    for id in objectIDs {
      if let object: DatastoreObject = try fetchExisting(id) { deleteObject(object) }
    }
  }
}

/// The same for the view context.
@MainActor
extension DataStack {
  /// The objects of a query.
  public func fetchAll<O: DatastoreObject>(
    _ query: From<O>, _ clauses: [any FetchClause]
  ) throws -> [O] { try fetchAll(query.applying(clauses)) }

  /// The first object of a query, or nil.
  public func fetchOne<O: DatastoreObject>(
    _ query: From<O>, _ clauses: [any FetchClause]
  ) throws -> O? { try fetchOne(query.applying(clauses)) }

  /// How many objects a query finds.
  public func fetchCount<O: DatastoreObject>(
    _ query: From<O>, _ clauses: [any FetchClause]
  ) throws -> Int { try fetchCount(query.applying(clauses)) }

  /// The identifiers of the objects of a query.
  public func fetchObjectIDs<O: DatastoreObject>(
    _ query: From<O>, _ clauses: [any FetchClause]
  ) throws -> [DatastoreObjectID] { try fetchObjectIDs(query.applying(clauses)) }

  /// The identifier of the first object of a query, or nil.
  public func fetchObjectID<O: DatastoreObject>(
    _ query: From<O>, _ clauses: [any FetchClause]
  ) throws -> DatastoreObjectID? { try fetchObjectID(query.applying(clauses)) }

  /// A list with observers for each change.
  public func monitorList<O: DatastoreObject>(
    _ query: From<O>, _ clauses: [any FetchClause]
  ) throws -> ListMonitor<O> { try monitorList(query.applying(clauses)) }
}
