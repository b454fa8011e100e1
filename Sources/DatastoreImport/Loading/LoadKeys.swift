import DatastoreCore

/// Which keys a load uses for which entity.
struct LoadKeys {
  let schema: Schema
  /// What the plan says.
  private var planned: [EntityIndex: LoadKey.Kind] = [:]
  /// The relationships of which the plan says by which entity's key they are filled.
  private var described: [EntityIndex: Set<String>] = [:]
  /// The attribute that shows the key of an entity's rows, if there is one.
  private let keySlot: (Entity) -> Slot?
  /// Every place by which some file may refer to the entity's objects.
  private(set) var used: [EntityIndex: Set<LoadKey>] = [:]

  init(_ plan: LoadPlan, schema: Schema, keySlot: @escaping (Entity) -> Slot?) {
    self.schema = schema
    self.keySlot = keySlot
    var filled: [Entity] = []
    for source in plan.sources {
      guard case .entity(let content) = source.content,
        let entity = schema.entity(named: content.entity)
      else { continue }
      filled.append(entity)
      described[entity.index, default: []].formUnion(content.referenceProperties)
      if let key = content.key { planned[entity.index] = Self.kind(of: key, content, entity) }
    }
    for entity in filled {
      if planned[entity.index] != nil { use(place(of: entity)) }
      for link in entity.links.compactMap(\.self) { use(place(of: link, in: entity)) }
    }
    for case .links(let links) in plan.sources.map(\.content) {
      for name in [links.entity, links.destination] {
        if let entity = schema.entity(named: name) { use(place(of: entity)) }
      }
    }
  }

  private mutating func use(_ place: LoadKey) {
    used[place.entity, default: []].insert(place)
  }

  private static func kind(
    of column: String, _ content: ImportManifest.EntityContent, _ entity: Entity
  ) -> LoadKey.Kind {
    let said = content.columns.first { $0.name == column }
    let name = said?.property ?? column
    guard said?.role != .ignored, let slot = entity.slot(named: name),
      entity.properties[slot].attribute != nil
    else { return .column }
    return .attribute(slot: slot)
  }

  /// How an entity's objects are distinguished: by what the plan says, else by its one unique
  /// attribute, else by the key of the row.
  func place(of entity: Entity) -> LoadKey {
    if let kind = planned[entity.index] { return LoadKey(entity: entity.index, kind: kind) }
    let unique = entity.slots.filter {
      entity.properties[$0].attribute?.isUnique ?? false
    }
    if unique.count == 1 {
      return LoadKey(entity: entity.index, kind: .attribute(slot: unique[0]))
    }
    return rowKey(of: entity)
  }

  private func rowKey(of entity: Entity) -> LoadKey {
    LoadKey(
      entity: entity.index, kind: keySlot(entity).map { .attribute(slot: $0) } ?? .rowKey)
  }

  /// How the objects at the end of a relationship are distinguished. Where the plan says nothing, and a
  /// foreign key column of the file stands for the relationship, by the column that it refers to.
  func place(of link: RelationshipLink, in entity: Entity) -> LoadKey {
    let destination = schema.entities[link.destination]
    let name = link.description.name
    guard !(described[entity.index]?.contains(name) ?? false),
      let path = entity.description.aliases.values.first(where: { $0.first == name }),
      path.count <= 2
    else { return place(of: destination) }
    if path.count == 1 { return rowKey(of: destination) }
    guard let slot = destination.slot(named: path[1]),
      destination.properties[slot].attribute != nil
    else { return place(of: destination) }
    return LoadKey(entity: link.destination, kind: .attribute(slot: slot))
  }

  /// Every place by which some file may refer to an object of an entity: a reference may also lead to
  /// an entity that it inherits from.
  func places(of entity: Entity) -> Set<LoadKey> {
    entity.ancestors.reduce(into: used[entity.index] ?? []) { places, ancestor in
      places.formUnion((used[ancestor] ?? []).filter { $0.kind != .column })
    }
  }

  /// The type of the keys at a place; nil where they are not kept, and compared as text.
  func type(of place: LoadKey) -> AttributeType? {
    switch place.kind {
    case .attribute(let slot): schema.entities[place.entity].properties[slot].attribute?.type
    case .rowKey: .integer64
    case .column: nil
    }
  }

  /// The name of the key at a place, for messages.
  func name(of place: LoadKey) -> String {
    switch place.kind {
    case .attribute(let slot): schema.entities[place.entity].properties[slot].name
    case .rowKey, .column: "key"
    }
  }
}

extension ImportValue {
  /// The value as a key of objects at a place.
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
