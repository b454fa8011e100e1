public import SwiftDatastore

/// One value in place of objects.
extension ObjectContext {
  /// The value of the first row of a selection; nil where there is no row, or the value is missing: `firstRow(_:)`. Unsaved
  /// changes do not count.
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
