import DatastoreCore
import DatastoreTestSupport
import SwiftDatastore
import Testing

/// A random model of some entities with relationships of all kinds and rules, and objects that are related by
/// them.
struct RandomObjects: CustomStringConvertible {
  struct Object {
    let entity: Int
    /// Whom it leads to by the first side of each pair.
    var members: [Int: [Int]] = [:]
  }

  /// A relationship from one entity to another, and its inverse, if there is one.
  struct Pair {
    let owner: Int
    let destination: Int
    var there: RelationshipDescription
    var back: RelationshipDescription?

    var isSymmetric: Bool { there.inverse == there.name }
    var leadsToOne: Bool { there.kind == .toOne }
    var isOneToOne: Bool { leadsToOne && (isSymmetric || back?.kind == .toOne) }
  }

  let schema: Schema
  private(set) var objects: [Object]
  private var pairs: [Pair] = []
  private let parents: [Int?]

  init(_ random: inout SeededRandom) throws {
    let count = 2 + random.below(4)
    parents = (0..<count).map { $0 > 0 && random.below(3) == 0 ? random.below($0) : nil }
    pairs = (0..<(2 + random.below(5))).map { Self.pair($0, count, &random) }
    var entities: [EntityDescription] = []
    for (index, parent) in parents.enumerated() {
      let number = AttributeDescription(name: "number", type: .integer64)
      var properties = parent.map { entities[$0].properties } ?? [.attribute(number)]
      for pair in pairs {
        if pair.owner == index { properties.append(.relationship(pair.there)) }
        if pair.destination == index, let back = pair.back {
          properties.append(.relationship(back))
        }
      }
      entities.append(
        EntityDescription(
          name: "E\(index)", properties: properties, parent: parent.map { "E\($0)" }))
    }
    schema = try Schema(entities)
    objects = (0..<(8 + random.below(10))).map { _ in Object(entity: random.below(count)) }
    link(&random)
  }

  private static func pair(_ number: Int, _ count: Int, _ random: inout SeededRandom) -> Pair {
    let rules: [DeleteRule] = [.nullify, .cascade, .deny, .nullify, .cascade, .noAction]
    let kinds: [RelationshipKind] = [.toOne, .toMany, .orderedToMany]
    let (owner, destination) = (random.below(count), random.below(count))
    func side(
      _ name: String, _ inverse: String?, to entity: Int, _ kind: RelationshipKind
    ) -> RelationshipDescription {
      RelationshipDescription(
        name: name, kind: kind, destination: "E\(entity)", inverse: inverse,
        deleteRule: rules[random.below(rules.count)],
        isOptional: kind.isToMany || random.below(2) == 0)
    }
    let name = "r\(number)"
    switch random.below(8) {
    case 0, 1:
      return Pair(
        owner: owner, destination: destination,
        there: side(name, nil, to: destination, kinds[random.below(3)]), back: nil)
    case 2:
      var there = side(name, name, to: owner, kinds[random.below(2)])
      there.isOptional = true
      return Pair(owner: owner, destination: owner, there: there, back: nil)
    default: break
    }
    let there = side(name, "s\(number)", to: destination, kinds[random.below(3)])
    var back = side("s\(number)", name, to: owner, kinds[random.below(3)])
    // The side that is filled from the other one may lead nowhere.
    if !there.kind.isToMany { back.isOptional = true }
    // If the first side is to one, it decides the pairs.
    return there.kind.isToMany && back.kind == .toOne
      ? Pair(owner: destination, destination: owner, there: back, back: there)
      : Pair(owner: owner, destination: destination, there: there, back: back)
  }

  private func isKind(_ entity: Int, _ other: Int) -> Bool {
    entity == other || parents[entity].map { isKind($0, other) } ?? false
  }

  /// Leads objects to each other, and leaves out those that would have to lead somewhere and cannot.
  private mutating func link(_ random: inout SeededRandom) {
    while let left = linkOnce(&random) { objects.remove(at: left) }
  }

  /// The first object that has to lead somewhere and cannot; nil if there is none.
  private mutating func linkOnce(_ random: inout SeededRandom) -> Int? {
    for index in objects.indices { objects[index].members = [:] }
    for (number, pair) in pairs.enumerated() {
      let all = objects.indices.filter { isKind(objects[$0].entity, pair.destination) }
      var free = all.shuffled(using: &random)
      for owner in objects.indices where isKind(objects[owner].entity, pair.owner) {
        // An object that was chosen as a partner needs no partner of its own.
        if pair.isSymmetric, pair.leadsToOne, !free.contains(owner) { continue }
        if !pair.leadsToOne {
          objects[owner].members[number] = Array(
            all.shuffled(using: &random).prefix(random.below(4)))
        } else if !pair.there.isOptional || random.below(3) > 0 {
          let member = pair.isOneToOne ? free.popLast() : all.randomElement(using: &random)
          if pair.isSymmetric { free.removeAll { $0 == owner } }
          objects[owner].members[number] = member.map { [$0] } ?? []
          if member == nil, !pair.there.isOptional { return owner }
        }
      }
    }
    return nil
  }

  /// Some of the objects that can be saved later than the others: none of those has to lead to them.
  func latecomers(_ random: inout SeededRandom) -> Set<Int> {
    var late = Set(objects.indices.filter { _ in random.below(4) == 0 })
    var count = -1
    while count != late.count {
      count = late.count
      for (index, object) in objects.enumerated() {
        let needed = object.members.filter { !pairs[$0.key].there.isOptional }.values.joined()
        if needed.contains(where: late.contains) { late.insert(index) }
      }
    }
    return late
  }

  /// Makes all objects in a context, and saves those that are not late before these are made.
  @MainActor
  func fill(_ context: SwiftDatastoreViewContext, late: Set<Int> = []) throws {
    var made: [Int: DynamicObject] = [:]
    for isLate in late.isEmpty ? [false] : [false, true] {
      for (number, object) in objects.enumerated() where late.contains(number) == isLate {
        let dynamic = try context.createObject(entityName: "E\(object.entity)")
        dynamic["number"] = .integer(Int64(number))
        made[number] = dynamic
      }
      for (index, object) in objects.enumerated() {
        guard let owner = made[index] else { continue }
        for (number, members) in object.members.sorted(by: { $0.key < $1.key }) {
          let name = pairs[number].there.name
          let present = members.compactMap { made[$0] }
          if isLate, !late.contains(index), !members.contains(where: late.contains) { continue }
          if pairs[number].leadsToOne {
            owner.set(present.first, for: name)
          } else {
            owner.set(present, for: name)
          }
        }
      }
      if !isLate { try context.saveChanges() }
    }
  }

  var description: String {
    let all = pairs.map { pair in
      "E\(pair.owner)."
        + [pair.there, pair.back].compactMap(\.self).map {
          "\($0.name) \($0.kind) \($0.destination) \($0.deleteRule)\($0.isOptional ? "" : " required")"
        }.joined(separator: " <> ")
    }
    let families = parents.enumerated().compactMap { index, parent in
      parent.map { "E\(index): E\($0)" }
    }
    let rows = objects.enumerated().map { number, object in
      "\(number) E\(object.entity) "
        + object.members.sorted { $0.key < $1.key }.map { "\(pairs[$0].there.name)=\($1)" }
        .joined(separator: " ")
    }
    return (all + families + rows).joined(separator: "\n  ")
  }
}
