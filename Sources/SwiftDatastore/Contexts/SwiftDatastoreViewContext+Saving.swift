import DatastoreCore

/// Saving off the main actor.
extension SwiftDatastoreViewContext {
  /// Writes all staged changes in one transaction, or nothing, without blocking the main actor.
  ///
  /// Nothing may be staged, saved or reverted here until it returns. Conflicts are thrown whatever
  /// the merge policy.
  ///
  /// Cancelling the task stops the write and rolls it back, unless it is already committed.
  ///
  /// - Throws: `ValidationError`, `ConflictError` or `StoreError`; `CancellationError`. Staged changes stay
  ///   staged.
  package func save() async throws -> SwiftDatastoreSavedChanges {
    let core = core
    let graph = core.graph
    let pending = try graph.prepareSave()
    guard !pending.isEmpty else {
      return SwiftDatastoreSavedChanges(
        graph.completeSave(pending, SaveResult(), from: core.origin))
    }
    let coordinator = core.coordinator
    let receiverID = core.receiverID
    let changes = pending.changes
    let draft = SavedChanges(pending, SaveResult(), from: core.origin, commit: 0)
    let isCancelled = Lock(false)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let settle: @MainActor (SaveResult) -> Void = { result in
          let saved = graph.completeSave(pending, result, from: draft.origin)
          graph.announceStale(saved)
          if !saved.sideChanges.isEmpty { graph.refresh(saved.sideChanges) }
          self.processPendingChanges()
          continuation.resume(returning: SwiftDatastoreSavedChanges(saved))
        }
        BlockingWork.begin {
          do {
            try coordinator.save(
              changes, draft, from: receiverID, unless: { isCancelled.withLock { $0 } }
            ) { result in
              self.enqueueSettling { settle(result) }
            }
          } catch {
            continuation.resume(throwing: error)
          }
        }
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
  }
}

extension SwiftDatastoreSavedChanges {
  /// Objects that were saved under another key than they were created with, by entity index: the old key and
  /// the new one.
  package var rekeyed: [EntityIndex: [RowKey: RowKey]] { changes.rekeyed }
}
