import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

// Promise: rows change while one reads → a pinned context reads one state until it merges.
/// A context that keeps reading one state of the store, until it merges.
@MainActor
@Suite("Pinned query generations")
struct QueryGenerationTests {
  private let datastore: SwiftDatastore
  private var view: SwiftDatastoreViewContext { datastore.sharedViewContext }

  init() async throws {
    datastore = try TestModel.file()
    try await datastore.write { context in
      let company: Company = try context.createObject()
      company.name = "Acme"
      for number in 0..<20 {
        let employee: Employee = try context.createObject()
        employee.name = "e\(number)"
        employee.company = company
      }
    }
    await drainMainQueue()
  }

  private func change(_ block: @escaping @Sendable (SwiftDatastoreContext.Closure) throws -> Void) {
    whileMainWaits(datastore.newContext()) { context in
      try block(context)
      try context.saveChanges()
    }
  }

  private nonisolated static func delete(
    _ names: Set<String>, _ context: SwiftDatastoreContext.Closure
  ) throws {
    for employee: Employee in try context.fetch() where names.contains(employee.name) {
      context.deleteObject(employee)
    }
  }

  @Test("Nothing changes or goes until the merge, also what was not read yet")
  func untilTheMerge() async throws {
    try view.pinQueryGeneration()
    #expect(view.isQueryGenerationPinned)
    let controller = FetchedObjectsController<Employee>(viewContext: view, orderBy: [.asc(\.$name)])
    change { context in
      try Self.delete(["e0", "e1"], context)
      for employee: Employee in try context.fetch() { employee.age = 50 }
    }
    change { context in try Self.delete(["e2"], context) }
    // Read for the first time now: all of it is as it was.
    #expect(try view.count(Employee.self) == 20)
    #expect(try view.aggregate(.sum(\.$age), of: Employee.self) == 20 * 18)
    let company: Company = try #require(try view.fetchFirst())
    #expect(company.employees.count == 20 && company.employees.allSatisfy { $0.age == 18 })
    try readNow(controller)
    #expect((0..<20).allSatisfy { controller.object(at: $0)?.age == 18 })
    #expect(controller.object(at: 0)?.isDeleted == false)
    await drainMainQueue()
    await controller.settled()
    #expect(try view.count(Employee.self) == 17)
    #expect(company.employees.count == 17 && company.employees.allSatisfy { $0.age == 50 })
    #expect(controller.numberOfFetchedObjects == 17 && controller.object(at: 0)?.age == 50)
    #expect(view.isQueryGenerationPinned)
    view.unpinQueryGeneration()
    change { context in try Self.delete(["e3"], context) }
    #expect(try view.count(Employee.self) == 16)
  }

  private func readNow(_ controller: FetchedObjectsController<Employee>) throws {
    try controller.performFetch()
  }

  @Test("A save moves on, and takes in what was saved before it")
  func ownSave() async throws {
    try view.pinQueryGeneration()
    let employees: [Employee] = try view.fetch(orderBy: [.asc(\.$name)])
    change { context in
      try Self.delete(["e1"], context)
      (try context.fetchFirst(where: \.$name == "e2") as Employee?)?.phone = "1"
    }
    employees[0].age = 30
    #expect(try view.count(Employee.self) == 20)
    try view.saveChanges()
    #expect(try view.count(Employee.self) == 19)
    #expect(employees[1].isDeleted && employees[1].name == "e1")
    let second: Employee = try #require(try view.fetchFirst(where: \.$name == "e2"))
    #expect(second.phone == "1")
    await drainMainQueue()
    #expect(employees[0].age == 30 && view.core.graph.brokenInvariants() == [])
    // A batch operation does, too.
    change { context in try Self.delete(["e3"], context) }
    #expect(try view.updateMany(Employee.self, propertiesToUpdate: [.init(\.$age, 7)]) == 18)
    #expect(try view.count(Employee.self, where: \.$age == 7) == 18)
  }

  @Test("Pinning again moves to what is there now")
  func again() async throws {
    let context = datastore.newContext()
    try await context.perform { try $0.pinQueryGeneration() }
    change { context in try Self.delete(["e0"], context) }
    // The merge may have come or not; this one includes it.
    let counts = try await context.perform { context in
      try context.pinQueryGeneration()
      return try [context.count(Employee.self), (context.fetch() as [Employee]).count]
    }
    #expect(counts == [19, 19])
  }

  @Test("While one reads, everybody can save; then the log is checkpointed")
  func theLogIsTakenOver() async throws {
    try view.pinQueryGeneration()
    let url = try #require(datastore.url)
    for round in 0..<5 {
      change { context in
        for employee: Employee in try context.fetch() { employee.age = 20 + round }
      }
    }
    view.unpinQueryGeneration()
    await drainMainQueue()
    func logSize() throws -> Int {
      let attributes = try FileManager.default.attributesOfItem(atPath: url.path + "-wal")
      return try #require(attributes[.size] as? Int)
    }
    let size = try logSize()
    #expect(try datastore.checkpoint())
    // The next save begins the log again.
    change { context in
      for employee: Employee in try context.fetch() { employee.age = 30 }
    }
    #expect(try logSize() <= size)
  }

  @Test func whereItCannotBe() async throws {
    let memory = try TestModel.inMemory()
    let error = #expect(throws: QueryGenerationError.self) {
      try memory.sharedViewContext.pinQueryGeneration()
    }
    #expect(error.map { "\($0)" }?.contains("A store in memory") ?? false)
    #if PostgreSQL
    let remote = try TestEngine.postgreSQL.makeDatastore(TestModel.make())
    let refusal = #expect(throws: QueryGenerationError.self) {
      try remote.sharedViewContext.pinQueryGeneration()
    }
    #expect(
      refusal.map { "\($0)" }?.hasPrefix("No context can keep reading one state of postgresql://")
        ?? false)
    #endif
  }

  @Test func closedWithItsStore() throws {
    try view.pinQueryGeneration()
    #expect(try view.count(Employee.self) == 20)
    try datastore.close()
    #expect(throws: (any Error).self) { try view.count(Employee.self) }
  }

  /// A case is a run of saves of other contexts; whatever a pinned context reads in between is of one moment.
  @Test(arguments: RandomCases.rounds(of: 200))
  func oneMoment(round: Int) async throws {
    let seed = RandomCases.seed(round)
    var random = SeededRandom(seed: seed)
    let reader = datastore.newContext()
    try await reader.perform { try $0.pinQueryGeneration() }
    try await withThrowingTaskGroup(of: Void.self) { [datastore] group in
      // Every save keeps the sum; a state between two of them would not.
      for _ in 0..<2 {
        let own = random.next()
        group.addTask {
          var random = SeededRandom(seed: own)
          for _ in 0..<20 {
            let (from, to) = (random.below(20), random.below(20))
            try await datastore.newContext().perform { context in
              let first: Employee? = try context.fetchFirst(where: \.$name == "e\(from)")
              let second: Employee? = try context.fetchFirst(where: \.$name == "e\(to)")
              first?.age -= 1
              second?.age += 1
              do { try context.saveChanges() } catch is ConflictError { context.revertChanges() }
            }
          }
        }
      }
      for _ in 0..<20 {
        let sums = try await reader.perform { context in
          let one = try context.aggregate(.sum(\.$age), of: Employee.self)
          let each = (try context.fetch() as [Employee]).reduce(0) { $0 + $1.age }
          let company: Company? = try context.fetchFirst()
          return [one ?? 0, each, company?.employees.reduce(0) { $0 + $1.age } ?? 0]
        }
        #expect(sums == [360, 360, 360], "seed \(seed)")
      }
      try await group.waitForAll()
    }
  }
}
