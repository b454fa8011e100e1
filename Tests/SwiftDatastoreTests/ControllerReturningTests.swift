import SwiftDatastore
import Testing

/// An object whose deletion is reverted is in the list again.
@MainActor
@Suite struct ControllerReturningTests {
  enum Way: CaseIterable, Sendable {
    case revert, undo, otherSave
  }

  /// The list depends on none of the properties that were edited before: an edit alone would not change it.
  @Test(arguments: Way.allCases, [false, true])
  func anEditedObjectComesBack(_ way: Way, isTold: Bool) async throws {
    let datastore = try TestModel.file()
    try await datastore.write { context in
      for name in ["Ann", "Bob", "Cid"] {
        let employee: Employee = try context.createObject()
        employee.name = name
        employee.position = name == "Bob" ? .designer : .tester
      }
    }
    let view = datastore.sharedViewContext
    view.isUndoEnabled = true
    view.mergePolicy = .storeTrump
    let controller = FetchedObjectsController<Employee>(
      viewContext: view, orderBy: [.asc(\.$name)], groupBy: \.$position)
    try await controller.performFetch()
    let all = controller.list
    let bob: Employee = try #require(try view.fetchFirst(where: \.$name == "Bob"))
    view.undoGroup { bob.phone = "1" }
    view.undoGroup { view.deleteObject(bob) }
    if isTold {
      await drainMainQueue()
      #expect(controller.numberOfFetchedObjects == 2)
    }
    switch way {
    case .revert: view.revertChanges()
    case .undo:
      view.undo()
      view.undo()
    case .otherSave:
      whileMainWaits(datastore.newContext()) { context in
        let bob: Employee? = try context.fetchFirst(where: \.$name == "Bob")
        bob?.salary = 5
        try context.saveChanges()
      }
      try view.saveChanges()
    }
    await drainMainQueue()
    await drainMainQueue()
    await controller.settled()
    #expect(!bob.isDeleted && bob.phone == nil)
    #expect(controller.list == all)
  }
}
