/// Relationships stay within one of several stores.
extension ManagedObject {
  /// What leads into another store: nothing could be stored of it.
  func reportStrays(in faults: inout [ValidationError.Fault]) {
    guard let extras, !isKnownDeleted else { return }
    for slot in entity.relationshipSlots {
      guard let link = entity.links[slot] else { continue }
      let keys: [RowKey]
      if link.kind == .toOne {
        guard extras.changedSlots.contains(slot), let key = extras.values[slot].key else {
          continue
        }
        keys = [key]
      } else {
        // Where the other side is one object, that says it.
        guard let state = toManyState(slot), !state.added.isEmpty,
          graph.schema.entities.inverse(of: link)?.kind != .toOne
        else { continue }
        keys = state.added.byKey
      }
      let isStray = keys.contains {
        !graph.store.areTogether(entity.index, key, link.destination, $0)
      }
      guard isStray else { continue }
      faults.append(
        .init(
          entity: entity.name, key: key, property: link.description.name, reason: .acrossStores))
    }
  }
}
