package import DatastoreCore
import DatastoreSQL
import GRDB

/// Converting Core Data stores to native stores.
extension SQLiteStore {
  /// The schema that all rows of the store satisfy: its own, without the rules that some of them break. Reads
  /// all rows once.
  ///
  /// - Returns: also the differences, as sentences without their full stops.
  /// - Throws: `StoreError`.
  package func schemaOfAllRows() throws -> (schema: Schema, changes: [String]) {
    guard isCoreData else { return (schema, []) }
    let (schema, mapping) = (schema, complete)
    return try read { database in
      var descriptions = schema.entities.map(\.description)
      var changes: [String] = []
      for entity in schema.entities {
        let rows = ConvertedRows(entity, mapping, database)
        let declared = entity.parent.map { schema.entities[$0].slotCount } ?? 0
        let missing = try rows.missingValues(in: entity.slots.dropFirst(declared))
        let doubled = try entity.description.uniqueness.filter { try rows.isDoubled($0) }
        for (slot, count) in missing {
          changes.append(
            "\(entity.name).\(entity.properties[slot].name) may be missing in the new store: \(count) of its objects "
              + "have none")
        }
        changes += doubled.map {
          "\(entity.name).\($0.joined(separator: ", ")) is not unique in the new store: some objects share it"
        }
        changes += try rows.brokenPairs(in: entity.slots.dropFirst(declared))
        // Descendants have them, too.
        for member in entity.members {
          for (slot, _) in missing { descriptions[member.rawValue].properties[slot].allowMissing() }
          descriptions[member.rawValue].uniqueness.removeAll { doubled.contains($0) }
        }
      }
      return (changes.isEmpty ? schema : try Schema(descriptions), changes)
    }
  }
}

/// The rows of an entity and its descendants.
private struct ConvertedRows {
  private let entity: Entity
  private let mapping: SchemaMapping
  private let database: Database
  private let table: SQLFragment
  private let condition: SQLFragment

  init(_ entity: Entity, _ mapping: SchemaMapping, _ database: Database) {
    (self.entity, self.mapping, self.database) = (entity, mapping, database)
    let mapped = mapping.entities[entity.index]
    table = "\(name: mapped.table) AS t"
    condition = mapped.family.flatMap { $0.condition("t") } ?? "1"
  }

  /// Mandatory properties that have no value in some rows, with their number.
  func missingValues(in slots: some Sequence<Slot>) throws -> [(slot: Slot, count: Int64)] {
    let mandatory = slots.compactMap { slot -> (slot: Slot, isMissing: SQLFragment)? in
      let property = entity.properties[slot]
      guard !(property.attribute?.isOptional ?? property.relationship?.isOptional ?? true),
        let isMissing = isMissing(slot)
      else { return nil }
      return (slot, isMissing)
    }
    if mandatory.isEmpty { return [] }
    let sums = mandatory.map { "total(\($0.isMissing))" as SQLFragment }.joined(by: ", ")
    let rows = try RawStatement("SELECT \(sums) FROM \(table) WHERE \(condition)", in: database)
    defer { rows.reset() }
    guard try rows.step() else { return [] }
    return mandatory.enumerated().compactMap { place, mandatory in
      guard case .real(let count) = rows.value(at: Int32(place)), count > 0 else { return nil }
      return (mandatory.slot, Int64(count))
    }
  }

  private func isMissing(_ slot: Slot) -> SQLFragment? {
    switch mapping.entities[entity.index].slots[slot] {
    case .attribute(let column): return "t.\(name: column.name) IS NULL"
    case .toOne(let foreign):
      let column: SQLFragment = "t.\(name: foreign.columns[0].name)"
      let target = mapping.entities[foreign.destination].table
      return """
        (\(column) IS NULL OR NOT EXISTS (SELECT 1 FROM \(name: target) AS d WHERE d.`Z_PK` = \(column)))
        """
    case .toManyForeignKey, .toManyJoin: return nil
    }
  }

  /// Relationships with pairs of which one side is missing: sentences.
  func brokenPairs(in slots: some Sequence<Slot>) throws -> [String] {
    try slots.compactMap { slot in
      guard let link = entity.links[slot],
        case .toManyJoin(let pairs) = mapping.entities[entity.index].slots[slot],
        // Either side has the same ones.
        link.inverseSlot.map({ (link.entity, slot) <= (link.destination, $0) }) ?? true
      else { return nil }
      let (own, other) = (pairs.ownColumns[0], pairs.otherColumns[0])
      let owners = mapping.entities[entity.index].table
      let members = mapping.entities[link.destination].table
      let count = try RawStatement(
        """
        SELECT count(*) FROM \(name: pairs.table) AS p WHERE p.\(name: own) IS NOT NULL AND (\
        NOT EXISTS (SELECT 1 FROM \(name: owners) AS d WHERE d.`Z_PK` = p.\(name: own)) OR \
        NOT EXISTS (SELECT 1 FROM \(name: members) AS d WHERE d.`Z_PK` = p.\(name: other)))
        """, in: database
      ).firstInteger()
      guard let count, count > 0 else { return nil }
      return "\(count) of what \(entity.name).\(entity.properties[slot].name) leads to is not there"
    }
  }

  /// Whether several rows share values that should be unique.
  func isDoubled(_ names: [String]) throws -> Bool {
    let columns = names.compactMap { name -> SQLFragment? in
      guard let slot = entity.slot(named: name) else { return nil }
      return mapping.entities[entity.index].slots[slot].columns.first.map { "t.\(name: $0.name)" }
    }
    if columns.isEmpty { return false }
    let areThere = columns.map { "\($0) IS NOT NULL" as SQLFragment }.joined(by: " AND ")
    return try RawStatement(
      """
      SELECT 1 FROM \(table) WHERE \(condition) AND \(areThere) \
      GROUP BY \(columns.joined(by: ", ")) HAVING count(*) > 1 LIMIT 1
      """, in: database
    ).firstInteger() == 1
  }
}

extension PropertyDescription {
  fileprivate mutating func allowMissing() {
    switch self {
    case .attribute(var attribute):
      attribute.isOptional = true
      self = .attribute(attribute)
    case .relationship(var relationship):
      relationship.isOptional = true
      self = .relationship(relationship)
    }
  }
}
