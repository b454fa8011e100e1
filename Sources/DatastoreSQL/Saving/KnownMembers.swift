package import DatastoreCore

extension SchemaMapping {
  /// The relationships of an entity whose members a database deletes or changes by itself with a row that goes (`ON
  /// DELETE CASCADE`, `SET NULL`), and the members that a save knows of.
  package func knownMembers(
    of entity: EntityIndex, in changes: ChangeSet
  ) -> [(link: RelationshipLink, inverse: Slot, known: [RowKey])] {
    let leaving = schema.deleteRules(of: entity).leaving
    return schema.entities[entity].links.compactMap { link in
      guard let link, leaving.contains(link),
        case .toManyForeignKey(let inverse, _) = entities[entity].slots[link.slot]
      else { return nil }
      let members = changes.entities.filter { $0.entity == link.destination }.flatMap { change in
        change.deleted.map(\.key)
          + change.updated.filter { $0.slots.contains(inverse) }.map(\.key)
      }
      return (link, inverse, members)
    }
  }
}
