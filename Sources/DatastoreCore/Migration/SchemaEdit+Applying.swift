extension SchemaEdit {
  static func place(
    of name: String, in entities: [EntityDescription]
  ) throws(Fault) -> Int {
    guard let place = entities.firstIndex(where: { $0.name == name }) else {
      throw Fault("There is no entity “\(name)”.")
    }
    return place
  }

  static func requireFree(_ name: String, in entities: [EntityDescription]) throws(Fault) {
    if name.isEmpty { throw Fault("An entity needs a name.") }
    if let other = entities.first(where: { $0.name.lowercased() == name.lowercased() }) {
      throw Fault("There is an entity “\(other.name)” already.")
    }
  }

  /// An entity and all its descendants.
  static func family(
    of name: String, in entities: [EntityDescription]
  ) throws(Fault) -> [Int] {
    let place = try place(of: name, in: entities)
    var members = [place]
    for member in entities.indices where member != place {
      var parent = entities[member].parent
      // At most as many steps as there are entities, in case the parents form a cycle.
      for _ in entities {
        guard let current = parent else { break }
        if current == name {
          members.append(member)
          break
        }
        parent = entities.first { $0.name == current }?.parent
      }
    }
    return members
  }

  /// The entity that declares a property, which another may have inherited, and all its descendants.
  static func declaringFamily(
    of property: String, _ name: String, in entities: [EntityDescription]
  ) throws(Fault) -> [Int] {
    var owner = entities[try place(of: name, in: entities)]
    guard owner.properties.contains(where: { $0.name == property }) else {
      throw Fault("\(name) has no property “\(property)”.")
    }
    for _ in entities {
      guard let parent = entities.first(where: { $0.name == owner.parent }),
        parent.properties.contains(where: { $0.name == property })
      else { break }
      owner = parent
    }
    return try family(of: owner.name, in: entities)
  }
}

extension EntityDescription {
  /// The entity without former names of itself and its properties.
  var withoutFormerNames: EntityDescription {
    var entity = self
    entity.renamedFrom = nil
    entity.properties = properties.map { property in
      switch property {
      case .attribute(var attribute):
        attribute.renamedFrom = nil
        return .attribute(attribute)
      case .relationship(var relationship):
        relationship.renamedFrom = nil
        return .relationship(relationship)
      }
    }
    return entity
  }

  mutating func replaceEntity(_ old: String, by name: String) {
    if parent == old { parent = name }
    for slot in properties.indices {
      guard case .relationship(var relationship) = properties[slot],
        relationship.destination == old
      else { continue }
      relationship.destination = name
      properties[slot] = .relationship(relationship)
    }
  }

  func requireFree(_ property: String) throws(SchemaEdit.Fault) {
    if property.isEmpty { throw SchemaEdit.Fault("A property needs a name.") }
    if let other = properties.first(where: { $0.name.lowercased() == property.lowercased() }) {
      throw SchemaEdit.Fault("\(name) has a property “\(other.name)” already.")
    }
  }

  mutating func renameProperty(_ old: String, to name: String) {
    for slot in properties.indices where properties[slot].name == old {
      switch properties[slot] {
      case .attribute(var attribute):
        attribute.renamedFrom = attribute.storedName ?? attribute.renamedFrom ?? old
        (attribute.name, attribute.storedName) = (name, nil)
        properties[slot] = .attribute(attribute)
      case .relationship(var relationship):
        relationship.renamedFrom = relationship.storedName ?? relationship.renamedFrom ?? old
        (relationship.name, relationship.storedName) = (name, nil)
        properties[slot] = .relationship(relationship)
      }
    }
    uniqueness = uniqueness.map { $0.map { $0 == old ? name : $0 } }
    for index in indexes.indices {
      for column in indexes[index].columns.indices
      where indexes[index].columns[column].property == old {
        indexes[index].columns[column].property = name
      }
    }
  }

  mutating func replaceInverse(_ old: String, of entities: Set<String>, by name: String) {
    for slot in properties.indices {
      guard case .relationship(var relationship) = properties[slot],
        relationship.inverse == old, entities.contains(relationship.destination)
      else { continue }
      relationship.inverse = name
      properties[slot] = .relationship(relationship)
    }
  }

  mutating func removeProperty(_ name: String) {
    properties.removeAll { $0.name == name }
    uniqueness.removeAll { $0.contains(name) }
    indexes.removeAll { $0.columns.contains { $0.property == name } }
  }
}
