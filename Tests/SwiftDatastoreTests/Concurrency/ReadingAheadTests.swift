import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

// Promise: rows are read while contexts save → what was read before a save never enters the graph after it.
/// What is read off the main actor is put into the view context later: it must not bring back what was saved,
/// here or elsewhere, while it was read.
@MainActor
@Suite("Reading ahead while something is saved", .serialized)
struct ReadingAheadTests {
  enum Way: CaseIterable, Sendable {
    case load, loadObjects, firstRows
  }

  private let directory: TemporaryDirectory
  private let datastore: SwiftDatastore
  private let stops: ReadStops
  private var view: SwiftDatastoreViewContext { datastore.sharedViewContext }

  init() async throws {
    directory = try TemporaryDirectory()
    let url = directory.url.appending(path: "f.sqlite")
    let made = try SwiftDatastore(dataModel: TestModel.make(), url: url)
    try await made.write { context in
      for number in 0..<10 {
        let employee: Employee = try context.createObject()
        employee.name = "e\(number)"
        employee.age = 0
      }
    }
    try made.close()
    let stops = ReadStops()
    self.stops = stops
    datastore = try SwiftDatastore(
      opening: url, options: .init(traceSQL: { stops.record($0) }))
    // A context that was used once merges saves of other contexts.
    #expect(!datastore.sharedViewContext.hasChanges)
  }

  private var entity: Entity {
    get throws { try #require(datastore.schema.entity(named: "Employee")) }
  }

  private func read(_ way: Way) async throws -> [DynamicObject] {
    let request = FetchRequest(entity: "Employee", sortDescriptors: [.init(["name"])])
    switch way {
    case .load: return try await view.load(entity: entity.index, keys: Array(1...10))
    case .loadObjects: return try await view.loadObjects(request)
    case .firstRows:
      let controller = try FetchedObjectsController<DynamicObject>(
        viewContext: view, request: request)
      try await controller.fetchFirstRows(20)
      return (0..<controller.numberOfFetchedObjects).compactMap { controller.object(at: $0) }
    }
  }

  /// Someone else saves, and that is merged.
  private func count() {
    whileMainWaits(datastore.newContext()) { context in
      let all: [DynamicObject] = try context.fetch(FetchRequest(entity: "Employee"))
      for object in all {
        guard case .integer(let age) = object["age"] else { continue }
        object["age"] = .integer(age + 1)
      }
      try context.saveChanges()
    }
    view.core.takeIn()
  }

  /// Others save while it is read, and again whenever it is read again.
  @Test("What others save meanwhile is shown", arguments: Way.allCases, [1, 7, 8, 9])
  func merged(_ way: Way, saves: Int) async throws {
    stops.stop(at: Array(repeating: count, count: saves))
    let objects = try await read(way)
    #expect(stops.finish() == 0)
    await drainMainQueue()
    #expect(objects.count == 10)
    #expect(objects.allSatisfy { $0["age"] == .integer(Int64(saves)) })
    let stored = try view.query("SELECT DISTINCT age FROM Employee").map { $0[0] }
    #expect(stored == [.integer(Int64(saves))])
  }

  @Test("What is deleted here meanwhile does not come back", arguments: Way.allCases)
  func deleted(_ way: Way) async throws {
    let (view, index) = (view, try entity.index)
    stops.stop(at: [
      {
        guard let object = view.core.graph.object(entity: index, key: 3) as? DynamicObject else {
          return
        }
        view.deleteObject(object)
        #expect(throws: Never.self) { try view.saveChanges() }
      }
    ])
    let objects = try await read(way)
    #expect(stops.finish() == 0)
    #expect(Set(objects.map(\.key)) == Set([RowKey](1...10)).subtracting([3]))
    #expect(view.core.graph.registeredObject(entity: index, key: 3) == nil)
  }

  @Test(
    "What is saved here meanwhile stays, also when its object was released", arguments: Way.allCases
  )
  func saved(_ way: Way) async throws {
    let (view, index) = (view, try entity.index)
    stops.stop(at: [
      {
        (view.core.graph.object(entity: index, key: 3) as? DynamicObject)?["age"] = .integer(7)
        #expect(throws: Never.self) { try view.saveChanges() }
        view.processPendingChanges()
        view.core.graph.releaseUnreferencedObjects()
      }
    ])
    let objects = try await read(way)
    #expect(stops.finish() == 0)
    #expect(objects.first { $0.key == 3 }?["age"] == .integer(7))
  }

  @Test("Objects that become faults meanwhile are read, too")
  func forgotten() async throws {
    let (view, datastore) = (view, datastore)
    let known = try await view.load(entity: entity.index, keys: [1, 2, 3])
    #expect(known.count == 3)
    stops.stop(at: [
      {
        whileMainWaits(datastore.newContext()) { context in
          _ = try context.updateMany(
            entityName: "Employee", where: nil, values: ["age": .integer(5)])
        }
        view.core.takeIn()
      }
    ])
    let objects = try await read(.load)
    #expect(stops.finish() == 0)
    #expect(objects.map(\.key) == Array(1...10))
    #expect(objects.allSatisfy { $0["age"] == .integer(5) })
  }

  /// The task that began the second fetch, to cancel it.
  @MainActor private final class Second {
    var fetch: Task<Void, any Error>?
  }

  // Promise: a second `performFetch` takes the place of a first and is cancelled → what came meanwhile is
  // in the list.
  @Test(
    "What came while a list was read reaches it also when another read takes its place and is cancelled",
    arguments: 0..<20)
  func cancelledSecond(round: Int) async throws {
    let controller = try FetchedObjectsController<DynamicObject>(
      viewContext: view,
      request: FetchRequest(entity: "Employee", sortDescriptors: [.init(["name"])]))
    try await controller.performFetch()
    let (view, datastore, second) = (view, datastore, Second())
    stops.stop(at: [
      {
        whileMainWaits(datastore.newContext()) { context in
          try context.one("Employee", "name", "e0")["name"] = "z"
          try context.saveChanges()
        }
        view.core.takeIn()
        second.fetch = Task { try await controller.performFetch() }
        second.fetch?.cancel()
      }
    ])
    let first = Task { try await controller.performFetch() }
    _ = await first.result
    #expect(stops.finish() == 0)
    _ = await second.fetch?.result
    await drainMainQueue()
    await controller.settled()
    #expect(controller.list.keys[9] == 1 && controller.numberOfFetchedObjects == 10)
  }

  @Test("A context that is pinned reads again what it has moved to")
  func pinned() async throws {
    try view.pinQueryGeneration()
    stops.stopAtStatements()
    stops.stop(at: [count])
    let objects = try await read(.load)
    #expect(stops.finish() == 0)
    await drainMainQueue()
    #expect(objects.count == 10 && objects.allSatisfy { $0["age"] == .integer(1) })
  }
}
