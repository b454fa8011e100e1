/// Reading what relationships lead to before it is asked for.
extension ObjectGraph {
  /// Reads the objects that a path of relationships leads to from many objects: one question to the
  /// store for each step, however many objects there are. What is known already is not read again.
  ///
  /// The graph keeps what was read until `forgetPrefetched()`.
  ///
  /// - Throws: what the store throws.
  package func prefetch(_ path: [Slot], from objects: [ManagedObject]) throws {
    var owners = objects
    for slot in path {
      guard let first = owners.first, let link = first.entity.links[slot] else { return }
      var reached =
        link.kind.isToMany
        ? try prefetchMembers(link, of: owners) : destinations(of: owners, link)
      try fulfil(reached)
      var seen: Set<RowKey> = []
      reached.removeAll { $0.state == .gone || !seen.insert($0.key).inserted }
      prefetched += reached
      owners = reached
    }
  }

  /// Releases what was read ahead.
  package func forgetPrefetched() { prefetched = [] }

  private func destinations(of owners: [ManagedObject], _ link: RelationshipLink) -> [ManagedObject]
  {
    let keys = owners.compactMap { owner -> RowKey? in
      guard let key = owner.value(at: link.slot).key else { return nil }
      return key
    }
    return objects(entity: link.destination, keys: keys)
  }

  private func prefetchMembers(
    _ link: RelationshipLink, of owners: [ManagedObject]
  ) throws -> [ManagedObject] {
    let unknown = owners.filter { !$0.knowsRelatedKeys(at: link.slot) && !$0.isKnownDeleted }
    var read: [ManagedObject] = []
    if !unknown.isEmpty {
      let related = try store.relatedRows(
        entity: link.entity, slot: link.slot, keys: unknown.map(\.key))
      read = objects(entity: link.destination, pages: related.pages)
      for owner in unknown {
        owner.adoptRelatedKeys(related.members[owner.key] ?? [], at: link.slot)
      }
    }
    return withExtendedLifetime(read) { owners.flatMap { $0.relatedObjects(at: link.slot) } }
  }
}
