import DatastoreCore
import DatastoreTestSupport
import Testing

// Promise: names and former names through random versions → what a model with numbers says.
/// Random versions of a model, in which every entity and property has a number that no version shows: which
/// was which has to be found by names and former names alone.
@Suite("Which property was which, in random versions")
struct SchemaDifferencePropertyTests {
  @Test("Entities and properties are followed by their names through all versions")
  func chains() throws {
    var (followed, renamed, lost) = (0, 0, 0)
    for round in 0..<RandomCases.count {
      let seed = RandomCases.seed(round)
      var model = NumberedModel(seed: seed)
      let first = model
      var schemas = [try model.schema]
      for _ in 0..<(1 + model.random.below(4)) {
        model.evolve()
        schemas.append(try model.schema)
      }
      let difference = SchemaDifference(
        from: schemas[0], through: Array(schemas[1..<(schemas.count - 1)]),
        to: schemas[schemas.count - 1])
      let found = Self.matches(difference)
      let expected = NumberedModel.matches(first, model)
      #expect(found == expected, "seed \(seed)")
      if found != expected { return }
      followed += expected.count
      renamed += expected.filter { $0.old != $0.new }.count
      lost += first.names.count - expected.count
    }
    // Otherwise this would show nothing.
    #expect(followed > RandomCases.count * 3 && renamed > RandomCases.count && lost > 0)
  }

  @Test("What one step removes and adds is told, each once, and nothing where nothing changes")
  func changes() throws {
    for round in 0..<RandomCases.count {
      let seed = RandomCases.seed(round)
      var model = NumberedModel(seed: seed)
      let first = model
      let old = try model.schema
      #expect(SchemaDifference(from: old, to: old).changes().isEmpty, "seed \(seed)")
      model.evolve()
      let changes = SchemaDifference(from: old, to: try model.schema).changes()
      let matches = NumberedModel.matches(first, model)
      let (before, after) = (Set(first.names), Set(model.names))
      let (kept, grown) = (Set(matches.map(\.old)), Set(matches.map(\.new)))
      var (removed, added, renamed) = (0, 0, 0)
      for change in changes {
        switch change {
        case .entityRemoved(let name):
          removed += 1 + first.count(in: name)
        case .propertyRemoved: removed += 1
        case .entityAdded(let name): added += 1 + model.count(in: name)
        case .attributeAdded, .relationshipAdded: added += 1
        case .entityRenamed, .propertyRenamed: renamed += 1
        default: continue
        }
      }
      #expect(removed == before.subtracting(kept).count, "seed \(seed): \(changes)")
      #expect(added == after.subtracting(grown).count, "seed \(seed): \(changes)")
      let others = matches.filter { $0.old.last != $0.new.last }
      #expect(renamed == others.count, "seed \(seed): \(changes)")
      #expect(changes.count == Set(changes).count, "seed \(seed)")
    }
  }

  private static func matches(_ difference: SchemaDifference) -> Set<NumberedModel.Match> {
    var matches: Set<NumberedModel.Match> = []
    for entity in difference.new.entities {
      guard let former = difference.former(entity) else { continue }
      matches.insert(.init(old: [former.name], new: [entity.name]))
      for (slot, formerSlot) in zip(entity.slots, difference.formerSlots[entity.index]) {
        guard let formerSlot else { continue }
        matches.insert(
          .init(
            old: [former.name, former.properties[formerSlot].name],
            new: [entity.name, entity.properties[slot].name]))
      }
    }
    return matches
  }
}

/// A model in which the test knows the identity of every part.
private struct NumberedModel {
  struct Match: Hashable {
    /// The name of an entity, or of an entity and its property.
    let old: [String]
    let new: [String]
  }

  private struct Property {
    let number: Int
    var name: String
    var former: String?
    /// The number of the entity that a relationship leads to.
    let destination: Int?
  }

  private struct Entity {
    let number: Int
    var name: String
    var former: String?
    var properties: [Property]
  }

  private var entities: [Entity] = []
  private var count = 0
  /// The last number before the version that is being made: properties added in it had no name before.
  private var last = 0
  /// Properties that say no former name in the version before.
  private var silent: Set<Int> = []
  var random: SeededRandom

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    for _ in 0..<(1 + random.below(4)) { addEntity() }
    for index in entities.indices {
      for _ in 0..<random.below(6) { addProperty(to: index) }
    }
  }

  var schema: Schema {
    get throws {
      try Schema(
        entities.map { entity in
          EntityDescription(
            name: entity.name,
            properties: entity.properties.map { property in
              guard let number = property.destination,
                let destination = entities.first(where: { $0.number == number })
              else {
                return .attribute(
                  AttributeDescription(
                    name: property.name, type: .string, renamedFrom: property.former))
              }
              return .relationship(
                RelationshipDescription(
                  name: property.name, kind: .toOne, destination: destination.name,
                  renamedFrom: property.former))
            }, renamedFrom: entity.former)
        })
    }
  }

  /// Every entity and property.
  var names: [[String]] {
    entities.flatMap { entity in
      [[entity.name]] + entity.properties.map { [entity.name, $0.name] }
    }
  }

  func count(in name: String) -> Int {
    entities.first { $0.name == name }?.properties.count ?? 0
  }

  static func matches(_ first: NumberedModel, _ last: NumberedModel) -> Set<Match> {
    var matches: Set<Match> = []
    for entity in last.entities {
      guard let former = first.entities.first(where: { $0.number == entity.number }) else {
        continue
      }
      matches.insert(Match(old: [former.name], new: [entity.name]))
      for property in entity.properties {
        guard let old = former.properties.first(where: { $0.number == property.number }) else {
          continue
        }
        matches.insert(Match(old: [former.name, old.name], new: [entity.name, property.name]))
      }
    }
    return matches
  }

  private mutating func next() -> Int {
    count += 1
    return count
  }

  private mutating func addEntity() {
    let number = next()
    entities.append(Entity(number: number, name: "E\(number)", former: nil, properties: []))
  }

  private mutating func addProperty(to index: Int) {
    let number = next()
    let destination =
      random.below(3) == 0 ? entities[random.below(entities.count)].number : nil
    entities[index].properties.append(
      Property(number: number, name: "p\(number)", former: nil, destination: destination))
  }

  /// The next version. Names that were given up never come back, except by a swap, and nothing is named
  /// twice.
  mutating func evolve() {
    // A property that gives a former name cannot return to it before a version has left the name out.
    silent = Set(
      entities.flatMap(\.properties).filter { $0.former == nil }.map(\.number))
    // Former names may be kept, which then say nothing new, or be left out.
    if random.below(2) == 0 { forgetFormerNames() }
    last = count
    var touched: Set<Int> = []
    for _ in 0..<(1 + random.below(5)) {
      let index = random.below(entities.count)
      switch random.below(8) {
      case 0: addEntity()
      case 1: removeEntity(index)
      case 2:
        guard let name = freshName(for: entities[index].number, &touched) else { continue }
        (entities[index].former, entities[index].name) = (entities[index].name, name)
      case 3: addProperty(to: index)
      case 4:
        if !entities[index].properties.isEmpty {
          entities[index].properties.remove(at: random.below(entities[index].properties.count))
        }
      case 5: swap(in: index, &touched)
      default:
        guard !entities[index].properties.isEmpty else { continue }
        let place = random.below(entities[index].properties.count)
        let property = entities[index].properties[place]
        guard let name = freshName(for: property.number, &touched) else { continue }
        entities[index].properties[place].former = property.name
        entities[index].properties[place].name = name
      }
    }
  }

  private mutating func forgetFormerNames() {
    for index in entities.indices {
      entities[index].former = nil
      for place in entities[index].properties.indices {
        entities[index].properties[place].former = nil
      }
    }
  }

  private mutating func removeEntity(_ index: Int) {
    guard entities.count > 1 else { return }
    let number = entities.remove(at: index).number
    for index in entities.indices {
      entities[index].properties.removeAll { $0.destination == number }
    }
  }

  /// At most once in a version, and only for properties of the version before.
  private mutating func freshName(for number: Int, _ touched: inout Set<Int>) -> String? {
    guard number <= last, touched.insert(number).inserted else { return nil }
    count += 1
    return "n\(count)"
  }

  /// Two of a kind without former names exchange their names.
  private mutating func swap(in index: Int, _ touched: inout Set<Int>) {
    let places = entities[index].properties.indices.filter { place in
      let property = entities[index].properties[place]
      return silent.contains(property.number) && !touched.contains(property.number)
        && property.number <= last
    }
    let attributes = places.filter { entities[index].properties[$0].destination == nil }
    guard attributes.count > 1 else { return }
    let (a, b) = (attributes[0], attributes[1])
    let names = (entities[index].properties[a].name, entities[index].properties[b].name)
    (entities[index].properties[a].name, entities[index].properties[b].name) = (names.1, names.0)
    (entities[index].properties[a].former, entities[index].properties[b].former) = (
      names.0, names.1
    )
    touched.formUnion([
      entities[index].properties[a].number, entities[index].properties[b].number,
    ])
  }
}
