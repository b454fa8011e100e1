import Dispatch
import Foundation
import SwiftDatastore
import Testing

/// The references between objects and contexts at their ends, and the order of reports.
@MainActor
@Suite("Deletions, releases and the order of merges")
struct ContextLifeTests {
  /// Carries an object out of its context. Unchecked: only its identity is read, which never changes.
  private struct Carried: @unchecked Sendable {
    let object: Employee
  }

  private func makeEmployees(_ datastore: SwiftDatastore) async throws -> [DatastoreObjectID] {
    let ids = try await datastore.write { context in
      try ["Ann", "Bob"].map { name in
        let employee: Employee = try context.createObject()
        employee.name = name
        return employee.objectID
      }
    }
    await drainMainQueue()
    return ids
  }

  @Test("After deleteMany, every context's object says that it is deleted")
  func deleteMany() async throws {
    let datastore = try TestModel.file()
    let view = datastore.sharedViewContext
    let ids = try await makeEmployees(datastore)
    let shown: [Employee] = try view.objects(with: ids)
    shown[1].phone = "staged"
    let background = datastore.newContext()
    let states = try await background.perform { context in
      (try context.objects(Employee.self, with: ids)).map { [$0.isDeleted, $0.willBeDeleted] }
    }
    #expect(states == [[false, false], [false, false]])
    var keys: [Set<String>] = []
    let token: PropertyObservation = shown[0].observeChanges { keys.append($0) }
    try await datastore.newContext().perform { context in
      let own: [Employee] = try context.objects(with: ids)
      context.deleteObject(own[1])
      #expect(own[1].willBeDeleted && own[1].isDeleted, "marked, and not saved yet")
      context.revertChanges()
      #expect(!own[1].willBeDeleted && !own[1].isDeleted)
      let count = try context.deleteMany(Employee.self, where: \.$phone == nil)
      #expect(count == 2)
      #expect(own.allSatisfy { $0.isDeleted && !$0.willBeDeleted }, "gone, not only marked")
    }
    await drainMainQueue()
    #expect(shown[0].isDeleted && !shown[0].willBeDeleted)
    #expect(keys.count == 1 && keys.first?.contains("name") == true)
    #expect(shown[0].phone == nil, "an optional attribute of a row that is gone reads as nil")
    // An edit is not lost silently: saving it reports that the row is gone.
    #expect(!shown[1].isDeleted && shown[1].phone == "staged")
    #expect(throws: ConflictError.self) { try view.saveChanges() }
    view.revertChanges()
    #expect(shown[1].isDeleted && !view.hasChanges)
    let found = try await background.perform { context in
      (try context.objects(Employee.self, with: ids)).map(\.name)
    }
    #expect(found == [])
    withExtendedLifetime(token) {}
  }

  @Test("An object in a set is found there by another context's, also when its row is deleted")
  func sets() async throws {
    let datastore = try TestModel.file()
    let ids = try await makeEmployees(datastore)
    let view = datastore.sharedViewContext
    let shown: [Employee] = try view.objects(with: ids)
    let copy = try await datastore.newContext().perform { context in
      Carried(object: try #require(context.objects(Employee.self, with: ids).first))
    }.object
    let set: Set<Employee> = [shown[0]]
    #expect(copy !== shown[0] && set.contains(copy) && !set.contains(shown[1]))
    view.deleteObject(shown[0])
    try view.saveChanges()
    #expect(shown[0].isDeleted && set.contains(copy) && set.contains(shown[0]))
  }

  // Promise: another context deletes a row before the merge, and an edited object is deleted here, too,
  // which is reverted → it is gone, and in no list.
  @Test("Reverting the deletion of an edited object whose row is gone brings nothing back")
  func revertedDeletion() async throws {
    let datastore = try TestModel.file()
    let ids = try await makeEmployees(datastore)
    let view = datastore.sharedViewContext
    let list = FetchedObjectsController<Employee>(viewContext: view, orderBy: [.asc(\.$name)])
    try await list.performFetch()
    let shown: [Employee] = try view.objects(with: ids)
    shown[0].phone = "staged"
    try await datastore.write { context in
      let own: [Employee] = try context.objects(with: ids)
      context.deleteObject(own[0])
    }
    await drainMainQueue()
    view.deleteObject(shown[0])
    view.revertChanges()
    view.processPendingChanges()
    await list.settled()
    #expect(shown[0].isDeleted && !view.hasChanges)
    #expect(list.numberOfFetchedObjects == 1 && list.object(at: 0) === shown[1])
  }

  @Test("A context that is released lets go of its objects, changed ones and their cycles too")
  func release() async throws {
    let datastore = try TestModel.file()
    let ids = try await makeEmployees(datastore)
    let objects = WeakObjects()
    var context: SwiftDatastoreContext? = datastore.newContext()
    weak let released = context
    let queue = try #require(context?.queue)
    try await context?.perform { context in
      let employees: [Employee] = try context.objects(with: ids)
      employees[0].manager = employees[1]
      employees[1].manager = employees[0]
      employees[0].phone = "never saved"
      let company: Company = try context.createObject()
      company.employees = Set(employees)
      objects.hold(employees + [company])
      #expect(objects.count == 3)
    }
    context = nil
    // The last of the queue's work has let go of the context.
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    #expect(released == nil)
    #expect(objects.count == 0)
    #expect(try datastore.sharedViewContext.count(Employee.self) == 2)
  }

  /// Objects by weak references; only touched on one queue after the other.
  private final class WeakObjects: @unchecked Sendable {
    private struct Reference {
      weak var object: DatastoreObject?
    }
    private var references: [Reference] = []

    func hold(_ objects: [DatastoreObject]) {
      references = objects.map { Reference(object: $0) }
    }

    var count: Int { references.count { $0.object != nil } }
  }

  @Test("The merge into the view context is in the main queue before `success` runs")
  func mergeBeforeSuccess() async throws {
    let datastore = try TestModel.file()
    let view = datastore.sharedViewContext
    let id = try await makeEmployees(datastore)[0]
    let employee: Employee = try view.object(with: id)
    let context = datastore.newContext()
    for age in 30..<80 {
      let seen: Int = await withCheckedContinuation { continuation in
        context.perform { context in
          (try context.object(with: id) as Employee).age = age
          try context.saveChanges()
        } success: {
          // Behind the merge, if that was put into the queue first.
          DispatchQueue.main.async {
            let employee: Employee? = try? view.object(with: id)
            continuation.resume(returning: employee?.age ?? -1)
          }
        } failure: { error in
          Issue.record(error)
          continuation.resume(returning: -1)
        }
      }
      #expect(seen == age)
    }
    #expect(employee.age == 79)
  }

  @Test("A writer does not wait for the main actor")
  func writersDoNotWait() async throws {
    let datastore = try TestModel.file()
    let view = datastore.sharedViewContext
    let id = try await makeEmployees(datastore)[0]
    let employee: Employee = try view.object(with: id)
    // Returns only if the save does, while the main actor is still here.
    whileMainWaits(datastore.newContext()) { context in
      (try context.object(with: id) as Employee).age = 50
      try context.saveChanges()
    }
    #expect(employee.age == 18)
    await drainMainQueue()
    #expect(employee.age == 50)
  }
}
