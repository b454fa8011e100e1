import DatastoreCore

/// The statements that make the tables of a native mapping.
struct NativeTables {
  let mapping: SchemaMapping

  /// `CREATE TABLE` for every entity and every join table, then their indexes.
  var statements: [SQLFragment] {
    mapping.schema.entities.map(table) + joinTables.map(table) + indexes
  }

  /// `CREATE INDEX IF NOT EXISTS` for everything that is looked up or unique.
  var indexes: [SQLFragment] {
    var names = NameRegistry(taken: mapping.entities.map(\.table) + joinTables.map(\.join.table))
    var statements: [SQLFragment] = []
    func index(on table: String, _ columns: [String], isUnique: Bool = false) {
      let name = names.claim("\(table)_\(columns.joined(separator: "_"))_index")
      let list = columns.map { "\(name: $0)" as SQLFragment }.joined(by: ", ")
      let unique: SQLFragment = isUnique ? "UNIQUE " : ""
      statements.append(
        "CREATE \(unique)INDEX IF NOT EXISTS \(name: name) ON \(name: table) (\(list))")
    }
    for entity in mapping.schema.entities.sorted(by: { $0.name < $1.name }) {
      let mapped = mapping.entities[entity.index]
      for (slot, property) in entity.properties.enumerated() {
        switch mapped.slots[slot] {
        case .toOne(let key): index(on: mapped.table, key.names)
        case .attribute(let column):
          guard let attribute = property.attribute else { continue }
          if attribute.isUnique {
            index(on: mapped.table, [column.name], isUnique: true)
          } else if attribute.isIndexed {
            index(on: mapped.table, [column.name])
          }
        case .toManyForeignKey, .toManyJoin: continue
        }
      }
      for names in entity.description.uniqueness {
        index(on: mapped.table, names.compactMap { column($0, of: entity) }, isUnique: true)
      }
    }
    for (join, _, _) in joinTables { index(on: join.table, join.otherColumns) }
    return statements
  }

  private func column(_ property: String, of entity: Entity) -> String? {
    guard let slot = entity.slot(named: property) else { return nil }
    switch mapping.entities[entity.index].slots[slot] {
    case .attribute(let column): return column.name
    case .toOne(let key): return key.names.first
    case .toManyForeignKey, .toManyJoin: return nil
    }
  }

  /// Every join table once, with the tables of its own and its other side.
  private var joinTables: [(join: JoinTable, own: Int, other: Int)] {
    var seen: Set<String> = []
    var tables: [(join: JoinTable, own: Int, other: Int)] = []
    for entity in mapping.schema.entities.sorted(by: { $0.name < $1.name }) {
      for link in entity.links.compactMap(\.self).sorted(by: {
        $0.description.name < $1.description.name
      }) {
        guard case .toManyJoin(let join) = mapping.entities[entity.index].slots[link.slot],
          seen.insert(join.table).inserted
        else { continue }
        tables.append((join, entity.index, link.destination))
      }
    }
    return tables
  }

  func table(_ entity: Entity) -> SQLFragment {
    let mapped = mapping.entities[entity.index]
    var columns: [SQLFragment] = []
    if case .rowid(let key) = mapped.key { columns.append("\(name: key) INTEGER PRIMARY KEY") }
    for (slot, property) in entity.properties.enumerated() {
      switch mapped.slots[slot] {
      case .attribute(let column):
        guard let attribute = property.attribute else { continue }
        var definition: SQLFragment = "\(name: column.name)"
        definition.segments.append(.text(attribute.type.declaration))
        if !attribute.isOptional { definition += " NOT NULL" }
        columns.append(definition)
      case .toOne(let key):
        columns.append(
          key.names.map { "\(name: $0) INTEGER" as SQLFragment }.joined(by: ", ")
            + reference(from: entity, slot: slot, to: key.destination))
      case .toManyForeignKey, .toManyJoin: continue
      }
    }
    columns += mapped.orderColumns.map { "\(name: $0) INTEGER" }
    return "CREATE TABLE \(name: mapped.table) (\(columns.joined(by: ", ")))"
  }

  /// The constraint of a to-one column.
  ///
  /// Where deleting the destination is meant to leave the reference behind (delete rule *no action*
  /// on the other side) there is none; where no inverse could make the owner forget a deleted
  /// destination, the file does.
  private func reference(from entity: Entity, slot: Int, to destination: Int) -> SQLFragment {
    let target = mapping.schema.entities[destination]
    let inverse = entity.links[slot]?.inverseSlot
    if let inverse, target.links[inverse]?.description.deleteRule == .noAction { return "" }
    let rule: SQLFragment = inverse == nil ? " ON DELETE SET NULL" : ""
    return " \(references(target.index))\(rule) DEFERRABLE INITIALLY DEFERRED"
  }

  private func references(_ entity: Int) -> SQLFragment {
    guard case .rowid(let key) = mapping.entities[entity].key else { return "" }
    return "REFERENCES \(name: mapping.entities[entity].table) (\(name: key))"
  }

  private func table(_ item: (join: JoinTable, own: Int, other: Int)) -> SQLFragment {
    let (join, own, other) = item
    let columns = [(join.ownColumns[0], own), (join.otherColumns[0], other)]
    var definitions: [SQLFragment] = columns.map { column, entity in
      "\(name: column) INTEGER NOT NULL \(references(entity)) ON DELETE CASCADE "
        + "DEFERRABLE INITIALLY DEFERRED"
    }
    definitions += [join.orderColumn, join.otherOrderColumn].compactMap(\.self).map {
      "\(name: $0) INTEGER"
    }
    let key = columns.map { "\(name: $0.0)" as SQLFragment }.joined(by: ", ")
    return """
      CREATE TABLE \(name: join.table) (\(definitions.joined(by: ", ")), PRIMARY KEY (\(key))) \
      WITHOUT ROWID
      """
  }
}
