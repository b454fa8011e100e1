import Foundation
import SwiftDatastore
import Testing

/// Breaking a rule traps, with a sentence that names the rule.
@Suite struct MisuseTests {
  @Test func touchingAnObjectOutsideItsContextTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let datastore = try TestModel.inMemory()
      nonisolated(unsafe) var leaked: Company?
      let context = datastore.newContext()
      await withCheckedContinuation { continuation in
        context.perform { context in
          leaked = try context.createObject()
        } success: {
          continuation.resume()
        } failure: { _ in
          continuation.resume()
        }
      }
      leaked?.name = "A"
    }
    #expect(text(result).contains("was touched outside its context"))
  }

  @Test func mixingObjectsOfTwoContextsTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let datastore = try TestModel.inMemory()
      let id = try await datastore.write { context in
        let company: Company = try context.createObject()
        company.name = "A"
        return company.objectID
      }
      try await MainActor.run {
        let company: Company = try datastore.sharedViewContext.object(with: id)
        let other = try TestModel.inMemory()
        let employee: Employee = try other.sharedViewContext.createObject()
        employee.company = company
      }
    }
    #expect(text(result).contains("Employee.company was given an object of another context"))
  }

  // Promise: a property is touched in `init(managedObject:)` → a sentence.
  @Test func touchingAPropertyInTheInitialiserTraps() async {
    final class Eager: DatastoreObject {
      @Attribute.NotOptional var name: String

      required init(managedObject: ManagedObjectLogic) {
        super.init(managedObject: managedObject)
        name = "too early"
      }
    }
    let writing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try SwiftDatastoreModel(from: Eager.self)
    }
    #expect(text(writing).contains("A property of Eager was touched in `init(managedObject:)`"))
    final class Curious: DatastoreObject {
      @Relationship.ToOne var company: Company?

      required init(managedObject: ManagedObjectLogic) {
        super.init(managedObject: managedObject)
        if company == nil { company = nil }
      }
    }
    let reading = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try SwiftDatastoreModel(from: Curious.self, Company.self)
    }
    #expect(text(reading).contains("set values in `objectDidCreate()`"))
  }

  @Test func touchingAnObjectOfTheViewContextOffTheMainActorTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let datastore = try TestModel.inMemory()
      nonisolated(unsafe) var leaked: Company?
      try await MainActor.run { leaked = try datastore.sharedViewContext.createObject() }
      leaked?.name = "A"
    }
    #expect(text(result).contains("was touched outside its context"))
  }

  @Test func deletingAnObjectOfAnotherContextTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await MainActor.run {
        let company: Company = try TestModel.inMemory().sharedViewContext.createObject()
        try TestModel.inMemory().sharedViewContext.deleteObject(company)
      }
    }
    #expect(text(result).contains("an object of another context was deleted"))
  }

  @Test func changingAReadOnlyViewContextTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var options = SwiftDatastore.Options()
      options.isViewContextReadOnly = true
      let datastore = try SwiftDatastore(inMemory: TestModel.make(), options: options)
      let id = try await datastore.write { context in
        let company: Company = try context.createObject()
        company.name = "A"
        return company.objectID
      }
      try await MainActor.run {
        let company: Company = try datastore.sharedViewContext.object(with: id)
        guard company.name == "A" else { return }
        company.name = "B"
      }
    }
    #expect(text(result).contains("was changed in the view context, which is read-only"))
  }

  @Test func readingAValueThatWasNeverSetTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let datastore = try TestModel.inMemory()
      try await datastore.newContext().perform { context in
        let company: Company = try context.createObject()
        print(company.name)
      }
    }
    #expect(text(result).contains("Company.name was read before it was given a value"))
  }

  @Test func aControllerWithoutAnOrderTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let datastore = try TestModel.inMemory()
      await MainActor.run {
        _ = FetchedObjectsController<Company>(
          viewContext: datastore.sharedViewContext, orderBy: [])
      }
    }
    #expect(text(result).contains("needs an order"))
  }

  private func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }
}
