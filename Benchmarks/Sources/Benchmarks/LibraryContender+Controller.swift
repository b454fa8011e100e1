import Dispatch
import SwiftDatastore

extension LibraryContender {
  @MainActor private func makeController(groupBy: Bool) -> FetchedObjectsController<Employee> {
    groupBy
      ? FetchedObjectsController<Employee>(
        viewContext: datastore.sharedViewContext, orderBy: [.asc(\.$surname)],
        groupBy: \.$position)
      : FetchedObjectsController<Employee>(
        viewContext: datastore.sharedViewContext, orderBy: [.asc(\.$surname)])
  }

  /// A controller without sections is how keys are read in sort order.
  @MainActor func listSeconds(groupBy: Bool) throws -> Double {
    let controller = makeController(groupBy: groupBy)
    var watch = Stopwatch()
    try watch.time { try controller.performFetch() }
    use(controller)
    return watch.seconds
  }

  /// Bytes that a controller over the whole table holds for each of its rows.
  @MainActor func controllerBytesPerRow() throws -> Double {
    // Buffers that last are there when the second list is weighed.
    let first = try makeFetchedController()
    defer { use(first) }
    let controller = makeController(groupBy: true)
    let before = Memory.allocatedBytes
    try controller.performFetch()
    let after = Memory.allocatedBytes
    return Double(after - before) / Double(controller.numberOfFetchedObjects)
  }

  @MainActor private func makeFetchedController() throws -> FetchedObjectsController<Employee> {
    let controller = makeController(groupBy: true)
    try controller.performFetch()
    return controller
  }

  /// Seconds from the moment the main queue turns to a save of another context until the controller
  /// has told its observer where the one changed object has gone. Saving is off the clock.
  @MainActor func mergeSeconds() async throws -> Double {
    let controller = try makeFetchedController()
    var began = ContinuousClock.now
    var ended = began
    var events = 0
    let token: ObserverToken = controller.observeChanges { _ in
      ended = .now
      events += 1
    }
    let rows = rows
    let ids = try await identifiers(
      (0..<MergeMeasurement.count).map { MergeMeasurement.key($0, of: rows) })
    var watch = Stopwatch()
    for (number, id) in ids.enumerated() {
      // Stands in the main queue before the merge of the save that follows.
      DispatchQueue.main.async { MainActor.assumeIsolated { began = .now } }
      save(id, number)
      await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
      watch.add(ended - began)
      guard events == number + 1 else {
        throw SQLiteFailure(description: "\(number + 1) merges of one object made \(events) events")
      }
    }
    token.cancel()
    use(controller)
    return watch.seconds / Double(ids.count)
  }

  /// Saves a change in another context and waits, so that the main queue is not served meanwhile.
  @MainActor private func save(_ id: DatastoreObjectID, _ number: Int) {
    let saved = DispatchSemaphore(value: 0)
    datastore.newContext().perform { context in
      let employee: Employee = try context.object(with: id)
      employee.surname = MergeMeasurement.surname(number)
      employee.position = number % 40
      try context.saveChanges()
    } success: {
      saved.signal()
    } failure: { error in
      fatalError("a change could not be saved: \(error)")
    }
    saved.wait()
  }
}
