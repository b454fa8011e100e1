#if PostgreSQL
import DatastoreCore
import DatastoreTestSupport
import Foundation
import SampleModel
import SwiftDatastore
import SwiftDatastorePostgreSQL
import Testing

private typealias Task = _Concurrency.Task

/// Random saves of three processes, and of psql: a process that only follows them ends with the result of a
/// new fetch.
@MainActor
@Suite("Following several writers", .timeLimit(.minutes(20)))
struct ChangeReplayTests {
  // Promise: three processes save at random → who only follows them has the list and the values of the
  // store at the end.
  // Also: (seed printed)
  @Test("The list and the values of one who follows are those of the store")
  func replay() async throws {
    let server = try PostgreSQLServer.shared()
    let database = try server.makeDatabase()
    func datastore() throws -> SwiftDatastore {
      try SwiftDatastore(
        dataModel: .sampleCompanies(), postgreSQL: server.address(of: database), storeName: "work")
    }
    let mine = try datastore()
    let view = mine.sharedViewContext
    let controller = FetchedObjectsController<Office>(
      viewContext: view, where: \.$capacity >= 20, orderBy: [.asc(\.$capacity), .asc(\.$id)])
    try await controller.performFetch()
    let watch = mine.watchForExternalChanges(every: 100_000)
    let saves = max(10, RandomCases.count / 50)
    let seed = RandomCases.seed()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<3 {
        let other = try datastore()
        group.addTask {
          var random = SeededRandom(seed: seed ^ UInt64(writer))
          for round in 0..<saves {
            let (id, kind, value) = (
              writer + 3 * random.below(30), random.below(10), Int32(random.below(40))
            )
            // Of two writers that change one row at once, one gets an error; this test is not about that.
            try? await other.write { context in
              context.transactionAuthor = "\(writer)"
              let found: [Office] = try context.fetch(where: \.$id == id)
              if let office = found.first {
                if kind < 3 { context.deleteObject(office) } else { office.capacity = value }
              } else {
                let office: Office = try context.createObject()
                (office.id, office.name, office.city, office.country) = (id, "\(round)", "c", "d")
                office.capacity = value
              }
              let all: [Office] = try context.fetch(where: \.$capacity == value)
              for office in all.prefix(2) where kind == 9 { office.city = "\(round)" }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    // The last change, which every process must see.
    let last = try datastore()
    try await last.write { context in
      let office: Office = try context.createObject()
      (office.id, office.name, office.city, office.country) = (-1, "end", "e", "e")
      office.capacity = 100
    }
    let offices: [Office] = try last.sharedViewContext.fetch(
      where: \.$capacity >= 20, orderBy: [.asc(\.$capacity), .asc(\.$id)])
    let stored = offices.map { "\($0.id) \($0.capacity) \($0.city)" }
    func shown() -> [String] {
      (0..<controller.numberOfFetchedObjects).compactMap { place in
        controller.object(at: place).map { "\($0.id) \($0.capacity) \($0.city)" }
      }
    }
    var batches = controller.batches.makeAsyncIterator()
    if shown().last?.hasPrefix("-1 ") != true { _ = await batches.next() }
    while shown().last?.hasPrefix("-1 ") != true { _ = await batches.next() }
    await controller.settled()
    #expect(shown() == stored, "seed \(seed)")
    withExtendedLifetime(watch) {}
  }

  // Promise: a list is told of one change after the other, and compares with rows that already are what
  // later ones have made of them → what was placed so is placed again with every change, until a look at
  // the store that began behind the last one has found nothing new.
  // Also: (seed printed)
  /// A list is told of one change after the other, and finds places by comparing with rows that already are
  /// what the changes behind it have made of them.
  @Test("What is compared with rows whose changes are still to come gets its place with these")
  func rowsAhead() async throws {
    let server = try PostgreSQLServer.shared()
    let database = try server.makeDatabase()
    func datastore() throws -> SwiftDatastore {
      try SwiftDatastore(
        dataModel: .sampleCompanies(), postgreSQL: server.address(of: database), storeName: "work")
    }
    let other = try datastore()
    try await other.write { context in
      for id in 0..<40 {
        let office: Office = try context.createObject()
        (office.id, office.name, office.city, office.country) = (id, "o", "c", "d")
        office.capacity = Int32(10 * id)
      }
    }
    let mine = try datastore()
    let controller = FetchedObjectsController<Office>(
      viewContext: mine.sharedViewContext, orderBy: [.asc(\.$capacity), .asc(\.$id)])
    try await controller.performFetch()
    var random = SeededRandom(seed: RandomCases.seed(1))
    for round in 0..<100 {
      for _ in 0..<2 {
        let (id, capacity) = (random.below(40), Int32(random.below(400)))
        try await other.write { context in
          let found: Office? = try context.fetchFirst(where: \.$id == id)
          found?.capacity = capacity
        }
      }
      _ = try mine.checkForExternalChanges()
      // The changes handed over come before this on the main queue.
      await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
      await controller.settled()
      let stored = try await other.newContext().perform { context in
        let offices: [Office] = try context.fetch(orderBy: [.asc(\.$capacity), .asc(\.$id)])
        return offices.map(\.key)
      }
      try #require(Array(controller.list.keys) == stored, "seed \(random.seed), round \(round)")
    }
  }
}
#endif
