public import DatastoreCore

/// A condition on groups: `Having(.average(\.$salary), .greaterThan, 3000)`.
public struct Having<T: DatastoreObject>: Sendable, Hashable {
  let condition: ValueQuery.GroupCondition

  /// - Parameters:
  ///   - aggregate: the aggregate of each group.
  ///   - comparator: one that compares two values: not `in`, `between` or one for text.
  ///   - value: the value to compare it with.
  public init<Result>(
    _ aggregate: Aggregate<T, Result>, _ comparator: Predicate.Comparator, _ value: Result
  ) {
    condition = ValueQuery.GroupCondition(aggregate.term, comparator, value.storedValue)
  }
}

/// One key of an order of groups: `.desc(.count())`, `.asc(\.$position)`.
///
/// What groups are ordered by beside aggregates is what they were made by; anything else traps when the query
/// is used.
public struct OrderGroupsBy<T: DatastoreObject>: Sendable, Hashable {
  let order: ValueQuery.GroupOrder

  private init(order: ValueQuery.GroupOrder) { self.order = order }

  private init<P>(
    _ path: PropertyPath<T, P>, isAscending: Bool, _ options: Predicate.StringOptions
  ) {
    order = ValueQuery.GroupOrder(
      .value(path.operand), isAscending: isAscending, options: options)
  }

  /// Ascending, by an aggregate of each group.
  ///
  /// - Parameter aggregate: the aggregate.
  public static func asc<Result>(_ aggregate: Aggregate<T, Result>) -> OrderGroupsBy {
    OrderGroupsBy(order: ValueQuery.GroupOrder(aggregate.term, isAscending: true))
  }

  /// Ascending, by a property that the groups were made by.
  ///
  /// - Parameters:
  ///   - keyPath: the property.
  ///   - options: what does not count as a difference between texts.
  public static func asc<P: FetchableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, options: Predicate.StringOptions = []
  ) -> OrderGroupsBy {
    OrderGroupsBy(PropertyPath(keyPath), isAscending: true, options)
  }

  /// Ascending, by a property behind to-one relationships that the groups were made by.
  ///
  /// - Parameters:
  ///   - path: the property.
  ///   - options: what does not count as a difference between texts.
  public static func asc<P: FetchableProperty>(
    _ path: PropertyPath<T, P>, options: Predicate.StringOptions = []
  ) -> OrderGroupsBy {
    OrderGroupsBy(path, isAscending: true, options)
  }

  /// Descending, by an aggregate of each group.
  ///
  /// - Parameter aggregate: the aggregate.
  public static func desc<Result>(_ aggregate: Aggregate<T, Result>) -> OrderGroupsBy {
    OrderGroupsBy(order: ValueQuery.GroupOrder(aggregate.term, isAscending: false))
  }

  /// Descending, by a property that the groups were made by.
  ///
  /// - Parameters:
  ///   - keyPath: the property.
  ///   - options: what does not count as a difference between texts.
  public static func desc<P: FetchableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, options: Predicate.StringOptions = []
  ) -> OrderGroupsBy {
    OrderGroupsBy(PropertyPath(keyPath), isAscending: false, options)
  }

  /// Descending, by a property behind to-one relationships that the groups were made by.
  ///
  /// - Parameters:
  ///   - path: the property.
  ///   - options: what does not count as a difference between texts.
  public static func desc<P: FetchableProperty>(
    _ path: PropertyPath<T, P>, options: Predicate.StringOptions = []
  ) -> OrderGroupsBy {
    OrderGroupsBy(path, isAscending: false, options)
  }
}
