import DatastoreCore
import Foundation
import SwiftDatastore
import Testing

/// Counts the statements that read.
private final class Questions: Sendable {
  private let selects = Lock(0)

  var count: Int { selects.withLock { $0 } }

  func record(_ sql: String) {
    if sql.hasPrefix("SELECT") { selects.withLock { $0 += 1 } }
  }
}

@Suite struct PrefetchingTests {
  @Test func oneQueryForEachRelationship() async throws {
    let questions = Questions()
    let datastore = try SwiftDatastore(
      dataModel: TestModel.make(), storeName: UUID().uuidString, storingType: .test,
      options: .init(traceSQL: { questions.record($0) }))
    try await datastore.write { context in
      for number in 0..<40 {
        let company: Company = try context.createObject()
        company.name = "C\(number)"
        let tag: Tag = try context.createObject()
        tag.label = "T\(number)"
        company.tags = [tag]
        let employee: Employee = try context.createObject()
        employee.name = "E\(number)"
        employee.company = company
        for title in ["b", "a"] {
          let job: Job = try context.createObject()
          job.title = title
          employee.tasks.append(job)
        }
      }
    }
    try await datastore.newContext().perform { context in
      let before = questions.count
      let all: [Employee] = try context.fetch(
        orderBy: [.asc(\.$name)], prefetching: [\.$company, \.$tasks])
      #expect(all.count == 40)
      #expect(questions.count - before == 3)
      #expect(all.allSatisfy { $0.tasks.map(\.title) == ["b", "a"] })
      #expect(Set(all.compactMap { $0.company?.name }).count == 40)
      #expect(questions.count - before == 3, "everything was read ahead")
      try context.prefetch(["company", "tags"], from: all)
      #expect(questions.count - before == 4)
      #expect(all.allSatisfy { $0.company?.tags.first?.label.hasPrefix("T") == true })
      #expect(questions.count - before == 4)
    }
  }

  @Test func stagedMembersAreThereToo() async throws {
    let datastore = try TestModel.file()
    try await datastore.newContext().perform { context in
      let company: Company = try context.createObject()
      company.name = "C"
      let saved: Employee = try context.createObject()
      saved.name = "saved"
      saved.company = company
      try context.saveChanges()
      let staged: Employee = try context.createObject()
      staged.name = "staged"
      staged.company = company
      let companies: [Company] = try context.fetch(prefetching: [\.$employees])
      #expect(companies.first?.employees == [saved, staged])
      #expect(context.core.graph.brokenInvariants() == [])
    }
  }

  @Test func aContextThatHasReadAheadIsReleasedWithItsObjects() async throws {
    let datastore = try TestModel.inMemory()
    try await datastore.write { context in
      let company: Company = try context.createObject()
      company.name = "C"
      let employee: Employee = try context.createObject()
      employee.name = "E"
      employee.company = company
    }
    let graph = try await WeakGraph(reading: datastore)
    // The context's queue may not have let go of its last work yet.
    for _ in 0..<1_000_000 where graph.graph != nil { await Task.yield() }
    #expect(graph.graph == nil)
  }
}

/// The graph of a context that has read ahead and is not held by anyone.
///
/// Unchecked: only asked whether it is still there.
private struct WeakGraph: @unchecked Sendable {
  weak var graph: ObjectGraph?

  init(reading datastore: SwiftDatastore) async throws {
    self = try await datastore.newContext().perform { context in
      let _: [Employee] = try context.fetch(prefetching: [\.$company])
      return WeakGraph(context.core.graph)
    }
  }

  init(_ graph: ObjectGraph) {
    self.graph = graph
  }
}
