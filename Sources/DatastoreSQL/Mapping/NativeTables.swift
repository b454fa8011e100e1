package import DatastoreCore

/// The statements that create the tables of a native mapping.
package struct NativeTables {
  package let mapping: SchemaMapping
  private var dialect: any SQLDialect { mapping.dialect }

  package init(mapping: SchemaMapping) {
    self.mapping = mapping
  }

  /// `CREATE TABLE` for every entity without a parent and every join table, then their indexes.
  package var statements: [SQLFragment] {
    let tables =
      mapping.schema.entities.filter { $0.parent == nil }.map { table($0) }
      + joinTables.map { table($0) }
    return tables + references.map(\.statement) + indexes
  }

  /// Creates indexes for everything that is looked up or unique.
  package var indexes: [SQLFragment] {
    let keys = Dictionary(
      mapping.entities.map { mapped -> (String, String?) in
        if case .rowid(let key) = mapped.key { (mapped.table, key) } else { (mapped.table, nil) }
      }, uniquingKeysWith: { first, _ in first })
    return describedIndexes.map { dialect.statement(for: $0, key: keys[$0.table] ?? nil) }
  }

  /// Every reference to another table, if those are declared after all tables.
  package var references: [NativeReference] {
    guard dialect.referencesFollow else { return [] }
    var references: [NativeReference] = []
    for entity in mapping.schema.entities {
      for (slot, _) in declared(entity) {
        guard case .toOne(let key) = mapping.entities[entity.index].slots[slot],
          !isSpread(entity.index), !isSpread(key.destination)
        else { continue }
        let declaration = reference(from: entity, slot: slot, to: key.destination)
        if declaration.isEmpty { continue }
        references.append(
          NativeReference(
            table: mapping.entities[entity.index].table, column: key.names[0],
            target: mapping.entities[key.destination].table, declaration: declaration))
      }
    }
    for pairs in joinTables {
      for (column, entity) in columns(of: pairs) where !isSpread(entity) {
        references.append(
          NativeReference(
            table: pairs.join.table, column: column, target: mapping.entities[entity].table,
            declaration: " \(reference(ofPairsTo: entity))"))
      }
    }
    return references
  }

  /// Whether the table of an entity can have no references, because its rows are distributed over several
  /// machines.
  private func isSpread(_ entity: EntityIndex) -> Bool {
    mapping.entities[entity].distribution?.isSpread ?? false
  }

  /// Every index, with its description.
  package var describedIndexes: [NativeIndex] {
    var names = NameRegistry(
      taken: mapping.entities.map(\.table) + joinTables.map(\.join.table),
      reservedPrefix: dialect.reservedPrefix, mostBytes: dialect.mostBytesOfNames)
    var indexes: [NativeIndex] = []
    func index(
      on table: String, _ columns: [String], isUnique: Bool = false,
      descending: Set<String> = [], where condition: SQLFragment = "", of entity: Entity? = nil,
      _ properties: [String] = []
    ) {
      let name = names.claim("\(table)_\(columns.joined(separator: "_"))_index")
      // Each machine sees only its own rows.
      var isUnique = isUnique
      if let entity, isUnique, let column = mapping.entities[entity.index].distribution?.column {
        isUnique = !isSpread(entity.index) || columns.contains(column)
      }
      indexes.append(
        NativeIndex(
          name: name, table: table, columns: columns, descending: descending, isUnique: isUnique,
          condition: condition,
          entity: entity?.index, properties: properties))
    }
    for entity in mapping.schema.entities.sorted(by: { $0.name < $1.name }) {
      let mapped = mapping.entities[entity.index]
      if let family = mapped.family, family.isRoot {
        index(on: mapped.table, [family.discriminator])
      }
      for (slot, property) in declared(entity) {
        switch mapped.slots[slot] {
        case .toOne(let key): index(on: mapped.table, key.names)
        case .attribute(let column):
          guard let attribute = property.attribute else { continue }
          if attribute.isUnique {
            index(on: mapped.table, [column.name], isUnique: true, of: entity, [attribute.name])
          } else if attribute.isIndexed {
            index(on: mapped.table, [column.name])
          }
        case .toManyForeignKey, .toManyJoin: continue
        }
      }
      for names in constraints(of: entity) {
        var condition: SQLFragment = ""
        if let family = mapped.family, !family.isRoot {
          condition = " WHERE \(name: family.discriminator) IN (\(family.valueList))"
        }
        index(
          on: mapped.table, names.compactMap { column($0, of: entity) }, isUnique: true,
          where: condition, of: entity, names)
      }
    }
    for entity in mapping.schema.entities.sorted(by: { $0.name < $1.name }) {
      for description in ownIndexes(of: entity) {
        let columns = description.columns.compactMap { column in
          self.column(column.property, of: entity).map { ($0, column.isDescending) }
        }
        index(
          on: mapping.entities[entity.index].table, columns.map(\.0),
          descending: Set(columns.filter(\.1).map(\.0)))
      }
    }
    for pairs in joinTables { index(on: pairs.join.table, pairs.join.otherColumns) }
    return indexes
  }

  /// Every index of words, in the order of their tables.
  package var wordTables: [NativeWordTable] {
    var columns: [String: Set<String>] = [:]
    var tables: [String: WordIndex] = [:]
    for mapped in mapping.entities {
      for case .attribute(let column) in mapped.slots {
        guard let index = column.wordIndex else { continue }
        columns[mapped.table, default: []].insert(column.name)
        tables[mapped.table] = index
      }
    }
    return tables.sorted { $0.key < $1.key }.map { table, index in
      NativeWordTable(
        name: index.table, table: table, key: index.key,
        columns: columns[table, default: []].sorted())
    }
  }

  /// The slots and properties that an entity does not inherit.
  private func declared(_ entity: Entity) -> [(Slot, PropertyDescription)] {
    let inherited = entity.parent.map { mapping.schema.entities[$0].slotCount } ?? 0
    return zip(entity.slots, entity.properties).dropFirst(inherited).map { ($0, $1) }
  }

  /// The sets of unique attributes that are not those of an ancestor.
  private func constraints(of entity: Entity) -> [[String]] {
    let inherited = entity.ancestors.flatMap { mapping.schema.entities[$0].description.uniqueness }
    return entity.description.uniqueness.filter { !inherited.contains($0) }
  }

  /// The indexes over several properties that are not those of an ancestor.
  private func ownIndexes(of entity: Entity) -> [IndexDescription] {
    let inherited = entity.ancestors.flatMap { mapping.schema.entities[$0].description.indexes }
    return entity.description.indexes.filter { !inherited.contains($0) }
  }

  private func column(_ property: String, of entity: Entity) -> String? {
    entity.slot(named: property).flatMap {
      mapping.entities[entity.index].slots[$0].columns.first?.name
    }
  }

  /// Every join table once, with the tables of both sides.
  package var joinTables: [NativeJoin] {
    var seen: Set<String> = []
    var tables: [NativeJoin] = []
    for entity in mapping.schema.entities.sorted(by: { $0.name < $1.name }) {
      for link in entity.links.compactMap(\.self).sorted(by: {
        $0.description.nameInFile < $1.description.nameInFile
      }) {
        guard link.entity == entity.index,
          case .toManyJoin(let join) = mapping.entities[entity.index].slots[link.slot],
          seen.insert(join.table).inserted
        else { continue }
        tables.append(NativeJoin(join: join, link: link))
      }
    }
    return tables
  }

  /// The table of an entity and its descendants.
  ///
  /// - Parameter name: the name to use; nil for its own name.
  package func table(_ entity: Entity, named name: String? = nil) -> SQLFragment {
    let mapped = mapping.entities[entity.index]
    var definitions = definitions(of: entity)
    if let distribution = mapped.distribution, case .rowid(let key) = mapped.key {
      definitions.append("PRIMARY KEY (\(name: distribution.column), \(name: key))")
    }
    return "CREATE TABLE \(name: name ?? mapped.table) (\(definitions.joined(by: ", ")))"
  }

  /// The column definitions of the table of an entity and its descendants; each begins with the column's
  /// name.
  package func definitions(of entity: Entity) -> [SQLFragment] {
    let mapped = mapping.entities[entity.index]
    var columns: [SQLFragment] = []
    if case .rowid(let key) = mapped.key {
      var declaration = dialect.keyDeclaration
      if let distribution = mapped.distribution {
        declaration = dialect.keyType + (distribution.isSpread ? " NOT NULL" : " NOT NULL UNIQUE")
      }
      columns.append("\(name: key)\(declaration)")
    }
    if let family = mapped.family {
      // Not `IN`: for a list of more than two values SQLite fills a temporary table with them, for each row
      // that a statement inserts, which takes as long as everything else.
      let names = entity.members.map { mapping.schema.entities[$0] }.filter { !$0.isAbstract }
      let isOne = names.map { "\(name: family.discriminator) = \(literal: $0.name)" as SQLFragment }
        .joined(by: " OR ")
      columns.append(
        "\(name: family.discriminator)\(dialect.entityNameType) NOT NULL CHECK (\(isOne))")
    }
    for member in entity.members { columns += self.columns(of: mapping.schema.entities[member]) }
    columns += mapped.orderColumns.map { "\(name: $0)\(dialect.keyType)" }
    return columns
  }

  private func columns(of entity: Entity) -> [SQLFragment] {
    let mapped = mapping.entities[entity.index]
    var columns: [SQLFragment] = []
    for (slot, property) in declared(entity) {
      switch mapped.slots[slot] {
      case .attribute(let column):
        guard let attribute = property.attribute else { continue }
        var definition: SQLFragment =
          "\(name: column.name)\(dialect.declaration(of: attribute.type))"
        if !attribute.isOptional { definition += requirement(of: column.name, in: mapped) }
        for rule in attribute.constraints {
          if let condition = dialect.condition(
            rule, on: "\(name: column.name)", of: attribute.type)
          {
            definition += " CHECK (\(condition))"
          }
        }
        // Rows of other entities of its family do not have it.
        if mapped.family?.isRoot ?? true,
          let value = dialect.defaultLiteral(attribute.defaultValue, for: attribute.type)
        {
          definition += " DEFAULT "
          definition += value
        }
        columns.append(definition)
      case .toOne(let key):
        var definition: SQLFragment = "\(name: key.names[0])\(dialect.keyType)"
        if !(property.relationship?.isOptional ?? true) {
          definition += requirement(of: key.names[0], in: mapped)
        }
        if !dialect.referencesFollow {
          definition += reference(from: entity, slot: slot, to: key.destination)
        }
        columns.append(definition)
      case .toManyForeignKey, .toManyJoin: continue
      }
    }
    return columns
  }

  /// The condition that a column has a value: in all rows, or in those of the entities that have the
  /// attribute.
  private func requirement(of column: String, in mapped: EntityMapping) -> SQLFragment {
    guard let family = mapped.family, !family.isRoot else { return " NOT NULL" }
    return """
       CHECK (\(name: column) IS NOT NULL \
      OR \(name: family.discriminator) NOT IN (\(family.valueList)))
      """
  }

  /// The constraint of a to-one column.
  ///
  /// There is none if deleting the destination should leave the reference (delete rule *no action* on the
  /// other side); without an inverse, which would clear the owner's reference to a deleted destination, the
  /// file does that.
  private func reference(from entity: Entity, slot: Slot, to destination: EntityIndex)
    -> SQLFragment
  {
    let target = mapping.schema.entities[destination]
    let inverse = entity.links[slot]?.inverseSlot
    if let inverse, target.links[inverse]?.deleteRule.keepsReferences ?? false { return "" }
    let isOptional = entity.links[slot]?.description.isOptional ?? true
    let rule: SQLFragment = inverse == nil && isOptional ? " ON DELETE SET NULL" : ""
    return " \(references(target.index))\(rule)\(dialect.referenceTiming)"
  }

  private func references(_ entity: EntityIndex) -> SQLFragment {
    guard case .rowid(let key) = mapping.entities[entity].key else { return "" }
    return "REFERENCES \(name: mapping.entities[entity].table) (\(name: key))"
  }

  /// The key columns of a table of pairs, with their entities.
  private func columns(of pairs: NativeJoin) -> [(String, EntityIndex)] {
    [
      (pairs.join.ownColumns[0], pairs.link.entity),
      (pairs.join.otherColumns[0], pairs.link.destination),
    ]
  }

  private func reference(ofPairsTo entity: EntityIndex) -> SQLFragment {
    "\(references(entity)) ON DELETE CASCADE\(dialect.referenceTiming)"
  }

  /// The column definitions of a table of pairs; each begins with the column's name.
  package func definitions(of pairs: NativeJoin) -> [SQLFragment] {
    let join = pairs.join
    var definitions: [SQLFragment] = columns(of: pairs).map { column, entity in
      let definition: SQLFragment = "\(name: column)\(dialect.keyType) NOT NULL"
      return dialect.referencesFollow
        ? definition : "\(definition) \(reference(ofPairsTo: entity))"
    }
    definitions += [join.orderColumn, join.otherOrderColumn].compactMap(\.self).map {
      "\(name: $0)\(dialect.keyType)"
    }
    return definitions
  }

  /// A table of pairs.
  ///
  /// - Parameter name: the name to use; nil for its own name.
  package func table(_ pairs: NativeJoin, named name: String? = nil) -> SQLFragment {
    let key = [pairs.join.ownColumns[0], pairs.join.otherColumns[0]]
      .map { "\(name: $0)" as SQLFragment }.joined(by: ", ")
    return """
      CREATE TABLE \(name: name ?? pairs.join.table) (\(definitions(of: pairs).joined(by: ", ")), \
      PRIMARY KEY (\(key)))\(dialect.pairTableOptions)
      """
  }
}

/// A table of pairs, and the relationship whose ends are in its first and its second column.
package struct NativeJoin: Sendable {
  package let join: JoinTable
  package let link: RelationshipLink
}

/// A column whose values are keys of another native table.
package struct NativeReference: Sendable {
  package let table: String
  package let column: String
  package let target: String
  /// `REFERENCES …`, with the action when a row is deleted.
  package let declaration: SQLFragment

  package var statement: SQLFragment {
    "ALTER TABLE \(name: table) ADD FOREIGN KEY (\(name: column))\(declaration)"
  }
}
