import Foundation
import SwiftDatastore

extension Position: Codable {}

/// The values of the test model: with and without identity, with one side of a relationship and with both.
enum ValueModel {
  struct Worker: DatastoreValue, Codable, Equatable {
    typealias Object = Employee
    var name: String
    var age = 18
    var phone: String?
    var position: Position?
    var tasks: [Chore] = []
  }

  struct Chore: DatastoreValue, Codable, Equatable {
    typealias Object = Job
    var title: String
  }

  /// Tied to its object.
  struct Staff: IdentifiedDatastoreValue, Codable, Equatable {
    typealias Object = Employee
    enum CodingKeys: String, CodingKey { case name, salary, desk }
    var objectID: DatastoreObjectID?
    var name: String
    var salary = 0.0
    var desk: Place?
  }

  struct Place: IdentifiedDatastoreValue, Codable, Equatable {
    typealias Object = Desk
    enum CodingKeys: String, CodingKey { case number }
    var objectID: DatastoreObjectID?
    var number: Int
  }

  struct Firm: IdentifiedDatastoreValue, Codable, Equatable {
    typealias Object = Company
    enum CodingKeys: String, CodingKey { case name, employees }
    var objectID: DatastoreObjectID?
    var name: String
    var employees: [Staff] = []
  }

  /// Tied to the object with its key.
  struct Label: KeyedDatastoreValue, Codable, Equatable {
    typealias Object = Tag
    static var keyProperty: any KeyPath<Tag, Attribute.NotOptional<String>.Property> & Sendable {
      \.$label
    }
    var key: String { label }
    var label: String
  }

  /// Both sides of a relationship; the way back is optional.
  struct Boss: DatastoreValue, Codable {
    typealias Object = Employee
    var name: String
    var reports: [Report]
  }

  struct Report: DatastoreValue, Codable {
    typealias Object = Employee
    var name: String
    var manager: Indirect?
  }

  /// A boss again, because a struct cannot be a part of itself.
  final class Indirect: DatastoreValue, Codable {
    typealias Object = Employee
    let name: String
    let reports: [Report]?
  }

  /// Both sides, and neither can be missing.
  struct Circle: DatastoreValue, Codable {
    typealias Object = Company
    var name: String
    var tags: [Half]
  }

  struct Half: DatastoreValue, Codable {
    typealias Object = Tag
    var label: String
    var companies: [Circle]
  }

  /// Assigns its properties by hand.
  struct Handmade: DatastoreValue, Equatable {
    var name: String
    var company: String?

    init(name: String, company: String? = nil) {
      self.name = name
      self.company = company
    }

    init(_ object: Employee) {
      name = object.name
      company = object.company?.name
    }

    func assign(to object: Employee, in context: any ObjectContext) throws {
      object.name = name
      if let company { object.company = try context.fetchFirst(where: \.$name == company) }
    }
  }
}
