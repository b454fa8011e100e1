import Basics
import DatastoreCore

/// The target of a column of a file.
enum ColumnTarget {
  case ignored
  case attribute(slot: Slot, AttributeDescription)
  case reference(ReferenceTarget)
  /// One of the columns that together hold a relationship.
  case part(ReferenceTarget, index: Int)
  /// The number that the row had in the store which the file was written from: references of the same load
  /// lead to it.
  case number
}

/// A relationship that a column fills with the keys of other objects.
struct ReferenceTarget {
  let slot: Slot
  let link: RelationshipLink
  /// The key that identifies the objects it leads to.
  let place: LoadKey
  /// The types of the values of their key; nil if the key is not stored.
  let keyTypes: [AttributeType?]
  /// The columns that hold it together, if there are several.
  let columns: [String]
  /// The slot of the inverse if it is ordered.
  let orderedInverse: Slot?
  let positionColumn: String?
}

/// The mapping of the columns of one file to the properties of one entity.
struct LoadBinding {
  let entity: Entity
  let schema: Schema
  let content: ImportManifest.EntityContent
  let keys: LoadKeys
  /// The key that identifies the objects of the file; nil if there is none.
  let keyPlace: LoadKey?
  private let positions: Set<String>
  /// Whether texts are kept that cannot be restored from the values.
  private let keepsTexts: Bool
  /// Columns without settings that are left out.
  private(set) var others: Set<String> = []
  /// Columns whose values the store computes, which are left out.
  private(set) var computed: Set<String> = []
  /// The column that holds the key, once it was met.
  private(set) var keyColumn: String?
  private var targets: [String: ColumnTarget] = [:]
  /// The column that fills a property.
  private var fillers: [Slot: String] = [:]

  /// - Parameter keepsTexts: whether to keep texts that cannot be restored from the values, if there is a
  ///   column for them.
  init(
    _ content: ImportManifest.EntityContent, entity: Entity, schema: Schema, keys: LoadKeys,
    keepsTexts: Bool
  ) {
    self.content = content
    self.entity = entity
    self.schema = schema
    self.keys = keys
    keyPlace = content.key == nil ? nil : keys.place(of: entity)
    positions = content.positionColumns
    self.keepsTexts = keepsTexts
  }

  /// The slot for the texts of a column that cannot be restored from its values; nil if they are not kept.
  func textSlot(of column: String) -> Slot? {
    guard keepsTexts,
      let slot = entity.slot(named: LostTexts.column(for: content.property(of: column))),
      entity.properties[slot].attribute?.type == .string
    else { return nil }
    return slot
  }

  /// The target of a column. O(1) from the second call on.
  ///
  /// - Throws: `ConversionFault` if the entity has no such property or it cannot be assigned.
  mutating func target(of column: String) throws(ConversionFault) -> ColumnTarget {
    if let known = targets[column] { return known }
    if let key = content.key {
      let isAlike = keyColumn == nil && column.caselessKey == key.caselessKey
      if isAlike || column == key { keyColumn = column }
    }
    if content.ignoresOthers, !content.columns.contains(where: { $0.name == column }) {
      // Records of JSON may have any number of names, each of which may occur only once.
      if others.count < 100 { others.insert(column) }
      return .ignored
    }
    let target = try makeTarget(of: column)
    switch target {
    case .attribute(let slot, _): try claim(slot, for: column)
    case .reference(let reference): try claim(reference.slot, for: column)
    case .ignored, .part, .number: break
    }
    targets[column] = target
    return target
  }

  /// - Throws: `ConversionFault` if another column fills the property, whose values would be lost.
  private mutating func claim(_ slot: Slot, for column: String) throws(ConversionFault) {
    guard let other = fillers.updateValue(column, forKey: slot) else { return }
    throw ConversionFault(
      "“\(other.shownInMessage)” and “\(column.shownInMessage)” both fill "
        + "“\(entity.name).\(entity.properties[slot].name)”; leave one of them out")
  }

  private mutating func makeTarget(of column: String) throws(ConversionFault) -> ColumnTarget {
    let said = content.columns.first { $0.name == column }
    if said?.role == .ignored { return .ignored }
    if said == nil, positions.contains(column) { return .ignored }
    let name = keys.name(of: content.property(of: column), in: entity)
    var reference: ImportManifest.Reference?
    if case .reference(let value)? = said?.role { reference = value }
    if let slot = entity.slot(named: name) {
      let property = entity.properties[slot]
      if let relationship = property.relationship {
        return try target(at: slot, relationship, reference: reference, column: name)
      }
      guard reference == nil else {
        throw ConversionFault("“\(entity.name).\(name)” is an attribute, not a relationship")
      }
      guard let attribute = property.attribute else {
        trap("a property is an attribute or a relationship")
      }
      if attribute.isReadOnly {
        computed.insert(column)
        return .ignored
      }
      if case .attribute(let type?)? = said?.role, !attribute.holds(type) {
        throw ConversionFault(
          "“\(column.shownInMessage)” is declared as \(type.title), but “\(entity.name).\(name)” is "
            + "already there, as \(attribute.declaredType ?? attribute.type.rawValue); leave its type "
            + "out, or load into a new table")
      }
      return .attribute(slot: slot, attribute)
    }
    if let path = entity.description.aliases[name], path.count <= 2,
      let relationshipName = path.first, let slot = entity.slot(named: relationshipName),
      let relationship = entity.properties[slot].relationship
    {
      return try target(at: slot, relationship, reference: reference, column: name)
    }
    if let relationship = keys.reference(named: name, in: entity),
      let slot = entity.slot(named: relationship.name)
    {
      return try target(at: slot, relationship, reference: reference, column: name)
    }
    if keys.isNumber(name, of: entity) {
      return keys.place(of: entity).kind == .rowKey ? .number : .ignored
    }
    let known = entity.properties.map(\.name).joined(separator: ", ")
    throw ConversionFault(
      "\(entity.name) has no property “\(name.shownInMessage)”; it has \(known)")
  }

  private func target(
    at slot: Slot, _ relationship: RelationshipDescription, reference: ImportManifest.Reference?,
    column: String
  ) throws(ConversionFault) -> ColumnTarget {
    guard let link = entity.links[slot] else { trap("a relationship has a link") }
    if relationship.isReadOnly {
      throw ConversionFault("“\(entity.name).\(relationship.name)” cannot be assigned")
    }
    let destination = schema.entities[link.destination]
    if let reference, reference.destination != destination.name {
      throw ConversionFault(
        "“\(entity.name).\(relationship.name)” leads to \(destination.name), not to "
          + reference.destination)
    }
    let place = keys.place(of: link, in: entity)
    let types = keys.types(of: place)
    let columns = types.count > 1 ? keys.columns(of: link, in: entity) : []
    let orderedInverse = link.inverseSlot.flatMap { inverse in
      destination.links[inverse]?.kind == .orderedToMany ? inverse : nil
    }
    let target = ReferenceTarget(
      slot: slot, link: link, place: place, keyTypes: types, columns: columns,
      orderedInverse: link.kind == .toOne ? orderedInverse : nil,
      positionColumn: reference?.positionColumn)
    if columns.isEmpty { return .reference(target) }
    guard let index = columns.firstIndex(of: column) else {
      throw ConversionFault(
        "“\(entity.name).\(relationship.name)” is stored in \(ReferenceParts.names(columns)), so that no single column "
          + "can fill it")
    }
    return .part(target, index: index)
  }
}

extension AttributeDescription {
  /// Whether the attribute is the one that a new table would have for a column of that type.
  fileprivate func holds(_ column: ColumnType) -> Bool {
    let wanted: [AttributeType] =
      column == .date ? [.date, .calendarDate] : [column.attributeType]
    // Third-party files have fewer types.
    if declaredType != nil { return wanted.contains { $0.foreignType == type } }
    if column == .integer { return type.isInteger }
    if column == .double { return type == .double || type == .float }
    return wanted.contains(type)
  }
}
