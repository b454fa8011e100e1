package import DatastoreCore

extension BatchDatabase {
  /// Deletes the stored rows that meet a condition, and does what the delete rules of their relationships
  /// say.
  ///
  /// - Returns: the rows that are gone, and those of which members of relationships have changed.
  /// - Throws: `ValidationError` where a rule denies it; what the engine throws.
  package func delete(_ entity: EntityIndex, where predicate: Predicate?) throws -> MergedKeys {
    let builder = makeBuilder()
    let scope = builder.makeScope(entity)
    let changed: MergedKeys
    if let returned = mapping.returnedByPlainDeletion(of: entity) {
      changed = try delete(
        entity, scope.alias, builder.changeClause(predicate, scope), returning: returned)
    } else {
      let clause = try builder.whereClause(predicate, in: scope)
      let set = makeDeletionSet()
      defer { set.end() }
      var plan = DeletionPlan(self, set)
      changed = try plan.run(
        "SELECT \(builder.key(entity, scope.alias))\(builder.from(scope))\(clause)", of: entity)
    }
    try validateCounts(changed)
    return changed
  }

  /// One statement, where nothing but the rows themselves has to change.
  private func delete(
    _ entity: EntityIndex, _ alias: String, _ clause: SQLFragment,
    returning returned: [(column: String, inverse: RelationshipLink)]
  ) throws -> MergedKeys {
    let deleted = try delete(entity, as: alias, clause, returning: returned.map(\.column))
    var changed = MergedKeys()
    changed.deleted = deleted.keys
    for (item, owners) in zip(returned, deleted.references) {
      for key in owners { changed.note(key, item.inverse) }
    }
    return changed
  }
}

extension SchemaMapping {
  /// What one statement has to return that deletes rows of an entity, where nothing but the rows themselves
  /// has to change: columns, and the relationships that lose them by what these hold. Nil where more has to
  /// change.
  fileprivate func returnedByPlainDeletion(
    of entity: EntityIndex
  ) -> [(column: String, inverse: RelationshipLink)]? {
    guard case .rowid = entities[entity].key, schema.oneWayLinks(toMembersOf: entity).isEmpty else {
      return nil
    }
    var returned: [(column: String, inverse: RelationshipLink)] = []
    for link in schema.links(ofMembersOf: entity) {
      guard case .toOne(let foreign) = entities[link.entity].slots[link.slot],
        link.description.deleteRule == .nullify || link.description.deleteRule == .noAction
      else { return nil }
      guard let inverse = schema.inverse(of: link) else { continue }
      guard inverse.kind != .toOne, foreign.reference == .rowid else { return nil }
      returned.append((foreign.names[0], inverse))
    }
    return returned
  }
}
