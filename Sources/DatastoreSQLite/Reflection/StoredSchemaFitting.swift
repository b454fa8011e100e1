import Basics
import DatastoreCore
import DatastoreSQL
import GRDB

/// Combines the schema in a native file's description with its tables, after other tools have changed them.
///
/// The tables are shown; the stored schema adds meaning to them: names, types, relationships, families. Its
/// parts about missing tables and columns are left out, with the relationships that need them. Additions by
/// others are shown as in any other file (`Reflector`): new tables as entities, new columns as properties of
/// the entity of the table.
struct StoredSchemaFitting {
  /// The schema in the file's description, with its names of tables.
  let stored: SchemaMapping
  /// The file's tables, without `_datastore` and the indexes of words.
  let tables: [FileTable]
  private let tableByName: [String: FileTable]

  init(_ stored: Schema, _ tables: [FileTable]) {
    let mapping = SchemaMapping.native(stored)
    let wordTables = WordTables(mapping).names
    self.stored = mapping
    self.tables = tables.filter {
      $0.name != StoreDescription.table && !wordTables.contains($0.name.lowercased())
    }
    tableByName = Dictionary(
      self.tables.map { ($0.name.caselessKey, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func table(_ name: String) -> FileTable? { tableByName[name.caselessKey] }

  /// The differences of the file from its schema: the ends of a sentence. Empty for a file that no one has
  /// changed.
  var differences: [String] {
    let expected = stored.storedColumns
    var differences: [String] = []
    for (name, columns) in expected.sorted(by: { $0.key < $1.key }) {
      guard let table = table(name) else {
        differences.append("the table “\(columns.table)” is gone")
        continue
      }
      for column in columns.names.sorted() where table.column(column) == nil {
        differences.append("the column “\(column)” of “\(table.name)” is gone")
      }
    }
    differences += changedKeys + changedTypes
    for table in tables {
      guard let columns = expected[table.name.caselessKey] else {
        differences.append("the \(table.kind == .view ? "view" : "table") “\(table.name)” is new")
        continue
      }
      let known = Set(columns.names.map { $0.caselessKey })
      for column in table.columns where !known.contains(column.name.caselessKey) {
        differences.append("the column “\(column.name)” of “\(table.name)” is new")
      }
    }
    return differences
  }

  /// Tables whose rows are not numbered by the expected column.
  private var changedKeys: [String] {
    stored.schema.entities.filter { $0.parent == nil && !isThere($0) }.compactMap { entity in
      guard case .rowid(let key) = stored.entities[entity.index].key,
        let table = table(stored.entities[entity.index].table), table.column(key) != nil
      else { return nil }
      return "the table “\(table.name)” has another primary key"
    }
  }

  /// Columns that prefer other values than those of their attributes.
  private var changedTypes: [String] {
    var changes: [String] = []
    for entity in stored.schema.entities {
      let mapped = stored.entities[entity.index]
      for (slot, property) in zip(entity.slots, entity.properties) {
        guard case .attribute(let column) = mapped.slots[slot], let type = property.attribute?.type,
          let table = table(mapped.table), let found = table.column(column.name),
          !found.stores(type, in: table)
        else { continue }
        let declared = found.declaredType.isEmpty ? "without a type" : found.declaredType
        let change = "the column “\(found.name)” of “\(table.name)” is declared \(declared)"
        // The entities of a family share their columns.
        if !changes.contains(change) { changes.append(change) }
      }
    }
    return changes
  }

  /// The part of the stored schema whose tables and columns exist.
  ///
  /// - Parameter references: columns by table, both in lower case, that annotations make refer to other rows:
  ///   reflection makes relationships of them.
  func present(without references: [String: Set<String>] = [:]) throws -> [EntityDescription] {
    // Descendants are removed with their ancestors: they share one table.
    let gone = Set(stored.schema.entities.filter { !isThere($0) }.map(\.name))
    var missing = missingProperties()
    for entity in stored.schema.entities {
      let mapped = stored.entities[entity.index]
      let columns = references[mapped.table.caselessKey] ?? []
      for (slot, property) in zip(entity.slots, entity.properties) {
        guard case .attribute(let column) = mapped.slots[slot],
          columns.contains(column.name.caselessKey)
        else { continue }
        missing.insert(PropertyName(entity: entity.name, property: property.name))
      }
    }
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for entity in stored.schema.entities {
        for link in entity.links.compactMap(\.self) {
          let property = PropertyName(entity: entity.name, property: link.description.name)
          let inverse = link.description.inverse.map {
            PropertyName(entity: link.description.destination, property: $0)
          }
          guard
            gone.contains(link.description.destination) || inverse.map(missing.contains) ?? false
          else { continue }
          if missing.insert(property).inserted { isGrowing = true }
        }
      }
    }
    return stored.schema.entities.filter { !gone.contains($0.name) }.map { entity in
      present(entity, without: missing)
    }
  }

  private func present(_ entity: Entity, without missing: Set<PropertyName>) -> EntityDescription {
    var description = entity.description
    description.properties = zip(entity.slots, entity.properties).compactMap { slot, property in
      if missing.contains(PropertyName(entity: entity.name, property: property.name)) { return nil }
      guard case .relationship(var relationship) = property, !hasItsOrder(slot, of: entity) else {
        return property
      }
      relationship.kind = .toMany
      return .relationship(relationship)
    }
    let names = Set(description.properties.map(\.name))
    description.uniqueness = description.uniqueness.filter { names.isSuperset(of: $0) }
    return description
  }

  /// Whether the table of an entity exists and can hold its objects.
  private func isThere(_ entity: Entity) -> Bool {
    let mapped = stored.entities[entity.index]
    guard let table = table(mapped.table), table.kind == .table,
      case .rowid(let key) = mapped.key,
      table.rowidColumn?.caselessKey == key.caselessKey
    else { return false }
    return mapped.family.map { table.column($0.discriminator) != nil } ?? true
  }

  /// Properties without the columns that they need.
  private func missingProperties() -> Set<PropertyName> {
    var missing: Set<PropertyName> = []
    for entity in stored.schema.entities {
      let mapped = stored.entities[entity.index]
      for (slot, property) in zip(entity.slots, entity.properties) {
        let isThere =
          switch mapped.slots[slot] {
          case .attribute(let column): isThere(column, property, mapped.table)
          case .toOne(let foreign): hasColumns(foreign.names, mapped.table)
          case .toManyForeignKey: true
          case .toManyJoin(let join): hasColumns(join.ownColumns + join.otherColumns, join.table)
          }
        if !isThere {
          missing.insert(PropertyName(entity: entity.name, property: property.name))
        }
      }
    }
    return missing
  }

  /// Whether the column of an attribute can hold values of its type.
  private func isThere(_ column: Column, _ property: PropertyDescription, _ table: String) -> Bool {
    guard let type = property.attribute?.type, let table = self.table(table) else { return false }
    return table.column(column.name)?.stores(type, in: table) ?? false
  }

  private func hasColumns(_ names: [String], _ table: String) -> Bool {
    guard let table = self.table(table) else { return false }
    return names.allSatisfy { table.column($0) != nil }
  }

  /// Whether the order column of a relationship exists, if it has an order.
  func hasItsOrder(_ slot: Slot, of entity: Entity) -> Bool {
    switch stored.entities[entity.index].slots[slot] {
    case .toManyForeignKey(_, let order?):
      guard let link = entity.links[slot] else { return true }
      return hasColumns([order], stored.entities[link.destination].table)
    case .toManyJoin(let join): return join.orderColumn.map { hasColumns([$0], join.table) } ?? true
    case .attribute, .toOne, .toManyForeignKey: return true
    }
  }
}

/// A property by name: those of a family are listed for each entity that has them.
struct PropertyName: Hashable {
  let entity: String
  let property: String
}

extension FileTable.Column {
  /// Whether it stores values of a type as this library writes them.
  fileprivate func stores(_ type: AttributeType, in table: FileTable) -> Bool {
    // A column without a type stores everything, as do native ones declared without one.
    DeclaredType.affinity(declaredType, isStrict: table.isStrict) == type.affinity
  }
}

extension SchemaMapping {
  /// By table in lower case: the table's name and all columns of entities and relationships.
  var storedColumns: [String: (table: String, names: Set<String>)] {
    var columns: [String: (table: String, names: Set<String>)] = [:]
    func add(_ names: [String], _ table: String) {
      columns[table.caselessKey, default: (table, [])].names.formUnion(names)
    }
    for mapped in entities {
      if case .rowid(let key) = mapped.key { add([key], mapped.table) }
      if let family = mapped.family { add([family.discriminator], mapped.table) }
      add(mapped.orderColumns, mapped.table)
      for slot in mapped.slots {
        switch slot {
        case .attribute(let column): add([column.name], mapped.table)
        case .toOne(let foreign): add(foreign.names, mapped.table)
        case .toManyForeignKey: continue
        case .toManyJoin(let join):
          let order = [join.orderColumn, join.otherOrderColumn].compactMap(\.self)
          add(join.ownColumns + join.otherColumns + order, join.table)
        }
      }
    }
    return columns
  }
}
