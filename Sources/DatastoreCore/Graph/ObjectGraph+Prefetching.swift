/// Reading the destinations of relationships in advance.
extension ObjectGraph {
  /// Reads the objects on a path of relationships from many objects: one question to the store for each step,
  /// however many objects there are. Does not read known objects again.
  ///
  /// The graph keeps the objects until `forgetPrefetched()`.
  ///
  /// - Throws: the errors of the store.
  package func prefetch(_ path: [Slot], from objects: [ManagedObject]) throws {
    var owners = objects
    for slot in path {
      guard let first = owners.first, let link = first.entity.links[slot] else { return }
      var reached = try reach(link, from: owners)
      var seen: Set<RowKey> = []
      reached.removeAll { $0.state == .gone || !seen.insert($0.key).inserted }
      prefetched += reached
      owners = reached
    }
  }

  /// Releases the prefetched objects.
  package func forgetPrefetched() { prefetched = [] }

  /// The destinations of a relationship of some objects, with values.
  func reach(
    _ link: RelationshipLink, from owners: [ManagedObject]
  ) throws -> [ManagedObject] {
    let read = link.kind.isToMany ? try readMembers(link, of: owners) : []
    let reached = withExtendedLifetime(read) {
      objects(entity: link.destination, keys: owners.flatMap { $0.keys(link) })
    }
    try fulfil(reached)
    return reached
  }

  private func readMembers(
    _ link: RelationshipLink, of owners: [ManagedObject]
  ) throws -> [ManagedObject] {
    let unknown = owners.filter { !$0.knowsRelatedKeys(at: link.slot) && !$0.isKnownDeleted }
    if unknown.isEmpty { return [] }
    let related = try store.relatedRows(
      entity: link.entity, slot: link.slot, keys: unknown.map(\.key))
    let read = objects(entity: link.destination, pages: related.pages)
    for owner in unknown {
      owner.adoptRelatedKeys(related.members[owner.key] ?? [], at: link.slot)
    }
    return read
  }
}
