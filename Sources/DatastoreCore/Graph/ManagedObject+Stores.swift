/// Checks that relationships stay within one of several stores.
extension ManagedObject {
  /// Reports relationships into another store, which cannot be stored.
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
        // If the other side is a to-one, it reports the fault.
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
