import DatastoreCore

extension FetchedObjectsController {
  /// Reads the list. Waits for the store; for long lists use the async form.
  ///
  /// - Throws: `StoreError` when the store cannot be read.
  public func performFetch() throws {
    try query.resolveStores(in: viewContext.core)
    let mine = beginFetch()
    let store = viewContext.core.readStore
    do {
      let owners = try ownerRequests.flatMap { try store.answer(KeysQuestion($0)) }
      let read = try viewContext.core.coordinator.log.fetching(
        From<T>(request).description, \.keys.count
      ) {
        try store.answer(listQuestion(owners: owners))
      }
      adopt(withUnsavedChanges(read, owners: owners))
    } catch {
      end(mine, error)
      throw error
    }
  }

  /// Reads the list off the main actor. A newer fetch cancels an older one, which then throws
  /// `CancellationError`; cancelling the task interrupts the query.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  public func performFetch() async throws {
    try await readList(reportingFrom: nil)
  }

  /// - Parameter old: the list that observers know; they are notified of its difference to the new one.
  func readList(reportingFrom old: KeyList?) async throws {
    try query.resolveStores(in: viewContext.core)
    let mine = beginFetch()
    let task = read(mine, reportingFrom: old)
    try await finish(mine) {
      try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    }
  }

  /// Reads the list again after a change that requires it, and notifies observers of the difference.
  func reload(from old: KeyList, failed: @escaping @MainActor (any Error) -> Void) {
    let mine = beginFetch()
    _ = read(mine, reportingFrom: old, failed: failed)
  }

  private func read(
    _ mine: Int, reportingFrom old: KeyList?,
    failed: (@MainActor (any Error) -> Void)? = nil
  ) -> Task<Void, any Error> {
    let store = viewContext.core.readStore
    let log = viewContext.core.coordinator.log
    let task = Task { @MainActor [weak self] in
      do {
        let owners = try await self?.readOwners() ?? []
        try Task.checkCancellation()
        guard let question = self?.listQuestion(owners: owners) else { return }
        let start = log.now(.trace)
        var read = try await store.answer(question)
        log(
          .trace, .fetched(query: From<T>(question.request).description, rows: read.keys.count),
          since: start)
        try Task.checkCancellation()
        if !read.keys.isRead, let near = try await self?.readingLastRange(read) { read = near }
        guard let self, self.generation == mine else { return }
        try await self.adopt(read, owners: owners, reportingFrom: old)
      } catch {
        if let self, self.generation == mine, !(error is CancellationError) { failed?(error) }
        throw error
      }
    }
    fetchTask = task
    return task
  }

  private func adopt(_ read: KeyList, owners: [RowKey], reportingFrom old: KeyList?) async throws {
    let mine = generation
    var new = withUnsavedChanges(read, owners: owners)
    guard var old else { return adopt(new) }
    let (difference, objects) = try await difference(from: &old, to: &new.list)
    try Task.checkCancellation()
    guard generation == mine else { return }
    let sources = content.outdated?.sources ?? []
    let isKnown = old.keys.isRead && new.list.keys.isRead
    withExtendedLifetime(objects) {
      adopt(new) { deliver(difference, from: old, sources: sources, isKnown: isKnown) }
    }
  }

  /// The difference between two lists, and the objects to report to observers, which have been read. Rows
  /// deleted by then are removed from the new list as well; rows saved under other keys have these in both
  /// lists.
  private func difference(
    from old: inout KeyList, to new: inout KeyList
  ) async throws -> (ListDifference, [ManagedObject]) {
    let changed = content.outdated?.keys ?? []
    guard old.keys.isRead, new.keys.isRead else {
      return (ListDifference(countsOf: old, new, changed: recentKeys), [])
    }
    var renamed: [RowKey: RowKey] = [:]
    while true {
      let (before, after) = (old, new)
      let difference = await Task.detached {
        ListDifference(from: before, to: after, changed: changed)
      }.value
      guard !observers.isEmpty else { return (difference, []) }
      let reported =
        difference.inserted.map { after.keys[$0] } + difference.moved.map(\.key)
        + difference.updated.map { before.keys[$0] }
      // Checked last, so that no row can disappear before the observers are notified.
      let objects = try await viewContext.readObjects(entity: entity.index, keys: reported)
      let gone = Set(reported).subtracting(objects.map(\.key))
      if gone.isEmpty { return (difference, objects) }
      let saved = reading?.saved.rekeyed[entity.root] ?? [:]
      if saved != renamed {
        renamed = saved
        old = rekeyed(old, renamed)
        new = rekeyed(new, renamed)
        continue
      }
      var editor = KeyListEditor(
        after, of: entity, order: order, predicate: nil, graph: viewContext.core.graph)
      editor.remove(gone)
      new = editor.list
    }
  }

  /// Reads the first objects off the main actor, with a query that stops there. They are the list until
  /// `performFetch()` has read all of it. `isComplete` tells whether there are no more. Cancelling the task
  /// interrupts the query.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`, also when a newer
  ///   fetch has begun.
  public func fetchFirstRows(_ count: Int) async throws {
    // A list with an offset or a limit is limited already.
    if isWindow { return try await performFetch() }
    try query.resolveStores(in: viewContext.core)
    let mine = beginFetch()
    var first = request
    first.limit = count
    first.sortDescriptors = order.descriptors
    let limited = first
    try await finish(mine) {
      let pages = try await viewContext.readPages(of: limited)
      guard generation == mine else { throw CancellationError() }
      let objects = viewContext.core.graph.objects(entity: entity.index, pages: pages)
      var first = withUnsavedChanges(
        KeyList(keys: objects.map(\.key), sections: order.sections(of: objects)), owners: [])
      keepRecent(objects)
      if objects.count == limited.limit {
        first.extent = .firstRows
        first.outdated = content.outdated
      }
      adopt(first)
    }
  }

  /// The sections of the list to come, with the numbers of their objects, counted off the main actor, which
  /// is faster than reading the list. nil without sections, and if unsaved changes would have to be included.
  /// Cancelling the task interrupts the query.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  package func countSections() async throws -> [KeyList.Section]? {
    guard let groupKeyPath, request.limit == 0, request.offset == 0,
      !viewContext.core.graph.hasChanges
    else { return nil }
    return try await viewContext.answer(SectionsQuestion(request, groupBy: groupKeyPath))
  }

  /// Cancels the running fetch, and keeps changes for the new list, including those that arrived during the
  /// cancelled fetch, because the new fetch may be cancelled as well and leave the list unchanged.
  private func beginFetch() -> Int {
    generation += 1
    fetchTask?.cancel()
    if reading == nil { reading = .init() }
    return generation
  }

  /// After a fetch that failed, the list stays as it was, and changes are applied to it again.
  private func finish(_ mine: Int, _ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch {
      end(mine, error)
      throw error
    }
  }

  private func end(_ mine: Int, _ error: any Error) {
    guard generation == mine else { return }
    recordPlaces()
    if content.outdated != nil, hasFetched, error is CancellationError {
      // It had replaced a fetch that changes require.
      apply(GraphChanges(), from: [])
    } else {
      applyDeferred()
    }
  }

  /// Returns when no fetch is running, neither a requested one nor one started by a change.
  package func settled() async {
    var seen = generation - 1
    while seen != generation {
      seen = generation
      _ = await fetchTask?.result
    }
  }

  /// - Parameter notify: notifies observers of the new list.
  private func adopt(_ new: ReadList, notify: () -> Void = {}) {
    let mine = generation
    content = new
    guard isComplete else { return }
    notify()
    // An observer may have started another fetch.
    if generation == mine { applyDeferred() }
  }

  /// Objects that were saved while the list was being read may have another place in it.
  private func recordPlaces() {
    if let saved = reading?.saved, movesMany(saved) { content.outdate() }
    reading?.saved = MergedKeys()
  }

  /// Applies the changes that arrived while the list was being read: all together, because the objects
  /// already have all of them, and no object can be placed among others whose changes the list has not
  /// applied.
  ///
  /// - Parameter hasFailed: whether a read that changes require has just failed. It is not started again
  ///   before the next change: a table that is gone would be read for ever.
  func applyDeferred(hasFailed: Bool = false) {
    recordPlaces()
    guard let waiting = reading?.changes else { return }
    reading = nil
    var changes = GraphChanges()
    for later in waiting { changes.formUnion(later) }
    // Objects that are uncertain because of a merge to come are placed again with that merge.
    let isToBePlaced =
      !hasFailed
      && (content.outdated != nil
        || !content.uncertainKeys.isEmpty && !viewContext.mayReadAhead)
    guard !waiting.isEmpty || isToBePlaced else { return }
    apply(changes, from: waiting.isEmpty ? changeSources : Set(waiting.map(\.source)))
  }
}
