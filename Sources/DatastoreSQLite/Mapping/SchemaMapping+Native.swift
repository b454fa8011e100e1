package import DatastoreCore

extension SchemaMapping {
  /// The tables of a file of our own: plain names, so that any SQLite tool reads it.
  ///
  /// Depends on names only, never on the order of entities or properties, so that a model whose
  /// classes are listed in another order still fits its file.
  package static func native(_ schema: Schema) -> SchemaMapping {
    var planner = NativePlanner(schema: schema)
    return SchemaMapping(schema: schema, entities: planner.plan(), isNative: true)
  }
}

/// Gives every entity, property and link its name in the file.
private struct NativePlanner {
  let schema: Schema
  private var tables = NameRegistry(taken: ["_datastore"])
  /// By entity index.
  private var tableNames: [String] = []
  private var columnNames: [NameRegistry] = []
  private var keyColumns: [String] = []
  /// By entity index, then slot.
  private var slots: [[SlotMapping?]] = []

  init(schema: Schema) {
    self.schema = schema
  }

  /// Entities in the order of their names.
  private var ordered: [Entity] { schema.entities.sorted { $0.name < $1.name } }

  mutating func plan() -> [EntityMapping] {
    tableNames = Array(repeating: "", count: schema.entities.count)
    for entity in ordered { tableNames[entity.index] = tables.claim(entity.name) }
    planColumns()
    planLinks()
    return schema.entities.map { entity in
      EntityMapping(
        table: tableNames[entity.index], kind: .table,
        key: .rowid(keyColumns[entity.index]),
        slots: slots[entity.index].map { slot in
          guard let slot else {
            preconditionFailure("every property of \(entity.name) was given its place")
          }
          return slot
        },
        orderColumns: orderColumns(in: entity))
    }
  }

  private func orderColumns(in entity: Entity) -> [String] {
    schema.entities.flatMap { owner in
      owner.links.compactMap { link in
        guard let link, link.destination == entity.index,
          case .toManyForeignKey(_, let order?) = slots[owner.index][link.slot]
        else { return nil }
        return order
      }
    }.sorted()
  }

  private mutating func planColumns() {
    for entity in schema.entities {
      var names = NameRegistry()
      var mapped: [SlotMapping?] = Array(repeating: nil, count: entity.slotCount)
      let byName = entity.properties.indices.sorted {
        entity.properties[$0].name < entity.properties[$1].name
      }
      for slot in byName {
        switch entity.properties[slot] {
        case .attribute(let attribute):
          mapped[slot] = .attribute(
            Column(
              name: names.claim(attribute.name), affinity: attribute.type.affinity,
              isStrict: attribute.type.affinity != .blob, isNullable: attribute.isOptional))
        case .relationship(let relationship):
          guard relationship.kind == .toOne, let link = entity.links[slot] else { continue }
          mapped[slot] = .toOne(
            ForeignKey(
              columns: [Column(name: names.claim(relationship.name), affinity: .integer)],
              destination: link.destination, reference: .rowid))
        }
      }
      keyColumns.append(names.claim("_id"))
      columnNames.append(names)
      slots.append(mapped)
    }
  }

  private mutating func planLinks() {
    for entity in ordered {
      let links = entity.links.compactMap(\.self).sorted {
        $0.description.name < $1.description.name
      }
      for link in links where link.kind.isToMany && slots[entity.index][link.slot] == nil {
        if let inverse = link.inverseSlot,
          schema.entities[link.destination].links[inverse]?.kind == .toOne
        {
          let order =
            link.kind == .orderedToMany
            ? columnNames[link.destination].claim("_order_\(link.description.name)") : nil
          slots[entity.index][link.slot] = .toManyForeignKey(
            inverseSlot: inverse, orderColumn: order)
        } else {
          planJoinTable(link, of: entity)
        }
      }
    }
  }

  private mutating func planJoinTable(_ link: RelationshipLink, of entity: Entity) {
    let inverse = link.inverseSlot.flatMap { schema.entities[link.destination].links[$0] }
    let table = tables.claim("\(entity.name)_\(link.description.name)")
    var columns = NameRegistry()
    let own = columns.claim(entity.name)
    let other = columns.claim(link.description.name)
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

/// Names given out in one namespace of a file, in which case does not tell names apart.
struct NameRegistry {
  private var taken: Set<String>

  init(taken: [String] = []) {
    self.taken = Set(taken.map { $0.lowercased() })
  }

  /// The name itself, or with a number behind it when it is taken or reserved by SQLite.
  mutating func claim(_ name: String) -> String {
    let name = name.lowercased().hasPrefix("sqlite_") ? "_" + name : name
    var candidate = name
    var number = 2
    while !taken.insert(candidate.lowercased()).inserted {
      candidate = "\(name)_\(number)"
      number += 1
    }
    return candidate
  }

  func contains(_ name: String) -> Bool { taken.contains(name.lowercased()) }
}

extension AttributeType {
  /// The affinity of the column that stores this type.
  var affinity: Affinity {
    switch self {
    case .integer8, .integer16, .integer32, .integer64, .unsigned8, .unsigned16, .unsigned32,
      .unsigned64, .boolean:
      .integer
    case .float, .double, .date: .real
    case .string, .url: .text
    case .decimal, .uuid, .data, .coded, .undefined: .blob
    }
  }

  /// The type of a column of ours, as declared; none for `undefined`, and for decimals, whose text
  /// any other declaration would turn into a real of fewer digits.
  var declaration: String {
    switch self {
    case .decimal, .undefined: ""
    case .uuid, .data, .coded: " BLOB"
    default:
      switch affinity {
      case .integer: " INTEGER"
      case .real: " REAL"
      case .text: " TEXT"
      case .numeric: " NUMERIC"
      case .blob: " BLOB"
      }
    }
  }
}
