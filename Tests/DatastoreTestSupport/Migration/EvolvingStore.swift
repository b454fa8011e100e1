package import DatastoreCore
import SwiftDatastore

/// A model that changes and its objects, in memory: what a migrated store is compared with.
///
/// Entities and properties are known by numbers that no renaming changes, and so is what objects hold.
package struct EvolvingStore {
  struct Property {
    let number: Int
    var name: String
    var former: String?
    var kind: Kind
    /// Whether its values must be within those that there are.
    var isRuled = false

    enum Kind {
      case attribute(
        AttributeType, isOptional: Bool, default: Value, isIndexed: Bool, isUnique: Bool)
      case relationship(RelationshipKind, destination: Int, inverse: Int?)
    }
  }

  struct Entity {
    let number: Int
    var name: String
    var former: String?
    var parent: Int?
    var properties: [Property]
  }

  struct Object {
    var entity: Int
    var values: [Int: Value] = [:]
    var members: [Int: [Int]] = [:]
  }

  package var random: SeededRandom
  var entities: [Entity] = []
  /// By the value of the attribute `id`, which every object has and no edit touches.
  var objects: [Int: Object] = [:]
  /// Whether keys may be others than those of the order in which objects were made.
  var hasMovedKeys = false
  /// The properties that this version has already renamed, changed and added: a property changes once in
  /// each.
  var renamed: Set<Int> = []
  var changed: Set<Int> = []
  var added: Set<Int> = []
  private var lastNumber = 0
  private var lastName = 0

  package init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    for _ in 0..<(2 + random.below(3)) { addEntity() }
    if random.below(2) == 0 {
      entities[1].parent = entities[0].number
      entities[1].properties = []
    }
    for _ in 0..<(6 + random.below(6)) {
      random.below(3) == 0 ? addRelationship() : addAttribute()
    }
    fill()
  }

  mutating func number() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// Names that need quotes, are keywords, are not ASCII, or differ in case only.
  mutating func name() -> String {
    lastName += 1
    let stems = ["n", "größe", "select", "two words", "a\"b", "it's", "N", "_id", "order"]
    let stem = stems[random.below(stems.count)]
    return random.below(4) == 0 ? "\(stem)\(lastName)" : "x\(lastName)\(stem)"
  }

  func index(of entity: Int) -> Int? { entities.firstIndex { $0.number == entity } }

  /// The properties of an entity, those of its parent first.
  func properties(of entity: Entity) -> [Property] {
    let inherited = entity.parent.flatMap(index).map { properties(of: entities[$0]) } ?? []
    return inherited + entity.properties
  }

  func isKind(_ entity: Int, of other: Int) -> Bool {
    if entity == other { return true }
    return index(of: entity).flatMap { entities[$0].parent }.map { isKind($0, of: other) } ?? false
  }

  func objects(of entity: Int) -> [Int] {
    objects.filter { isKind($0.value.entity, of: entity) }.map(\.key).sorted()
  }

  package var descriptions: [EntityDescription] {
    let names = Dictionary(uniqueKeysWithValues: entities.map { ($0.number, $0.name) })
    let propertyNames = Dictionary(
      uniqueKeysWithValues: entities.flatMap(\.properties).map { ($0.number, $0.name) })
    // Parents before children.
    return entities.sorted { ($0.parent == nil ? 0 : 1) < ($1.parent == nil ? 0 : 1) }.map {
      entity in
      EntityDescription(
        name: entity.name,
        properties: properties(of: entity).map { property in
          switch property.kind {
          case .attribute(let type, let isOptional, let value, let isIndexed, let isUnique):
            .attribute(
              AttributeDescription(
                name: property.name, type: type, isOptional: isOptional, defaultValue: value,
                isIndexed: isIndexed, isUnique: isUnique, renamedFrom: property.former,
                rules: rules(of: property, value)))
          case .relationship(let kind, let destination, let inverse):
            .relationship(
              RelationshipDescription(
                name: property.name, kind: kind, destination: names[destination] ?? "",
                inverse: inverse.flatMap { propertyNames[$0] }, renamedFrom: property.former))
          }
        },
        parent: entity.parent.flatMap { names[$0] }, renamedFrom: entity.former)
    }
  }
}

extension EvolvingStore {
  /// The range of the values that objects have, and of the default.
  private func rules(of property: Property, _ value: Value) -> [ValidationRule] {
    guard property.isRuled else { return [] }
    let values = (objects.values.compactMap { $0.values[property.number] } + [value])
      .filter { !$0.isNull }.sorted { Value.compare($0, $1) == .ascending }
    guard let least = values.first, let greatest = values.last else { return [] }
    return [.range(minimum: least, maximum: greatest)]
  }
}

/// Objects.
extension EvolvingStore {
  private mutating func fill() {
    for _ in 0..<random.below(25) {
      let id = objects.count + 1
      let entity = entities[random.below(entities.count)]
      var object = Object(entity: entity.number)
      for property in properties(of: entity) {
        guard case .attribute(let type, let isOptional, _, _, _) = property.kind else { continue }
        if property.name == "id" {
          object.values[property.number] = .integer(Int64(id))
        } else if !isOptional || random.below(3) > 0 {
          object.values[property.number] = value(of: type)
        }
      }
      objects[id] = object
    }
    for property in entities.flatMap(\.properties) { link(property) }
  }

  mutating func value(of type: AttributeType) -> Value {
    switch type {
    case .boolean: .integer(Int64(random.below(2)))
    case .integer16: .integer(Int64(random.below(200)) - 100)
    case .integer64: .integer(Int64(random.below(100_000)) - 50_000)
    case .double: .real(Double(random.below(1000)) / (random.below(2) == 0 ? 1 : 8))
    case .string:
      random.below(2) == 0 ? .text("\(random.below(900))") : .text("Größe \(random.below(9))")
    default: .null
    }
  }

  /// Gives objects members by a relationship and its inverse.
  mutating func link(_ property: Property) {
    guard case .relationship(let kind, let destination, let inverse) = property.kind,
      let owner = entities.first(where: { $0.properties.contains { $0.number == property.number } })
    else { return }
    let owners = objects(of: owner.number)
    let destinations = objects(of: destination)
    if owners.isEmpty || destinations.isEmpty { return }
    for _ in 0..<random.below(owners.count * 2 + 1) {
      let own = owners[random.below(owners.count)]
      let other = destinations[random.below(destinations.count)]
      let isOwnFull = kind == .toOne && !(objects[own]?.members[property.number] ?? []).isEmpty
      let isThere = objects[own]?.members[property.number]?.contains(other) ?? false
      var isOtherFull = false
      if let inverse, isToOne(inverse) {
        isOtherFull = !(objects[other]?.members[inverse] ?? []).isEmpty
      }
      if isOwnFull || isOtherFull || isThere { continue }
      objects[own]?.members[property.number, default: []].append(other)
      if let inverse { objects[other]?.members[inverse, default: []].append(own) }
    }
  }

  func property(_ number: Int) -> Property? {
    entities.lazy.flatMap(\.properties).first { $0.number == number }
  }

  func isToOne(_ number: Int) -> Bool {
    if case .relationship(.toOne, _, _)? = property(number)?.kind { return true }
    return false
  }

  /// Takes away every member that is no longer there.
  mutating func removeDangling() {
    let present = Set(objects.keys)
    let numbers = Set(entities.flatMap(\.properties).map(\.number))
    for id in present {
      guard var object = objects[id] else { continue }
      object.values = object.values.filter { numbers.contains($0.key) }
      object.members = object.members.filter { numbers.contains($0.key) }
        .mapValues { $0.filter(present.contains) }
      objects[id] = object
    }
  }
}

/// Both as lines of text, to compare.
extension EvolvingStore {
  /// Each object under each entity that it is of.
  package var lines: Set<String> {
    var lines: Set<String> = []
    for entity in entities {
      for id in objects(of: entity.number) {
        guard let object = objects[id] else { continue }
        let texts = properties(of: entity).map { property -> String in
          switch property.kind {
          case .attribute:
            "\(property.name)=\(object.values[property.number] ?? .null)"
          case .relationship(let kind, _, _):
            Self.line(property.name, kind, object.members[property.number] ?? [])
          }
        }
        lines.insert("\(entity.name) \(texts.sorted())")
      }
    }
    return lines
  }

  private static func line(_ name: String, _ kind: RelationshipKind, _ ids: [Int]) -> String {
    "\(name)=\(kind == .orderedToMany ? ids : ids.sorted())"
  }

  /// The same of a file, whose keys stand for the values of the attribute `id`.
  package static func lines(of contents: StoreContents, _ schema: Schema) -> Set<String> {
    var ids: [EntityIndex: [RowKey: Int]] = [:]
    for entity in schema.entities {
      for row in contents[entity.name] {
        guard case .integer(let id) = row["id"] else { continue }
        ids[entity.root, default: [:]][row.key] = Int(id)
      }
    }
    var lines: Set<String> = []
    for entity in schema.entities {
      for row in contents[entity.name] {
        let texts = entity.properties.enumerated().map { slot, property -> String in
          guard let link = entity.links[slot] else {
            return "\(property.name)=\(row[property.name])"
          }
          let root = schema.entities[link.destination].root
          let keys: [RowKey] =
            switch row[property.name] {
            case .integer(let key): [RowKey(key)]
            case .text(let text):
              text.split(separator: ",").compactMap { Int64($0).map { RowKey($0) } }
            default: []
            }
          return line(property.name, link.kind, keys.map { ids[root]?[$0] ?? -1 })
        }
        lines.insert("\(entity.name) \(texts.sorted())")
      }
    }
    return lines
  }
}
