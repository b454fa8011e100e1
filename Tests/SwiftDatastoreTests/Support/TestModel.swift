import Foundation
import SwiftDatastore

/// One small domain with every kind of property.
enum Position: Int16, CaseIterable, Sendable {
  case developer, designer, tester
}

final class Company: DatastoreObject {
  @Attribute.NotOptional var name: String
  @Relationship.ToMany(deleteRule: .cascade) var employees: Set<Employee>
  @Relationship.ToMany var tags: Set<Tag>
  @Relationship.ToMany(deleteRule: .deny) var contracts: Set<Contract>
}

final class Employee: DatastoreObject {
  @Attribute.NotOptional(initial: { UUID() }) var id: UUID
  @Attribute.NotOptional(indexed: true) var name: String
  @Attribute.NotOptional var salary: Double = 0
  @Attribute.NotOptional var age: Int = 18
  @Attribute.Optional var phone: String?
  @Attribute.Optional var hiredAt: Date?
  @Attribute.Enum var position: Position?
  @Relationship.ToOne(inverse: \.$employees) var company: Company?
  @Relationship.ToMany.Ordered(deleteRule: .cascade) var tasks: [Job]
  @Relationship.ToOne var desk: Desk?
  @Relationship.ToOne(inverse: \.$reports) var manager: Employee?
  @Relationship.ToMany var reports: Set<Employee>
}

final class Job: DatastoreObject {
  @Attribute.NotOptional var title: String
  @Relationship.ToOne(inverse: \.$tasks) var owner: Employee?
}

final class Desk: DatastoreObject {
  @Attribute.NotOptional var number: Int = 0
  @Relationship.ToOne(inverse: \.$desk) var employee: Employee?
}

final class Tag: DatastoreObject {
  @Attribute.NotOptional(unique: true) var label: String
  @Relationship.ToMany(inverse: \.$tags) var companies: Set<Company>
}

final class Contract: DatastoreObject {
  @Attribute.NotOptional var title: String
  @Relationship.ToOne(inverse: \.$contracts) var company: Company?
}

enum TestModel {
  static func make() throws -> SwiftDatastoreModel {
    try SwiftDatastoreModel(
      from: Company.self, Employee.self, Job.self, Desk.self, Tag.self, Contract.self)
  }

  /// A new store in memory.
  static func inMemory() throws -> SwiftDatastore {
    try SwiftDatastore(inMemory: make())
  }

  /// A new store in a file of its own, deleted with the datastore.
  static func file() throws -> SwiftDatastore {
    try SwiftDatastore(
      dataModel: make(), storeName: UUID().uuidString, storingType: .test)
  }
}
