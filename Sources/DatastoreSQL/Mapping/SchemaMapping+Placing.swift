import Basics
package import DatastoreCore

/// A database that holds some entities of a greater schema, as one of several stores.
extension SchemaMapping {
  /// The same tables, with the indices that their entities have in a greater schema, so that questions and
  /// answers need no translation. Entities of that schema that are not here have no table.
  package func placed(in whole: Schema) -> SchemaMapping {
    let places = schema.entities.map { entity -> EntityIndex in
      guard let place = whole.entity(named: entity.name)?.index else {
        trap("\(entity.name) is not part of the schema it was taken from")
      }
      return place
    }
    // Never used, but their places must be filled.
    let planned = SchemaMapping.native(whole, dialect: dialect).withoutWordIndexes
    var mapped = ByEntity(planned.entities.map { $0.absent })
    for entity in schema.entities {
      mapped[places[entity.index.rawValue]] = entities[entity.index].placed(places)
    }
    var placed = SchemaMapping(
      schema: whole, entities: mapped, isNative: isNative, dialect: dialect, fileSchema: schema)
    placed.refusals = refusals
    return placed
  }
}

extension EntityMapping {
  /// - Parameter places: the new index of an entity, by its old one.
  fileprivate func placed(_ places: [EntityIndex]) -> EntityMapping {
    var placed = self
    placed.slots = BySlot(
      slots.map { slot in
        guard case .toOne(var foreign) = slot else { return slot }
        foreign.destination = places[foreign.destination.rawValue]
        return .toOne(foreign)
      })
    placed.family = family?.placed(places)
    return placed
  }

  fileprivate var absent: EntityMapping {
    EntityMapping(
      table: "", kind: kind, key: key, slots: slots,
      unreadableReason: "this store does not hold it")
  }
}
