import Basics

/// Predicates and sort orders see objects in their current state, unsaved changes included.
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
    // Members that hold their owner's key exist; counting them does not require reading their rows.
    return relatedKeys(at: slot).count { key in
      graph.registeredObject(entity: link.destination, key: key)?.isKnownDeleted != true
    }
  }

  package func predicateDangling(_ relationship: String) -> Value {
    let slot = relationshipSlot(relationship)
    guard let link = entity.links[slot], let key = value(at: slot).key else { return .null }
    return graph.store.keyValues(entity: link.destination, key: key)?.last ?? .null
  }

  /// The existing objects of a relationship: pairs of a join table and references may lead to deleted ones.
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
