import DatastoreTestSupport
import Foundation
import SwiftDatastore

extension UpsertTests {
  final class Firm: DatastoreObject {
    @Attribute.NotOptional(unique: true) var name: String
    @Relationship.ToMany var people: Set<Person>
  }

  final class Person: DatastoreObject {
    @Attribute.NotOptional(unique: true) var number: Int
    @Attribute.NotOptional(initial: { "x" }) var code: String
    @Attribute.NotOptional var name: String
    @Attribute.NotOptional var age: Int = 18
    @Attribute.Optional var phone: String?
    @Relationship.ToOne(inverse: \.$people) var firm: Firm?
    @Relationship.ToOne(inverse: \.$reports) var boss: Person?
    @Relationship.ToMany var reports: Set<Person>
    @Relationship.ToOne var badge: Badge?
  }

  final class Badge: DatastoreObject {
    @Attribute.NotOptional(unique: true) var text: String
    @Relationship.ToOne(inverse: \.$badge) var person: Person?
  }

  struct Line: Sendable {
    var number: Int?
    var name: String?
    var age: Int?
    var firm: String?
    var boss: Int?
    var isBroken = false

    static func properties(_ line: Line) throws -> [PropertyToUpsert<Person>] {
      if line.isBroken { throw ProductLine.Refusal() }
      var properties: [PropertyToUpsert<Person>] = [.init(\.$number, line.number)]
      if let name = line.name { properties.append(.init(\.$name, name)) }
      if let age = line.age { properties.append(.init(\.$age, age)) }
      if let firm = line.firm { properties.append(.init(\.$firm, keyedBy: \.$name, firm)) }
      if let boss = line.boss { properties.append(.init(\.$boss, keyedBy: \.$number, boss)) }
      return properties
    }
  }

  /// Two firms and three people.
  struct People {
    let store: TestStore
    var datastore: SwiftDatastore { store.datastore }

    init(_ engine: TestEngine) async throws {
      store = try TestStore(
        engine, SwiftDatastoreModel(from: Firm.self, Person.self, Badge.self))
      try await store.datastore.write { context in
        for name in ["Acme", "Initech"] {
          let firm: Firm = try context.createObject()
          firm.name = name
        }
        for number in 1...3 {
          let person: Person = try context.createObject()
          person.number = number
          person.name = "p\(number)"
          person.phone = "0\(number)"
        }
      }
    }

    @discardableResult
    func upsert(
      _ lines: [Line], faults: (@Sendable (ImportFault, Line) throws -> Void)? = nil
    ) async throws -> UpsertResult {
      try await datastore.newContext().perform { context in
        try context.upsert(
          Person.self, from: lines, key: \.$number, faults: faults, Line.properties)
      }
    }

    func rows(
      _ sql: String =
        "SELECT number, name, age, coalesce(phone, '-'), code FROM \"Person\" ORDER BY 1"
    ) throws -> [String] {
      try store.rows(sql)
    }
  }
}
