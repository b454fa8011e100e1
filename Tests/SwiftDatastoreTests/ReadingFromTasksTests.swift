import DatastoreCore
import DatastoreSQLite
import Foundation
import SwiftDatastore
import Testing

/// Reading from many tasks at once, some of which wait for a connection and others for a thread.
@Suite("Reading from tasks")
struct ReadingFromTasksTests {
  private func fill(_ datastore: SwiftDatastore) async throws -> [RowKey] {
    try await datastore.write { context in
      try context.insertMany(Company.self, from: 1...500) { [.init(\.$name, "company \($0)")] }
    }
    return try await datastore.sharedViewContext.answer(
      KeysQuestion(FetchRequest(entity: "Company")))
  }

  @Test("However many ask, all get their answers", .timeLimit(.minutes(20)))
  func manyTasks() async throws {
    let datastore = try TestModel.file()
    let keys = try await fill(datastore)
    let store = await datastore.sharedViewContext.store
    let request = FetchRequest(entity: "Company")
    let entity = try #require(datastore.schema.entity(named: "Company")).index
    for _ in 0..<40 {
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<24 {
          group.addTask { try await store.answer(CountQuestion(request)) }
          // A thread of the tasks waits here for a connection.
          group.addTask {
            try store.rows(entity: entity, keys: keys).reduce(0) { $0 + $1.rowCount }
          }
        }
        for try await count in group { #expect(count == 500) }
      }
    }
  }

  @Test("A question that is taken back ends, and so do those that it would ask next")
  func cancellation() async throws {
    let datastore = try TestModel.file()
    let store = await datastore.sharedViewContext.store
    let endless = """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n
      """
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    let reading = Task {
      try await store.answer(
        SQLPagesQuestion(endless, begin: { _ in }) { _ in
          continuation.yield()
          return true
        })
    }
    for await _ in stream { break }
    reading.cancel()
    await #expect(throws: CancellationError.self) { try await reading.value }
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await store.answer(CountQuestion(FetchRequest(entity: "Company")))
    }
    await #expect(throws: CancellationError.self) { try await late.value }
    // The connection answers the next one.
    #expect(try store.count(FetchRequest(entity: "Company")) == 0)
  }
}
