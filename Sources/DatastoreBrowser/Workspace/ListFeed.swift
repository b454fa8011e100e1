import DatastoreCore
import SwiftDatastore

/// The list of one fetch, which follows changes.
@MainActor
final class ListFeed {
  let number: Int
  let entity: EntityIndex
  let controller: FetchedObjectsController<DynamicObject>

  /// - Throws: `UnknownEntityError` or `PredicateFault` if the query does not fit the schema.
  init(_ number: Int, _ query: TableQuery, runner: EffectRunner) throws {
    self.number = number
    entity = query.entity
    controller = try FetchedObjectsController(
      viewContext: runner.view, request: query.request(in: runner.schema),
      groupBy: query.groupBy)
    controller.keepsDeletedObjects = true
    // If the sections have another order than the store's, their places are known only after all rows.
    if query.sectionOrder != nil {
      controller.mostKeys = .max
    } else if let most = runner.environment.mostKeys {
      controller.mostKeys = most
    }
    controller.fetchFailed = { [weak runner] error in
      runner?.send(StateChange { $0.tellUnreadable(String(describing: error)) })
    }
    controller.listChanged = { [weak runner] change in
      guard let runner else { return }
      if change.sources.contains(where: \.isOtherProcess) {
        runner.send(
          ListEvent.changedElsewhere(
            fetch: number, inserted: change.inserted, deleted: change.deleted))
      }
      runner.send(ListEvent.changed(fetch: number, change.list, changed: change.changed))
    }
  }
}

/// The list of the table, and the last rows that were read for it.
@MainActor
final class TableFeed: EffectService {
  var list: ListFeed?
  /// Kept in memory for the details.
  private var recentRows: [[DynamicObject]] = []

  init(_ runner: EffectRunner) {}

  func keep(_ objects: [DynamicObject]) {
    recentRows.append(objects)
    if recentRows.count > 3 { recentRows.removeFirst() }
  }

  func stop() { list = nil }
}

extension EffectRunner {
  /// The list of the table.
  var list: ListFeed? { service(TableFeed.self).list }

  /// Returns when the table's list has applied every merged change.
  func settleList() async { await list?.controller.settled() }
}
