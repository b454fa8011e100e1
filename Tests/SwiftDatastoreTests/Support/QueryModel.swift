import Foundation
import SwiftDatastore
import Testing

enum Level: Int16, Sendable {
  case junior, senior
}

enum Shift: String, Sendable {
  case day, night
}

struct Address: Codable, Sendable, Equatable {
  var street: String
  var city: String
}

final class Person: DatastoreObject {
  @Attribute.NotOptional var name: String
  @Attribute.NotOptional var age: Int = 0
  @Attribute.NotOptional var height: Double = 1.75
  @Attribute.NotOptional var isActive: Bool = true
  @Attribute.Optional var badge: UUID?
  @Attribute.Optional var phone: String?
  @Attribute.Optional var born: Date?
  @Attribute.Optional var home: URL?
  @Attribute.Enum var level: Level?
  @Attribute.Enum var shift: Shift?
  @Attribute.Coded var address: Address?
  @Relationship.ToOne(inverse: \.$staff) var firm: Firm?
  @Relationship.ToOne(inverse: \.$reports) var boss: Person?
  @Relationship.ToMany var reports: Set<Person>
  @Relationship.ToMany.Ordered(inverse: \.$person) var chores: [Chore]
}

final class Firm: DatastoreObject {
  @Attribute.NotOptional var name: String
  @Attribute.Optional var city: String?
  @Relationship.ToMany var staff: Set<Person>
}

final class Chore: DatastoreObject {
  @Attribute.NotOptional var title: String
  @Attribute.NotOptional var hours: Double = 0
  @Attribute.NotOptional var isDone: Bool = false
  @Relationship.ToOne var person: Person?
}

/// Four people, two firms and some chores: in a store of each engine, and in a context that was not saved.
final class QueryFixture: Sendable {
  static let badge = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  static let born = Date(timeIntervalSinceReferenceDate: 1000)

  private let saved: [SwiftDatastoreContext]
  private let unsaved: SwiftDatastoreContext
  private let stores: [SwiftDatastore]
  let schema: Schema

  init() async throws {
    let model = try SwiftDatastoreModel(from: Person.self, Firm.self, Chore.self)
    schema = model.schema
    let filled = try TestEngine.allCases.map { try $0.makeDatastore(model) }
    for store in filled { try await store.write { try QueryFixture.fill($0) } }
    let empty = try SwiftDatastore(inMemory: model)
    stores = filled + [empty]
    saved = filled.map { $0.newContext() }
    unsaved = empty.newContext()
    try await unsaved.perform { try QueryFixture.fill($0) }
  }

  private static func fill(_ context: SwiftDatastoreContext.Closure) throws {
    let initech: Firm = try context.createObject()
    initech.name = "Initech"
    initech.city = "Austin"
    let akerlund: Firm = try context.createObject()
    akerlund.name = "Åkerlund"

    let asa = try person("Åsa", 34, context)
    asa.born = born
    asa.home = URL(string: "https://example.org/asa")
    asa.level = .senior
    asa.badge = badge
    asa.firm = initech
    asa.address = Address(street: "Main 1", city: "Umeå")
    let tom = try person("Tom", 20, context)
    tom.phone = "555-1"
    tom.level = .junior
    tom.shift = .night
    tom.firm = initech
    tom.boss = asa
    tom.isActive = false
    let tim = try person("Tim", 30, context)
    tim.phone = ""
    tim.born = born.addingTimeInterval(500)
    tim.firm = akerlund
    tim.boss = asa
    tim.height = 1.5
    let eve = try person("eve", 45, context)
    eve.shift = .day

    asa.chores = [
      try chore("Report", 8, isDone: true, context), try chore("Review", 2, isDone: false, context),
    ]
    tom.chores = [try chore("Report", 5, isDone: true, context)]
    eve.chores = [try chore("Plan", 40, isDone: false, context)]
  }

  private static func person(
    _ name: String, _ age: Int, _ context: SwiftDatastoreContext.Closure
  ) throws -> Person {
    let person: Person = try context.createObject()
    person.name = name
    person.age = age
    return person
  }

  private static func chore(
    _ title: String, _ hours: Double, isDone: Bool, _ context: SwiftDatastoreContext.Closure
  ) throws -> Chore {
    let chore: Chore = try context.createObject()
    chore.title = title
    chore.hours = hours
    chore.isDone = isDone
    return chore
  }

  /// Checks the text of a condition, that the text reads back, and whom it finds (by name), in the
  /// store and among unsaved objects.
  func expect(
    _ condition: Where<Person>, _ text: String, finds names: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    #expect(condition.description == text, sourceLocation: sourceLocation)
    let formatted = condition.predicate.formatted(
      entity: try #require(schema.entity(named: "Person")), in: schema)
    #expect(
      try Where<Person>(format: formatted, in: schema) == condition,
      "reads back", sourceLocation: sourceLocation)
    for (engine, context) in zip(TestEngine.allCases, saved) {
      #expect(
        try await context.names(where: condition) == names, "\(engine)",
        sourceLocation: sourceLocation)
    }
    #expect(
      try await unsaved.names(where: condition) == names, "unsaved", sourceLocation: sourceLocation)
  }

  /// The same for a condition that names objects of the context.
  func expect(
    finds names: [String], sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: @escaping @Sendable (SwiftDatastoreContext.Closure) throws -> Where<Person>
  ) async throws {
    for context in saved + [unsaved] {
      let found = try await context.perform { try $0.names(where: condition($0)) }
      #expect(found == names, sourceLocation: sourceLocation)
    }
  }

  /// Checks a sort order, in the store and among unsaved objects.
  func expect(
    _ order: [OrderBy<Person>], _ text: String, finds names: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let written = order.map(\.sortDescriptor.description).joined(separator: ", ")
    #expect(written == text, sourceLocation: sourceLocation)
    for context in saved + [unsaved] {
      let found = try await context.perform { context in
        let people: [Person] = try context.fetch(orderBy: order)
        return people.map(\.name)
      }
      #expect(found == names, sourceLocation: sourceLocation)
    }
  }
}

extension SwiftDatastoreContext {
  fileprivate func names(where condition: Where<Person>) async throws -> [String] {
    try await perform { try $0.names(where: condition) }
  }
}

extension SwiftDatastoreContext.Closure {
  /// The people that meet the condition, in the order of their creation; `count` must agree.
  fileprivate func names(where condition: Where<Person>) throws -> [String] {
    let people: [Person] = try fetch(where: condition)
    #expect(try count(where: condition) == people.count)
    return people.map(\.name)
  }
}
