import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

private final class Customer: DatastoreObject {
  @Attribute.NotOptional var name: String = ""
  @Relationship.ToMany(deleteRule: .cascade) var orders: Set<Order>
}

private final class Order: DatastoreObject {
  @Attribute.NotOptional var number: Int = 0
  @Relationship.ToOne.Required(inverse: \.$orders) var customer: Customer
}

// Promise: many objects are deleted at once → what goes, what forgets and what is refused is the same as
// for the objects one by one, for every delete rule, required and ordered relationships, many-to-many, self
// references and inheritance, on files and servers.
/// What goes with many rows that are deleted at once is what goes with the same objects one by one.
@Suite("Deletion of many objects")
struct BatchDeletionTests {
  @Test(
    "A class that cascades to one whose way back is required", arguments: TestEngine.allCases)
  func requiredInverse(engine: TestEngine) async throws {
    let datastore = try engine.makeDatastore(SwiftDatastoreModel(from: Customer.self, Order.self))
    try await datastore.write { context in
      for name in ["Ann", "Bob"] {
        let customer: Customer = try context.createObject()
        customer.name = name
        for number in 1...3 {
          let order: Order = try context.createObject()
          order.number = number
          order.customer = customer
        }
      }
    }
    try await datastore.newContext().perform { context in
      let left: Order = try #require(try context.fetchFirst(where: \.$customer ~ \.$name == "Bob"))
      #expect(try context.deleteMany(Customer.self, where: \.$name == "Ann") == 1)
      #expect(try context.count(Order.self) == 3 && left.customer.name == "Bob")
      #expect(context.core.graph.brokenInvariants() == [])
    }
  }

  /// A case is a store of a random model, from which some objects of one entity are deleted, twice.
  @Test(
    "Random models with every rule: at once and one by one", arguments: TestEngine.rounds(of: 8))
  func agreement(engine: TestEngine, round: Int) async throws {
    let seed = RandomCases.seed(round)
    var random = SeededRandom(seed: seed)
    let plan = try DeletionPlan(&random)
    let entity = plan.entities[random.below(plan.entities.count)]
    let isAll = random.below(3) == 0
    let chosen = plan.objects.indices.filter { _ in isAll || random.below(2) == 0 }
    let condition = Predicate.comparison(
      Predicate.Comparison(
        .keyPath(["number"]), .in, .list(chosen.map { .value(.integer(Int64($0))) })))
    let note = "\(engine), seed \(seed): \(chosen) of \(entity.name) in \(plan)"

    let many = try engine.makeDatastore(plan.schema)
    try await plan.fill(many)
    let before = try await plan.lines(of: many)
    let manyFailed = try await many.newContext().perform { context in
      let count = try context.fetchIDs(FetchRequest(entity: entity.name)).count
      do {
        let deleted = try context.deleteMany(entityName: entity.name, where: condition)
        let left = try context.fetchIDs(FetchRequest(entity: entity.name)).count
        #expect(left == count - deleted, "\(note)")
        return false
      } catch is StoreError {
        return true
      } catch is ValidationError {
        return true
      }
    }

    let single = try engine.makeDatastore(plan.schema)
    try await plan.fill(single)
    #expect(try await plan.lines(of: single) == before, "\(note)")
    let shuffled = random
    let singleFailed = try await single.newContext().perform { context in
      var random = shuffled
      let found: [DynamicObject] = try context.fetch(
        FetchRequest(entity: entity.name, predicate: condition))
      for object in found.shuffled(using: &random) { context.deleteObject(object) }
      do {
        try context.saveChanges()
        return false
      } catch is ValidationError {
        return true
      }
    }
    #expect(manyFailed == singleFailed, "\(note)")
    let after = try await plan.lines(of: many)
    let expected = try await plan.lines(of: single)
    #expect(
      after == expected,
      "\(note): \(after.subtracting(expected).sorted()) instead of \(expected.subtracting(after).sorted())"
    )
    if manyFailed { #expect(after == before, "\(note)") }
    try many.close()
    try single.close()
  }
}

/// A random model of some entities with relationships of all kinds and rules, and objects of them.
private struct DeletionPlan: CustomStringConvertible {
  struct Object {
    let entity: Int
    /// Whom it leads to by the first side of each pair.
    var members: [Int: [Int]] = [:]
  }

  /// A relationship from one entity to another, and the one that leads back, if there is one.
  struct Pair {
    let owner: Int
    let destination: Int
    var there: RelationshipDescription
    var back: RelationshipDescription?

    var leadsToOne: Bool { there.kind == .toOne }
    var isOneToOne: Bool { leadsToOne && back?.kind == .toOne }
  }

  private(set) var entities: [EntityDescription]
  private(set) var objects: [Object] = []
  private var pairs: [Pair] = []
  let schema: Schema

  init(_ random: inout SeededRandom) throws {
    let count = 2 + random.below(3)
    let number = AttributeDescription(name: "number", type: .integer64)
    entities = (0..<count).map {
      EntityDescription(name: "E\($0)", properties: [.attribute(number)])
    }
    for number in 0..<(2 + random.below(4)) {
      let pair = Self.pair(number, count, &random)
      pairs.append(pair)
      entities[pair.owner].properties.append(.relationship(pair.there))
      if let back = pair.back { entities[pair.destination].properties.append(.relationship(back)) }
    }
    if random.below(2) == 0 {
      entities[1] = EntityDescription(
        name: "E1", properties: entities[0].properties + entities[1].properties.dropFirst(),
        parent: "E0")
    }
    schema = try Schema(entities)
    objects = (0..<(8 + random.below(8))).map { _ in Object(entity: random.below(count)) }
    link(&random)
  }

  private static func pair(_ number: Int, _ count: Int, _ random: inout SeededRandom) -> Pair {
    let rules: [DeleteRule] = [.nullify, .cascade, .deny, .nullify, .cascade, .noAction]
    let kinds: [RelationshipKind] = [.toOne, .toMany, .orderedToMany]
    let (owner, destination) = (random.below(count), random.below(count))
    func side(_ name: String, _ inverse: String?, to entity: Int, _ kind: RelationshipKind)
      -> RelationshipDescription
    {
      RelationshipDescription(
        name: name, kind: kind, destination: "E\(entity)", inverse: inverse,
        deleteRule: rules[random.below(inverse == nil ? 1 : rules.count)],
        isOptional: kind.isToMany || random.below(2) == 0)
    }
    if random.below(5) == 0 {
      return Pair(
        owner: owner, destination: destination,
        there: side("r\(number)", nil, to: destination, kinds[random.below(2)]), back: nil)
    }
    let there = side("r\(number)", "s\(number)", to: destination, kinds[random.below(3)])
    var back = side("s\(number)", "r\(number)", to: owner, kinds[random.below(3)])
    // The side that is filled from the other one may lead nowhere.
    if !there.kind.isToMany { back.isOptional = true }
    var pair = Pair(owner: owner, destination: destination, there: there, back: back)
    // To one is the first side, which says who leads to whom.
    if there.kind.isToMany, back.kind == .toOne {
      pair = Pair(owner: destination, destination: owner, there: back, back: there)
    }
    return pair
  }

  private func isKind(_ entity: Int, _ other: Int) -> Bool {
    entity == other || entities[entity].parent == "E\(other)"
  }

  /// Leads objects to each other, and leaves out those that would have to lead somewhere and cannot.
  private mutating func link(_ random: inout SeededRandom) {
    var isComplete = false
    while !isComplete {
      isComplete = true
      for index in objects.indices { objects[index].members = [:] }
      for (number, pair) in pairs.enumerated() {
        var free = objects.indices.filter { isKind(objects[$0].entity, pair.destination) }
          .shuffled(using: &random)
        let all = free
        for owner in objects.indices where isKind(objects[owner].entity, pair.owner) {
          if !pair.leadsToOne {
            objects[owner].members[number] = Array(
              all.shuffled(using: &random).prefix(random.below(4)))
          } else if !pair.there.isOptional || random.below(3) > 0 {
            let member = pair.isOneToOne ? free.popLast() : all.randomElement(using: &random)
            objects[owner].members[number] = member.map { [$0] } ?? []
            if member == nil, !pair.there.isOptional {
              objects.remove(at: owner)
              isComplete = false
              break
            }
          }
        }
        if !isComplete { break }
      }
    }
  }

  func fill(_ datastore: SwiftDatastore) async throws {
    try await datastore.write { context in
      let made = try objects.enumerated().map { number, object in
        let entity = try #require(
          context.core.graph.schema.entity(named: entities[object.entity].name))
        let dynamic = try #require(try context.makeObject(of: entity) as? DynamicObject)
        dynamic["number"] = .integer(Int64(number))
        return dynamic
      }
      for (index, object) in objects.enumerated() {
        for (number, members) in object.members.sorted(by: { $0.key < $1.key }) {
          let name = pairs[number].there.name
          if pairs[number].leadsToOne {
            made[index].set(members.first.map { made[$0] }, for: name)
          } else {
            made[index].set(members.map { made[$0] }, for: name)
          }
        }
      }
    }
  }

  /// Each object with whom it leads to, by their numbers. References that lead nowhere are kept by some rules.
  func lines(of datastore: SwiftDatastore) async throws -> Set<String> {
    let contents = try await StoreContents(of: datastore)
    var lines: Set<String> = []
    for entity in schema.entities {
      for row in contents[entity.name] {
        var parts = ["\(entity.name) \(row["number"])"]
        for property in entity.properties {
          guard let relationship = property.relationship else { continue }
          let keys = row[property.name].description.split(separator: ",").map(String.init)
          parts.append(
            "\(property.name)=\(relationship.kind == .toMany ? keys.sorted() : keys)")
        }
        lines.insert(parts.joined(separator: " "))
      }
    }
    return lines
  }

  var description: String {
    let all = pairs.map { pair in
      [pair.there, pair.back].compactMap(\.self).map {
        "\($0.name) \($0.kind) E… \($0.destination) \($0.deleteRule)\($0.isOptional ? "" : " required")"
      }.joined(separator: " <> ") + " of E\(pair.owner)"
    }
    return "\(all) with \(objects.map { "E\($0.entity) \($0.members)" })"
  }
}
