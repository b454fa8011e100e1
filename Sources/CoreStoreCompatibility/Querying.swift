public import SwiftDatastore

/// Values in place of objects. Unsaved changes do not count.
extension ObjectContext {
  /// The value of the first row of a selection, as `firstRow(_:)` gives it; nil when no row is found or its value is missing.
  ///
  /// ```swift
  /// let maxAge = try transaction.queryValue(
  ///   From<Person>().select(Int.self, .maximum(\.$age)))
  /// ```
  ///
  /// - Parameter selection: what is read of which objects.
  /// - Throws: `SelectedValueError` for a stored value that is not of its property's type; `AggregateValueError` for a
  ///   sum that its type cannot hold; `UnknownEntityError`; `StoreError` when the store cannot be read.
  public func queryValue<O: DatastoreObject, Value>(
    _ selection: Selection<O, Value>
  ) throws -> Value? {
    try firstRow(selection)
  }

  /// The same for a value that may be missing.
  ///
  /// - Parameter selection: what is read of which objects.
  /// - Throws: like the other one.
  public func queryValue<O: DatastoreObject, Value>(
    _ selection: Selection<O, Value?>
  ) throws -> Value? {
    let value: Value?? = try firstRow(selection)
    return value ?? nil
  }

  /// The same by names. A value of another type is nil; a number that is read as a whole one is cut.
  ///
  /// - Parameters:
  ///   - query: of which objects.
  ///   - select: what is read.
  ///   - clauses: `Where`, `OrderBy` and `Tweak`, where they do not stand in the query.
  /// - Throws: `UnknownEntityError`; `StoreError` when the store cannot be read.
  public func queryValue<O: DatastoreObject, Value: AttributeValueType>(
    _ query: From<O>, _ select: Select<Value>, _ clauses: any FetchClause...
  ) throws -> Value? {
    try queryValue(query.applying(clauses).selecting(select))
  }

  /// One dictionary for each row: `dictionaries(_:)`. A missing value has no key.
  ///
  /// ```swift
  /// let ages = try transaction.queryAttributes(
  ///   From<Person>()
  ///     .select(.attribute(\.$age), .count(\.$age, as: "count"))
  ///     .groupBy(\.$age))
  /// ```
  ///
  /// - Parameter query: which values of which objects.
  /// - Throws: `UnknownEntityError`; `StoreError` when the store cannot be read.
  public func queryAttributes<O: DatastoreObject>(
    _ query: DictionaryQuery<O>
  ) throws -> [[String: Any]] {
    try dictionaries(query)
  }

  /// The same by names.
  ///
  /// - Parameters:
  ///   - query: of which objects.
  ///   - select: which values.
  ///   - clauses: `Where`, `OrderBy`, `Tweak` and `GroupBy`, where they do not stand in the query.
  /// - Throws: `UnknownEntityError`; `StoreError` when the store cannot be read.
  public func queryAttributes<O: DatastoreObject>(
    _ query: From<O>, _ select: Select<[String: Any]>, _ clauses: any QueryClause...
  ) throws -> [[String: Any]] {
    try dictionaries(query.selecting(select, clauses))
  }
}

/// Values in place of objects, as the functions of a context give them; they take and throw the same. Without a storage they
/// throw `CoreStoreError.persistentStoreNotFound`.
@MainActor
extension DataStack {
  /// The value of the first row of a selection of saved objects.
  public func queryValue<O: DatastoreObject, Value>(
    _ selection: Selection<O, Value>
  ) throws -> Value? {
    try datastore.sharedViewContext.queryValue(selection)
  }

  /// The same for a value that may be missing.
  public func queryValue<O: DatastoreObject, Value>(
    _ selection: Selection<O, Value?>
  ) throws -> Value? {
    try datastore.sharedViewContext.queryValue(selection)
  }

  /// The same by names.
  public func queryValue<O: DatastoreObject, Value: AttributeValueType>(
    _ query: From<O>, _ select: Select<Value>, _ clauses: any FetchClause...
  ) throws -> Value? {
    try queryValue(query.applying(clauses).selecting(select))
  }

  /// One dictionary for each row of saved objects.
  public func queryAttributes<O: DatastoreObject>(
    _ query: DictionaryQuery<O>
  ) throws -> [[String: Any]] {
    try datastore.sharedViewContext.dictionaries(query)
  }

  /// The same by names.
  public func queryAttributes<O: DatastoreObject>(
    _ query: From<O>, _ select: Select<[String: Any]>, _ clauses: any QueryClause...
  ) throws -> [[String: Any]] {
    try queryAttributes(query.selecting(select, clauses))
  }
}

/// What is selected, with its type in front.
extension From {
  /// An aggregate of all objects: `select(Int.self, .maximum(\.$age))`.
  ///
  /// Traps when the query has an order, an offset or a limit, which say nothing of one value.
  ///
  /// - Parameters:
  ///   - type: that of the property, `Int` for a count, `Double` for an average.
  ///   - aggregate: what is computed.
  public func select<Value>(
    _ type: Value.Type, _ aggregate: Aggregate<T, Value>
  ) -> Selection<T, Value?> {
    select(aggregate)
  }

  /// A value of each object: `select(Int.self, .attribute(\.$age))`.
  ///
  /// - Parameters:
  ///   - type: that of the property.
  ///   - term: the value.
  public func select<Value>(
    _ type: Value.Type, _ term: SelectTerm<T, Value>
  ) -> Selection<T, Value> {
    select(term)
  }
}

extension SelectTerm {
  /// A property of the object: `value(_:)`.
  ///
  /// - Parameter keyPath: the property, like `\.$name`.
  public static func attribute<P: SelectableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable
  ) -> SelectTerm where P.Selected == Result {
    .value(keyPath)
  }
}
