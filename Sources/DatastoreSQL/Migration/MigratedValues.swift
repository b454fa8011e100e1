import Basics
package import DatastoreCore

/// The value of each column of a new table, as SQL over a row of the old table under the alias `s`.
package struct MigratedValues: Sendable {
  package let difference: SchemaDifference
  /// The names of the old tables when the SQL runs.
  package let mapping: SchemaMapping
  package let after: SchemaMapping
  package let request: MigrationRequest
  let dialect: any MigrationDialect
  var offsets = KeyOffsets()
  /// Whether values were found that do not fit, and may be lost.
  var losesMisfits = false

  /// A column of a row of the old table.
  func column(_ name: String) -> SQLFragment { "s.\(name: name)" }

  /// The value of an attribute for rows of one entity, and the condition that its old value does not fit.
  package func attribute(
    _ slot: Slot, of entity: Entity
  ) -> (value: SQLFragment, isMisfit: SQLFragment?, old: SQLFragment?) {
    guard let attribute = entity.properties[slot].attribute else {
      trap("\(entity.name) has an attribute in slot \(slot)")
    }
    let former = difference.former(entity)
    let place = MigratedPlace(
      source: former?.index, entity: entity.index, slot: slot,
      key: former.map { self.column(mapping.entities[$0.index].keyColumn) } ?? "NULL")
    let initial = replacement(attribute, place)
    guard let former,
      let formerSlot = difference.formerSlots[entity.index][slot],
      let old = former.properties[formerSlot].attribute,
      case .attribute(let stored) = mapping.entities[former.index].slots[formerSlot]
    else { return (initial ?? "NULL", nil, nil) }
    let column = self.column(stored.name)
    let conversion = dialect.conversion(
      AttributeConversion(from: old.type, to: attribute.type), of: column, for: place)
    var value = conversion.value
    if losesMisfits, let isMisfit = conversion.isMisfit {
      value = "CASE WHEN \(isMisfit) THEN NULL ELSE \(value) END"
    }
    if !attribute.isOptional, let initial, old.isOptional || conversion.isMisfit != nil {
      value = "coalesce(\(value), \(initial))"
    }
    return (value, conversion.isMisfit, column)
  }

  /// The value for objects without one.
  private func replacement(
    _ attribute: AttributeDescription, _ place: MigratedPlace
  ) -> SQLFragment? {
    if !attribute.defaultValue.isNull {
      return dialect.constant(attribute.defaultValue, of: attribute.type)
    }
    return request.hasInitial(entity: place.entity, slot: place.slot)
      ? dialect.initialValue(for: place) : nil
  }

  /// Whether objects without a value get one.
  func hasReplacement(_ attribute: AttributeDescription, _ slot: Slot, _ entity: Entity) -> Bool {
    !attribute.defaultValue.isNull || request.hasInitial(entity: entity.index, slot: slot)
  }

  /// The key in a to-one relationship, for rows of one entity.
  func toOne(_ slot: Slot, of entity: Entity) -> SQLFragment {
    guard let former = difference.former(entity), let link = entity.links[slot],
      let relationship = difference.formerRelationship(slot, of: entity)
    else { return "NULL" }
    let pairs = FormerPairs(relationship, in: mapping)
    let newRoot = after.schema.entities[link.destination].root
    let offset = offsets[pairs.otherRoot, newRoot]
    let mapped = mapping.entities[former.index]
    if !pairs.isJoin, pairs.table == mapped.table, pairs.own == mapped.keyColumn {
      let key = column(pairs.other)
      // References to objects of a family that go into another table are cleared.
      guard let isKept = isKept(key, pairs.otherRoot, newRoot) else {
        return shifted(key, by: offset)
      }
      return "CASE WHEN \(isKept) THEN \(shifted(key, by: offset)) END"
    }
    return """
      (SELECT \(shifted("p.\(name: pairs.other)", by: offset)) FROM \(name: pairs.table) AS p \
      WHERE p.\(name: pairs.own) = s.\(name: mapped.keyColumn) AND \(pairs.isPair("p"))\
      \(isKept("p.\(name: pairs.other)", pairs.otherRoot, newRoot).map { " AND " + $0 } ?? "") \
      ORDER BY \(pairs.order("p")) LIMIT 1)
      """
  }

  /// The place of a row in an ordered relationship that leads to it.
  func order(of link: RelationshipLink, inRowsOf oldRoot: EntityIndex) -> SQLFragment {
    guard let relationship = difference.formerRelationships(link).first else { return "NULL" }
    let pairs = FormerPairs(relationship, in: mapping)
    guard let order = pairs.ownOrder else { return "NULL" }
    let mapped = mapping.entities[oldRoot]
    if !pairs.isJoin, pairs.table == mapped.table, pairs.other == mapped.keyColumn {
      return column(order)
    }
    return """
      (SELECT p.\(name: order) FROM \(name: pairs.table) AS p \
      WHERE p.\(name: pairs.other) = s.\(name: mapped.keyColumn) AND \(pairs.isPair("p")) \
      ORDER BY \(pairs.reversed.order("p")) LIMIT 1)
      """
  }

  func shifted(_ key: SQLFragment, by offset: Int64) -> SQLFragment {
    offset == 0 ? key : "\(key) + \(.integer(offset))"
  }

  /// One value for rows of several entities of a family.
  ///
  /// - Parameter values: by index of the old entity.
  func combined(_ values: [(old: EntityIndex, value: SQLFragment)]) -> SQLFragment {
    guard let first = values.first else { return "NULL" }
    if values.allSatisfy({ $0.value == first.value }) { return first.value }
    guard let family = mapping.entities[first.old].family else { return first.value }
    let cases = values.map { old, value in
      "WHEN \(literal: mapping.schema.entities[old].name) THEN \(value)" as SQLFragment
    }
    return "CASE s.\(name: family.discriminator) \(cases.joined(by: " ")) END"
  }

  /// The condition that a row of an old table belongs to one of some entities; nil if all rows do.
  func condition(_ members: [EntityIndex], oldRoot: EntityIndex) -> SQLFragment? {
    let root = mapping.entities[oldRoot]
    guard let family = root.family else { return nil }
    let all = mapping.schema.entities[oldRoot].members.filter {
      !mapping.schema.entities[$0].isAbstract
    }
    if Set(members) == Set(all) { return nil }
    let names = members.map { "\(literal: mapping.schema.entities[$0].name)" as SQLFragment }
    return "s.\(name: family.discriminator) IN (\(names.joined(by: ", ")))"
  }
}
