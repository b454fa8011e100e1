import DatastoreCore
import DatastoreTestSupport
import Foundation
import Testing

@testable import SwiftDatastore

/// Controllers of lists of which only parts are in memory, compared with one that has read the same list as a
/// whole.
@MainActor
@Suite("Controllers of long lists")
struct LongListTests {
  private let rows = 40_000

  /// Objects whose keys have gaps.
  private func datastore() async throws -> SwiftDatastore {
    let datastore = try TestModel.inMemory()
    try await datastore.write { [rows] context in
      for number in 0..<rows {
        let employee: Employee = try context.createObject()
        employee.name = "n\((number * 7919) % 30_011)"
        employee.salary = Double(number % 40)
      }
    }
    try await datastore.write { context in
      _ = try context.deleteMany(Employee.self, where: \.$salary == 7)
    }
    await drainMainQueue()
    return datastore
  }

  private func controllers(
    _ datastore: SwiftDatastore, orderBy order: [OrderBy<Employee>]
  ) async throws -> (
    long: FetchedObjectsController<Employee>, whole: FetchedObjectsController<Employee>
  ) {
    let long = FetchedObjectsController<Employee>(
      viewContext: datastore.sharedViewContext, orderBy: order)
    long.mostKeys = 100
    let whole = FetchedObjectsController<Employee>(
      viewContext: datastore.sharedViewContext, orderBy: order)
    try await long.performFetch()
    try await whole.performFetch()
    #expect(long.isLong)
    #expect(!whole.isLong)
    return (long, whole)
  }

  @Test("Any place has the object that the whole list has there, and any object its place")
  func places() async throws {
    let datastore = try await datastore()
    let (long, whole) = try await controllers(datastore, orderBy: [.asc(\.$name)])
    #expect(long.numberOfFetchedObjects == whole.numberOfFetchedObjects)
    var random = SeededRandom(seed: RandomCases.seed())
    for _ in 0..<60 {
      let place = random.below(long.numberOfFetchedObjects)
      if Bool.random(using: &random) {
        try await long.load(place..<min(place + 50, long.numberOfFetchedObjects))
        #expect(long.loadedObject(at: place)?.key == whole.list.keys[place])
      }
      #expect(long.object(at: place)?.key == whole.list.keys[place], "seed \(random.seed)")
      let other = random.below(long.numberOfFetchedObjects)
      let object = try #require(whole.object(at: other))
      #expect(long.indexPath(for: object) == IndexPath(row: other, section: 0))
    }
    #expect(long.object(at: whole.numberOfFetchedObjects) == nil)
  }

  @Test("New objects come last until they are saved; then everything is where the store has it")
  func saving() async throws {
    let datastore = try await datastore()
    let view = datastore.sharedViewContext
    let (long, whole) = try await controllers(datastore, orderBy: [.asc(\.$name)])
    let count = whole.numberOfFetchedObjects
    let new: Employee = try view.createObject()
    new.name = "new"
    let changed = try #require(long.object(at: 30_000))
    changed.name = "changed"
    view.deleteObject(try #require(long.object(at: 20_000)))
    view.processPendingChanges()
    // Pending work of a busy main queue comes first.
    for _ in 0..<1_000 where long.numberOfFetchedObjects != count + 1 {
      await drainMainQueue()
      await long.settled()
    }
    #expect(long.numberOfFetchedObjects == count + 1)
    #expect(long.object(at: count) === new)
    #expect(long.object(at: 30_000) === changed)
    try view.saveChanges()
    await drainMainQueue()
    await long.settled()
    await whole.settled()
    #expect(long.numberOfFetchedObjects == count)
    for place in [0, 19_999, 20_000, 29_999, count - 1] {
      #expect(long.object(at: place)?.key == whole.list.keys[place])
    }
  }

  @Test("What others save is notified as a batch that fits both lists")
  func following() async throws {
    let datastore = try await datastore()
    let (long, whole) = try await controllers(datastore, orderBy: [.asc(\.$name)])
    var count = long.numberOfFetchedObjects
    var batches = 0
    let token: ObserverToken = long.observeEvents { event in
      switch event {
      case .object(.inserted): count += 1
      case .object(.deleted): count -= 1
      case .batchEnded: batches += 1
      default: break
      }
    }
    _ = long.object(at: 25_000)
    for step in 0..<3 {
      try await datastore.write { context in
        _ = try context.deleteMany(Employee.self, where: \.$salary == Double(10 + step))
        for _ in 0..<5 * step {
          let employee: Employee = try context.createObject()
          employee.name = "later"
        }
      }
      await drainMainQueue()
      await long.settled()
      await whole.settled()
      #expect(count == long.numberOfFetchedObjects)
      #expect(count == whole.numberOfFetchedObjects)
      for place in [0, 10_000, 25_000, count - 1] {
        #expect(long.object(at: place)?.key == whole.list.keys[place])
      }
    }
    #expect(batches >= 3)
    token.cancel()
  }
}
