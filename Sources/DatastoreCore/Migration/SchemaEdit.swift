/// One manual change of a schema.
package enum SchemaEdit: Sendable, Hashable, Codable {
  case addEntity(String)
  case renameEntity(String, to: String)
  case removeEntity(String)
  case addProperty(entity: String, PropertyDescription)
  case renameProperty(entity: String, String, to: String)
  case removeProperty(entity: String, String)

  /// The reason why an edit cannot be made, as a sentence.
  package struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
  }
}

extension SchemaEdit: CustomStringConvertible {
  /// A sentence without its full stop.
  package var description: String {
    switch self {
    case .addEntity(let entity): "\(entity) is new"
    case .renameEntity(let entity, let name): "\(entity) becomes \(name)"
    case .removeEntity(let entity): "\(entity) is removed"
    case .addProperty(let entity, let property): "\(entity).\(property.name) is new"
    case .renameProperty(let entity, let property, let name):
      "\(entity).\(property) becomes \(entity).\(name)"
    case .removeProperty(let entity, let property): "\(entity).\(property) is removed"
    }
  }
}

extension SchemaEdit {
  /// The entities after some edits, with their names in the file as their former names.
  ///
  /// - Parameter file: the entities of the file.
  /// - Throws: `Fault` for impossible edits; its sentences include those of `SchemaError`.
  package static func applied(
    _ edits: [SchemaEdit], to file: [EntityDescription]
  ) throws(Fault) -> [EntityDescription] {
    // Former names refer to the present file, not to its earlier versions.
    var entities = file.map(\.withoutFormerNames)
    for edit in edits { try edit.apply(to: &entities) }
    do {
      _ = try Schema(entities)
    } catch let error as SchemaError {
      throw Fault(error.faults.map(\.description).joined(separator: " "))
    } catch {
      throw Fault("\(error)")
    }
    return entities
  }

  private func apply(to entities: inout [EntityDescription]) throws(Fault) {
    switch self {
    case .addEntity(let name):
      try Self.requireFree(name, in: entities)
      entities.append(EntityDescription(name: name, properties: []))
    case .renameEntity(let old, let name):
      let place = try Self.place(of: old, in: entities)
      if old.lowercased() != name.lowercased() { try Self.requireFree(name, in: entities) }
      entities[place].renamedFrom = entities[place].renamedFrom ?? old
      entities[place].name = name
      for place in entities.indices { entities[place].replaceEntity(old, by: name) }
    case .removeEntity(let name):
      let place = try Self.place(of: name, in: entities)
      if let child = entities.first(where: { $0.parent == name }) {
        throw Fault("\(child.name) inherits from \(name); remove it first.")
      }
      let owners = entities.filter { $0.name != name }.flatMap { entity in
        entity.properties.filter { $0.relationship?.destination == name }.map {
          "\(entity.name).\($0.name)"
        }
      }
      if !owners.isEmpty {
        throw Fault("\(owners.joined(separator: " and ")) leads to \(name); remove it first.")
      }
      entities.remove(at: place)
    case .addProperty(let entity, let property):
      let owner = try Self.place(of: entity, in: entities)
      // After the existing properties; in descendants before those that they declare.
      let place = entities[owner].properties.count
      for member in try Self.family(of: entity, in: entities) {
        try entities[member].requireFree(property.name)
        entities[member].properties.insert(property, at: place)
      }
    case .renameProperty(let entity, let old, let name):
      for place in try Self.declaringFamily(of: old, entity, in: entities) {
        if old.lowercased() != name.lowercased() { try entities[place].requireFree(name) }
        entities[place].renameProperty(old, to: name)
      }
      let names = Set(
        try Self.declaringFamily(of: name, entity, in: entities).map { entities[$0].name })
      for place in entities.indices { entities[place].replaceInverse(old, of: names, by: name) }
    case .removeProperty(let entity, let name):
      let places = try Self.declaringFamily(of: name, entity, in: entities)
      let relationship = entities[places[0]].properties.first { $0.name == name }?.relationship
      for place in places { entities[place].removeProperty(name) }
      // Both ends are one relationship.
      if let relationship, let inverse = relationship.inverse {
        for place in try Self.family(of: relationship.destination, in: entities) {
          entities[place].removeProperty(inverse)
        }
      }
    }
  }
}
