import Dispatch
import Foundation
import SwiftDatastore
import Testing

/// Transactions that a function waits for.
@MainActor
@Suite("Transactions that are waited for")
struct WriteAndWaitTests {
  private let datastore: SwiftDatastore
  private var view: SwiftDatastoreViewContext { datastore.sharedViewContext }

  init() throws { datastore = try TestModel.file() }

  private func add(_ name: String, waitsForViewContext: Bool = true) throws {
    try datastore.writeAndWait(waitsForViewContext: waitsForViewContext) { context in
      let company: Company = try context.createObject()
      company.name = name
    }
  }

  private func objects(_ controller: FetchedObjectsController<Company>) -> [Company] {
    (0..<controller.numberOfSections).flatMap { section in
      (0..<controller.numberOfObjects(inSection: section)).compactMap {
        controller.getObject(at: IndexPath(row: $0, section: section))
      }
    }
  }

  private func rename(_ id: DatastoreObjectID, _ name: String) throws {
    try datastore.writeAndWait { (try $0.object(with: id) as Company).name = name }
  }

  private func delete(_ id: DatastoreObjectID) throws {
    try datastore.writeAndWait { $0.deleteObject(try $0.object(with: id) as Company) }
  }

  @Test("On the main actor the view context has what was saved when the call returns")
  func merged() async throws {
    let controller = FetchedObjectsController<Company>(
      viewContext: view, orderBy: [.asc(\.$name)])
    try await controller.performFetch()
    try add("Acme")
    #expect(objects(controller).map(\.name) == ["Acme"])
    let acme = objects(controller)[0]
    let id = acme.objectID
    try rename(id, "Acme 2")
    #expect(acme.name == "Acme 2")
    try delete(id)
    #expect(acme.isDeleted && objects(controller).isEmpty)
  }

  @Test("It waits for the next turn of the main queue where that is asked for")
  func notMerged() async throws {
    let controller = FetchedObjectsController<Company>(
      viewContext: view, orderBy: [.asc(\.$name)])
    try await controller.performFetch()
    try add("Acme", waitsForViewContext: false)
    #expect(objects(controller).isEmpty)
    await drainMainQueue()
    #expect(objects(controller).map(\.name) == ["Acme"])
  }

  @Test("What an observer saves while it is told of a merge follows with the next turn")
  func insideAMerge() async throws {
    let company: Company = try view.createObject()
    company.name = "A"
    try view.saveChanges()
    var names: [String] = []
    let token: PropertyObservation = company.$name.observe { name in
      names.append(name)
      guard names.count == 1 else { return }
      try? self.datastore.writeAndWait { context in
        for company in try context.fetch() as [Company] { company.name = "C" }
      }
    }
    let id = company.objectID
    try rename(id, "B")
    await drainMainQueue()
    #expect(names == ["B", "C"])
    #expect(company.name == "C")
    token.cancel()
  }

  @Test("Returns a value and throws what the closure throws, and nothing is saved then")
  func results() throws {
    struct Refusal: Error {}
    let count = try datastore.writeAndWait { try $0.count(Company.self) }
    #expect(count == 0)
    #expect(throws: Refusal.self) {
      try datastore.writeAndWait { context in
        let company: Company = try context.createObject()
        company.name = "A"
        throw Refusal()
      }
    }
    #expect(try view.count(Company.self) == 0)
  }

  // Promise: the main actor waits for a transaction behind a thousand others → it ends; nobody waits for
  // the main actor.
  @Test("Waiting on the main actor behind a thousand transactions, with controllers, ends")
  func manyBefore() async throws {
    let controller = FetchedObjectsController<Company>(
      viewContext: view, orderBy: [.asc(\.$name)])
    try await controller.performFetch()
    try add("A")
    let id = objects(controller)[0].objectID
    let tasks = (0..<1_000).map { number in
      Swift.Task.detached { [datastore] in
        try await datastore.write { context in
          (try context.object(with: id) as Company).name = "A\(number)"
        }
      }
    }
    for number in 0..<20 { try add("B\(number)") }
    #expect(objects(controller).count == 21)
    for task in tasks { try await task.value }
    await drainMainQueue()
    #expect(objects(controller).count == 21)
    #expect(
      try objects(controller).map(\.name).sorted() == view.fetch().map(\Company.name).sorted())
  }

  @Test func waitingInsideATransactionTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let datastore = try TestModel.inMemory()
      try await datastore.write { _ in try datastore.writeAndWait { _ in } }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("writeAndWait was called inside a transaction of the same datastore"))
  }
}
