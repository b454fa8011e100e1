import DatastoreCore
import DatastoreSQL

extension StoredSchemaUnion {
  /// The entities of the stored schema with the additions of reflection, then those of the other tables.
  var descriptions: [EntityDescription] {
    var extended: [String: EntityDescription] = [:]
    for entity in stored.schema.entities where entity.parent == nil {
      for member in entity.members { extend(stored.schema.entities[member], &extended) }
    }
    let known = stored.schema.entities.compactMap { extended[$0.name] }
    let new = reflected.schema.entities.filter { roots[$0.index] == nil }.map { entity in
      var description = entity.description
      description.name = entityNames[entity.index]
      description.properties = added(by: entity)
      description.aliases = aliases(of: entity)
      return description
    }
    return known + new
  }

  /// Adds the properties that reflection has found in its table to an entity, after its ancestors.
  private func extend(_ entity: Entity, _ extended: inout [String: EntityDescription]) {
    var description = entity.description
    if let parent = entity.description.parent, let inherited = extended[parent] {
      let own = entity.properties.dropFirst(
        entity.parent.map { stored.schema.entities[$0].slotCount } ?? 0)
      description.properties = inherited.properties + own
    } else {
      for found in reflected.schema.entities where roots[found.index] == entity {
        description.properties += added(by: found)
        description.aliases.merge(aliases(of: found)) { own, _ in own }
      }
    }
    extended[entity.name] = description
  }

  /// The properties of a reflected entity that the stored schema does not have, under their names in the
  /// union.
  private func added(by entity: Entity) -> [PropertyDescription] {
    zip(entity.slots, entity.properties).compactMap { slot, property in
      guard let name = propertyNames[entity.index][slot] else { return nil }
      switch property {
      case .attribute(var attribute):
        attribute.name = name
        return .attribute(attribute)
      case .relationship(var relationship):
        guard let link = entity.links[slot] else { return nil }
        relationship.name = name
        relationship.destination = entityNames[link.destination]
        relationship.inverse = link.inverseSlot.flatMap { propertyNames[link.destination][$0] }
        relationship.referred = relationship.referred.map { name in
          reflected.schema.entities[link.destination].slot(named: name)
            .flatMap { propertyNames[link.destination][$0] } ?? name
        }
        return .relationship(relationship)
      }
    }
  }

  /// Aliases from reference columns to added relationships.
  private func aliases(of entity: Entity) -> [String: [String]] {
    entity.description.aliases.compactMapValues { path in
      guard let slot = path.first.flatMap(entity.slot(named:)),
        let name = propertyNames[entity.index][slot], let link = entity.links[slot]
      else { return nil }
      // A column of the other table has its own name there.
      let rest = path.dropFirst().map { step in
        let destination = reflected.schema.entities[link.destination]
        return destination.slot(named: step).flatMap { propertyNames[link.destination][$0] }
      }
      return rest.contains(nil) ? nil : [name] + rest.compactMap(\.self)
    }
  }
}
