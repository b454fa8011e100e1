import Basics
import DatastoreCore

/// Values instead of objects.
extension From {
  /// Properties of each object, as a tuple: `select(\.$name, \.$salary, \.$tasks.count)`.
  ///
  /// Properties have the types they have in objects; a to-one relationship gives the identifier of its
  /// object.
  ///
  /// - Parameter keyPaths: the properties, like `\.$name`.
  public func select<each P: SelectableProperty>(
    _ keyPaths: repeat any KeyPath<T, each P> & Sendable
  ) -> Selection<T, (repeat (each P).Selected)> {
    select(repeat SelectTerm<T, (each P).Selected>.value(each keyPaths))
  }

  /// Properties behind to-one relationships, as a tuple: `select(\.$company ~ \.$name)`. Traps for a path
  /// through a to-many relationship, which has more than one value.
  ///
  /// - Parameter paths: the properties, like `\.$company ~ \.$name`.
  public func select<each P: SelectableProperty>(
    _ paths: repeat PropertyPath<T, each P>
  ) -> Selection<T, (repeat (each P).Found)> {
    select(repeat SelectTerm<T, (each P).Found>.value(each paths))
  }

  /// Values of each object, as a tuple. Paths among them name their first class:
  /// `select(.objectID(), .value(\.$name), .value(\Employee.$company ~ \.$name))`.
  ///
  /// - Parameter terms: the values, in the order of the tuple.
  public func select<each Value>(
    _ terms: repeat SelectTerm<T, each Value>
  ) -> Selection<T, (repeat each Value)> {
    var columns: [QueryColumn.Term] = []
    for term in repeat each terms { columns.append(term.term) }
    return Selection(
      request: request, columns: columns, groupKeys: nil, having: [], groupOrder: []
    ) { row in
      (repeat try (each terms).read(row))
    }
  }

  /// Aggregates over all objects, in one row: `select(.count(), .average(\.$salary))`.
  ///
  /// If the query has a limit or an offset, the aggregates cover only those objects, the first ones in its
  /// order; otherwise the order makes no difference.
  /// `From<Employee>().orderBy(.desc(\.$salary)).limit(10).select(.average(\.$salary))` is the mean of the
  /// ten greatest.
  ///
  /// - Parameter aggregates: the aggregates, in the order of the tuple.
  public func select<each Value>(
    _ aggregates: repeat Aggregate<T, each Value>
  ) -> Selection<T, (repeat (each Value)?)> {
    var columns: [QueryColumn.Term] = []
    for aggregate in repeat each aggregates { columns.append(aggregate.term) }
    return Selection(computing: columns, of: request) { row in
      (repeat try row.aggregate((each aggregates).term))
    }
  }

  /// Groups of objects that share the values of properties: `groupBy(\.$position, \.$hiredAt.year)`.
  ///
  /// Traps when the query has an order, an offset or a limit: apply these to the groups, afterwards.
  ///
  /// - Parameter keyPaths: the properties, like `\.$name`.
  public func groupBy<each P: SelectableProperty>(
    _ keyPaths: repeat any KeyPath<T, each P> & Sendable
  ) -> GroupedQuery<T, (repeat (each P).Selected)> {
    groupBy(repeat SelectTerm<T, (each P).Selected>.value(each keyPaths))
  }

  /// Groups of objects that share the values of properties behind to-one relationships:
  /// `groupBy(\.$company ~ \.$name)`. Traps like grouping by key paths, and for a path through a to-many
  /// relationship.
  ///
  /// - Parameter paths: the properties, like `\.$company ~ \.$name`.
  public func groupBy<each P: SelectableProperty>(
    _ paths: repeat PropertyPath<T, each P>
  ) -> GroupedQuery<T, (repeat (each P).Found)> {
    groupBy(repeat SelectTerm<T, (each P).Found>.value(each paths))
  }

  /// Groups of objects that share values of several kinds. Paths among them name their first class:
  /// `groupBy(.value(\.$position), .value(\Employee.$company ~ \.$name))`.
  ///
  /// Traps like grouping by key paths.
  ///
  /// - Parameter terms: the values, in the order of the tuple.
  public func groupBy<each Value>(
    _ terms: repeat SelectTerm<T, each Value>
  ) -> GroupedQuery<T, (repeat each Value)> {
    requireWhole("groups have an order, an offset and a limit of their own, after `groupBy`")
    var keys: [QueryColumn.Term] = []
    for term in repeat each terms { keys.append(term.term) }
    return GroupedQuery(request: request, keys: keys) { row in
      (repeat try (each terms).read(row))
    }
  }

  /// Traps when the query has more than conditions.
  func requireWhole(_ rule: String) {
    require(
      request.sortDescriptors.isEmpty && request.offset == 0 && request.limit == 0,
      "\(self) has an order, an offset or a limit, but \(rule)")
  }
}
