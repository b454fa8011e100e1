/// Predicates and sort orders look at objects as they are now, unsaved changes included.
extension ManagedObject: PredicateSubject {
  package var predicateEntity: Entity { entity }
  package var predicateSchema: Schema { graph.schema }
  package var predicateKey: Int64 { key }

  package func predicateValue(_ property: String) -> Value {
    guard let slot = entity.slot(named: property) else {
      preconditionFailure("\(entity.name) has no property “\(property)”; validate predicates first")
    }
    return value(at: slot)
  }

  package func predicateRelated(_ relationship: String) -> [any PredicateSubject] {
    guard let slot = entity.slot(named: relationship) else {
      preconditionFailure(
        "\(entity.name) has no relationship “\(relationship)”; validate predicates first")
    }
    return graph.related(self, slot).filter { object in
      if object.state == .fault { graph.fulfil(object) }
      return !object.isDeleted
    }
  }
}
