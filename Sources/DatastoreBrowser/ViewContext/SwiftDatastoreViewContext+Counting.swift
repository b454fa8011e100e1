import DatastoreCore
import SwiftDatastore

/// Counting for lists, for many rows at once and off the main actor.
extension SwiftDatastoreViewContext {
  /// The number of members in a to-many relationship for each owner, with unsaved changes. Cancelling the
  /// task interrupts the query.
  ///
  /// - Throws: `StoreError` if the store cannot be read; `CancellationError`.
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

  /// Whether an index makes counting the members of a to-many relationship quick. O(1).
  func countsQuickly(entity: EntityIndex, slot: Slot) -> Bool {
    core.readStore.countsQuickly(entity: entity, slot: slot)
  }
}
