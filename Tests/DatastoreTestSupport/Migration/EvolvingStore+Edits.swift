import DatastoreCore

/// Changes of the model, with their effect on the objects: independent of any file.
extension EvolvingStore {
  /// Makes the next version of the model.
  package mutating func evolve() {
    (renamed, changed, added) = ([], [], [])
    for _ in 0..<(1 + random.below(4)) {
      switch random.below(24) {
      case 0, 1: addAttribute()
      case 2: removeAttribute()
      case 3, 4: renameProperty()
      case 5: swapNames()
      case 6, 7: changeType()
      case 8: toggleOptional()
      case 9: toggleIndex()
      case 10: makeUnique()
      case 11, 12: renameEntity()
      case 13: addEntity()
      case 14: removeEntity()
      case 15: addRelationship()
      case 16: removeRelationship()
      case 17, 18: changeKind()
      case 19: putUnderParent()
      case 20: takeOut()
      case 21, 22: toggleRule()
      default: removeInverse()
      }
    }
  }

  /// Values must be within those that there are, or no longer.
  private mutating func toggleRule() {
    let place = aProperty { property in
      guard case .attribute(let type, _, _, _, _) = property.kind else { return false }
      return type != .boolean
    }
    guard let (entity, property) = place else { return }
    entities[entity].properties[property].isRuled.toggle()
  }

  mutating func addEntity() {
    let number = number()
    added.insert(number)
    entities.append(
      Entity(
        number: number, name: name(), former: nil, parent: nil,
        properties: [
          Property(
            number: self.number(), name: "id", former: nil,
            kind: .attribute(
              .integer64, isOptional: false, default: .null, isIndexed: false, isUnique: false))
        ]))
  }

  mutating func anEntity() -> Int { random.below(entities.count) }

  /// The place of a random property that meets a condition.
  mutating func aProperty(
    _ condition: (Property) -> Bool
  ) -> (entity: Int, property: Int)? {
    let all = entities.indices.flatMap { entity in
      entities[entity].properties.indices.filter {
        entities[entity].properties[$0].name != "id" && condition(entities[entity].properties[$0])
      }.map { (entity, $0) }
    }
    return all.isEmpty ? nil : all[random.below(all.count)]
  }

  private func isAttribute(_ property: Property) -> Bool {
    if case .attribute = property.kind { return true }
    return false
  }

  mutating func addAttribute() {
    let types: [AttributeType] = [.boolean, .integer16, .integer64, .double, .string]
    let type = types[random.below(types.count)]
    let isOptional = random.below(2) == 0
    let value = !isOptional || random.below(3) == 0 ? value(of: type) : .null
    let entity = anEntity()
    let property = Property(
      number: number(), name: name(), former: nil,
      kind: .attribute(
        type, isOptional: isOptional, default: value, isIndexed: random.below(4) == 0,
        isUnique: false))
    entities[entity].properties.append(property)
    added.insert(property.number)
    for id in objects(of: entities[entity].number) where !value.isNull {
      objects[id]?.values[property.number] = value
    }
  }

  private mutating func removeAttribute() {
    guard let (entity, property) = aProperty(isAttribute) else { return }
    entities[entity].properties.remove(at: property)
    removeDangling()
  }

  private mutating func renameProperty() {
    guard let (entity, property) = aProperty({ _ in true }) else { return }
    let former = entities[entity].properties[property].name
    // One that is new in this step, or was renamed in it already, has no former name or another one.
    if added.contains(entities[entity].properties[property].number) { return }
    if renamed.contains(entities[entity].properties[property].number) { return }
    renamed.insert(entities[entity].properties[property].number)
    entities[entity].properties[property].former = former
    entities[entity].properties[property].name = name()
  }

  private mutating func swapNames() {
    guard let (entity, first) = aProperty(isAttribute) else { return }
    let seconds = entities[entity].properties.indices.filter {
      $0 != first && isAttribute(entities[entity].properties[$0])
        && entities[entity].properties[$0].name != "id"
    }
    guard let second = seconds.first else { return }
    let (a, b) = (entities[entity].properties[first], entities[entity].properties[second])
    if renamed.contains(a.number) || renamed.contains(b.number) { return }
    if added.contains(a.number) || added.contains(b.number) { return }
    // Names that go back where they came from are declared as they were when they came.
    if a.former == b.name || b.former == a.name { return }
    renamed.formUnion([a.number, b.number])
    entities[entity].properties[first].name = b.name
    entities[entity].properties[first].former = a.name
    entities[entity].properties[second].name = a.name
    entities[entity].properties[second].former = b.name
  }

  private mutating func changeType() {
    guard let (entity, place) = aProperty(isAttribute) else { return }
    let property = entities[entity].properties[place]
    guard
      case .attribute(let type, let isOptional, let value, let isIndexed, let isUnique) = property
        .kind,
      !added.contains(property.number)
    else { return }
    let changes: [(AttributeType, AttributeType, (Value) -> Value?)] = [
      (.integer16, .integer64, { $0 }), (.boolean, .integer64, { $0 }),
      (
        .integer64, .integer16,
        { $0.integer.flatMap { Int16(exactly: $0) }.map { .integer(Int64($0)) } }
      ),
      (.integer64, .double, { $0.integer.map { .real(Double($0)) } }),
      (.integer64, .string, { $0.integer.map { .text("\($0)") } }),
      (.double, .integer64, { $0.real.flatMap { Int64(exactly: $0) }.map { .integer($0) } }),
      (.double, .string, { $0.real.map { .text("\($0)") } }),
      (.string, .integer64, { $0.text.flatMap { Int64($0) }.map { .integer($0) } }),
    ]
    let possible = changes.filter { $0.0 == type }
    if possible.isEmpty || changed.contains(property.number) { return }
    let (_, new, convert) = possible[random.below(possible.count)]
    let ids = objects(of: entities[entity].number)
    let values = ids.compactMap { objects[$0]?.values[property.number] }
    // Values that do not fit are another test; here they may go where they are optional.
    if !isOptional, values.contains(where: { convert($0) == nil }) { return }
    if isUnique { return }
    changed.insert(property.number)
    for id in ids {
      let converted = objects[id]?.values[property.number].flatMap(convert)
      objects[id]?.values[property.number] = converted
    }
    entities[entity].properties[place].kind = .attribute(
      new, isOptional: isOptional, default: value.isNull ? .null : convert(value) ?? .null,
      isIndexed: isIndexed, isUnique: isUnique)
    if !isOptional, value.isNull == false, convert(value) == nil {
      entities[entity].properties[place].kind = .attribute(
        new, isOptional: isOptional, default: .null, isIndexed: isIndexed, isUnique: isUnique)
    }
  }

  private mutating func toggleOptional() {
    guard let (entity, place) = aProperty(isAttribute) else { return }
    let property = entities[entity].properties[place]
    guard
      case .attribute(let type, let isOptional, let value, let isIndexed, let isUnique) = property
        .kind,
      !changed.contains(property.number), !added.contains(property.number)
    else { return }
    changed.insert(property.number)
    if !isOptional {
      entities[entity].properties[place].kind = .attribute(
        type, isOptional: true, default: value, isIndexed: isIndexed, isUnique: isUnique)
      return
    }
    if isUnique { return }
    let filling = self.value(of: type)
    for id in objects(of: entities[entity].number)
    where objects[id]?.values[property.number] ?? .null == .null {
      objects[id]?.values[property.number] = filling
    }
    entities[entity].properties[place].kind = .attribute(
      type, isOptional: false, default: filling, isIndexed: isIndexed, isUnique: isUnique)
  }

  private mutating func toggleIndex() {
    guard let (entity, place) = aProperty(isAttribute),
      case .attribute(let type, let isOptional, let value, let isIndexed, let isUnique) =
        entities[entity].properties[place].kind
    else { return }
    entities[entity].properties[place].kind = .attribute(
      type, isOptional: isOptional, default: value, isIndexed: !isIndexed, isUnique: isUnique)
  }

  private mutating func makeUnique() {
    guard let (entity, place) = aProperty(isAttribute) else { return }
    let property = entities[entity].properties[place]
    guard case .attribute(let type, let isOptional, let value, let isIndexed, _) = property.kind,
      isOptional, value.isNull
    else { return }
    let values = objects(of: entities[entity].number).compactMap {
      objects[$0]?.values[property.number]
    }
    .filter { !$0.isNull }
    if Set(values).count < values.count { return }
    entities[entity].properties[place].kind = .attribute(
      type, isOptional: isOptional, default: value, isIndexed: isIndexed, isUnique: true)
  }

  private mutating func renameEntity() {
    let place = anEntity()
    if renamed.contains(entities[place].number) || added.contains(entities[place].number) { return }
    renamed.insert(entities[place].number)
    entities[place].former = entities[place].name
    entities[place].name = name()
  }

  private mutating func removeEntity() {
    let place = anEntity()
    let gone = entities[place].number
    if entities.count < 3 || entities.contains(where: { $0.parent == gone }) { return }
    entities.remove(at: place)
    for id in objects.keys where objects[id]?.entity == gone { objects[id] = nil }
    for index in entities.indices {
      entities[index].properties.removeAll { property in
        if case .relationship(_, gone, _) = property.kind { return true }
        return false
      }
    }
    // Relationships of removed parts that had an inverse.
    let numbers = Set(entities.flatMap(\.properties).map(\.number))
    for index in entities.indices {
      for place in entities[index].properties.indices {
        if case .relationship(let kind, let destination, let inverse?) =
          entities[index].properties[place].kind, !numbers.contains(inverse)
        {
          entities[index].properties[place].kind = .relationship(
            kind, destination: destination, inverse: nil)
        }
      }
    }
    removeDangling()
  }
}

extension Value {
  fileprivate var integer: Int64? {
    if case .integer(let integer) = self { return integer }
    return nil
  }

  fileprivate var real: Double? {
    if case .real(let real) = self { return real }
    return nil
  }

  fileprivate var text: String? {
    if case .text(let text) = self { return text }
    return nil
  }
}
