import Dispatch
import Foundation
import SwiftDatastore
import Testing

/// A list must end right although rows that it is sorted by are read before their save is merged.
@MainActor
@Suite struct ControllerCatchingUpTests {
  private func makeStaff() async throws -> SwiftDatastore {
    let datastore = try TestModel.file()
    try await datastore.write { context in
      for (name, salary) in [("D", 0.0), ("A", 1), ("B", 2), ("B2", 2), ("C", 3)] {
        let employee: Employee = try context.createObject()
        employee.name = name
        employee.salary = salary
      }
    }
    await drainMainQueue()
    return datastore
  }

  /// Saves one change after the other while the main queue is still: none is merged before all are in
  /// the store.
  private func save(_ changes: [(name: String, salary: Double)], in datastore: SwiftDatastore) {
    for (name, salary) in changes {
      let done = DispatchSemaphore(value: 0)
      datastore.newContext().perform { context in
        let employee: Employee? = try context.fetchFirst(where: \.$name == name)
        employee?.salary = salary
        try context.saveChanges()
      } success: {
        done.signal()
      } failure: { error in
        Issue.record(error)
        done.signal()
      }
      done.wait()
    }
  }

  private func names(_ controller: FetchedObjectsController<Employee>) -> [[String]] {
    (0..<controller.numberOfSections).map { section in
      (0..<controller.numberOfObjects(inSection: section)).compactMap { row in
        controller.getObject(at: IndexPath(row: row, section: section))?.name
      }
    }
  }

  /// If more objects change than are moved one by one, they keep their places in the store's order until
  /// their sort keys are saved.
  @Test func manyObjectsFollowWhatTheyAreSortedByWhenThatIsSaved() async throws {
    let datastore = try TestModel.file()
    try await datastore.write { context in
      for (name, count) in [("A", 2_100), ("B", 3)] {
        let company: Company = try context.createObject()
        company.name = name
        for number in 0..<count {
          let employee: Employee = try context.createObject()
          employee.name = "\(number)"
          employee.company = company
        }
      }
    }
    let view = datastore.sharedViewContext
    let order: [OrderBy<Employee>] = [.asc(\.$company ~ \.$name), .asc(\.$name)]
    let controller = FetchedObjectsController<Employee>(viewContext: view, orderBy: order)
    try await controller.performFetch()
    let company: Company = try #require(try view.fetchFirst(where: \.$name == "A"))
    company.name = "C"
    await drainMainQueue()
    await controller.settled()
    try view.saveChanges()
    await drainMainQueue()
    await controller.settled()
    let fresh = FetchedObjectsController<Employee>(viewContext: view, orderBy: order)
    try await fresh.performFetch()
    #expect(controller.list == fresh.list)
    #expect(controller.object(at: 0)?.company?.name == "B")
  }

  @Test func theOrderIsRightWhenSavesAreMergedLate() async throws {
    let datastore = try await makeStaff()
    let controller = FetchedObjectsController<Employee>(
      viewContext: datastore.sharedViewContext, orderBy: [.asc(\.$salary), .asc(\.$name)])
    try await controller.performFetch()
    save([("D", 5), ("B", 10), ("B2", 9)], in: datastore)
    await drainMainQueue()
    await controller.settled()
    #expect(names(controller) == [["A", "C", "D", "B2", "B"]])
  }

  @Test func theSectionsAreRightWhenSavesAreMergedLate() async throws {
    let datastore = try await makeStaff()
    let controller = FetchedObjectsController<Employee>(
      viewContext: datastore.sharedViewContext, orderBy: [.asc(\.$name)], groupBy: \.$salary)
    try await controller.performFetch()
    #expect(names(controller) == [["D"], ["A"], ["B", "B2"], ["C"]])
    save([("D", 5), ("B2", 10)], in: datastore)
    await drainMainQueue()
    await controller.settled()
    #expect(names(controller) == [["A"], ["B"], ["C"], ["D"], ["B2"]])
    #expect(
      (0..<controller.numberOfSections).map { controller.sectionName(inSection: $0) }
        == ["1.0", "2.0", "3.0", "5.0", "10.0"])
  }

  @Test func stagedEditsAreRightWhenSavesAreMergedLate() async throws {
    let datastore = try await makeStaff()
    let view = datastore.sharedViewContext
    let controller = FetchedObjectsController<Employee>(
      viewContext: view, orderBy: [.asc(\.$salary), .asc(\.$name)])
    try await controller.performFetch()
    let d: Employee = try #require(try view.fetchFirst(where: \.$name == "D"))
    save([("B", 10), ("B2", 9)], in: datastore)
    d.salary = 5
    view.processPendingChanges()
    await drainMainQueue()
    await controller.settled()
    #expect(names(controller) == [["A", "C", "D", "B2", "B"]])
  }
}
