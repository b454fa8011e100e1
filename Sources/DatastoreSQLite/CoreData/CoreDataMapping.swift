import Basics
import DatastoreCore
import DatastoreSQL

/// Maps the entities of a Core Data model to the tables of its store: the third source of a `SchemaMapping`,
/// besides native files and reflection.
struct CoreDataMapping {
  private let tables: CoreDataTables
  /// The folder of values in separate files.
  private let externalFolder: String

  init(_ tables: CoreDataTables, externalFolder: String) {
    self.tables = tables
    self.externalFolder = externalFolder
  }

  /// Creates the mapping.
  ///
  /// - Throws: `SchemaError` if the entities do not form a schema.
  func mapping() throws -> SchemaMapping {
    let schema = try Schema(CoreDataDescriptions(tables).all)
    let slots = ByEntity(schema.entities.map { self.slots(of: $0, in: schema) })
    let numbers = ByEntity(schema.entities.map { tables.numbers[$0.name] ?? 0 })
    let entities = schema.entities.map { entity in
      let table = table(of: entity)
      let isFamily = schema.entities[entity.root].members.count > 1
      return EntityMapping(
        table: table.name, kind: .table, key: table.table.key, slots: slots[entity.index],
        declaration: table.table.declaration,
        family: isFamily
          ? FamilyMapping(
            entity, in: schema, discriminator: "Z_ENT", numbers: numbers, slots: slots)
          : nil)
    }
    return SchemaMapping(
      schema: schema, entities: ByEntity(entities), isNative: false, dialect: SQLiteDialect())
  }

  private func table(of entity: Entity) -> IndexedTable {
    guard let placed = tables.byName[entity.name] else {
      trap("\(entity.name) is one of the entities that have tables")
    }
    return tables.table(of: placed)
  }
}

/// The places of properties.
extension CoreDataMapping {
  private func slots(of entity: Entity, in schema: Schema) -> BySlot<SlotMapping> {
    let table = table(of: entity)
    return BySlot(
      zip(entity.properties, entity.links).map { property, link in
        switch (tables.place(of: property.name, in: entity.name), link) {
        case (.attribute(let column, let isExternal), _):
          var mapped = table.table.mapped(column)
          if isExternal { mapped.externalFolder = externalFolder }
          return .attribute(mapped)
        case (.toOne(let column), let link?):
          return .toOne(
            ForeignKey(
              columns: [table.table.mapped(column)], destination: link.destination,
              reference: .rowid,
              isIndexed: table.isIndexed(column)))
        case (.toMany(let column, let order), let link?):
          return toMany(column, order: order, link, in: schema)
        case (.pairs(var pairs), let link?):
          if link.kind != .orderedToMany { pairs.orderColumn = nil }
          return .toManyJoin(pairs)
        default: trap("described properties have a place, and relationships have links")
        }
      })
  }

  /// Without a known inverse, the destination's table serves as a table of pairs, of a row and the one that
  /// it refers to.
  private func toMany(
    _ column: FileTable.Column, order: String?, _ link: RelationshipLink, in schema: Schema
  ) -> SlotMapping {
    let order = link.kind == .orderedToMany ? order : nil
    if let inverse = link.inverseSlot {
      return .toManyForeignKey(inverseSlot: inverse, orderColumn: order)
    }
    let table = table(of: schema.entities[link.destination])
    guard let key = table.table.rowidColumn else {
      trap("Core Data's tables have keys of their own")
    }
    return .toManyJoin(
      JoinTable(
        table: table.name, ownColumns: [column.name], ownReference: .rowid, otherColumns: [key],
        otherReference: .rowid, orderColumn: order, isIndexed: table.isIndexed(column)))
  }
}
