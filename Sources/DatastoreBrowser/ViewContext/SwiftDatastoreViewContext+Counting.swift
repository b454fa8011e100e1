import DatastoreCore
import SwiftDatastore

/// Questions of lists about many rows at once, answered off the main actor.
extension SwiftDatastoreViewContext {
  /// The number of members of a to-many relationship for each of the owners, unsaved changes included.
  /// Cancelling the task interrupts the query.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  func relatedCounts(
    entity: EntityIndex, slot: Slot, keys: [RowKey]
  ) async throws -> [RowKey: Int] {
    let stored = try await answer(
      RelatedCountsQuestion(entity: entity, slot: slot, keys: keys))
    let graph = core.graph
    return Dictionary(
      keys.map { key in
        let staged = graph.registeredObject(entity: entity, key: key)?.stagedMemberCount(at: slot)
        return (key, max(0, (stored[key] ?? 0) + (staged ?? 0)))
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether counting the members of a to-many relationship is quick: there is an index for it. O(1).
  func countsQuickly(entity: EntityIndex, slot: Slot) -> Bool {
    core.readStore.countsQuickly(entity: entity, slot: slot)
  }
}
