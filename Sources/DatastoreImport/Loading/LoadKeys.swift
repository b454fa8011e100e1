import Basics
import DatastoreCore
import SwiftDatastore

/// The keys that a load uses for each entity.
struct LoadKeys {
  let schema: Schema
  /// The keys given by the plan.
  private var planned: [EntityIndex: LoadKey.Kind] = [:]
  /// The relationships for which the plan gives the destination entity whose key fills them.
  private var described: [EntityIndex: Set<String>] = [:]
  private let context: SwiftDatastoreContext.Closure
  /// All keys by which some file may refer to the entity's objects.
  private(set) var used: [EntityIndex: Set<LoadKey>] = [:]

  init(_ plan: LoadPlan, of context: SwiftDatastoreContext.Closure) {
    schema = context.core.graph.schema
    self.context = context
    var filled: [Entity] = []
    for source in plan.sources {
      guard case .entity(let content) = source.content,
        let entity = schema.entity(named: content.entity)
      else { continue }
      filled.append(entity)
      described[entity.index, default: []].formUnion(content.referenceProperties)
      if let key = content.key { planned[entity.index] = kind(of: key, content, entity) }
    }
    for entity in filled {
      if planned[entity.index] != nil { use(place(of: entity)) }
      for link in entity.links.compactMap(\.self) { use(place(of: link, in: entity)) }
    }
    for case .links(let links) in plan.sources.map(\.content) {
      for (name, column) in [
        (links.entity, links.fromReferred), (links.destination, links.toReferred),
      ] {
        if let entity = schema.entity(named: name) {
          use(place(of: entity, referredBy: column))
        }
      }
    }
  }

  private mutating func use(_ place: LoadKey) {
    used[place.entity, default: []].insert(place)
  }

  private func kind(
    of column: String, _ content: ImportManifest.EntityContent, _ entity: Entity
  ) -> LoadKey.Kind {
    let said = content.columns.first { $0.name == column }
    if said == nil, isNumber(column, of: entity) { return .rowKey }
    let name = self.name(of: said?.property ?? column, in: entity)
    guard said?.role != .ignored, let slot = entity.slot(named: name),
      entity.properties[slot].attribute != nil
    else { return .column }
    return .attribute(slot: slot)
  }

  /// The name by which an entity knows a column. Case is ignored for ASCII letters, as in SQLite, if nothing
  /// has the name itself, and that leaves a single one.
  func name(of column: String, in entity: Entity) -> String {
    let aliases = entity.description.aliases
    if entity.slot(named: column) != nil || aliases[column] != nil { return column }
    let alike = (entity.properties.map(\.name) + aliases.keys).filter {
      $0.caselessKey == column.caselessKey
    }
    return alike.count == 1 ? alike[0] : column
  }

  /// The key that identifies an entity's objects: the one in the plan, otherwise its only unique attribute,
  /// otherwise the key of the row.
  func place(of entity: Entity) -> LoadKey {
    if let kind = planned[entity.index] { return LoadKey(entity: entity.index, kind: kind) }
    if let slot = entity.identifyingSlot {
      return LoadKey(entity: entity.index, kind: .attribute(slot: slot))
    }
    return rowKey(of: entity)
  }

  /// Whether a column is that of the numbers of rows, which no property shows: `_id` in a store of
  /// SwiftDatastore.
  func isNumber(_ column: String, of entity: Entity) -> Bool {
    entity.slot(named: column) == nil
      && context.keyColumn(of: entity)?.name.isExactly(column) ?? false
  }

  /// The to-one relationship for a column that is called by the path to its key: `country.code`.
  func reference(named column: String, in entity: Entity) -> RelationshipDescription? {
    entity.links.compactMap(\.self).first { link in
      guard link.kind == .toOne, case .attribute(let key) = place(of: link, in: entity).kind else {
        return false
      }
      let destination = schema.entities[link.destination]
      return column.isExactly("\(link.description.name).\(destination.properties[key].name)")
    }?.description
  }

  private func rowKey(of entity: Entity) -> LoadKey {
    LoadKey(
      entity: entity.index,
      kind: context.keySlot(of: entity).map { .attribute(slot: $0) } ?? .rowKey)
  }

  /// The key that identifies the objects at the end of a relationship. If the plan gives none, and a foreign
  /// key represents the relationship, the columns that it refers to.
  func place(of link: RelationshipLink, in entity: Entity) -> LoadKey {
    let destination = schema.entities[link.destination]
    guard !(described[entity.index]?.contains(link.description.name) ?? false) else {
      return place(of: destination)
    }
    let columns = storedColumns(of: link, in: entity)
    let ways = columns.compactMap { wayReferred(by: $0, link) }
    guard !ways.isEmpty, ways.count == columns.count else { return place(of: destination) }
    return place(of: destination, at: ways)
  }

  /// The key that identifies the objects at an end of links.
  ///
  /// - Parameter column: the column that a table of pairs refers to; nil for the key in the files.
  func place(of entity: Entity, referredBy column: String?) -> LoadKey {
    guard let column, let way = way(to: column, in: entity, after: 0) else {
      return place(of: entity)
    }
    return place(of: entity, at: [way])
  }

  private func place(of entity: Entity, at ways: [[Slot]]) -> LoadKey {
    let isAttribute = ways.count == 1 && ways[0].count == 1
    return LoadKey(
      entity: entity.index, kind: isAttribute ? .attribute(slot: ways[0][0]) : .columns(ways))
  }

  /// The columns that hold a relationship.
  func columns(of link: RelationshipLink, in entity: Entity) -> [String] {
    storedColumns(of: link, in: entity).map(\.name)
  }

  private func storedColumns(of link: RelationshipLink, in entity: Entity) -> [AnswerColumn] {
    link.kind == .toOne ? context.storedColumns(of: link.slot, in: entity) : []
  }

  /// The path to the attribute that a column of a relationship refers to, from the destination entity; nil if
  /// no foreign key of another program's table says it.
  private func wayReferred(
    by column: AnswerColumn, _ link: RelationshipLink, after steps: Int = 0
  ) -> [Slot]? {
    // Tables may refer to each other in a circle.
    guard let referenced = column.referenced, steps < schema.entities.count else { return nil }
    return way(to: referenced, in: schema.entities[link.destination], after: steps + 1)
  }

  /// The path to the attribute that holds the value of a column.
  private func way(to column: String, in entity: Entity, after steps: Int) -> [Slot]? {
    for slot in entity.slots {
      let stored = context.storedColumns(of: slot, in: entity)
      guard let found = stored.first(where: { $0.storedName?.isExactly(column) ?? false }) else {
        continue
      }
      guard let link = entity.links[slot] else { return [slot] }
      return wayReferred(by: found, link, after: steps).map { [slot] + $0 }
    }
    return nil
  }

  /// All keys by which some file may refer to an object of an entity: a reference may also lead to an entity
  /// that it inherits from.
  func places(of entity: Entity) -> Set<LoadKey> {
    entity.ancestors.reduce(into: used[entity.index] ?? []) { places, ancestor in
      places.formUnion((used[ancestor] ?? []).filter { $0.kind != .column })
    }
  }

  /// The types of the values of a key; nil for values that are not stored, and compared as text.
  func types(of place: LoadKey) -> [AttributeType?] {
    switch place.kind {
    case .attribute(let slot): [attribute(at: [slot], of: place.entity)?.type]
    case .rowKey: [.integer64]
    case .column: [nil]
    case .columns(let ways): ways.map { attribute(at: $0, of: place.entity)?.type }
    }
  }

  private func attribute(at way: [Slot], of entity: EntityIndex) -> AttributeDescription? {
    var entity = schema.entities[entity]
    for slot in way.dropLast() {
      guard let link = entity.links[slot] else { return nil }
      entity = schema.entities[link.destination]
    }
    return way.last.flatMap { entity.properties[$0].attribute }
  }

  /// The names of the properties on a path.
  func names(on way: [Slot], of entity: EntityIndex) -> [String] {
    var entity = schema.entities[entity]
    return way.map { slot in
      let name = entity.properties[slot].name
      if let link = entity.links[slot] { entity = schema.entities[link.destination] }
      return name
    }
  }

  /// The names of the values of a key, for messages.
  func names(of place: LoadKey) -> [String] {
    switch place.kind {
    case .attribute(let slot): names(on: [slot], of: place.entity)
    case .rowKey, .column: ["key"]
    case .columns(let ways): ways.map { names(on: $0, of: place.entity).joined(separator: ".") }
    }
  }
}

extension ImportValue {
  /// The value as a key of objects.
  func key(of type: AttributeType?, _ reading: ValueReading) throws(ConversionFault) -> Value {
    guard let type else { return text.map { .text($0) } ?? .null }
    return try converted(to: type, reading)
  }
}

extension ImportManifest.EntityContent {
  /// The relationships that the manifest describes.
  var referenceProperties: [String] {
    columns.compactMap { column in
      if case .reference = column.role { return column.property }
      return nil
    }
  }
}
