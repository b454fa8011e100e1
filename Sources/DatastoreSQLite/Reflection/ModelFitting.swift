import Basics
import DatastoreCore
import DatastoreSQL
import GRDB

/// Finds the tables of a third-party file for the entities of a model.
///
/// A table belongs to the entity of its name, a column to the property of its name; `named:` gives the name
/// in the file if it is not a Swift name, as does `renamedFrom`. A to-one relationship is the foreign key of
/// that column, or the one that reflection gives that name (`company` for `company_id`). To-many
/// relationships follow from their inverses and from tables of pairs. Case is ignored, as in SQLite.
///
/// The model may leave out tables and columns. A requirement that the file does not meet is a difference,
/// reported by table and column.
struct ModelFitting {
  let model: Schema
  /// The mapping of the file's tables by reflection.
  let file: SchemaMapping
  /// The entity of the file, by entity of the model.
  let tables: ByEntity<EntityIndex?>
  var differences: [String] = []
  /// By entity of the model, then slot.
  var slots: ByEntity<BySlot<SlotMapping?>>
  var descriptions: ByEntity<EntityDescription>

  init(_ model: Schema, _ file: SchemaMapping) {
    self.model = model
    self.file = file
    tables = ByEntity(
      model.entities.map { entity in
        Self.first([entity.name, entity.description.renamedFrom], in: file.schema.entities, \.name)
          .map(\.index)
      })
    slots = ByEntity(model.entities.map { BySlot(repeating: nil, count: $0.slotCount) })
    descriptions = ByEntity(model.entities.map(\.description))
  }

  /// Whether no table has the name of an entity, so that the file is unrelated to the model.
  var isStrange: Bool { tables.allSatisfy { $0 == nil } }

  /// The mapping, or nil when there are differences.
  mutating func fit() throws -> SchemaMapping? {
    for entity in model.entities { place(entity) }
    for entity in model.entities where tables[entity.index] != nil { placeToMany(entity) }
    guard differences.isEmpty else { return nil }
    return SchemaMapping(
      schema: try Schema(descriptions.elements), entities: ByEntity(model.entities.map(mapping)),
      isNative: false, dialect: file.dialect)
  }

  private func mapping(_ entity: Entity) -> EntityMapping {
    guard let table = tables[entity.index] else {
      trap("\(entity.name) was given a table")
    }
    let found = file.entities[table]
    let slots = BySlot(
      self.slots[entity.index].map { slot in
        guard let slot else {
          trap("every property of \(entity.name) was given its place")
        }
        return slot
      })
    let keyColumn = found.keySlot.flatMap { found.slots[$0].attributeColumn }
    return EntityMapping(
      table: found.table, kind: found.kind, key: found.key, slots: slots,
      declaration: found.declaration, isAutoincrement: found.isAutoincrement,
      allColumns: found.allColumns,
      keySlot: slots.firstIndex {
        keyColumn != nil && $0.attributeColumn?.name == keyColumn?.name
      },
      cellRules: zip(entity.slots, entity.properties).compactMap { slot, property in
        property.attribute.map { CellRule($0, slot: slot, entity: entity.name) }
      })
  }

  private mutating func place(_ entity: Entity) {
    guard let table = tables[entity.index] else {
      differences.append("there is no table “\(entity.description.renamedFrom ?? entity.name)”")
      return
    }
    let found = file.schema.entities[table]
    if let twin = model.entities.first(where: {
      $0.index < entity.index && tables[$0.index] == table
    }) {
      differences.append("\(twin.name) and \(entity.name) are the same table “\(found.name)”")
    }
    if entity.parent != nil || entity.members.count > 1 || entity.isAbstract {
      differences.append(
        "\(entity.name) is part of a family of classes, which only a store of SwiftDatastore keeps")
    }
    descriptions[entity.index].isReadOnly = found.description.isReadOnly
    for (slot, property) in zip(entity.slots, entity.properties) {
      if let attribute = property.attribute {
        placeAttribute(attribute, slot, entity, table)
      } else if let link = entity.links[slot], link.kind == .toOne {
        placeToOne(link, entity, table)
      }
    }
    protectSharedColumns(entity)
    checkUniqueness(entity, table)
  }

  private mutating func placeAttribute(
    _ attribute: AttributeDescription, _ slot: Slot, _ entity: Entity, _ table: EntityIndex
  ) {
    let columns = file.entities[table].slots.flatMap(\.columns)
    let name = attribute.storedName ?? attribute.name
    guard let column = Self.first([name, attribute.renamedFrom], in: columns, \.name)
    else {
      miss(attribute.renamedFrom ?? name, entity, attribute.name, table)
      return
    }
    let shown = file.schema.entities[table].slots.first { slot in
      file.entities[table].slots[slot].attributeColumn?.name.isExactly(column.name) ?? false
    }.flatMap { file.schema.entities[table].properties[$0].attribute?.type }
    // DATE and TIME columns prefer numbers, but usually hold text.
    let isTextOfDates = attribute.type.affinity == .text && shown == .string
    if !isTextOfDates, !attribute.type.survives(column.affinity) {
      differences.append(
        "\(place(column.name, table)) turns what is stored into \(column.affinity.noun), "
          + "but \(entity.name).\(attribute.name) is \(attribute.type.noun)")
    }
    slots[entity.index][slot] = .attribute(column)
    if column.isGenerated || descriptions[entity.index].isReadOnly { protect(slot, entity) }
  }

  /// Attributes that show the column of a relationship cannot be assigned: the relationship writes it.
  private mutating func protectSharedColumns(_ entity: Entity) {
    let written = Set(
      slots[entity.index].flatMap { slot -> [String] in
        if case .toOne(let foreign) = slot, foreign.isWritable { return foreign.names }
        return []
      })
    for case (let slot, .attribute(let column)?) in slots[entity.index].placed
    where written.contains(column.name) {
      var shown = column
      shown.isGenerated = true
      slots[entity.index][slot] = .attribute(shown)
      protect(slot, entity)
    }
  }

  mutating func protect(_ slot: Slot, _ entity: Entity) {
    switch descriptions[entity.index].properties[slot] {
    case .attribute(var attribute):
      attribute.isReadOnly = true
      descriptions[entity.index].properties[slot] = .attribute(attribute)
    case .relationship(var relationship):
      relationship.isReadOnly = true
      descriptions[entity.index].properties[slot] = .relationship(relationship)
    }
  }

  /// Values that the model declares unique must be unique in the file, since only it can refuse a duplicate.
  private mutating func checkUniqueness(_ entity: Entity, _ table: EntityIndex) {
    let found = file.schema.entities[table]
    let single = entity.properties.compactMap { $0.attribute }.filter(\.isUnique).map { [$0.name] }
    let known =
      found.properties.compactMap { $0.attribute }.filter(\.isUnique).map { Set([$0.name]) }
      + found.description.uniqueness.map(Set.init)
    for names in single + entity.description.uniqueness {
      let columns = names.flatMap { name -> [String] in
        guard let slot = entity.slot(named: name),
          let place = slots[entity.index][slot]
        else { return [] }
        return place.columns.map(\.name)
      }
      // A missing column is already reported.
      if columns.count < names.count { continue }
      let properties = Set(
        columns.map { column in
          found.slots.first { slot in
            file.entities[table].slots[slot].columns.contains { $0.name.isExactly(column) }
          }.map { found.properties[$0].name } ?? column
        })
      if !known.contains(properties) {
        differences.append(
          "\(place(columns.joined(separator: ", "), table)) is not unique, but "
            + "\(entity.name).\(names.joined(separator: ", ")) is")
      }
    }
  }

  private mutating func miss(
    _ column: String, _ entity: Entity, _ property: String, _ table: EntityIndex
  ) {
    differences.append(
      "table “\(file.entities[table].table)” has no column “\(column)”, which "
        + "\(entity.name).\(property) needs")
  }

  func place(_ column: String, _ table: EntityIndex) -> String {
    "column “\(column)” of table “\(file.entities[table].table)”"
  }

  /// The element with the first of the names: byte for byte, or else ignoring case and Unicode normalization.
  static func first<Element>(
    _ names: [String?], in elements: [Element], _ name: (Element) -> String
  ) -> Element? {
    let names = names.compactMap(\.self)
    let tests: [(String, String) -> Bool] = [
      { $0.isExactly($1) }, { $0.caselessKey == $1.caselessKey },
      { $0.lowercased() == $1.lowercased() },
    ]
    for isSame in tests {
      for wanted in names {
        if let found = elements.first(where: { isSame(name($0), wanted) }) { return found }
      }
    }
    return nil
  }
}

extension SchemaMapping {
  /// Maps the tables of a third-party file to the entities of a model.
  ///
  /// - Throws: `StoreError.notNative` when the file has none of its tables, `.modelDoesNotFit` with
  ///   every difference when it has some.
  static func fitted(
    _ model: Schema, to database: Database, at path: String
  ) throws -> (SchemaMapping, ReflectedTables) {
    let (file, tables) = try reflected(from: database)
    var fitting = ModelFitting(model, file)
    if fitting.isStrange { throw StoreError.notNative(path: path) }
    guard let mapping = try fitting.fit() else {
      throw StoreError.modelDoesNotFit(path: path, differences: fitting.differences)
    }
    return (mapping, tables)
  }
}

extension Affinity {
  /// The values preferred by a column of this affinity, in a sentence.
  fileprivate var noun: String {
    switch self {
    case .integer: "whole numbers"
    case .real, .numeric: "numbers"
    case .text: "text"
    case .blob: "bytes"
    }
  }
}

extension AttributeType {
  /// Whether a column of an affinity returns the values that this type has stored in it:
  /// <https://www.sqlite.org/datatype3.html#storage_class_and_column_affinity>.
  fileprivate func survives(_ affinity: Affinity) -> Bool {
    switch self.affinity {
    case _ where self == .undefined || self == .decimal || affinity == .blob: true
    case .integer: affinity == .integer || affinity == .numeric
    case .real, .numeric: affinity != .text
    case .text: affinity == .text
    // Bytes are never converted; a column declared for something else holds something else.
    case .blob: affinity == .numeric
    }
  }
}
