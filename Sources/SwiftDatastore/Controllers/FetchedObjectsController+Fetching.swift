import DatastoreCore
import DatastoreSQLite

extension FetchedObjectsController {
  /// Reads the list. Waits for the store; for long lists use the async form.
  ///
  /// - Throws: `StoreError` when the store cannot be read.
  public func performFetch() throws {
    _ = beginFetch()
    deferred = nil
    let store = viewContext.core.coordinator.store
    let read = try store.keyList(request, groupBy: groupKeyPath)
    takeOver(read, owners: try ownerRequests.flatMap { try store.fetchKeys($0) })
  }

  /// Reads the list off the main actor. A newer fetch cancels an older one, which then throws
  /// `CancellationError`; cancelling the task interrupts the query.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  public func performFetch() async throws {
    try await readList(reportingFrom: nil)
  }

  /// - Parameter old: a list that observers know; they are told what makes the new one of it.
  func readList(reportingFrom old: KeyList?) async throws {
    let mine = beginFetch()
    let store = viewContext.core.coordinator.store
    let request = request
    let group = groupKeyPath
    let task = Task { @MainActor [weak self] in
      let read = try await store.keyList(request, groupBy: group)
      let owners = try await self?.readOwners() ?? []
      try Task.checkCancellation()
      guard let self, self.generation == mine else { return }
      self.takeOver(read, owners: owners, reportingFrom: old)
    }
    fetchTask = task
    try await finish(mine) {
      try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    }
  }

  /// Reads the first objects off the main actor, with a query that stops there: the list until
  /// `performFetch()` has the whole of it. `isComplete` says whether there are no more. Cancelling the
  /// task interrupts the query.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`, also when a newer
  ///   fetch has begun.
  public func fetchFirstRows(_ count: Int) async throws {
    let mine = beginFetch()
    var first = request
    first.limit = request.limit > 0 ? min(count, request.limit) : count
    first.sortDescriptors = order.descriptors
    let limited = first
    try await finish(mine) {
      let pages = try await viewContext.readPages(of: limited)
      guard generation == mine else { throw CancellationError() }
      let objects = viewContext.core.graph.objects(entity: entity.index, pages: pages)
      list = withUnsavedChanges(
        KeyList(keys: objects.map(\.key), sections: order.sections(of: objects)), owners: [])
      keepRecent(objects)
      hasFetched = true
      isComplete = objects.count < limited.limit
      if isComplete { applyDeferred() }
    }
  }

  /// The sections that the list will have, with the numbers of their objects, counted off the main actor:
  /// sooner known than the list. Nil without sections, and where unsaved changes would have to be counted
  /// in. Cancelling the task interrupts the query.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  package func countSections() async throws -> [KeyList.Section]? {
    guard let groupKeyPath, request.limit == 0, request.offset == 0,
      !viewContext.core.graph.hasChanges
    else { return nil }
    return try await viewContext.core.coordinator.store.sections(request, groupBy: groupKeyPath)
  }

  /// Ends what is being read, and keeps changes from now on for the list that comes.
  private func beginFetch() -> Int {
    generation += 1
    fetchTask?.cancel()
    deferred = []
    return generation
  }

  /// After a fetch that failed the list stays as it was, and changes reach it again.
  private func finish(_ mine: Int, _ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch {
      if generation == mine { applyDeferred() }
      throw error
    }
  }

  /// Returns when no fetch is running, neither one that was asked for nor one that a change began.
  package func settled() async {
    var seen = generation - 1
    while seen != generation {
      seen = generation
      _ = await fetchTask?.result
    }
  }

  private func takeOver(_ read: KeyList, owners: [Int64], reportingFrom old: KeyList? = nil) {
    list = withUnsavedChanges(read, owners: owners)
    unreported = []
    unreportedSources = []
    hasFetched = true
    isComplete = true
    if let old {
      let difference = ListDifference(from: old, to: list, changed: [])
      deliver(difference, from: old, sources: [.thisContext])
    }
    applyDeferred()
  }

  /// Applies the changes that arrived while the list was being read: together, since the objects have
  /// all of them already, and none can be placed among others that the list has not followed yet.
  func applyDeferred() {
    let waiting = deferred ?? []
    deferred = nil
    guard var changes = waiting.first else { return }
    for later in waiting.dropFirst() { changes.formUnion(later) }
    apply(changes, from: Set(waiting.map(\.source)))
  }
}
