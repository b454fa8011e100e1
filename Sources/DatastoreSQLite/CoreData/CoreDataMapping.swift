import Basics
import DatastoreCore
import DatastoreSQL

/// The entities of a Core Data model over the tables of its store: the third maker of a `SchemaMapping`, besides that
/// of native files and that of reflection.
///
/// Names are those of the model. An entity begins with the properties of its parent, as everywhere here; its own are
/// ordered by name, attributes first, since a model has no order.
struct CoreDataMapping {
  private let tables: CoreDataTables
  private var descriptions: [String: EntityDescription] = [:]
  /// By entity name, in the order of its properties.
  private var places: [String: [CoreDataTables.Place]] = [:]

  init(_ tables: CoreDataTables) {
    self.tables = tables
    for entity in tables.entities { describe(entity) }
  }

  /// The mapping.
  ///
  /// - Throws: `SchemaError` where the entities are not those of any schema.
  func mapping() throws -> SchemaMapping {
    let schema = try Schema(descriptions.values.sorted { $0.name < $1.name })
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

/// What the entities are.
extension CoreDataMapping {
  private mutating func describe(_ entity: CoreDataModel.Entity) {
    let parent = entity.parent.flatMap { descriptions[$0] }
    var properties = parent?.properties ?? []
    var places = entity.parent.flatMap { self.places[$0] } ?? []
    var names = Set(properties.map(\.name))
    let placed = tables.places[entity.name] ?? [:]
    for attribute in entity.attributes {
      guard let place = placed[attribute.name], names.insert(attribute.name).inserted else {
        continue
      }
      properties.append(.attribute(description(of: attribute, place, in: entity)))
      places.append(place)
    }
    for relationship in entity.relationships {
      guard let place = placed[relationship.name], tables.byName[relationship.destination] != nil,
        names.insert(relationship.name).inserted
      else { continue }
      properties.append(.relationship(description(of: relationship, place, in: entity)))
      places.append(place)
    }
    let inherited = Set(parent?.uniqueness ?? [])
    descriptions[entity.name] = EntityDescription(
      name: entity.name, properties: properties,
      uniqueness: entity.uniqueness.filter { !inherited.contains($0) && names.isSuperset(of: $0) },
      parent: parent?.name,
      isAbstract: entity.isAbstract && tables.family(of: entity).count > 1)
    self.places[entity.name] = places
  }

  private func description(
    of attribute: CoreDataModel.Attribute, _ place: CoreDataTables.Place,
    in entity: CoreDataModel.Entity
  ) -> AttributeDescription {
    var isIndexed = false
    if case .attribute(let column) = place {
      isIndexed = tables.table(of: entity).isIndexed(column)
    }
    return AttributeDescription(
      name: attribute.name, type: attribute.type.type, isOptional: attribute.isOptional,
      defaultValue: attribute.defaultValue, isIndexed: isIndexed, cases: attribute.cases)
  }

  private func description(
    of relationship: CoreDataModel.Relationship, _ place: CoreDataTables.Place,
    in entity: CoreDataModel.Entity
  ) -> RelationshipDescription {
    let hasOrder =
      switch place {
      case .toMany(_, let order): order != nil
      case .pairs(let pairs): pairs.orderColumn != nil
      case .attribute, .toOne: false
      }
    let isPossible =
      relationship.minimumCount >= 0
      && (relationship.maximumCount == 0 || relationship.maximumCount >= relationship.minimumCount)
    let counts =
      relationship.isToMany && isPossible
      ? (relationship.minimumCount, relationship.maximumCount) : (0, 0)
    return RelationshipDescription(
      name: relationship.name,
      kind: !relationship.isToMany
        ? .toOne : relationship.isOrdered && hasOrder ? .orderedToMany : .toMany,
      destination: relationship.destination, inverse: inverse(of: relationship, in: entity),
      deleteRule: relationship.deleteRule, minimumCount: counts.0, maximumCount: counts.1,
      isOptional: relationship.isOptional)
  }

  /// The name of the inverse, where both sides lead to each other and have their places. Core Data also knows inverses
  /// that lead to an entity which inherits from the one that declares them.
  private func inverse(
    of relationship: CoreDataModel.Relationship, in entity: CoreDataModel.Entity
  ) -> String? {
    guard let name = relationship.inverse,
      let (owner, inverse) = tables.declaring(name, in: relationship.destination),
      owner.name == relationship.destination, inverse.destination == entity.name,
      inverse.inverse == relationship.name, tables.places[owner.name]?[name] != nil
    else { return nil }
    return name
  }
}

/// Where their properties are.
extension CoreDataMapping {
  private func slots(of entity: Entity, in schema: Schema) -> BySlot<SlotMapping> {
    guard let places = places[entity.name] else {
      trap("\(entity.name) is one of the entities that were described")
    }
    let table = table(of: entity)
    return BySlot(
      zip(places, entity.links).map { place, link in
        switch (place, link) {
        case (.attribute(let column), _): return .attribute(table.table.mapped(column))
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
        default: trap("relationships have links")
        }
      })
  }

  /// Without an inverse that is known here, the destination's table is one of pairs, of a row and the one that it
  /// refers to.
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
