import DatastoreCore
import Dispatch
import Foundation
import SwiftDatastore
import Synchronization
import Testing

// Promise: a token is released on another thread → no call after that, no crash.
/// Observations of objects: begun where the object belongs, ended anywhere.
@Suite("Observations and threads")
struct ObservationThreadTests {
  @Test func observingOutsideTheContextTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let datastore = try TestModel.inMemory()
      nonisolated(unsafe) var leaked: Company?
      try await MainActor.run { leaked = try datastore.sharedViewContext.createObject() }
      leaked?.$name.observe { _ in }
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(text.contains("was touched outside its context"))
  }

  @Test("Tokens are cancelled and released on any thread while the object changes")
  func cancelledAnywhere() async throws {
    let datastore = try TestModel.inMemory()
    let context = datastore.newContext()
    let calls = Calls()
    let tokens = try await context.perform { context in
      let company: Company = try context.createObject()
      company.name = "A"
      try context.saveChanges()
      return (0..<400).map { _ -> PropertyObservation in
        company.$name.observe { _ in calls.increment() }
      }
    }
    // Changed without a pause, while other threads end the observations.
    for round in 0..<50 {
      context.perform { context in
        for company: Company in try context.fetch() { company.name = "\(round)" }
      } success: {
      } failure: { error in
        Issue.record(error)
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for part in 0..<4 {
        group.addTask {
          for token in tokens[(part * 100)..<(part * 100 + 100)] {
            token.cancel()
            token.cancel()
          }
        }
      }
    }
    try await context.perform { _ in calls.reset() }
    try await context.perform { context in
      for company: Company in try context.fetch() { company.name = "last" }
    }
    #expect(calls.count == 0)
    withExtendedLifetime(tokens) {}
  }

  @Test("What an observer holds is let go of, also when its token goes on another thread")
  func theClosureIsReleased() async throws {
    let datastore = try TestModel.inMemory()
    let context = datastore.newContext()
    weak var held: Calls?
    do {
      let calls = Calls()
      held = calls
      let token: PropertyObservation = try await context.perform { [calls] context in
        let company: Company = try context.createObject()
        company.name = "A"
        return company.$name.observe { _ in calls.increment() }
      }
      token.cancel()
    }
    try await context.perform { _ in }
    #expect(held == nil)
  }

  private final class Calls: Sendable {
    private let calls = Atomic<Int>(0)
    var count: Int { calls.load(ordering: .sequentiallyConsistent) }
    func increment() { calls.add(1, ordering: .sequentiallyConsistent) }
    func reset() { calls.store(0, ordering: .sequentiallyConsistent) }
  }
}
