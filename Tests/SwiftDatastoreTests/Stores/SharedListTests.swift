import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

@Suite("A class in several stores: lists that follow")
@MainActor
struct SharedListTests {
  private let files: SharedFiles
  private let datastore: SwiftDatastore

  init() throws {
    files = try SharedFiles()
    datastore = try files.open()
  }

  private func labels(_ controller: FetchedObjectsController<Pebble>) -> [[Int]] {
    (0..<controller.numberOfSections).map { section in
      (0..<controller.numberOfObjects(inSection: section)).map { row in
        controller.getObject(at: IndexPath(row: row, section: section))?.label ?? -1
      }
    }
  }

  @Test("Objects of all stores stand in one order, and each comes to its place when it is saved")
  func order() async throws {
    let context = datastore.newLocalContext()
    for label in 0..<12 {
      let pebble: Pebble = try context.createObject(in: files.stores[label % 3])
      (pebble.label, pebble.name) = (label, label % 2 == 0 ? "even" : "odd")
    }
    try context.saveChanges()
    let list = FetchedObjectsController(
      viewContext: datastore.sharedViewContext,
      From<Pebble>().sectionBy(\.$name).orderBy(.desc(\.$label)))
    let part = FetchedObjectsController(
      viewContext: datastore.sharedViewContext,
      From<Pebble>().affectedStores([files.two]).orderBy(.asc(\.$label)))
    try await list.performFetch()
    try await part.performFetch()
    #expect(labels(list) == [[10, 8, 6, 4, 2, 0], [11, 9, 7, 5, 3, 1]])
    #expect(labels(part) == [[1, 4, 7, 10]])
    let new: Pebble = try context.createObject(in: files.two)
    (new.label, new.name) = (5, "even")
    let memory: Pebble = try context.createObject(in: files.memory)
    (memory.label, memory.name) = (6, "odd")
    let gone: Pebble = try #require(try context.fetchFirst(where: \.$label == 9))
    context.deleteObject(gone)
    try context.saveChanges()
    await drainMainQueue()
    #expect(labels(list) == [[10, 8, 6, 5, 4, 2, 0], [11, 7, 6, 5, 3, 1]])
    #expect(labels(part) == [[1, 4, 5, 7, 10]])
    // Unsaved changes of the view context count, too.
    let staged: Pebble = try datastore.sharedViewContext.createObject(in: files.two)
    (staged.label, staged.name) = (20, "even")
    await drainMainQueue()
    #expect(labels(list)[0].first == 20 && labels(part)[0].last == 20)
    try SQLiteCommand.run(
      "UPDATE Pebble SET label = 100 WHERE label = 3", on: #require(files.one.url))
    _ = try datastore.checkForExternalChanges()
    await drainMainQueue()
    await list.settled()
    #expect(labels(list)[1].first == 100)
    let first = try datastore.sharedViewContext.fetch(
      From<Pebble>().orderBy(.asc(\.$label)).limit(2))
    #expect(first.map(\.label) == [0, 1])
  }

  // Promise: a file is removed under lists → they stay, saving there is refused, the others go on.
  @Test("A file that is removed under lists: they stay, and saving there is refused")
  func removed() async throws {
    let failures = Lock<[String]>([])
    let datastore = try files.open(
      nil, .init(faultFailed: { error in failures.withLock { $0.append("\(error)") } }))
    let context = datastore.newLocalContext()
    try files.fill(context, files.stores, from: 1)
    try context.saveChanges()
    let list = FetchedObjectsController(
      viewContext: datastore.sharedViewContext, From<Pebble>().orderBy(.asc(\.$label)))
    try await list.performFetch()
    #expect(labels(list) == [[1, 2, 3]])
    let url = try #require(files.two.url)
    try FileManager.default.removeItem(at: url)
    // The others go on.
    let pebble: Pebble = try context.createObject(in: files.one)
    pebble.label = 0
    try context.saveChanges()
    await drainMainQueue()
    #expect(labels(list) == [[0, 1, 2, 3]])
    // Writes into the removed file are refused.
    #expect(try context.count(From<Pebble>().affectedStores([files.one])) == 2)
    #expect(throws: StoreError.self) {
      let lost: Pebble = try context.createObject(in: files.two)
      lost.label = 9
      try context.saveChanges()
    }
    #expect(failures.withLock { $0 }.allSatisfy { $0.contains(url.path) })
  }
}
