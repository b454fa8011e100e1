import Foundation
import SwiftDatastore
import Testing

// The code of Models.md, to the letter. The other articles use its classes.

enum ModelsArticle {
  enum Position: Int16 { case developer, designer, tester }

  struct Address: Codable, Sendable {
    var street: String
    var city: String
  }

  final class Company: DatastoreObject {
    @Attribute.NotOptional(unique: true) var name: String
    @Relationship.ToMany(deleteRule: .cascade) var employees: Set<Employee>
  }

  final class Employee: DatastoreObject {
    @Attribute.NotOptional(initial: { UUID() }) var id: UUID
    @Attribute.NotOptional(indexed: true) var name: String
    @Attribute.NotOptional var salary: Double = 0
    @Attribute.Optional var phone: String?
    @Attribute.Enum var position: Position?
    @Attribute.Coded var address: Address?
    @Attribute.Virtual var isSelected = false
    @Relationship.ToOne(inverse: \.$employees) var company: Company?
    @Relationship.ToMany.Ordered(deleteRule: .cascade) var jobs: [Job]
  }

  final class Job: DatastoreObject {
    @Attribute.NotOptional var title: String
    @Attribute.NotOptional var isDone: Bool = false
    @Relationship.ToOne(inverse: \.$jobs) var owner: Employee?
  }

  static func model() throws -> SwiftDatastoreModel {
    let model = try SwiftDatastoreModel(from: Company.self, Employee.self, Job.self)
    return model
  }

  final class Ticket: DatastoreObject {
    @Attribute.NotOptional private(set) var number: Int
    @Attribute.NotOptional(initial: { Date() }) var openedAt: Date

    override func objectDidCreate() {
      number = Int.random(in: 1...9999)
    }
  }

  class Publication: DatastoreObject {
    override class var isAbstract: Bool { self == Publication.self }

    @Attribute.NotOptional var title: String
  }

  final class Book: Publication {
    @Attribute.Optional var pages: Int?
  }

  final class Magazine: Publication {
    @Attribute.NotOptional var issue: Int
  }

  final class Seat: DatastoreObject {
    @Attribute.NotOptional var aisle: Int
    @Attribute.NotOptional var number: Int

    override class var uniqueConstraints: [[AnyKeyPath]] {
      [[\Seat.$aisle, \Seat.$number]]
    }
  }

  final class Visit: DatastoreObject {
    @Attribute.NotOptional var city: String
    @Attribute.NotOptional var date: CalendarDate
    @Attribute.NotOptional(named: "remark") var comment: String = ""

    override class var indexes: [Index] {
      [Index(.ascending(\Visit.$city), .descending(\Visit.$date))]
    }
  }

  final class Member: DatastoreObject {
    @Attribute.NotOptional(validate: .length(1...80)) var name: String
    @Attribute.NotOptional(validate: .range(0...150)) var age: Int = 0
    @Attribute.Optional(validate: [.email, .length(...254)]) var email: String?
    @Attribute.Coded(coder: .propertyList) var portrait: Data?
  }

  final class Inhabitant: DatastoreObject {
    @Relationship.ToOne(isSymmetric: true) var spouse: Inhabitant?
    @Relationship.ToMany(isSymmetric: true) var neighbours: Set<Inhabitant>
  }

  enum FirstVersion {
    final class Guest: DatastoreObject {
      @Attribute.NotOptional var name: String
    }

    static func schema() throws -> SwiftDatastoreModel {
      try SwiftDatastoreModel(
        version: "1", from: Guest.self, lock: ["Guest": ["attribute name string required"]])
    }
  }

  final class Guest: DatastoreObject {
    @Attribute.NotOptional(renamedFrom: "name") var fullName: String
    @Attribute.Optional var phone: String?
  }

  final class Person: DatastoreObject {
    @Attribute.NotOptional var name: String

    override class var entityName: String { "Contact" }
  }
}

extension ModelsArticle {
  /// A new store in memory: Initech with Åsa, Tom and Tim, and jobs for the first two.
  static func makeStore() async throws -> SwiftDatastore {
    let datastore = try SwiftDatastore(inMemory: model())
    try await datastore.write { context in
      let initech: Company = try context.createObject()
      initech.name = "Initech"
      for (name, salary, position, jobs) in [
        ("Åsa", 5200.0, Position.designer, ["Report", "Plan"]),
        ("Tom", 3100, .developer, ["Report"]), ("Tim", 2900, .developer, []),
      ] {
        let employee: Employee = try context.createObject()
        employee.name = name
        employee.salary = salary
        employee.position = position
        employee.company = initech
        employee.jobs = try jobs.map { title in
          let job: Job = try context.createObject()
          job.title = title
          return job
        }
      }
    }
    return datastore
  }

  @Suite struct ModelsExamples {
    @Test func relationshipsHaveTwoSides() async throws {
      try await SwiftDatastore(inMemory: model()).newContext().perform { context in
        let initech: Company = try context.createObject()
        let tom: Employee = try context.createObject()
        tom.company = initech
        print(initech.employees.contains(tom))  // true
        #expect(initech.employees.contains(tom))
        initech.employees.remove(tom)
        print(tom.company == nil)  // true
        #expect(tom.company == nil)
      }
    }

    @Test func symmetricRelationships() async throws {
      let model = try SwiftDatastoreModel(from: Inhabitant.self)
      try await SwiftDatastore(inMemory: model).newContext().perform { context in
        let people = try (0..<3).map { _ in try context.createObject() as Inhabitant }
        people[0].spouse = people[1]
        people[2].neighbours = [people[0]]
        people[2].spouse = people[0]
        #expect(people[0].spouse === people[2] && people[1].spouse == nil)
        #expect(people[0].neighbours == [people[2]])
      }
    }

    @Test func aParentFindsItsChildren() async throws {
      let model = try SwiftDatastoreModel(from: Publication.self, Book.self, Magazine.self)
      try await SwiftDatastore(inMemory: model).newContext().perform { context in
        let book: Book = try context.createObject()
        book.title = "A"
        let magazine: Magazine = try context.createObject()
        (magazine.title, magazine.issue) = ("B", 7)
        try context.saveChanges()
        let all: [Publication] = try context.fetch(orderBy: [.asc(\.$title)])
        #expect(all == [book, magazine])
        #expect((all[1] as? Magazine)?.issue == 7)
      }
    }

    @Test func versionsAreInOrder() throws {
      let history = try SchemaHistory(
        FirstVersion.schema(), SwiftDatastoreModel(version: "2", from: Guest.self),
        migrationChain: ["1", "2"])
      #expect(history.current.modelVersion == "2")
      let old = try SwiftDatastore(inMemory: FirstVersion.schema())
      #expect(history.version(of: old.schema)?.modelVersion == "1")
    }

    @Test func indexesAndStoredNames() throws {
      let model = try SwiftDatastoreModel(from: Visit.self)
      #expect(model.schema.entities[0].properties.map(\.nameInFile) == ["city", "date", "remark"])
      #expect(model.schema.entities[0].description.indexes.count == 1)
    }

    @Test func rulesOfValues() async throws {
      let datastore = try SwiftDatastore(inMemory: SwiftDatastoreModel(from: Member.self))
      let error = await #expect(throws: ValidationError.self) {
        try await datastore.write { context in
          let member: Member = try context.createObject()
          (member.name, member.age, member.email) = ("Ann", 151, "ann")
          member.portrait = Data([1])
        }
      }
      #expect(error?.faults.map(\.property) == ["age", "email"])
    }

    @Test func firstValuesConstraintsAndNames() async throws {
      let model = try SwiftDatastoreModel(from: Ticket.self, Seat.self, Person.self)
      #expect(model.schema.entities.map(\.name) == ["Ticket", "Seat", "Contact"])
      let datastore = try SwiftDatastore(inMemory: model)
      try await datastore.write { context in
        let ticket: Ticket = try context.createObject()
        #expect(1...9999 ~= ticket.number)
        let seat: Seat = try context.createObject()
        (seat.aisle, seat.number) = (1, 2)
      }
      await #expect(throws: StoreError.self) {
        try await datastore.write { context in
          let seat: Seat = try context.createObject()
          (seat.aisle, seat.number) = (1, 2)
        }
      }
    }
  }
}
