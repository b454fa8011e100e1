package import DatastoreCore

/// In which order rows of several tables are inserted.
extension SchemaMapping {
  /// To-one relationships with a reference in the table of an entity, and where they lead.
  package func toOnes(of entity: EntityIndex) -> [(slot: Slot, foreign: ForeignKey)] {
    entities[entity].slots.placed.compactMap { slot, mapped in
      guard case .toOne(let foreign) = mapped else { return nil }
      return (slot, foreign)
    }
  }

  /// Whether a row cannot be there without what a relationship leads to.
  package func isMandatory(_ entity: EntityIndex, _ slot: Slot) -> Bool {
    // In foreign tables the columns say so.
    if case .toOne(let foreign) = entities[entity].slots[slot],
      foreign.columns.contains(where: { !$0.isNullable })
    {
      return true
    }
    return !(schema.entities[entity].properties[slot].relationship?.isOptional ?? true)
  }

  /// Entities such that those that must be referred to come first, and others where it can be.
  ///
  /// - Parameter counts: the references that ask for an order.
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
