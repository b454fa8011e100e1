import DatastoreCore
import Dispatch
import Foundation
import SwiftDatastore
import Testing

/// Interleavings of contexts, forced step by step.
@MainActor
@Suite("Forced interleavings")
struct ConcurrencyInterleavingTests {
  private func makeEmployee(_ datastore: SwiftDatastore) async throws -> DatastoreObjectID {
    let id = try await datastore.write { context in
      let employee: Employee = try context.createObject()
      employee.name = "Tom"
      return employee.objectID
    }
    await drainMainQueue()
    return id
  }

  @Test("Edits of one object in two contexts, property by property")
  func editsOfTwoProperties() async throws {
    let datastore = try TestModel.file()
    let view = datastore.sharedViewContext
    let background = datastore.newContext()
    let id = try await makeEmployee(datastore)
    // background             view
    //                        reads, phone = 1
    // age = 40, saves
    //                        phone = 2
    //                        merges: age 40, phone 2 still staged
    //                        saves
    // merges: phone 2
    let employee: Employee = try view.object(with: id)
    employee.phone = "1"
    whileMainWaits(background) { context in
      let employee: Employee = try context.object(with: id)
      employee.age = 40
      try context.saveChanges()
    }
    #expect(employee.age == 18, "nothing is merged within a turn")
    employee.phone = "2"
    await drainMainQueue()
    #expect(employee.age == 40 && employee.phone == "2" && view.hasChanges)
    try view.saveChanges()
    let phone = try await background.perform { context in
      (try context.object(with: id) as Employee).phone
    }
    #expect(phone == "2")
    #expect(view.core.graph.brokenInvariants() == [])
  }

  @Test("A save between the commit of another context and its merge")
  func saveBeforeMerge() async throws {
    let datastore = try TestModel.file()
    let view = datastore.sharedViewContext
    let id = try await makeEmployee(datastore)
    // background             view
    //                        reads
    // age = 40, saves
    //                        age = 50, saves: conflict, found in the file
    //                        merges
    //                        saves: conflict, known by now
    //                        reverts: 40
    let employee: Employee = try view.object(with: id)
    #expect(employee.age == 18)
    whileMainWaits(datastore.newContext()) { context in
      (try context.object(with: id) as Employee).age = 40
      try context.saveChanges()
    }
    employee.age = 50
    func conflict() throws -> Conflict.Property? {
      try #require(throws: ConflictError.self) { try view.saveChanges() }.conflicts.first?
        .properties.first
    }
    let expected = Conflict.Property(name: "age", original: 18, mine: 50, theirs: 40)
    #expect(try conflict() == expected)
    await drainMainQueue()
    #expect(employee.age == 50)
    #expect(try conflict() == expected)
    view.revertChanges()
    #expect(employee.age == 40)
    try view.saveChanges()
  }

  @Test("An object deleted elsewhere while it is edited, and while it joins a relationship")
  func deletedMeanwhile() async throws {
    let datastore = try TestModel.file()
    let view = datastore.sharedViewContext
    let edited = try await makeEmployee(datastore)
    let member = try await makeEmployee(datastore)
    // background             view
    //                        age = 50; member.company = A
    // deletes both
    //                        merges: the edits stay staged
    //                        saves: two conflicts
    //                        reverts: both are gone
    let employee: Employee = try view.object(with: edited)
    employee.age = 50
    let company: Company = try view.createObject()
    company.name = "A"
    let colleague: Employee = try view.object(with: member)
    colleague.company = company
    whileMainWaits(datastore.newContext()) { context in
      context.deleteObject(try context.object(with: edited) as Employee)
      context.deleteObject(try context.object(with: member) as Employee)
      try context.saveChanges()
    }
    await drainMainQueue()
    #expect(company.employees == [colleague] && employee.age == 50)
    let error = try #require(throws: ConflictError.self) { try view.saveChanges() }
    #expect(error.conflicts.count == 2 && error.conflicts.allSatisfy(\.isDeleted))
    view.revertChanges()
    #expect(try view.count(Employee.self) == 0)
    #expect(view.core.graph.brokenInvariants() == [])
    try view.saveChanges()
  }

  @Test("Two background contexts save different rows of one relationship")
  func disjointRows() async throws {
    let datastore = try TestModel.file()
    let view = datastore.sharedViewContext
    let companyID = try await datastore.write { context in
      let company: Company = try context.createObject()
      company.name = "A"
      return company.objectID
    }
    await drainMainQueue()
    let company: Company = try view.object(with: companyID)
    #expect(company.employees.isEmpty)
    let first = datastore.newContext()
    let second = datastore.newContext()
    // first                  second
    // stages Ann of A
    //                        stages Bob of A, saves
    // saves
    //                        sees both
    @Sendable func stage(_ name: String, _ context: SwiftDatastoreContext.Closure) throws {
      let employee: Employee = try context.createObject()
      employee.name = name
      employee.company = try context.object(with: companyID)
    }
    try await first.perform { try stage("Ann", $0) }
    try await second.perform { context in
      try stage("Bob", context)
      try context.saveChanges()
    }
    try await first.perform { _ = try $0.saveChanges() }
    for context in [first, second] {
      let names = try await context.perform { context in
        #expect(context.core.graph.brokenInvariants() == [])
        return Set((try context.object(with: companyID) as Company).employees.map(\.name))
      }
      #expect(names == ["Ann", "Bob"])
    }
    await drainMainQueue()
    #expect(Set(company.employees.map(\.name)) == ["Ann", "Bob"])
  }

  @Test("A context that is released finishes the work that is queued in it")
  func releasedContext() async throws {
    let datastore = try TestModel.file()
    var context: SwiftDatastoreContext? = datastore.newContext()
    weak let released = context
    let queue = try #require(context?.queue)
    await withCheckedContinuation { continuation in
      for index in 0..<50 {
        context?.perform { context in
          let company: Company = try context.createObject()
          company.name = "\(index)"
          try context.saveChanges()
        } success: {
          if index == 49 { continuation.resume() }
        } failure: {
          Issue.record($0)
        }
      }
      context = nil
    }
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    #expect(released == nil)
    await drainMainQueue()
    #expect(try datastore.sharedViewContext.count(Company.self) == 50)
  }

  @Test("A context of a closed datastore says so, and keeps what is staged")
  func closedDatastore() async throws {
    let datastore = try TestModel.file()
    let context = datastore.newContext()
    try await context.perform { context in
      let company: Company = try context.createObject()
      company.name = "A"
    }
    try datastore.close()
    let error = await #expect(throws: StoreError.self) {
      try await context.perform { _ = try $0.saveChanges() }
    }
    guard case .closed? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try await context.perform { $0.hasChanges })
  }
}
