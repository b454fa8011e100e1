import DatastoreCore

/// Staged objects whose rows were given other keys by someone else.
extension SwiftDatastoreViewContext {
  /// Whether something is staged for rows that are not under their keys and have not been looked for
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

  /// Makes staged objects whose rows were given other keys continue with these; looks for the rows off the
  /// main actor. Where none is found, or several are, the save reports it.
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
    // What was found before something else was taken in may be elsewhere again; it is looked for again then.
    guard graph.mergeCount == merges else { return }
    graph.followedPlacement = placement
    if !found.isEmpty { graph.follow(found) }
  }
}
