import DatastoreCore

/// Staged objects whose rows received other keys from someone else.
extension SwiftDatastoreViewContext {
  /// Whether changes are staged for rows that are not under their keys and have not been searched for
  /// elsewhere.
  package var hasStrayObjects: Bool {
    let graph = core.graph
    if let placement = graph.placement,
      placement == graph.stagedPlacement || placement == graph.followedPlacement
    {
      return false
    }
    return !graph.strayObjects().isEmpty
  }

  /// Finds the rows of staged objects whose keys someone else has changed, off the main actor, and gives the
  /// objects the new keys. If it finds no row, or several, the save reports that.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  package func followMovedRows() async throws {
    let graph = core.graph
    let placement = graph.placement
    guard hasStrayObjects else { return }
    var found: [(object: ManagedObject, key: RowKey)] = []
    let merges = graph.mergeCount
    for (entity, objects) in graph.strayObjects() {
      let rows = objects.compactMap { object in
        object.loadedPage().map { RowReference($0, Int(object.row)) }
      }
      let keys = try await answer(MovedRowsQuestion(entity: entity, equalTo: rows))
      found += keys.map { (objects[$0.key], $0.value) }
    }
    // A later merge may have moved the rows again, so this result is discarded and they are searched for
    // again.
    guard graph.mergeCount == merges else { return }
    graph.followedPlacement = placement
    if !found.isEmpty { graph.follow(found) }
  }
}
