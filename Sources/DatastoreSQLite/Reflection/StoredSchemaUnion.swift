import Basics
import DatastoreCore
import DatastoreSQL

/// Merges two mappings: the stored schema of a native file, and everything else that reflection finds in its
/// tables.
///
/// Both refer to entities, properties and tables by name, so they are merged by name, and only then assigned
/// indices.
struct StoredSchemaUnion {
  /// Entities of the stored schema whose tables and columns exist.
  let stored: SchemaMapping
  /// The same tables and all others, by reflection.
  let reflected: SchemaMapping
  /// By reflected entity: the entity of the stored schema that owns the table, at the top of its family.
  let roots: ByEntity<Entity?>
  /// By reflected entity: its name in the union.
  let entityNames: ByEntity<String>
  /// By reflected entity and slot: the name of the property in the union; nil for properties that the stored
  /// schema already has.
  let propertyNames: ByEntity<BySlot<String?>>

  init(_ stored: SchemaMapping, _ reflected: SchemaMapping) {
    self.stored = stored
    self.reflected = reflected
    let rootByTable = Dictionary(
      stored.schema.entities.filter { $0.parent == nil }.map {
        (stored.entities[$0.index].table.caselessKey, $0)
      }, uniquingKeysWith: { first, _ in first })
    let roots = ByEntity(reflected.entities.map { rootByTable[$0.table.caselessKey] })
    var names = NameRegistry(taken: stored.schema.entities.map(\.name))
    self.roots = roots
    entityNames = ByEntity(
      reflected.schema.entities.map { entity in
        roots[entity.index]?.name ?? names.claim(entity.name)
      })
    propertyNames = StoredSchemaUnion.propertyNames(stored, reflected, roots)
  }

  private static func propertyNames(
    _ stored: SchemaMapping, _ reflected: SchemaMapping, _ roots: ByEntity<Entity?>
  ) -> ByEntity<BySlot<String?>> {
    let known = stored.storedColumns
    let names = reflected.schema.entities.map { entity -> BySlot<String?> in
      let mapped = reflected.entities[entity.index]
      guard let root = roots[entity.index] else {
        return BySlot(entity.properties.map(\.name))
      }
      var taken = Set(
        root.members.flatMap { stored.schema.entities[$0].properties.map(\.name) })
      let free = zip(entity.slots, entity.properties).map { slot, property -> String? in
        guard !isKnown(slot, of: entity, mapped, reflected, known) else { return nil }
        return taken.insertFree(property.name) { "\(property.name)_\($0)" }
      }
      return BySlot(free)
    }
    return ByEntity(names)
  }

  /// Whether the stored schema has the columns of a reflected property, or those of its inverse.
  private static func isKnown(
    _ slot: Slot, of entity: Entity, _ mapped: EntityMapping, _ reflected: SchemaMapping,
    _ known: [String: (table: String, names: Set<String>)]
  ) -> Bool {
    func isKnown(_ names: [String], _ table: String) -> Bool {
      guard let columns = known[table.caselessKey]?.names.map({ $0.caselessKey }) else {
        return false
      }
      return names.contains { columns.contains($0.caselessKey) }
    }
    switch mapped.slots[slot] {
    case .attribute(let column): return isKnown([column.name], mapped.table)
    case .toOne(let foreign): return isKnown(foreign.names, mapped.table)
    case .toManyForeignKey(let inverse, _):
      guard let link = entity.links[slot] else { return false }
      let other = reflected.entities[link.destination]
      guard case .toOne(let foreign) = other.slots[inverse] else { return false }
      return isKnown(foreign.names, other.table)
    case .toManyJoin: return false
    }
  }

  /// The union as a mapping like that of a third-party file, because another program may write its rows, too.
  func mapping() throws -> SchemaMapping {
    let schema = try Schema(descriptions)
    let slots = placedSlots(in: schema)
    return SchemaMapping(
      schema: schema, entities: ByEntity(schema.entities.map { mapping($0, in: schema, slots) }),
      isNative: false, dialect: stored.dialect)
  }

  /// By entity of the union, then slot.
  private func placedSlots(in schema: Schema) -> ByEntity<BySlot<SlotMapping>> {
    let slots = schema.entities.map { entity in
      var places: [String: SlotMapping] = [:]
      // Additions of reflection belong to whole families.
      let root = schema.entities[entity.root].name
      var declared: [String: Column] = [:]
      for found in reflected.schema.entities where entityNames[found.index] == root {
        for (slot, place) in reflected.entities[found.index].slots.placed {
          for column in place.columns { declared[column.name.caselessKey] = column }
          if let name = propertyNames[found.index][slot] { places[name] = place }
        }
      }
      if let known = stored.schema.entity(named: entity.name) {
        for (property, place) in zip(known.properties, stored.entities[known.index].slots) {
          places[property.name] = place
        }
      }
      let moved = zip(entity.properties, entity.links).map { property, link in
        guard let place = places[property.name] else {
          trap("every property of \(entity.name) is one of the two mappings")
        }
        return self.moved(place, link, declared)
      }
      return BySlot(moved)
    }
    return ByEntity(slots)
  }

  /// The storage of a property among the entities of the union, with its columns as declared in the file.
  private func moved(
    _ place: SlotMapping, _ link: RelationshipLink?, _ declared: [String: Column]
  ) -> SlotMapping {
    switch (place, link) {
    case (.attribute(let column), _):
      return .attribute(declared[column.name.caselessKey] ?? column)
    case (.toOne(var foreign), let link?):
      foreign.columns = foreign.columns.map { declared[$0.name.caselessKey] ?? $0 }
      foreign.destination = link.destination
      return .toOne(foreign)
    case (.toManyForeignKey(_, let order), let link?):
      guard let inverse = link.inverseSlot else {
        trap("the other side of a reference is known")
      }
      return .toManyForeignKey(
        inverseSlot: inverse, orderColumn: link.kind == .orderedToMany ? order : nil)
    case (.toManyJoin(var join), let link?):
      if link.kind != .orderedToMany { join.orderColumn = nil }
      return .toManyJoin(join)
    default: trap("relationships have links")
    }
  }

  private func mapping(
    _ entity: Entity, in schema: Schema, _ slots: ByEntity<BySlot<SlotMapping>>
  ) -> EntityMapping {
    let root = schema.entities[entity.root].name
    guard
      let index = reflected.schema.entities.first(where: { entityNames[$0.index] == root })?.index
    else {
      trap("every table of the union was reflected")
    }
    let found = reflected.entities[index]
    let known = stored.schema.entity(named: entity.name).map { stored.entities[$0.index] }
    return EntityMapping(
      table: found.table, kind: found.kind, key: found.key, slots: slots[entity.index],
      declaration: found.declaration, isAutoincrement: found.isAutoincrement,
      unreadableReason: found.unreadableReason, allColumns: known == nil ? found.allColumns : [],
      keySlot: known == nil ? found.keySlot : nil, orderColumns: known?.orderColumns ?? [],
      family: known?.family.map {
        FamilyMapping(entity, in: schema, discriminator: $0.discriminator, slots: slots)
      })
  }
}
