import Basics
import DatastoreCore

/// Changing the condition, order or grouping of a list that is shown.
extension FetchedObjectsController {
  /// Reads the list again with another condition and order, grouped by a property, and notifies observers of
  /// the difference as one batch; until then they see the old list. If the grouping changes there is no
  /// difference to report: show the whole list again.
  ///
  /// A newer fetch cancels an older one.
  ///
  /// - Parameters:
  ///   - condition: which objects; all if nil.
  ///   - order: the order; must not be empty.
  ///   - group: the property whose value defines the sections.
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  public func change<P: ComparableProperty>(
    where condition: Where<T>?, orderBy order: [OrderBy<T>],
    groupBy group: any KeyPath<T, P> & Sendable
  ) async throws {
    try await change(to: From(where: condition, orderBy: order).sectionBy(group))
  }

  /// Changes the condition and order, without sections.
  ///
  /// - Parameters:
  ///   - condition: which objects; all if nil.
  ///   - order: the order; must not be empty.
  public func change(where condition: Where<T>?, orderBy order: [OrderBy<T>]) async throws {
    try await change(to: From(where: condition, orderBy: order))
  }

  /// Changes the query, including the offset and limit of the list.
  ///
  /// Traps without an order.
  ///
  /// - Parameter query: the objects and their order.
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  public func change(to query: From<T>) async throws {
    let isSameGrouping = replaceQuery(query)
    try await readList(reportingFrom: isSameGrouping ? list : nil)
  }

  /// Replaces the query, for the next fetch.
  ///
  /// - Returns: whether the sections are defined as before.
  @discardableResult
  func replaceQuery(_ query: From<T>) -> Bool {
    query.requireList()
    let isSameGrouping = query.sectionPath == groupKeyPath
    var request = query.request
    request.entity = self.request.entity
    self.query = ListQuery(
      request, groupBy: query.sectionPath, titles: query.sectionTitles, of: entity,
      in: viewContext.core.graph.schema)
    return isSameGrouping
  }
}

extension From {
  /// Traps for a query whose list cannot follow changes.
  func requireList() {
    require(
      !request.sortDescriptors.isEmpty,
      "a FetchedObjectsController needs an order: give `orderBy` at least one key")
    require(
      includesPendingChanges,
      "a FetchedObjectsController shows unsaved changes; `includingPendingChanges(false)` is for fetches"
    )
  }
}
