package import DatastoreCore

/// The order for inserting rows of several tables.
extension SchemaMapping {
  /// The to-one relationships with a reference in the table of an entity, and their destinations.
  package func toOnes(of entity: EntityIndex) -> [(slot: Slot, foreign: ForeignKey)] {
    entities[entity].slots.placed.compactMap { slot, mapped in
      guard case .toOne(let foreign) = mapped else { return nil }
      return (slot, foreign)
    }
  }

  /// Whether a row requires the destination of a relationship.
  package func isMandatory(_ entity: EntityIndex, _ slot: Slot) -> Bool {
    // In third-party tables the columns tell.
    if case .toOne(let foreign) = entities[entity].slots[slot],
      foreign.columns.contains(where: { !$0.isNullable })
    {
      return true
    }
    return !(schema.entities[entity].properties[slot].relationship?.isOptional ?? true)
  }

  /// Entities in an order in which required destinations come first, and others if possible.
  ///
  /// - Parameter counts: whether a reference affects the order.
  package func insertionOrder(
    _ changes: [EntityChanges], where counts: (ForeignKey) -> Bool = { _ in true }
  ) -> [EntityChanges] {
    func root(_ entity: EntityIndex) -> EntityIndex { schema.entities[entity].root }
    var rest = changes
    var order: [EntityChanges] = []
    while !rest.isEmpty {
      func waits(_ change: EntityChanges, onlyWhereMandatory: Bool) -> Bool {
        toOnes(of: change.entity).contains { slot, foreign in
          counts(foreign) && (!onlyWhereMandatory || isMandatory(change.entity, slot))
            && rest.contains {
              $0.entity != change.entity && root($0.entity) == root(foreign.destination)
            }
        }
      }
      let next =
        rest.firstIndex { !waits($0, onlyWhereMandatory: false) }
        ?? rest.firstIndex { !waits($0, onlyWhereMandatory: true) } ?? 0
      order.append(rest.remove(at: next))
    }
    return order
  }
}
