import DatastoreCore

/// The statements on a table that its database cannot compile, each with the reason: the end of a sentence.
package struct TableRefusal: Sendable, Hashable {
  package var inserting: String?
  package var deleting: String?
  /// By column.
  package var updating: [String: String] = [:]

  package init() {}

  package var isEmpty: Bool { self == TableRefusal() }
}

extension SchemaMapping {
  /// The known failures of an entity before anything is saved.
  func refusedWrites(of entity: Entity) -> RefusedWrites {
    if refusals.isEmpty { return RefusedWrites() }
    let own = refusal(of: entity.index)
    var updating: [String: String] = [:]
    for (slot, property) in zip(entity.slots, entity.properties) {
      updating[property.name] = reason(at: slot, of: entity)
    }
    return RefusedWrites(inserting: own?.inserting, deleting: own?.deleting, updating: updating)
  }

  private func refusal(of entity: EntityIndex) -> TableRefusal? {
    refusals[entities[entity].table.lowercased()]
  }

  /// The reason why a property cannot be changed: the written column may be in another table.
  private func reason(at slot: Slot, of entity: Entity) -> String? {
    switch entities[entity.index].slots[slot] {
    case .attribute(let column): return refusal(of: entity.index)?.updating[column.name]
    case .toOne(let foreign):
      let updating = refusal(of: entity.index)?.updating ?? [:]
      return foreign.names.lazy.compactMap { updating[$0] }.first
    case .toManyForeignKey(let inverseSlot, _):
      guard let link = entity.links[slot] else { return nil }
      return reason(at: inverseSlot, of: schema.entities[link.destination])
    case .toManyJoin(let join):
      let table = refusals[join.table.lowercased()]
      return table?.inserting ?? table?.deleting
    }
  }
}
