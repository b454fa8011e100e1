import DatastoreCore
import Foundation
import SwiftDatastore
import Testing

private final class Node: DatastoreObject {
  @Attribute.NotOptional var number: Int
  @Relationship.ToMany(deleteRule: .cascade) var children: Set<Node>
  @Relationship.ToOne(inverse: \.$children) var parent: Node?
}

// Promise: sums, conditions and cascades are greater or deeper than usual → an error in a sentence, or
// linear time.
/// Sums, conditions, cascades and relationships that are greater or deeper than usual.
@MainActor
@Suite("Great and deep")
struct LimitTests {
  private let datastore: SwiftDatastore
  private var view: SwiftDatastoreViewContext { datastore.sharedViewContext }

  init() throws {
    datastore = try TestModel.inMemory()
    for age in [1, 2, 3] {
      let employee: Employee = try datastore.sharedViewContext.createObject()
      employee.name = "e\(age)"
      employee.age = age
    }
    try datastore.sharedViewContext.saveChanges()
  }

  @Test func aSumThatDoesNotFitIsAnError() throws {
    for employee: Employee in try view.fetch() { employee.age = .max }
    try view.saveChanges()
    let error = #expect(throws: AggregateValueError.self) {
      try view.aggregate(.sum(\.$age), of: Employee.self)
    }
    #expect(error.map { "\($0)" }?.contains("sum of age is 2.76") ?? false)
    #expect(throws: AggregateValueError.self) {
      try view.aggregates(.sum(\.$age), of: Employee.self, groupBy: \.$position)
    }
    #expect(try view.aggregate(.maximum(\.$age), of: Employee.self) == .max)
    #expect(try view.aggregate(.sum(\.$age), of: Employee.self, where: \.$name == "nobody") == nil)
  }

  @Test("Lists of conditions may be nested in any way", arguments: [40, 1_500])
  func longLists(count: Int) throws {
    var right: Where<Employee> = \.$age == 2
    var left: Where<Employee> = \.$age == 2
    for number in 0..<count {
      let other: Where<Employee> = \.$age == 1_000 + number
      right = other || right
      left = left || other
    }
    #expect(try view.count(Employee.self, where: right) == 1)
    #expect(try view.count(Employee.self, where: left) == 1)
    let staged: Employee = try view.createObject()
    staged.name = "new"
    staged.age = 1_000
    // In memory as in SQL.
    #expect(try view.count(Employee.self, where: right) == 2)
    view.revertChanges()
  }

  @Test func listsInATreeMadeByHandAreOneList() throws {
    let entity = "Employee"
    var predicate = Predicate.comparison(.init(.keyPath(["age"]), .equal, .value(2)))
    for number in 0..<100 {
      predicate = .or([
        .comparison(.init(.keyPath(["age"]), .equal, .value(.integer(1_000 + Int64(number))))),
        predicate,
      ])
    }
    #expect(try view.count(FetchRequest(entity: entity, predicate: predicate)) == 1)
  }

  @Test func manyNegations() throws {
    var condition: Where<Employee> = \.$age == 2
    for _ in 0..<901 { condition = !condition }
    #expect(try view.count(Employee.self, where: condition) == 2)
    var predicate = Predicate.comparison(.init(.keyPath(["age"]), .equal, .value(2)))
    for _ in 0..<150 { predicate = .not(predicate) }
    #expect(try view.count(FetchRequest(entity: "Employee", predicate: predicate)) == 1)
    for _ in 0..<20_000 { predicate = .not(predicate) }
    let error = #expect(throws: PredicateFault.self) {
      try view.count(FetchRequest(entity: "Employee", predicate: predicate))
    }
    #expect(error?.description.contains("a tree of 20151 levels; 200 are possible") ?? false)
  }

  @Test func whatIsTooDeepIsSaid() async throws {
    @Sendable func nested(_ levels: Int) -> Where<Employee> {
      var condition: Where<Employee> = \.$age == 2
      for level in 1..<levels {
        condition =
          level % 2 == 0 ? condition && \.$age > -level : condition || \.$age == 1_000 + level
      }
      return condition
    }
    #expect(try view.count(Employee.self, where: nested(26)) == 1)
    let error = #expect(throws: PredicateFault.self) {
      try view.count(Employee.self, where: nested(200))
    }
    #expect(
      error?.description.contains(
        "199 levels of AND, OR and NOT inside each other; 25 are possible") ?? false)
    let controller = FetchedObjectsController<Employee>(
      viewContext: view, where: nested(200), orderBy: [.asc(\.$name)])
    await #expect(throws: (any Error).self) { try await controller.performFetch() }
    await #expect(throws: (any Error).self) {
      try await datastore.newContext().perform { context in
        _ = try context.deleteMany(Employee.self, where: nested(200))
      }
    }
  }

  @Test("A cascade of 8,000 generations")
  func deepCascade() async throws {
    let datastore = try SwiftDatastore(
      dataModel: SwiftDatastoreModel(from: Node.self), storeName: UUID().uuidString,
      storingType: .test)
    try await datastore.write { context in
      var parent: Node?
      for number in 0..<8_000 {
        let node: Node = try context.createObject()
        node.number = number
        node.parent = parent
        parent = node
      }
      let other: Node = try context.createObject()
      other.number = -1
    }
    let deleted = try await datastore.newContext().perform { context in
      try context.deleteMany(Node.self, where: \.$number == 0)
    }
    #expect(deleted == 8_000)
    #expect(try await datastore.newContext().perform { try $0.count(Node.self) } == 1)
  }

  @Test("One member comes and goes without a look at the others")
  func members() async throws {
    let company: Company = try view.createObject()
    company.name = "A"
    let tag: Tag = try view.createObject()
    tag.label = "t"
    let employees: [Employee] = try view.fetch(orderBy: [.asc(\.$age)])
    company.$employees.insert(employees[0])
    company.$employees.insert(employees[1])
    company.$employees.insert(employees[1])
    company.$tags.insert(tag)
    #expect(company.employees == Set(employees[0...1]) && employees[0].company === company)
    #expect(company.$employees.contains(employees[0]) && !company.$employees.contains(employees[2]))
    #expect(company.$tags.contains(tag) && tag.companies == [company])
    company.$employees.remove(employees[0])
    company.$employees.remove(employees[2])
    #expect(company.employees == [employees[1]] && employees[0].company == nil)
    let jobs = try ["a", "b"].map { title in
      let job: Job = try view.createObject()
      job.title = title
      employees[0].$tasks.insert(job)
      return job
    }
    #expect(employees[0].tasks == jobs)
    employees[0].$tasks.remove(jobs[0])
    #expect(employees[0].tasks == [jobs[1]] && jobs[0].owner == nil)
    try view.saveChanges()
    #expect(view.core.graph.brokenInvariants() == [])
    let stored = try await datastore.newContext().perform { context in
      let company: Company? = try context.fetchFirst()
      return [company?.employees.count, company?.tags.count]
    }
    #expect(stored == [1, 1])
  }
}
