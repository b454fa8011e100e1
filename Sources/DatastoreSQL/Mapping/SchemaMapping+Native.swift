import Basics
package import DatastoreCore

extension SchemaMapping {
  /// The tables of a native file: with plain names, so that any SQLite tool can read it.
  ///
  /// Depends only on names, never on the order of entities or properties, so that a model that lists its
  /// classes in another order still fits its file.
  package static func native(_ schema: Schema, dialect: any SQLDialect) -> SchemaMapping {
    var planner = NativePlanner(schema: schema, dialect: dialect)
    return SchemaMapping(
      schema: schema, entities: planner.plan(), isNative: true, dialect: dialect)
  }
}

extension SchemaMapping {
  /// The same tables and further ones for new entities, including indexes of words.
  ///
  /// - Parameters:
  ///   - descriptions: entities without relationships.
  ///   - place: the name of the store in errors.
  /// - Throws: `StoreError.schemaMismatch` when they would need the names of existing tables.
  package func adding(
    _ descriptions: [EntityDescription], at place: String
  ) throws -> (mapping: SchemaMapping, added: [Entity]) {
    func mismatch(_ difference: String) -> StoreError {
      .schemaMismatch(path: place, differences: [difference])
    }
    require(
      descriptions.allSatisfy { $0.properties.allSatisfy { $0.attribute != nil } },
      "entities are added with attributes only")
    let all: Schema
    do {
      all = try Schema(schema.entities.map(\.description) + descriptions)
    } catch {
      throw mismatch("\(error)")
    }
    let grown = SchemaMapping.native(all, dialect: dialect)
    for (new, old) in zip(grown.withoutWordIndexes.entities, withoutWordIndexes.entities)
    where new.table != old.table || new.slots != old.slots {
      throw mismatch("the name of “\(new.table)” differs in case only")
    }
    return (grown, Array(all.entities.dropFirst(entities.count)))
  }
}

/// Assigns names in the file to every entity, property and link.
private struct NativePlanner {
  let schema: Schema
  private let dialect: any SQLDialect
  private var tables: NameRegistry
  // Set for the roots of families only.
  private var tableNames: ByEntity<String>
  private var columnNames: ByEntity<NameRegistry>
  private var keyColumns: ByEntity<String>
  private var discriminators: ByEntity<String?>
  private var slots: ByEntity<BySlot<SlotMapping?>>

  init(schema: Schema, dialect: any SQLDialect) {
    self.schema = schema
    self.dialect = dialect
    tables = NameRegistry(
      taken: ["_datastore"], reservedPrefix: dialect.reservedPrefix,
      mostBytes: dialect.mostBytesOfNames)
    let count = schema.entities.count
    tableNames = ByEntity(repeating: "", count: count)
    columnNames = ByEntity(
      repeating: NameRegistry(
        reservedPrefix: dialect.reservedPrefix, mostBytes: dialect.mostBytesOfNames),
      count: count)
    keyColumns = ByEntity(repeating: "", count: count)
    discriminators = ByEntity(repeating: nil, count: count)
    slots = ByEntity(schema.entities.map { BySlot(repeating: nil, count: $0.slotCount) })
  }

  /// Entities in the order of their names, descendants after their ancestors.
  private var ordered: [Entity] {
    schema.entities.filter { $0.parent == nil }.sorted { $0.name < $1.name }
      .flatMap { $0.members.map { schema.entities[$0] } }
  }

  /// The number of slots that an entity inherits.
  private func inheritedCount(_ entity: Entity) -> Int {
    entity.parent.map { schema.entities[$0].slotCount } ?? 0
  }

  mutating func plan() -> ByEntity<EntityMapping> {
    for entity in schema.entities.sorted(by: { $0.name < $1.name }) where entity.parent == nil {
      tableNames[entity.index] = tables.claim(entity.name)
    }
    planColumns()
    planLinks()
    planWords()
    let slots = placedSlots()
    return ByEntity(
      schema.entities.map { entity in
        let family = discriminators[entity.root].map {
          FamilyMapping(entity, in: schema, discriminator: $0, slots: slots)
        }
        var mapped = EntityMapping(
          table: tableNames[entity.root], kind: .table, key: .rowid(keyColumns[entity.root]),
          slots: slots[entity.index], orderColumns: orderColumns(in: entity), family: family)
        mapped.distribution = distribution(of: schema.entities[entity.root], slots)
        return mapped
      })
  }

  private func distribution(
    of root: Entity, _ slots: ByEntity<BySlot<SlotMapping>>
  ) -> TableDistribution? {
    guard let slot = dialect.distributingProperty(of: root).flatMap({ root.slot(named: $0) }) else {
      return nil
    }
    return slots[root.index][slot].columns.first.map {
      TableDistribution(column: $0.name, isSpread: dialect.spreadsTables)
    }
  }

  /// All slots, including inherited ones.
  private mutating func placedSlots() -> ByEntity<BySlot<SlotMapping>> {
    for entity in ordered {
      guard let parent = entity.parent else { continue }
      for (slot, mapped) in slots[parent].placed { slots[entity.index][slot] = mapped }
    }
    return ByEntity(
      schema.entities.map { entity in
        BySlot(
          slots[entity.index].map { slot in
            guard let slot else {
              trap("every property of \(entity.name) was given its place")
            }
            return slot
          })
      })
  }

  private func orderColumns(in entity: Entity) -> [String] {
    schema.entities.flatMap { owner in
      owner.links.compactMap { link in
        guard let link, link.entity == owner.index,
          schema.entities[link.destination].root == entity.index,
          case .toManyForeignKey(_, let order?) = slots[owner.index][link.slot]
        else { return nil }
        return order
      }
    }.sorted()
  }

  private mutating func planColumns() {
    for entity in ordered {
      var names = columnNames[entity.root]
      let own = entity.slots.dropFirst(inheritedCount(entity))
      let byName = own.sorted {
        entity.properties[$0].nameInFile < entity.properties[$1].nameInFile
      }
      for slot in byName {
        let property = entity.properties[slot]
        switch property {
        case .attribute(let attribute):
          slots[entity.index][slot] = .attribute(
            dialect.column(names.claim(property.nameInFile), for: attribute))
        case .relationship(let relationship):
          guard relationship.kind == .toOne, let link = entity.links[slot] else { continue }
          slots[entity.index][slot] = .toOne(
            ForeignKey(
              columns: [dialect.referenceColumn(names.claim(property.nameInFile))],
              destination: link.destination, reference: .rowid))
        }
      }
      columnNames[entity.root] = names
    }
    for entity in schema.entities where entity.parent == nil {
      keyColumns[entity.index] = columnNames[entity.index].claim("_id")
      if entity.entityColumn != nil {
        discriminators[entity.index] = columnNames[entity.index].claim("_entity")
      }
    }
  }

  private mutating func planLinks() {
    for entity in ordered {
      let links = entity.links.compactMap(\.self).filter { $0.entity == entity.index }.sorted {
        $0.description.nameInFile < $1.description.nameInFile
      }
      for link in links where link.kind.isToMany && slots[entity.index][link.slot] == nil {
        if let inverse = link.inverseSlot,
          schema.entities[link.destination].links[inverse]?.kind == .toOne
        {
          let order =
            link.kind == .orderedToMany
            ? columnNames[schema.entities[link.destination].root]
              .claim("_order_\(link.description.nameInFile)") : nil
          slots[entity.index][link.slot] = .toManyForeignKey(
            inverseSlot: inverse, orderColumn: order)
        } else {
          planJoinTable(link, of: entity)
        }
      }
    }
  }

  /// Runs when all tables have their names, which do not depend on searchable properties.
  private mutating func planWords() {
    var indexes: [EntityIndex: String] = [:]
    for entity in ordered {
      let own = entity.slots.dropFirst(inheritedCount(entity))
      for slot in own where entity.properties[slot].attribute?.isSearchable ?? false {
        guard case .attribute(var column)? = slots[entity.index][slot] else { continue }
        let table = indexes[entity.root] ?? claimWordTable(of: tableNames[entity.root])
        indexes[entity.root] = table
        column.wordIndex = WordIndex(
          table: table, column: column.name, key: keyColumns[entity.root])
        slots[entity.index][slot] = .attribute(column)
      }
    }
  }

  private mutating func claimWordTable(of table: String) -> String {
    while true {
      let name = tables.claim("\(table)_words")
      let parts = NativeWordTable.parts.map { "\(name)_\($0)" }
      if parts.contains(where: tables.contains) { continue }
      for part in parts { _ = tables.claim(part) }
      return name
    }
  }

  private mutating func planJoinTable(_ link: RelationshipLink, of entity: Entity) {
    let inverse = schema.entities.inverse(of: link)
    let table = tables.claim("\(entity.name)_\(link.description.nameInFile)")
    var columns = NameRegistry(
      reservedPrefix: dialect.reservedPrefix, mostBytes: dialect.mostBytesOfNames)
    let own = columns.claim(entity.name)
    let other = columns.claim(link.description.nameInFile)
    let order = link.kind == .orderedToMany ? columns.claim("_order") : nil
    let isSymmetric = inverse?.slot == link.slot && inverse?.entity == entity.index
    let otherOrder =
      inverse?.kind == .orderedToMany && !isSymmetric ? columns.claim("_order_inverse") : nil
    slots[entity.index][link.slot] = .toManyJoin(
      JoinTable(
        table: table, ownColumns: [own], ownReference: .rowid, otherColumns: [other],
        otherReference: .rowid, orderColumn: order, otherOrderColumn: otherOrder,
        isSymmetric: isSymmetric))
    guard let inverse, !isSymmetric else { return }
    slots[inverse.entity][inverse.slot] = .toManyJoin(
      JoinTable(
        table: table, ownColumns: [other], ownReference: .rowid, otherColumns: [own],
        otherReference: .rowid, orderColumn: otherOrder, otherOrderColumn: order))
  }
}
