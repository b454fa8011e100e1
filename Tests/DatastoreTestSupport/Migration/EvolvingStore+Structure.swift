import DatastoreCore

/// Relationships and families.
extension EvolvingStore {
  mutating func addRelationship() {
    let (owner, destination) = (anEntityPlace(), anEntityPlace())
    let kinds: [RelationshipKind] = [.toOne, .toMany, .orderedToMany]
    let number = number()
    let hasInverse = random.below(3) > 0 && owner != destination
    let inverse = hasInverse ? self.number() : nil
    added.formUnion([number, inverse ?? number])
    let kind = kinds[random.below(3)]
    entities[owner].properties.append(
      Property(
        number: number, name: name(), former: nil,
        kind: .relationship(kind, destination: entities[destination].number, inverse: inverse)))
    guard let inverse else { return }
    // One to one is kept at both ends, and is not what these edits are about.
    let back: RelationshipKind =
      kind == .toOne ? kinds[1 + random.below(2)] : kinds[random.below(3)]
    entities[destination].properties.append(
      Property(
        number: inverse, name: name(), former: nil,
        kind: .relationship(back, destination: entities[owner].number, inverse: number)))
  }

  private mutating func anEntityPlace() -> Int { random.below(entities.count) }

  private mutating func aRelationship() -> (entity: Int, property: Int)? {
    let all = entities.indices.flatMap { entity in
      entities[entity].properties.indices.filter {
        if case .relationship = entities[entity].properties[$0].kind { return true }
        return false
      }.map { (entity, $0) }
    }
    return all.isEmpty ? nil : all[random.below(all.count)]
  }

  /// Both ends go.
  mutating func removeRelationship() {
    guard let (entity, place) = aRelationship(),
      case .relationship(_, _, let inverse) = entities[entity].properties[place].kind
    else { return }
    entities[entity].properties.remove(at: place)
    for index in entities.indices {
      entities[index].properties.removeAll { $0.number == inverse }
    }
    removeDangling()
  }

  /// One end goes, and the other keeps the pairs.
  mutating func removeInverse() {
    guard let (entity, place) = aRelationship(),
      case .relationship(_, _, let inverse?) = entities[entity].properties[place].kind
    else { return }
    entities[entity].properties.remove(at: place)
    for index in entities.indices {
      for place in entities[index].properties.indices
      where entities[index].properties[place].number == inverse {
        if case .relationship(let kind, let destination, _) = entities[index].properties[place].kind
        {
          entities[index].properties[place].kind = .relationship(
            kind, destination: destination, inverse: nil)
        }
      }
    }
    removeDangling()
  }

  mutating func changeKind() {
    guard let (entity, place) = aRelationship() else { return }
    let property = entities[entity].properties[place]
    guard case .relationship(let kind, let destination, let inverse) = property.kind,
      !changed.contains(property.number), !added.contains(property.number)
    else { return }
    changed.insert(property.number)
    if let inverse { changed.insert(inverse) }
    let owners = objects(of: entities[entity].number)
    switch kind {
    case .toOne:
      entities[entity].properties[place].kind = .relationship(
        .toMany, destination: destination, inverse: inverse)
    case .toMany where !hasMovedKeys:
      // By key, which is the order in which they were made.
      for id in owners { objects[id]?.members[property.number]?.sort() }
      entities[entity].properties[place].kind = .relationship(
        .orderedToMany, destination: destination, inverse: inverse)
    case .toMany, .orderedToMany:
      let isNarrowed = random.below(2) == 0 && (inverse.map { !isToOne($0) } ?? true)
      if isNarrowed, kind == .orderedToMany || !hasMovedKeys {
        for id in owners {
          let members = objects[id]?.members[property.number] ?? []
          let kept = kind == .orderedToMany ? members.first : members.min()
          objects[id]?.members[property.number] = kept.map { [$0] } ?? []
          guard let inverse else { continue }
          for other in members where other != kept {
            objects[other]?.members[inverse]?.removeAll { $0 == id }
          }
        }
        entities[entity].properties[place].kind = .relationship(
          .toOne, destination: destination, inverse: inverse)
      } else {
        entities[entity].properties[place].kind = .relationship(
          .toMany, destination: destination, inverse: inverse)
      }
    }
  }

  mutating func putUnderParent() {
    let (place, parent) = (anEntityPlace(), anEntityPlace())
    let names = Set(entities[place].properties.map(\.name)).subtracting(["id"])
    guard place != parent, entities[place].parent == nil, entities[parent].parent == nil,
      !entities.contains(where: { $0.parent == entities[place].number }),
      names.isDisjoint(with: entities[parent].properties.map(\.name)),
      entities[parent].properties.allSatisfy({ property in
        guard property.name != "id",
          case .attribute(_, let isOptional, let value, _, let isUnique) = property.kind
        else { return true }
        return (isOptional || !value.isNull) && !isUnique
      })
    else { return }
    hasMovedKeys = true
    let own = entities[place].properties.first { $0.name == "id" }
    let inherited = entities[parent].properties.first { $0.name == "id" }
    guard let own, let inherited else { return }
    for id in objects.keys where objects[id]?.entity == entities[place].number {
      let value = objects[id]?.values[own.number]
      objects[id]?.values[inherited.number] = value
      objects[id]?.values[own.number] = nil
      for property in entities[parent].properties where property.name != "id" {
        if case .attribute(_, _, let value, _, _) = property.kind, !value.isNull {
          objects[id]?.values[property.number] = value
        }
      }
    }
    entities[place].parent = entities[parent].number
    entities[place].properties.removeAll { $0.name == "id" }
  }

  mutating func takeOut() {
    let place = anEntityPlace()
    guard let parent = entities[place].parent.flatMap(index),
      !entities.flatMap(\.properties).contains(where: { property in
        // A reference to the parent may be one to what goes.
        if case .relationship(_, entities[parent].number, _) = property.kind { return true }
        return false
      }),
      entities[parent].properties.allSatisfy({ property in
        if case .attribute = property.kind { return true }
        return false
      })
    else { return }
    hasMovedKeys = true
    let members = objects.keys.filter { objects[$0]?.entity == entities[place].number }
    for inherited in entities[parent].properties {
      let own = Property(
        number: number(), name: inherited.name, former: inherited.former, kind: inherited.kind)
      if renamed.contains(inherited.number) { renamed.insert(own.number) }
      if changed.contains(inherited.number) { changed.insert(own.number) }
      entities[place].properties.append(own)
      for id in members {
        let value = objects[id]?.values[inherited.number]
        objects[id]?.values[own.number] = value
        objects[id]?.values[inherited.number] = nil
      }
    }
    entities[place].parent = nil
  }
}
