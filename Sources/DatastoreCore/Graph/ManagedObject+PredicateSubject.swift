import Basics

/// Predicates and sort orders look at objects as they are now, unsaved changes included.
extension ManagedObject: PredicateSubject {
  package var predicateEntity: Entity { entity }
  package var predicateSchema: Schema { graph.schema }
  package var predicateKey: RowKey { key }

  package func predicateValue(_ property: String) -> Value {
    guard let slot = entity.slot(named: property) else {
      trap("\(entity.name) has no property “\(property)”; validate predicates first")
    }
    return value(at: slot)
  }

  package func predicateRelated(_ relationship: String) -> [any PredicateSubject] {
    existing(at: relationshipSlot(relationship))
  }

  package func predicateRelatedCount(_ relationship: String) -> Int {
    let slot = relationshipSlot(relationship)
    guard let link = entity.links[slot], link.kind.isToMany, let inverse = link.inverseSlot,
      graph.schema.entities[link.destination].links[inverse]?.kind == .toOne
    else { return existing(at: slot).count }
    // Members that say themselves whose they are exist; their rows need not be read to count them.
    return relatedKeys(at: slot).count { key in
      graph.registeredObject(entity: link.destination, key: key)?.isKnownDeleted != true
    }
  }

  /// What a relationship leads to without what is gone: pairs of a join table and references may lead there.
  final func existing(at slot: Slot) -> [ManagedObject] {
    guard let link = entity.links[slot] else { return [] }
    return graph.readable(graph.objects(entity: link.destination, keys: keys(link)))
      .filter { !$0.isKnownDeleted }
  }

  private func relationshipSlot(_ name: String) -> Slot {
    guard let slot = entity.slot(named: name) else {
      trap(
        "\(entity.name) has no relationship “\(name)”; validate predicates first")
    }
    return slot
  }
}
