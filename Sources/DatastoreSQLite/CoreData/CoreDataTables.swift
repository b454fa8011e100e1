import Basics
import DatastoreCore
import DatastoreSQL

/// The tables and columns in which Core Data stores the entities of a model.
///
/// | of the model | in the file |
/// |---|---|
/// | an entity and all that inherit from it | one table, `Z` and the name of the topmost one in capitals; `Z_PK` is the key, `Z_ENT` the number of the entity |
/// | an attribute, a to-one relationship | a column `Z` and its name in capitals; where several entities of a table have that name, a number follows from the second one on |
/// | to many, back by to one | that column in the destination's table |
/// | to many, without a way back | a column `Z`, the number of the owner and the name, in the destination's table |
/// | to many, back by to many | a table `Z_`, a number and a name, those of either side |
/// | an order | a column `Z_FOK_` and what follows the first letter of the column whose rows it orders |
///
/// Numbers of entities are read from the file, never computed. Parts of the model that are missing in the
/// file are left out.
struct CoreDataTables: CoreDataPlaces {
  enum Place {
    /// If great values are in separate files, each value tells where it is.
    case attribute(FileTable.Column, isExternal: Bool)
    case toOne(FileTable.Column)
    /// A column of the destination's table, and the one for the order.
    case toMany(FileTable.Column, order: String?)
    case pairs(JoinTable)
  }

  /// The entities that have a table, parents before children.
  private(set) var entities: [CoreDataModel.Entity] = []
  private(set) var byName: [String: CoreDataModel.Entity] = [:]
  /// By the name of the entity that declares properties, then by their names.
  private(set) var places: [String: [String: Place]] = [:]
  /// Missing parts of the model, for display: names of entities, and of properties with their entities.
  private(set) var missing: [String] = []
  /// The value of `Z_ENT` in its rows, by entity name.
  private(set) var numbers: [String: Int64] = [:]
  private var children: [String: [CoreDataModel.Entity]] = [:]
  private var tableByEntity: [String: IndexedTable] = [:]
  private let tableByName: [String: FileTable]

  init(_ model: CoreDataModel, numbers: [String: Int64], in tables: [FileTable]) {
    tableByName = Dictionary(
      tables.map { ($0.name.caselessKey, $0) }, uniquingKeysWith: { first, _ in first })
    placeEntities(of: model, numbers)
    for root in entities where root.parent == nil { placeColumns(of: root) }
    for entity in entities {
      for relationship in entity.relationships
      where relationship.isToMany && !relationship.isTransient {
        give(place(of: relationship, in: entity), to: relationship.name, of: entity)
      }
    }
  }

  func table(_ name: String) -> FileTable? { tableByName[name.caselessKey] }

  func table(of entity: CoreDataModel.Entity) -> IndexedTable {
    guard let table = tableByEntity[entity.name] else {
      trap("\(entity.name) was given a table")
    }
    return table
  }

  /// A placed entity and its descendants.
  func family(of entity: CoreDataModel.Entity) -> [CoreDataModel.Entity] {
    [entity] + (children[entity.name] ?? []).flatMap { family(of: $0) }
  }

  /// The place of a property of an entity, which may be inherited.
  func place(of property: String, in entity: String) -> Place? {
    var next = byName[entity]
    while let entity = next {
      if let place = places[entity.name]?[property] { return place }
      next = entity.parent.flatMap { byName[$0] }
    }
    return nil
  }

  private mutating func give(
    _ place: Place?, to property: String, of entity: CoreDataModel.Entity
  ) {
    if let place {
      places[entity.name, default: [:]][property] = place
    } else if !entity.isOfFramework {
      // Core Data's own properties depend on its version.
      missing.append("\(entity.name).\(property)")
    }
  }
}

/// Entities and columns.
extension CoreDataTables {
  /// From the top of each family down, so that an entity comes after its parent; an entity among its own
  /// ancestors is never reached.
  private mutating func placeEntities(of model: CoreDataModel, _ known: [String: Int64]) {
    let heirs = Dictionary(grouping: model.entities) { $0.parent }
    var open = (heirs[nil] ?? []).map { (entity: $0, table: tableOfFamily($0)) }
    while let (entity, table) = open.popLast() {
      guard let table, let number = known[entity.name] else { continue }
      entities.append(entity)
      byName[entity.name] = entity
      numbers[entity.name] = number
      tableByEntity[entity.name] = table
      if let parent = entity.parent { children[parent, default: []].append(entity) }
      // Without the distinguishing column, all rows belong to the topmost entity.
      guard table.column("Z_ENT") != nil else { continue }
      open += (heirs[entity.name] ?? []).map { ($0, table) }
    }
    missing += model.entities.filter { byName[$0.name] == nil && !$0.isOfFramework }.map(\.name)
  }

  /// The table of an entity without a parent.
  private func tableOfFamily(_ root: CoreDataModel.Entity) -> IndexedTable? {
    let found = table((root.isOfFramework ? "A" : "Z") + root.name.uppercased())
    guard let found, found.kind == .table, found.unreadableReason == nil,
      found.rowidColumn?.caselessKey == "z_pk"
    else { return nil }
    return IndexedTable(found)
  }

  /// Places the attributes and to-one relationships of a family, which share a table, in the order of the
  /// entities' numbers.
  private mutating func placeColumns(of root: CoreDataModel.Entity) {
    let table = table(of: root)
    var taken: Set<String> = []
    for entity in family(of: root).sorted(by: { numbers[$0.name] ?? 0 < numbers[$1.name] ?? 0 }) {
      let attributes = entity.attributes.filter { !$0.isTransient }.map {
        ($0.name, isExternal: Bool?.some($0.mayBeExternal))
      }
      let toOnes = entity.relationships.filter { !$0.isTransient && !$0.isToMany }
        .map { ($0.name, isExternal: Bool?.none) }
      for (name, isExternal) in (attributes + toOnes).sorted(by: { $0.0 < $1.0 }) {
        let column = table.column(Self.claim("Z" + name.uppercased(), &taken))
        give(
          column.map { column in
            isExternal.map { .attribute(column, isExternal: $0) } ?? .toOne(column)
          }, to: name, of: entity)
      }
    }
  }

  /// A name, with the first number appended that distinguishes it from all before.
  private static func claim(_ name: String, _ taken: inout Set<String>) -> String {
    if taken.insert(name.caselessKey).inserted { return name }
    var number = 1
    while !taken.insert("\(name)\(number)".caselessKey).inserted { number += 1 }
    return "\(name)\(number)"
  }
}

/// The stored parts of the model.
extension CoreDataTables {
  func hasPlace(for property: String, of entity: CoreDataModel.Entity) -> Bool {
    places[entity.name]?[property] != nil
  }

  func isIndexed(_ attribute: CoreDataModel.Attribute, of entity: CoreDataModel.Entity) -> Bool {
    guard case .attribute(let column, _)? = places[entity.name]?[attribute.name] else {
      return false
    }
    return table(of: entity).isIndexed(column)
  }

  func keepsOrder(of relationship: String, of entity: CoreDataModel.Entity) -> Bool {
    switch places[entity.name]?[relationship] {
    case .toMany(_, let order): order != nil
    case .pairs(let pairs): pairs.orderColumn != nil
    case .attribute, .toOne, nil: false
    }
  }
}
