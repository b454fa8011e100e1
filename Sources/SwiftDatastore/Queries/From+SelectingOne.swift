import DatastoreCore

/// One value of each object or group: the row is the value itself. The rules for several values apply.
extension From {
  /// One property of each object: `select(\.$name)`.
  ///
  /// - Parameter keyPath: the property, like `\.$name`.
  public func select<P: SelectableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable
  ) -> Selection<T, P.Selected> {
    select(SelectTerm<T, P.Selected>.value(keyPath))
  }

  /// One property behind to-one relationships: `select(\.$company ~ \.$name)`.
  ///
  /// - Parameter path: the property, like `\.$company ~ \.$name`.
  public func select<P: SelectableProperty>(
    _ path: PropertyPath<T, P>
  ) -> Selection<T, P.Found> {
    select(SelectTerm<T, P.Found>.value(path))
  }

  /// One value of each object: `select(.objectID())`.
  ///
  /// - Parameter term: the value.
  public func select<Value>(_ term: SelectTerm<T, Value>) -> Selection<T, Value> {
    Selection(
      request: request, columns: [term.term], groupKeys: nil, having: [], groupOrder: [],
      read: term.read)
  }

  /// One aggregate over all objects: `select(.maximum(\.$salary))`.
  ///
  /// - Parameter aggregate: the aggregate.
  public func select<Value>(_ aggregate: Aggregate<T, Value>) -> Selection<T, Value?> {
    Selection(computing: [aggregate.term], of: request) { try $0.aggregate(aggregate.term) }
  }

  /// Groups of objects that share the value of one property: `groupBy(\.$position)`.
  ///
  /// - Parameter keyPath: the property, like `\.$name`.
  public func groupBy<P: SelectableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable
  ) -> GroupedQuery<T, P.Selected> {
    groupBy(SelectTerm<T, P.Selected>.value(keyPath))
  }

  /// Groups of objects that share the value of one property behind to-one relationships:
  /// `groupBy(\.$company ~ \.$name)`.
  ///
  /// - Parameter path: the property, like `\.$company ~ \.$name`.
  public func groupBy<P: SelectableProperty>(
    _ path: PropertyPath<T, P>
  ) -> GroupedQuery<T, P.Found> {
    groupBy(SelectTerm<T, P.Found>.value(path))
  }

  /// Groups of objects that share one value.
  ///
  /// - Parameter term: the value.
  public func groupBy<Value>(_ term: SelectTerm<T, Value>) -> GroupedQuery<T, Value> {
    requireWhole("groups have an order, an offset and a limit of their own, after `groupBy`")
    return GroupedQuery(request: request, keys: [term.term], readKey: term.read)
  }
}
