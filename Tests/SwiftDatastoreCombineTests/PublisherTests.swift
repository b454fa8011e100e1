import Foundation
import OpenCombine
import SampleModel
import SwiftDatastore
import SwiftDatastoreCombine
import Testing

@MainActor
@Suite struct PublisherTests {
  private func makeDatastore() throws -> SwiftDatastore {
    try SwiftDatastore(
      inMemory: SwiftDatastoreModel(
        from: Company.self, Office.self, Employee.self, SampleModel.Task.self))
  }

  @Test func aPropertyPublishesNewValuesUntilCancelled() throws {
    let view = try makeDatastore().sharedViewContext
    let company: Company = try view.createObject()
    var names: [String] = []
    let cancellable = company.$name.newValuePublisher.sink { names.append($0) }
    company.name = "A"
    company.name = "B"
    cancellable.cancel()
    company.name = "C"
    #expect(names == ["A", "B"])
  }

  @Test func aSubscriberGetsNoMoreThanItAskedFor() throws {
    let view = try makeDatastore().sharedViewContext
    let company: Company = try view.createObject()
    var names: [String] = []
    let cancellable = company.$name.newValuePublisher.prefix(1).sink { names.append($0) }
    company.name = "A"
    company.name = "B"
    #expect(names == ["A"])
    withExtendedLifetime(cancellable) {}
  }

  @Test func aControllerPublishesItsChanges() async throws {
    let datastore = try makeDatastore()
    let view = datastore.sharedViewContext
    let controller = FetchedObjectsController<Company>(
      viewContext: view, orderBy: [.asc(\.$name)])
    try await controller.performFetch()
    var inserted: [String] = []
    let cancellable = controller.changesPublisher.sink { change in
      if case .inserted(let company, let path) = change {
        inserted.append("\(company.name) \(path.row)")
      }
    }
    let company: Company = try view.createObject()
    company.name = "A"
    view.processPendingChanges()
    #expect(inserted == ["A 0"])
    cancellable.cancel()
  }

  @Test func snapshotsOfAnObjectUntilCancelled() throws {
    let view = try makeDatastore().sharedViewContext
    let company: Company = try view.createObject()
    company.name = "A"
    view.processPendingChanges()
    var names: [String] = []
    let cancellable = view.publisher(of: company).reactive.snapshot()
      .sink { names.append($0?.$name ?? "gone") }
    var later: [String] = []
    let second = view.publisher(of: company).reactive.snapshot(emitInitialValue: false)
      .sink { later.append($0?.$name ?? "gone") }
    company.name = "B"
    view.processPendingChanges()
    view.deleteObject(company)
    view.processPendingChanges()
    #expect(names == ["A", "B", "gone"])
    #expect(later == ["B", "gone"])
    cancellable.cancel()
    second.cancel()
    view.revertChanges()
    view.processPendingChanges()
    #expect(names.count == 3 && later.count == 2)
  }

  @Test func snapshotsOfAListUntilCancelled() async throws {
    let datastore = try makeDatastore()
    let view = datastore.sharedViewContext
    let list = ListPublisher<Company>(viewContext: view, orderBy: [.asc(\.$name)])
    try await list.performFetch()
    var counts: [Int] = []
    let cancellable = list.reactive.snapshot().sink { counts.append($0.count) }
    var inserted: [Int] = []
    let second = list.reactive.changes().sink { inserted.append($0.batch.inserted.count) }
    for name in ["A", "B"] {
      let company: Company = try view.createObject()
      company.name = name
    }
    view.processPendingChanges()
    #expect(counts == [0, 2])
    #expect(inserted == [2])
    cancellable.cancel()
    second.cancel()
    view.revertChanges()
    view.processPendingChanges()
    #expect(counts == [0, 2])
  }
}
