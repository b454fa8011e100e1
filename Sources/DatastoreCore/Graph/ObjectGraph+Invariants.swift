/// The invariants of a graph between two calls.
extension ObjectGraph {
  /// Walks the whole graph and returns a sentence for every rule that is broken; empty when all hold.
  ///
  /// 1. Every registered object is found under its key, belongs to this graph, and is not gone.
  /// 2. Every changed, new or deleted object is tracked.
  /// 3. Relationships agree: where both sides are known, each leads to the other.
  /// 4. No known to-many leads to the same object twice, nor to a deleted one.
  ///
  /// O(objects + known related objects); reads nothing from the store.
  package func brokenInvariants() -> [String] {
    var broken: [String] = []
    for root in schema.entities where root.root == root.index {
      let map = maps[root.index]
      map.visit { object in
        let name = "\(object.entity.name) \(object.key)"
        if object.entity.root != root.index {
          broken.append("\(name) is in the map of another family")
        }
        if map[object.key] !== object { broken.append("\(name) is not found under its key") }
        if object.state == .gone { broken.append("\(name) is gone but registered") }
        if object.hasChanges && !object.isTracked {
          broken.append("\(name) is changed, not tracked")
        }
        for slot in object.entity.relationshipSlots { broken += brokenLinks(of: object, slot) }
      }
    }
    return broken
  }

  private func brokenLinks(of object: ManagedObject, _ slot: Slot) -> [String] {
    guard let link = object.entity.links[slot], object.state != .deleted else { return [] }
    let name = "\(object.entity.name) \(object.key).\(link.description.name)"
    guard let keys = knownKeys(of: object, link) else { return [] }
    var broken: [String] = []
    if Set(keys).count != keys.count { broken.append("\(name) leads twice to one object") }
    for key in keys {
      guard let other = maps[link.destination][key] else { continue }
      if other.isKnownDeleted, link.inverseSlot != nil, !keepsDeleted(other, link) {
        broken.append("\(name) leads to the deleted \(other.entity.name) \(key)")
      }
      guard let inverse = link.inverseSlot, let back = other.entity.links[inverse],
        !other.isKnownDeleted, let known = knownKeys(of: other, back)
      else { continue }
      if !known.contains(object.key) {
        broken.append("\(name) leads to \(other.entity.name) \(key), which does not lead back")
      }
    }
    return broken
  }

  /// Deny and no-action rules leave the other side unchanged.
  private func keepsDeleted(_ deleted: ManagedObject, _ link: RelationshipLink) -> Bool {
    guard let inverse = link.inverseSlot, let rule = deleted.entity.links[inverse]?.description
    else { return false }
    return rule.deleteRule == .deny || rule.deleteRule.keepsReferences
  }

  /// The keys of a relationship, as far as they are known without reading the store.
  private func knownKeys(of object: ManagedObject, _ link: RelationshipLink) -> [RowKey]? {
    if link.kind != .toOne { return object.toManyState(link.slot)?.members }
    if object.page == nil && object.state != .inserted { return nil }
    if let key = object.value(at: link.slot).key { return [key] }
    return []
  }
}
