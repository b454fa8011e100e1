import Foundation
import SwiftDatastore
import Testing

@MainActor
@Suite struct ControllerChangingTests {
  private func makeController() async throws -> FetchedObjectsController<Employee> {
    let datastore = try TestModel.inMemory()
    let view = datastore.sharedViewContext
    for (name, age) in [("Ann", 30), ("Bob", 20), ("Cid", 40)] {
      let employee: Employee = try view.createObject()
      employee.name = name
      employee.age = age
    }
    try view.saveChanges()
    let controller = FetchedObjectsController<Employee>(
      viewContext: view, orderBy: [.asc(\.$name)])
    try await controller.performFetch()
    return controller
  }

  private func names(_ controller: FetchedObjectsController<Employee>) -> [String] {
    (0..<controller.numberOfFetchedObjects).compactMap { controller.object(at: $0)?.name }
  }

  @Test func anotherConditionAndOrderComeAsOneBatch() async throws {
    let controller = try await makeController()
    var batches = controller.batches.makeAsyncIterator()
    try await controller.change(where: \.$age > 25, orderBy: [.desc(\.$age)])
    #expect(names(controller) == ["Cid", "Ann"])
    let batch = try #require(await batches.next())
    #expect(batch.deleted == [IndexPath(row: 1, section: 0)])
    #expect(batch.inserted.isEmpty)
    #expect(batch.moved.count == 1)
    let employee: Employee = try controller.viewContext.createObject()
    employee.name = "Dora"
    employee.age = 35
    controller.viewContext.processPendingChanges()
    #expect(names(controller) == ["Cid", "Dora", "Ann"])
    #expect(await batches.next()?.inserted == [IndexPath(row: 1, section: 0)])
  }

  @Test func theSequenceEndsWithTheController() async throws {
    var controller: FetchedObjectsController<Employee>? = try await makeController()
    let batches = try #require(controller).batches
    controller = nil
    var count = 0
    for await _ in batches { count += 1 }
    #expect(count == 0)
  }

  @Test func anObjectTellsWhichOfItsPropertiesChanged() async throws {
    let controller = try await makeController()
    let employee = try #require(controller.object(at: 0))
    let company: Company = try controller.viewContext.createObject()
    var keys: [Set<String>] = []
    let token: PropertyObservation = employee.observeChanges { keys.append($0) }
    employee.name = "Anna"
    company.employees = [employee]
    #expect(keys == [["name"], ["company"]])
    token.cancel()
    employee.name = "Ann"
    #expect(keys.count == 2)
  }
}
