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
/// Besides aggregates, groups can be ordered only by their grouping values; any other key traps when the
/// query is used.
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

  /// Ascending, by a grouping property.
  ///
  /// - Parameters:
  ///   - keyPath: the property.
  ///   - options: the differences between texts to ignore.
  public static func asc<P: FetchableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, options: Predicate.StringOptions = []
  ) -> OrderGroupsBy {
    OrderGroupsBy(PropertyPath(keyPath), isAscending: true, options)
  }

  /// Ascending, by a grouping property behind to-one relationships.
  ///
  /// - Parameters:
  ///   - path: the property.
  ///   - options: the differences between texts to ignore.
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

  /// Descending, by a grouping property.
  ///
  /// - Parameters:
  ///   - keyPath: the property.
  ///   - options: the differences between texts to ignore.
  public static func desc<P: FetchableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, options: Predicate.StringOptions = []
  ) -> OrderGroupsBy {
    OrderGroupsBy(PropertyPath(keyPath), isAscending: false, options)
  }

  /// Descending, by a grouping property behind to-one relationships.
  ///
  /// - Parameters:
  ///   - path: the property.
  ///   - options: the differences between texts to ignore.
  public static func desc<P: FetchableProperty>(
    _ path: PropertyPath<T, P>, options: Predicate.StringOptions = []
  ) -> OrderGroupsBy {
    OrderGroupsBy(path, isAscending: false, options)
  }
}
