import DatastoreCore
import Foundation
import SwiftDatastore
import Testing

extension ValueModel {
  /// Structs in and out of the store: the meaning of a plain value, of one with an identifier and of one with
  /// a key.
  @MainActor
  @Suite struct DatastoreValueTests {
    private let datastore: SwiftDatastore
    private let view: SwiftDatastoreViewContext

    init() throws {
      datastore = try TestModel.file()
      view = datastore.sharedViewContext
    }

    private func count<T: DatastoreObject>(_ type: T.Type) throws -> Int { try view.count(type) }

    @Test func aPlainValueMakesANewObjectEachTime() throws {
      var worker = Worker(
        name: "Ann", age: 30, phone: "1", position: .tester,
        tasks: [Chore(title: "b"), Chore(title: "a")])
      #expect(try view.save(&worker) == .saved)
      #expect(try view.save(&worker) == .saved)
      #expect(try count(Employee.self) == 2)
      #expect(try count(Job.self) == 4)
      let found = try view.fetch(Worker.self, where: \.$name == "Ann")
      #expect(found == [worker, worker])
      #expect(try view.fetch(Worker.self, From<Employee>().where(\.$age > 30)).isEmpty)
      let object: Employee = try #require(try view.fetchFirst())
      #expect(try view.value(of: object) == worker)
      worker.phone = nil
      worker.position = nil
      try view.save(&worker)
      #expect(worker.phone == nil && worker.position == nil)
    }

    @Test func aValueWithAnIdentifierUpdatesItsObject() throws {
      var staff = Staff(name: "Ann", desk: Place(number: 7))
      try view.save(&staff)
      let id = try #require(staff.objectID)
      #expect(staff.desk?.objectID != nil, "its parts are identified, too")
      staff.name = "Zoe"
      staff.desk?.number = 8
      try view.save(&staff)
      #expect(staff.objectID == id)
      #expect(try count(Employee.self) == 1)
      #expect(try count(Desk.self) == 1)
      let object: Employee = try view.object(with: id)
      #expect(object.name == "Zoe" && object.desk?.number == 8)
    }

    @Test func whereTheObjectIsGoneNothingIsMade() throws {
      var staff = Staff(name: "Ann")
      try view.save(&staff)
      let id = try #require(staff.objectID)
      #expect(try view.delete(staff))
      #expect(throws: DatastoreValueError.gone(value: "Staff", id: id)) { try view.save(&staff) }
      #expect(try count(Employee.self) == 0)
      #expect(!view.hasChanges)
      #expect(try !view.delete(staff))
      // A missing part makes the whole save fail.
      var firm = Firm(name: "Acme", employees: [Staff(name: "New"), staff])
      #expect(throws: DatastoreValueError.gone(value: "Staff", id: id)) { try view.save(&firm) }
      #expect(!view.hasChanges)
      staff.objectID = nil
      try view.save(&staff)
      #expect(try count(Employee.self) == 1)
    }

    @Test func partsKeepTheirIdentity() throws {
      var firm = Firm(name: "Acme", employees: [Staff(name: "Ann"), Staff(name: "Bob")])
      try view.save(&firm)
      #expect(firm.employees.allSatisfy { $0.objectID != nil })
      try view.save(&firm)
      #expect(try count(Employee.self) == 2)
      // The same employee in two firms, the second time with the changes that the first save has made to it.
      var other = Firm(name: "Other", employees: [firm.employees[0]])
      try view.save(&other)
      #expect(try count(Employee.self) == 2)
      let found = try view.fetch(Firm.self, where: \.$name == "Acme")
      #expect(found[0].employees.map(\.name) == ["Bob"])
    }

    @Test func theOrderOfAListIsSavedAndMembersThatLeaveStay() throws {
      var worker = Worker(name: "Ann", tasks: ["a", "b", "c"].map { Chore(title: $0) })
      let object = try view.stage(worker)
      try view.saveChanges()
      struct Ordered: IdentifiedDatastoreValue, Codable {
        typealias Object = Employee
        enum CodingKeys: String, CodingKey { case tasks }
        var objectID: DatastoreObjectID?
        var tasks: [Task]
        struct Task: IdentifiedDatastoreValue, Codable {
          typealias Object = Job
          enum CodingKeys: String, CodingKey { case title }
          var objectID: DatastoreObjectID?
          var title: String
        }
      }
      var ordered = try view.value(Ordered.self, of: object)
      ordered.tasks.reverse()
      try view.save(&ordered)
      view.refresh(object)
      #expect(object.tasks.map(\.title) == ["c", "b", "a"])
      ordered.tasks.remove(at: 1)
      try view.save(&ordered)
      #expect(object.tasks.map(\.title) == ["c", "a"])
      #expect(try count(Job.self) == 3, "what leaves a relationship is not deleted")
      worker.tasks = []
      withExtendedLifetime(worker) {}
    }

    @Test func aSaveSavesTheContextOnlyWhenNothingElseIsStaged() throws {
      let company: Company = try view.createObject()
      company.name = "other work"
      var staff = Staff(name: "Ann")
      #expect(try view.save(&staff) == .staged)
      #expect(staff.objectID != nil && view.insertedObjects.count == 2)
      try view.saveChanges()
      #expect(try view.save(&staff) == .saved)
    }

    // Promise: a value cannot be stored, or one of its parts is gone → nothing of it is staged.
    // Also: `DatastoreValueTests.whereTheObjectIsGoneNothingIsMade`
    @Test func whatCannotBeSavedIsNotStaged() throws {
      var label = Label(label: "x")
      try view.save(&label)
      struct Second: DatastoreValue, Codable {
        typealias Object = Tag
        var label: String
      }
      var second = Second(label: "x")
      #expect(throws: (any Error).self) { try view.save(&second) }
      #expect(!view.hasChanges)
      let company: Company = try view.createObject()
      company.name = "stays"
      var firm = Firm(
        name: "Acme", employees: [Staff(objectID: company.objectID, name: "no employee")])
      #expect(throws: (any Error).self) { try view.save(&firm) }
      #expect(view.insertedObjects == [company])
    }

    @Test func aDeletionFindsItsObject() throws {
      var staff = Staff(name: "Ann")
      #expect(try !view.delete(staff), "it was never saved")
      try view.save(&staff)
      #expect(try view.delete(staff))
      #expect(try count(Employee.self) == 0 && !view.hasChanges)
      #expect(throws: DatastoreValueError.noIdentity(value: "Chore")) {
        try view.delete(Chore(title: "a"))
      }
    }

    @Test func aStructMaySayItselfWhatGoesWhere() throws {
      var firm = Firm(name: "Acme")
      try view.save(&firm)
      var made = Handmade(name: "Ann", company: "Acme")
      try view.save(&made)
      #expect(try view.fetch(Handmade.self, orderBy: [.asc(\.$name)]) == [made])
      let object: Employee = try #require(try view.fetchFirst())
      #expect(object.company?.name == "Acme")
    }

    /// A class that is not part of the model is an error, not a crash.
    @Test func unknownEntitiesAreErrors() throws {
      final class Stranger: DatastoreObject {
        @Attribute.NotOptional var name: String
      }
      struct Guest: DatastoreValue, Codable {
        typealias Object = Stranger
        var name: String
      }
      struct Nameless: DatastoreValue, Codable {
        typealias Object = DynamicObject
        static var entityName: String { "Nothing" }
        var name: String
      }
      var guest = Guest(name: "x")
      #expect(throws: UnknownEntityError.self) { try view.save(&guest) }
      #expect(throws: UnknownEntityError.self) { try view.stage(Nameless(name: "x")) }
      #expect(throws: UnknownEntityError.self) { try view.fetch(Guest.self) }
      #expect(!view.hasChanges)
    }

    /// An object that belongs to no store is one of a datastore in memory.
    @Test func anObjectWithoutAStore() throws {
      let scratch = try TestModel.inMemory()
      let object = try scratch.sharedViewContext.stage(
        Worker(name: "Ann", tasks: [Chore(title: "a")]))
      #expect(object.name == "Ann" && object.tasks.map(\.title) == ["a"])
      #expect(try count(Employee.self) == 0)
    }

    /// Relationships that the first values follow are read ahead for the others, which are the same with
    /// that.
    @Test func manyValuesWithPartsAreThoseOfTheirObjects() async throws {
      try await datastore.write { context in
        for number in 0..<60 {
          let employee: Employee = try context.createObject()
          employee.name = "E\(number)"
          for job in 0..<number % 4 {
            let made: Job = try context.createObject()
            made.title = "\(number) \(job)"
            employee.tasks.append(made)
          }
        }
      }
      await drainMainQueue()
      let workers = try view.fetch(Worker.self)
      let objects: [Employee] = try view.fetch()
      #expect(workers.map(\.name) == objects.map(\.name))
      let titles = workers.map { $0.tasks.map(\.title) }
      #expect(titles == objects.map { $0.tasks.map(\.title) })
      #expect(titles[59] == ["59 0", "59 1", "59 2"])
    }

    /// In a transaction of another context, which saves by itself.
    @Test func valuesInATransaction() async throws {
      let names = try await datastore.write { context in
        var workers = ["b", "a", "c"].map { Worker(name: $0) }
        #expect(try context.saveAll(&workers) == .saved)
        return try context.fetch(Worker.self, orderBy: [.asc(\.$name)]).map(\.name)
      }
      #expect(names == ["a", "b", "c"])
    }
  }
}
