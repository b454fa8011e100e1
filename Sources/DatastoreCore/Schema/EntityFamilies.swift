/// The inheritance between entities, derived from the names of parents.
struct EntityFamilies {
  let parents: ByEntity<EntityIndex?>
  private let children: ByEntity<[EntityIndex]>

  /// - Precondition: every parent exists, and no entity is an ancestor of itself.
  init(_ descriptions: [EntityDescription], indexByName: [String: EntityIndex]) {
    parents = ByEntity(descriptions.map { $0.parent.flatMap { indexByName[$0] } })
    var children = ByEntity<[EntityIndex]>(repeating: [], count: descriptions.count)
    for index in parents.indices {
      if let parent = parents[index] { children[parent].append(index) }
    }
    for index in children.indices {
      children[index].sort { descriptions[$0].name < descriptions[$1].name }
    }
    self.children = children
  }

  func ancestors(of index: EntityIndex) -> [EntityIndex] {
    var ancestors: [EntityIndex] = []
    var next = parents[index]
    while let parent = next {
      ancestors.append(parent)
      next = parents[parent]
    }
    return ancestors
  }

  /// The entity and all its descendants, parents before children.
  func members(of index: EntityIndex) -> [EntityIndex] {
    [index] + children[index].flatMap { members(of: $0) }
  }
}

extension SchemaFault {
  static func inheritanceFaults(
    of entity: EntityDescription, in descriptions: [EntityDescription],
    indexByName: [String: EntityIndex]
  ) -> [SchemaFault] {
    guard let name = entity.parent else {
      let hasChildren = descriptions.contains { $0.parent == entity.name }
      return entity.isAbstract && !hasChildren ? [.abstractWithoutChildren(entity.name)] : []
    }
    guard let parent = indexByName[name].map({ descriptions[$0] }) else {
      return [.missingParent(entity: entity.name, parent: name)]
    }
    var seen: Set<String> = [entity.name]
    var ancestor: EntityDescription? = parent
    while let current = ancestor {
      guard seen.insert(current.name).inserted else { return [.inheritanceCycle(entity.name)] }
      ancestor = current.parent.flatMap { indexByName[$0] }.map { descriptions[$0] }
    }
    var faults: [SchemaFault] = []
    let inherited = entity.properties.prefix(parent.properties.count)
    if inherited.elementsEqual(parent.properties) {
      let names = Set(inherited.map(\.name))
      for property in entity.properties.dropFirst(inherited.count)
      where names.contains(property.name) {
        faults.append(
          .overriddenProperty(entity: entity.name, property: property.name, parent: name))
      }
    } else {
      faults.append(.notInherited(entity: entity.name, parent: name))
    }
    if entity.isReadOnly != parent.isReadOnly {
      faults.append(.notInherited(entity: entity.name, parent: name))
    }
    if entity.isAbstract, !descriptions.contains(where: { $0.parent == entity.name }) {
      faults.append(.abstractWithoutChildren(entity.name))
    }
    return faults
  }
}
