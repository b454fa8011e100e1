import Dispatch
import SwiftDatastore
import Testing

// Promise: a parent waits for its child → the child throws after a minute, nothing is lost.
/// A parent that waits for its child: told after a while, not hanging for ever.
@Suite("A parent that waits for its child")
struct ParentTurnTests {
  @Test func theChildThrowsAndTheParentGoesOn() async throws {
    let datastore = try TestModel.inMemory()
    let parent = datastore.newContext()
    // It could wait for as long as it liked.
    let child = parent.createNewChildContext(waiting: 0)
    let told = try await parent.perform { _ in
      let done = DispatchSemaphore(value: 0)
      nonisolated(unsafe) var told: String?
      child.perform { context in
        _ = try context.count(Company.self)
      } success: {
        done.signal()
      } failure: { error in
        told = "\(error)"
        done.signal()
      }
      done.wait()
      return told
    }
    #expect(told?.contains("Never wait for a child inside `perform` of its parent") ?? false)
    // Both can be used afterwards.
    try await parent.createNewChildContext().perform { context in
      let company: Company = try context.createObject()
      company.name = "A"
      try context.saveChanges()
    }
    try await parent.perform { _ = try $0.saveChanges() }
    #expect(try await datastore.newContext().perform { try $0.count(Company.self) } == 1)
  }

  @Test("Work that was given up is not done later")
  func abandonedWork() async throws {
    let datastore = try TestModel.inMemory()
    let parent = datastore.newContext()
    // It could wait for as long as it liked.
    let child = parent.createNewChildContext(waiting: 0)
    try await child.perform { context in
      let company: Company = try context.createObject()
      company.name = "A"
    }
    try await parent.perform { _ in
      let done = DispatchSemaphore(value: 0)
      child.perform { context in
        _ = try context.saveChanges()
      } success: {
        done.signal()
      } failure: { _ in
        done.signal()
      }
      done.wait()
    }
    #expect(try await parent.perform { $0.insertedObjects.count } == 0)
    #expect(try await child.perform { $0.insertedObjects.count } == 1)
  }
}
