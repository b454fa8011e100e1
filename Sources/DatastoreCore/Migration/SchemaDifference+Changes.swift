extension SchemaDifference {
  /// All differences of the schemas: by entities in the order of the newer schema, then the removed ones.
  ///
  /// An inherited difference is reported once, where it is declared. O(entities × properties).
  ///
  /// - Parameter hasInitial: whether the model makes the values of a new attribute, by index of the entity
  ///   and slot.
  package func changes(
    hasInitial: (EntityIndex, Slot) -> Bool = { _, _ in false }
  ) -> [SchemaChange] {
    new.entities.flatMap { entity -> [SchemaChange] in
      guard let former = former(entity) else { return [.entityAdded(entity.name)] }
      return changes(of: entity, former, hasInitial)
    }
      + old.entities.filter { laterEntities[$0.index] == nil }.map { .entityRemoved($0.name) }
  }

  private func changes(
    of entity: Entity, _ former: Entity, _ hasInitial: (EntityIndex, Slot) -> Bool
  ) -> [SchemaChange] {
    var changes: [SchemaChange] = []
    if entity.name != former.name {
      changes.append(.entityRenamed(from: former.name, to: entity.name))
    }
    let moved = isMoved(entity, former)
    if moved {
      changes.append(
        .parentChanged(
          entity: entity.name, from: former.description.parent, to: entity.description.parent))
    }
    if entity.isAbstract != former.isAbstract {
      changes.append(.abstractnessChanged(entity: entity.name, isAbstract: entity.isAbstract))
    }
    let inherited = moved ? 0 : inheritedCount(entity, in: new)
    for slot in entity.slots.dropFirst(inherited) {
      let property = entity.properties[slot]
      guard let formerSlot = formerSlots[entity.index][slot] else {
        changes += added(property, entity, slot, hasInitial)
        continue
      }
      let old = former.properties[formerSlot]
      if old.nameInFile != property.nameInFile {
        changes.append(
          .propertyRenamed(entity: entity.name, from: old.name, to: property.name))
      }
      // A name in Swift that the file does not know.
      if old.name != property.name, old.nameInFile == property.nameInFile {
        changes.append(.rulesChanged(entity: entity.name, property: property.name))
      }
      switch (property, old) {
      case (.attribute(let attribute), .attribute(let old)):
        changes += changed(attribute, old, entity.name)
      case (.relationship(let relationship), .relationship(let old)):
        changes += changed(relationship, old, entity)
      default: break
      }
    }
    changes += uniqueness(of: entity, former)
    let kept = keptSlots(of: former)
    for slot in former.slots.dropFirst(moved ? 0 : inheritedCount(former, in: old))
    where !kept.contains(slot) {
      changes.append(
        .propertyRemoved(entity: entity.name, property: former.properties[slot].name))
    }
    return changes
  }

  /// Whether the parent is another entity, not only renamed.
  private func isMoved(_ entity: Entity, _ former: Entity) -> Bool {
    entity.parent.map { formerEntities[$0] } != former.parent.map { .some($0) }
  }

  private func inheritedCount(_ entity: Entity, in schema: Schema) -> Int {
    entity.parent.map { schema.entities[$0].slotCount } ?? 0
  }

  private func added(
    _ property: PropertyDescription, _ entity: Entity, _ slot: Slot,
    _ hasInitial: (EntityIndex, Slot) -> Bool
  ) -> [SchemaChange] {
    guard let attribute = property.attribute else {
      let change = SchemaChange.relationshipAdded(entity: entity.name, property: property.name)
      let isOptional = property.relationship?.isOptional ?? true
      return isOptional
        ? [change]
        : [
          change,
          .becameRequired(entity: entity.name, property: property.name, hasDefault: false),
        ]
    }
    let value: SchemaChange.AddedValue =
      !attribute.defaultValue.isNull
      ? .defaultValue
      : hasInitial(entity.index, slot) ? .initial : attribute.isOptional ? .none : .missing
    return [.attributeAdded(entity: entity.name, property: attribute.name, value)]
  }

  private func changed(
    _ attribute: AttributeDescription, _ old: AttributeDescription, _ entity: String
  ) -> [SchemaChange] {
    var changes: [SchemaChange] = []
    let name = attribute.name
    if attribute.type != old.type {
      changes.append(
        .typeChanged(entity: entity, property: name, from: old.type, to: attribute.type))
    }
    if attribute.isOptional != old.isOptional {
      changes.append(
        attribute.isOptional
          ? .becameOptional(entity: entity, property: name)
          : .becameRequired(
            entity: entity, property: name, hasDefault: !attribute.defaultValue.isNull))
    }
    if attribute.isUnique != old.isUnique {
      changes.append(
        attribute.isUnique
          ? .becameUnique(entity: entity, properties: [name])
          : .noLongerUnique(entity: entity, properties: [name]))
    }
    if attribute.isIndexed != old.isIndexed {
      changes.append(
        .indexChanged(entity: entity, property: name, isIndexed: attribute.isIndexed))
    }
    if attribute.isSearchable != old.isSearchable {
      changes.append(
        .wordIndexChanged(
          entity: entity, property: name, isSearchable: attribute.isSearchable))
    }
    let (rules, oldRules) = (attribute.constraints, old.constraints)
    changes += rules.filter { !oldRules.contains($0) }.map {
      .ruleAdded(entity: entity, property: name, $0, attribute.type)
    }
    changes += oldRules.filter { !rules.contains($0) }.map {
      .ruleRemoved(entity: entity, property: name, $0, old.type)
    }
    if let (from, to) = attribute.changedCoder(since: old) {
      changes.append(.coderChanged(entity: entity, property: name, from: from, to: to))
    }
    let isOtherwise =
      attribute.rules.filter { !rules.contains($0) } != old.rules.filter { !oldRules.contains($0) }
    if attribute.defaultValue != old.defaultValue || attribute.cases != old.cases || isOtherwise {
      changes.append(.rulesChanged(entity: entity, property: name))
    }
    return changes
  }

  private func changed(
    _ relationship: RelationshipDescription, _ former: RelationshipDescription, _ entity: Entity
  ) -> [SchemaChange] {
    var changes: [SchemaChange] = []
    let name = relationship.name
    if relationship.kind != former.kind {
      changes.append(
        .kindChanged(
          entity: entity.name, property: name, from: former.kind, to: relationship.kind))
    }
    if relationship.isOptional != former.isOptional {
      changes.append(
        relationship.isOptional
          ? .becameOptional(entity: entity.name, property: name)
          : .becameRequired(entity: entity.name, property: name, hasDefault: false))
    }
    if let destination = old.entity(named: former.destination).flatMap(later),
      destination.name != relationship.destination
    {
      changes.append(
        .destinationChanged(
          entity: entity.name, property: name, from: former.destination,
          to: relationship.destination))
    }
    if (relationship.inverse == nil) != (former.inverse == nil) {
      changes.append(
        .inverseChanged(
          entity: entity.name, property: name, from: former.inverse, to: relationship.inverse))
    }
    if relationship.deleteRule != former.deleteRule
      || relationship.minimumCount != former.minimumCount
      || relationship.maximumCount != former.maximumCount
    {
      changes.append(.rulesChanged(entity: entity.name, property: name))
    }
    return changes
  }

  /// Changes of unique sets, with the names of the new entity.
  private func uniqueness(of entity: Entity, _ former: Entity) -> [SchemaChange] {
    let names = Dictionary(
      zip(entity.slots, formerSlots[entity.index]).compactMap { slot, old in
        old.map { (former.properties[$0].name, entity.properties[slot].name) }
      }, uniquingKeysWith: { first, _ in first })
    let olds = former.description.uniqueness.map { set in set.map { names[$0] ?? $0 } }
    let news = entity.description.uniqueness
    return news.filter { !olds.contains($0) }.map {
      .becameUnique(entity: entity.name, properties: $0)
    }
      + olds.filter { !news.contains($0) }.map {
        .noLongerUnique(entity: entity.name, properties: $0)
      }
  }
}

extension AttributeDescription {
  /// The names of both coders, if the attribute's stored bytes were written by another one. Attributes that
  /// become coded are JSON.
  package func changedCoder(since old: AttributeDescription) -> (from: String, to: String)? {
    guard type == .coded, old.type != .data, old.type != .undefined, coder != old.coder else {
      return nil
    }
    return (old.coder ?? "json", coder ?? "json")
  }
}
