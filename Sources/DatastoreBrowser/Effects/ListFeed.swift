import DatastoreCore
import SwiftDatastore

/// The list of one fetch, and the changes that reach it.
@MainActor
final class ListFeed {
  let number: Int
  /// The index of its entity.
  let entity: Int
  let controller: FetchedObjectsController<DynamicObject>

  /// - Throws: `UnknownEntityError` or `PredicateFault` when the query does not fit the schema.
  init(_ number: Int, _ query: TableQuery, runner: EffectRunner) throws {
    self.number = number
    entity = query.entity
    controller = try FetchedObjectsController(
      viewContext: runner.view, request: query.request(in: runner.schema),
      groupBy: query.groupBy)
    controller.keepsDeletedObjects = true
    controller.fetchFailed = { [weak runner] error in
      runner?.send(.readFailed(String(describing: error)))
    }
    controller.listChanged = { [weak runner] change in
      guard let runner else { return }
      if change.sources.contains(.otherProcess) {
        runner.send(
          .changedElsewhere(fetch: number, inserted: change.inserted, deleted: change.deleted))
      }
      runner.send(.listChanged(fetch: number, change.list, changed: change.changed))
    }
  }
}

extension EffectRunner {
  /// Rows that are read ahead of the list: a few screens.
  private static let firstRows = 200

  func fetch(_ number: Int, _ query: TableQuery) {
    cancel(fetchWork)
    list = nil
    let feed: ListFeed
    do {
      feed = try ListFeed(number, query, runner: self)
    } catch {
      send(.listFailed(fetch: number, String(describing: error)))
      return
    }
    list = feed
    fetchWork = perform { runner in
      let controller = feed.controller
      do {
        try await controller.fetchFirstRows(Self.firstRows)
        runner.send(
          .listRead(
            fetch: number, controller.list, isComplete: controller.isComplete))
        guard !controller.isComplete else { return }
        try Task.checkCancellation()
        if let sections = try await controller.countSections() {
          runner.send(.sectionsCounted(fetch: number, sections))
        }
        try Task.checkCancellation()
        try await controller.performFetch()
        runner.send(.listRead(fetch: number, controller.list, isComplete: true))
      } catch is CancellationError {
        return
      } catch {
        runner.send(.listFailed(fetch: number, String(describing: error)))
      }
    }
  }

  func stopFetching() {
    cancel(fetchWork)
    fetchWork = nil
  }

  func loadRows(fetch: Int, entity index: Int, keys: [Int64]) {
    // The first rows of a list come with it: they are shown in the same picture.
    let known = keys.compactMap { view.loadedObject(entity: index, key: $0) }
    if known.count == keys.count {
      show(known, fetch: fetch, entity: index, keys: keys)
      return
    }
    perform { runner in
      do {
        let objects = try await runner.view.load(entity: index, keys: keys)
        runner.show(objects, fetch: fetch, entity: index, keys: keys)
      } catch is CancellationError {
        return
      } catch {
        runner.send(.rowsFailed(fetch: fetch, asked: keys, String(describing: error)))
      }
    }
  }

  private func show(_ objects: [DynamicObject], fetch: Int, entity index: Int, keys: [Int64]) {
    keep(objects)
    let columns = TableColumn.columns(of: schema.entities[index], in: schema)
    let rows = objects.map { object in
      RowSnapshot(
        key: object.key, cells: columns.map { $0.cell(of: object) }, seen: seen(object))
    }
    send(.rowsLoaded(fetch: fetch, asked: keys, rows))
  }

  /// Keeps the rows that were read last in memory, for the details.
  private func keep(_ objects: [DynamicObject]) {
    recentRows.append(objects)
    if recentRows.count > 3 { recentRows.removeFirst() }
  }

  func loadNames(entity index: Int, keys: [Int64]) {
    perform { runner in
      do {
        let found = try await runner.names(entity: index, keys: keys)
        var names: [Int64: String?] = [:]
        for key in keys { names.updateValue(found[key], forKey: key) }
        runner.send(.namesLoaded(entity: index, names))
      } catch is CancellationError {
        return
      } catch {
        runner.send(.namesFailed(entity: index, asked: keys, String(describing: error)))
      }
    }
  }

  /// The display names of objects; those that are not there are left out.
  func names(entity index: Int, keys: [Int64]) async throws -> [Int64: String] {
    let slot = DisplayName.slot(of: schema.entities[index])
    let objects = try await view.load(entity: index, keys: keys)
    return Dictionary(
      objects.map { object in
        (object.key, DisplayName.name(slot.map { object[$0] } ?? .null, key: object.key))
      }, uniquingKeysWith: { first, _ in first })
  }

  func count(entity index: Int) {
    let before = lastCount
    let number = perform { runner in
      await before?.value
      guard !Task.isCancelled else { return }
      do {
        let request = FetchRequest(entity: runner.schema.entities[index].name)
        let count = try await runner.view.countStored(request)
        runner.send(.counted(entity: index, .success(count)))
      } catch {
        runner.send(
          .counted(entity: index, .failure(CountFailure(message: String(describing: error)))))
      }
    }
    lastCount = task(number)
  }
}
