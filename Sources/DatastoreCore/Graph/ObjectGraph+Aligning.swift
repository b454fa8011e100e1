/// Keeping the to-many sides of a relationship consistent when the stored to-one side changes.
extension ObjectGraph {
  /// Makes owners list a member as added exactly when it leads to them and the store does not know, and as
  /// removed exactly when it leads to them in the store but no longer here.
  ///
  /// Does nothing for properties other than to-one relationships whose inverse is to-many.
  ///
  /// - Parameter others: keys of objects that may list it besides the stored and the present owner.
  func alignOwners(of member: ManagedObject, at slot: Slot, besides others: [Value]) {
    guard let link = member.entity.links[slot], link.kind == .toOne, let inverse = link.inverseSlot,
      schema.entities[link.destination].links[inverse]?.kind.isToMany ?? false,
      member.state != .gone
    else { return }
    let stored = member.state == .inserted ? .null : member.committedValue(at: slot)
    let present = member.value(at: slot)
    var seen: Set<RowKey> = []
    for case let key? in ([stored, present] + others).map(\.key) where seen.insert(key).inserted {
      guard let owner = maps[link.destination][key], owner.state != .gone else { continue }
      let isStored = stored == .key(key)
      let isPresent = present == .key(key)
      align(owner, inverse, member.key, isStored: isStored, isPresent: isPresent)
    }
  }

  private func align(
    _ owner: ManagedObject, _ slot: Slot, _ key: RowKey, isStored: Bool, isPresent: Bool
  ) {
    var state = owner.toManyState(slot) ?? ToManyState()
    let isAdded = isPresent && !isStored
    let isRemoved = isStored && !isPresent
    let isStoredKnown = (state.stored?.contains(key) ?? isStored) == isStored
    let isTrue =
      isStoredKnown && state.added.contains(key) == isAdded
      && state.removed.contains(key) == isRemoved
      && (state.members?.contains(key) ?? isPresent) == isPresent
    if isTrue { return }
    state.added.remove(key)
    state.removed.remove(key)
    if isAdded { state.added.insert(key) }
    if isRemoved { state.removed.insert(key) }
    if !isStoredKnown { state.stored = nil }
    // The members are rebuilt on the next read.
    var fresh = state.staged
    fresh.stored = state.stored
    owner.setToManyState(fresh, slot)
    if journal?.mentions(owner, slot) == false { unstageStoredOrder(of: owner, slot) }
    if state.isChanged { track(owner) }
    record(owner, changed: slot)
    owner.notify(slot)
  }
}
