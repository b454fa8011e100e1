import Foundation
import SwiftDatastore
import Testing

// The code of ContextsAndConcurrency.md, to the letter.

extension ModelsArticle {
  @MainActor
  @Suite struct ContextsAndConcurrencyExamples {
    @Test func aTransaction() async throws {
      let datastore = try await makeStore()
      let count = try await datastore.write { context in
        let developers: [Employee] = try context.fetch(where: \.$position == .developer)
        for employee in developers { employee.salary += 100 }
        return developers.count
      }
      #expect(count == 2)
      let salaries = try await datastore.newContext().perform { context in
        let all: [Employee] = try context.fetch(orderBy: [.asc(\.$salary)])
        return all.map(\.salary)
      }
      #expect(salaries == [3000, 3200, 5200])
    }

    @Test func contextsOfOnesOwn() async throws {
      let datastore = try await makeStore()

      let context = datastore.newContext()
      let id = try await context.perform { context in
        let employee: Employee = try context.createObject()
        employee.name = "Kim"
        return employee.objectID
      }
      try await context.perform { context in
        try context.saveChanges()
      }

      let view = datastore.sharedViewContext
      let selected: Employee = try view.object(with: id)
      let selectedID = selected.objectID
      try await context.perform { context in
        let employee: Employee = try context.object(with: selectedID)
        employee.salary = 5000
        try context.saveChanges()
      }
      await drainMainQueue()
      #expect(selected.salary == 5000, "saves are merged by themselves")

      view.isUndoEnabled = true
      view.undoGroup {
        selected.name = "Kimiko"
        selected.phone = "555"
      }
      view.undo()
      print(selected.name)  // Kim
      #expect(selected.name == "Kim" && selected.phone == nil)
      view.redo()
      print(selected.name)  // Kimiko
      #expect(selected.name == "Kimiko" && selected.phone == "555")

      context.perform { context in
        let idle: [Employee] = try context.fetch(where: \.$jobs.count == 0)
        for employee in idle { context.deleteObject(employee) }
        try context.saveChanges()
      } success: {
        print("saved")
      } failure: { error in
        print("not saved: \(error)")
      }
      let left = try await context.perform { try $0.count(Employee.self) }
      #expect(left == 2)

      let watch = datastore.watchForExternalChanges(every: 1)
      watch.cancel()
    }

    @Test func oneMoment() async throws {
      let datastore = try SwiftDatastore(
        dataModel: model(), storeName: UUID().uuidString, storingType: .test)
      func report(_ employees: Set<Employee>) { #expect(employees.allSatisfy { !$0.isDeleted }) }
      let context = datastore.sharedViewContext

      try context.pinQueryGeneration()
      let companies: [Company] = try context.fetch()
      for company in companies { report(company.employees) }
      context.unpinQueryGeneration()
      #expect(!context.isQueryGenerationPinned)
    }

    @Test func children() async throws {
      let datastore = try await makeStore()

      let parent = datastore.newContext()
      let child = parent.createNewChildContext()
      try await child.perform { context in
        let draft: Employee = try context.createObject()
        draft.name = "Draft"
        try context.saveChanges()  // staged in the parent now
      }
      #expect(try datastore.sharedViewContext.count(Employee.self) == 3)
      try await parent.perform { context in
        try context.saveChanges()  // in the store now
      }
      #expect(try datastore.sharedViewContext.count(Employee.self) == 4)
    }
  }
}
