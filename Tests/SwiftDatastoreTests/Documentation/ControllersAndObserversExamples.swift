import DatastoreCore
import Foundation
import Observation
import SwiftDatastore
import Testing

// The code of ControllersAndObservers.md, to the letter.

extension ModelsArticle {
  @MainActor
  @Suite struct ControllersAndObserversExamples {
    func follow(_ controller: FetchedObjectsController<Employee>) async {
      for await batch in controller.batches {
        print(batch.inserted.count, batch.deleted.count, batch.moved.count, batch.updated.count)
      }
    }

    @Test func aListInSections() async throws {
      let datastore = try await makeStore()

      let controller = FetchedObjectsController<Employee>(
        viewContext: datastore.sharedViewContext, where: \.$salary > 0,
        orderBy: [.asc(\.$name)], groupBy: \.$position)
      try await controller.performFetch()

      for section in 0..<controller.numberOfSections {
        print("-", controller.sectionName(inSection: section) ?? "no position")
        for row in 0..<controller.numberOfObjects(inSection: section) {
          let employee = controller.getObject(at: IndexPath(row: row, section: section))
          print(employee?.name ?? "gone")
        }
      }
      #expect(names(controller) == [["Tim", "Tom"], ["Åsa"]])

      controller.observeChanges { change in
        switch change {
        case .inserted(let employee, let path): print("new: \(employee.name) at \(path.row)")
        case .updated(let employee, let path): print("changed: \(employee.name) at \(path.row)")
        case .deleted(let path): print("gone: \(path.row)")
        case .moved(let employee, let from, let to):
          print("moved: \(employee.name) from \(from.row) to \(to.row)")
        }
      }

      try await controller.change(where: \.$position == .developer, orderBy: [.desc(\.$salary)])
      #expect(names(controller) == [["Tom", "Tim"]])

      let token: ObserverToken = controller.observeChanges { _ in print("changed") }
      token.cancel()
    }

    @Test func onePropertyAndOneObject() async throws {
      let datastore = try await makeStore()
      let employee: Employee = try #require(
        try datastore.sharedViewContext.fetchFirst(where: \.$name == "Tom"))

      employee.$salary.observe { salary in print("earns \(salary)") }
      employee.observeChanges { names in print("changed: \(names.sorted())") }
      employee.salary = 4200
      employee.company = nil

      #expect(employee.changedValues().keys.sorted() == ["company", "salary"])
    }

    @Test func observation() async throws {
      let datastore = try await makeStore()
      let employee: Employee = try #require(
        try datastore.sharedViewContext.fetchFirst(where: \.$name == "Tom"))

      withObservationTracking {
        print(employee.name, employee.company?.name ?? "nowhere")
      } onChange: {
        print("draw it again")
      }

      #expect(employee.readTracker != nil)
    }

    @Test func whoMadeAChange() async throws {
      let datastore = try await makeStore()
      await drainMainQueue()
      var heard: [ContextChanges] = []
      let listener: ObserverToken = datastore.sharedViewContext.observeObjectChanges {
        heard.append($0)
      }

      datastore.sharedViewContext.observeObjectChanges { changes in
        print(changes.source.author ?? "nobody", changes.inserted.count, changes.updated.count)
      }
      try await datastore.write { context in
        context.transactionAuthor = "import"
        let employee: Employee = try context.createObject()
        employee.name = "Kim"
      }

      await drainMainQueue()
      #expect(heard.map(\.source) == [.otherContext(author: "import")])
      #expect(heard.first?.inserted.count == 1)
      listener.cancel()
    }

    private func names(_ controller: FetchedObjectsController<Employee>) -> [[String]] {
      (0..<controller.numberOfSections).map { section in
        (0..<controller.numberOfObjects(inSection: section)).compactMap { row in
          controller.getObject(at: IndexPath(row: row, section: section))?.name
        }
      }
    }
  }
}
