import DatastoreCore

/// Another condition, order or grouping for a list that is shown.
extension FetchedObjectsController {
  /// Reads the list again with another condition and order, grouped by a property, and notifies observers
  /// of the difference as one batch; until then they see the list as it was. With another grouping there is
  /// no difference to report: show the whole list again.
  ///
  /// A newer fetch cancels an older one.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  public func change<P: ComparableProperty>(
    where condition: Where<T>?, orderBy order: [OrderBy<T>],
    groupBy group: any KeyPath<T, P> & Sendable
  ) async throws {
    try await change(
      condition: condition, order: order,
      groupKeyPath: [ClassReflection.of(T.self).name(of: group)])
  }

  /// The same without sections.
  public func change(where condition: Where<T>?, orderBy order: [OrderBy<T>]) async throws {
    try await change(condition: condition, order: order, groupKeyPath: nil)
  }

  private func change(
    condition: Where<T>?, order: [OrderBy<T>], groupKeyPath: [String]?
  ) async throws {
    precondition(
      !order.isEmpty, "a FetchedObjectsController needs an order: give `orderBy` at least one key")
    var request = request
    request.predicate = condition?.predicate
    request.sortDescriptors = order.map(\.sortDescriptor)
    let isSameGrouping = groupKeyPath == self.groupKeyPath
    replaceRequest(request, groupKeyPath: groupKeyPath)
    try await readList(reportingFrom: isSameGrouping ? list : nil)
  }
}
