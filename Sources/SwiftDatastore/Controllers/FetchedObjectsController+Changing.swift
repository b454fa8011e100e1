import Basics
import DatastoreCore

/// Another condition, order or grouping for a list that is shown.
extension FetchedObjectsController {
  /// Reads the list again with another condition and order, grouped by a property, and notifies observers
  /// of the difference as one batch; until then they see the list as it was. With another grouping there is
  /// no difference to report: show the whole list again.
  ///
  /// A newer fetch cancels an older one.
  ///
  /// - Parameters:
  ///   - condition: which objects; all without it.
  ///   - order: in which order; must not be empty.
  ///   - group: the property whose value makes the sections.
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  public func change<P: ComparableProperty>(
    where condition: Where<T>?, orderBy order: [OrderBy<T>],
    groupBy group: any KeyPath<T, P> & Sendable
  ) async throws {
    try await change(to: From(where: condition, orderBy: order).sectionBy(group))
  }

  /// The same without sections.
  ///
  /// - Parameters:
  ///   - condition: which objects; all without it.
  ///   - order: in which order; must not be empty.
  public func change(where condition: Where<T>?, orderBy order: [OrderBy<T>]) async throws {
    try await change(to: From(where: condition, orderBy: order))
  }

  /// The same with another query, whose offset and limit are those of the list from now on.
  ///
  /// Traps without an order.
  ///
  /// - Parameter query: which objects, and in which order.
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  public func change(to query: From<T>) async throws {
    let isSameGrouping = replaceQuery(query)
    try await readList(reportingFrom: isSameGrouping ? list : nil)
  }

  /// Takes over another query, by which the next fetch reads.
  ///
  /// - Returns: whether it has the sections of the one before.
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
  /// Traps for a query that makes no list which follows changes.
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
