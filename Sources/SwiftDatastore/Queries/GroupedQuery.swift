public import DatastoreCore

/// Groups of objects that share the values of `Key`, made by `groupBy(_:)`.
///
/// ```swift
/// let positions = From<Employee>().groupBy(\.$position)
///   .having(.count(), .greaterThan, 3).orderBy(.desc(.count()))
///   .select(.count(), .average(\.$salary))
/// for row in try context.rows(positions) { print(row.group, row.values.0, row.values.1) }
/// ```
public struct GroupedQuery<T: DatastoreObject, Key>: Sendable {
  var request: FetchRequest
  let keys: [QueryColumn.Term]
  var conditions: [ValueQuery.GroupCondition] = []
  var order: [ValueQuery.GroupOrder] = []
  let readKey: @Sendable (SelectedRow) throws -> Key

  init(
    request: FetchRequest, keys: [QueryColumn.Term],
    readKey: @escaping @Sendable (SelectedRow) throws -> Key
  ) {
    self.request = request
    self.keys = keys
    self.readKey = readKey
  }
}

extension GroupedQuery {
  /// Keeps only groups that meet the condition, besides the conditions of earlier calls.
  ///
  /// - Parameters:
  ///   - aggregate: the aggregate of each group.
  ///   - comparator: one that compares two values: not `in`, `between` or one for text.
  ///   - value: the value to compare it with.
  public func having<Value>(
    _ aggregate: Aggregate<T, Value>, _ comparator: Predicate.Comparator, _ value: Value
  ) -> GroupedQuery {
    having([Having(aggregate, comparator, value)])
  }

  /// Keeps only groups that meet all conditions.
  ///
  /// - Parameter conditions: the conditions.
  public func having(_ conditions: [Having<T>]) -> GroupedQuery {
    changed { $0.conditions += conditions.map(\.condition) }
  }

  /// Adds keys to the order, less significant than those of earlier calls; groups that are equal in it come
  /// by ascending values.
  ///
  /// - Parameter keys: the keys of the order, the most significant first.
  public func orderBy(_ keys: OrderGroupsBy<T>...) -> GroupedQuery {
    changed { $0.order += keys.map(\.order) }
  }

  /// Skips groups at the start.
  ///
  /// - Parameter count: the number of groups to skip.
  public func offset(_ count: Int) -> GroupedQuery { changed { $0.request.offset = count } }

  /// Limits the number of groups; 0 means no limit.
  ///
  /// - Parameter count: the greatest number of groups.
  public func limit(_ count: Int) -> GroupedQuery { changed { $0.request.limit = count } }

  /// Aggregates of each group. A row has the values that the group shares, and the aggregates in their order.
  ///
  /// - Parameter aggregates: the aggregates, in the order of the tuple.
  public func select<each Value>(
    _ aggregates: repeat Aggregate<T, each Value>
  ) -> Selection<T, (group: Key, values: (repeat (each Value)?))> {
    var columns = keys
    for aggregate in repeat each aggregates { columns.append(aggregate.term) }
    let readKey = readKey
    return Selection(
      request: request, columns: columns, groupKeys: keys, having: conditions, groupOrder: order
    ) { row in
      let group = try readKey(row)
      return (group: group, values: (repeat try row.aggregate((each aggregates).term)))
    }
  }

  /// One aggregate of each group.
  ///
  /// - Parameter aggregate: the aggregate.
  public func select<Value>(
    _ aggregate: Aggregate<T, Value>
  ) -> Selection<T, (group: Key, values: Value?)> {
    let readKey = readKey
    return Selection(
      request: request, columns: keys + [aggregate.term], groupKeys: keys, having: conditions,
      groupOrder: order
    ) { row in
      let group = try readKey(row)
      return (group: group, values: try row.aggregate(aggregate.term))
    }
  }

  private func changed(_ change: (inout GroupedQuery) -> Void) -> GroupedQuery {
    var query = self
    change(&query)
    return query
  }
}

/// Equal when they make the same groups of the same objects.
extension GroupedQuery: Hashable {
  public static func == (left: GroupedQuery, right: GroupedQuery) -> Bool {
    left.request == right.request && left.keys == right.keys
      && left.conditions == right.conditions && left.order == right.order
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(request)
    hasher.combine(keys)
    hasher.combine(conditions)
    hasher.combine(order)
  }
}
