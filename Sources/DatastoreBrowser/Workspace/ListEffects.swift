import DatastoreCore
import SwiftDatastore

extension Lane {
  static let list = Lane("list", .latest)
  /// Each count may go through a whole table, so they are read one after the other.
  static let count = Lane("count", .inOrder)
}

/// What the table and the list of entities ask for.
extension Effect {
  /// Reads the list of a query; ends the list before it.
  static func fetch(_ number: Int, _ query: TableQuery) -> Effect {
    .work { $0.fetch(number, query) }
  }

  static var stopFetching: Effect { .work { $0.cancel(.list) } }

  static func loadRows(fetch: Int, entity: EntityIndex, keys: [RowKey]) -> Effect {
    .work { $0.loadRows(fetch: fetch, entity: entity, keys: keys) }
  }

  static func loadNames(entity: EntityIndex, keys: [RowKey]) -> Effect {
    .work { runner in
      runner.answer { runner in
        let found = try await runner.names(entity: entity, keys: keys)
        var names: [RowKey: NameCache.Entry] = [:]
        for key in keys {
          names[key] = found[key].map { .name($0) } ?? .missing(runner.text(ofKey: key, entity))
        }
        return names
      } as: { (result: Result<[RowKey: NameCache.Entry], EffectFailure>) in
        switch result {
        case .success(let names): NamesLoaded(entity: entity, names: names)
        case .failure(let failure): ReadFailure(failure.message)
        }
      }
    }
  }

  /// Counts the objects of an entity.
  static func count(entity: EntityIndex) -> Effect {
    .work { runner in
      runner.answer(in: .count) { runner in
        try Task.checkCancellation()
        let request = FetchRequest(entity: runner.schema.entities[entity].name)
        return try await runner.view.answer(CountQuestion(request))
      } as: {
        EntityCounted(entity: entity, count: $0)
      }
    }
  }

  /// Counts the members of a to-many relationship of rows.
  static func loadCounts(fetch: Int, entity: EntityIndex, slot: Slot, keys: [RowKey]) -> Effect {
    .work { runner in
      runner.answer {
        try await $0.view.relatedCounts(entity: entity, slot: slot, keys: keys)
      } as: { result in
        switch result {
        case .success(let counts): ListEvent.countsLoaded(fetch: fetch, slot: slot, counts)
        case .failure(let failure): ReadFailure(failure.message)
        }
      }
    }
  }
}

extension EffectRunner {
  /// Rows that are read ahead of the list: a few screens.
  private static let firstRows = 200

  fileprivate func fetch(_ number: Int, _ query: TableQuery) {
    cancel(.list)
    let table = service(TableFeed.self)
    table.list = nil
    let feed: ListFeed
    do {
      feed = try ListFeed(number, query, runner: self)
    } catch {
      send(ListEvent.failed(fetch: number, String(describing: error)))
      return
    }
    table.list = feed
    perform(in: .list) { runner in
      let controller = feed.controller
      do {
        try await controller.fetchFirstRows(Self.firstRows)
        runner.send(
          ListEvent.read(fetch: number, controller.list, isComplete: controller.isComplete))
        guard !controller.isComplete else { return }
        try Task.checkCancellation()
        if let sections = try await controller.countSections() {
          runner.send(ListEvent.sectionsCounted(fetch: number, sections))
        }
        try Task.checkCancellation()
        try await controller.performFetch()
        runner.send(ListEvent.read(fetch: number, controller.list, isComplete: true))
      } catch is CancellationError {
        return
      } catch {
        runner.send(ListEvent.failed(fetch: number, String(describing: error)))
      }
    }
  }

  fileprivate func loadRows(fetch: Int, entity index: EntityIndex, keys: [RowKey]) {
    // The first rows of a list come with it: they are shown in the same picture.
    let known = keys.compactMap { view.loadedObject(entity: index, key: $0) }
    if known.count == keys.count {
      send(shown(known, fetch: fetch, entity: index, keys: keys))
      return
    }
    answer {
      try await $0.view.load(entity: index, keys: keys)
    } as: { [self] (result: Result<[DynamicObject], EffectFailure>) in
      switch result {
      case .success(let objects): shown(objects, fetch: fetch, entity: index, keys: keys)
      case .failure(let failure): ListEvent.rowsFailed(fetch: fetch, failure.message)
      }
    }
  }

  private func shown(
    _ objects: [DynamicObject], fetch: Int, entity index: EntityIndex, keys: [RowKey]
  ) -> ListEvent {
    service(TableFeed.self).keep(objects)
    let columns = TableColumn.columns(of: schema.entities[index], in: schema, labels)
    let rows = objects.map { object in
      RowSnapshot(
        key: object.key, cells: columns.map { $0.cell(of: object) }, seen: seen(object))
    }
    return .rowsLoaded(fetch: fetch, asked: keys, rows)
  }

  /// What a reference to a row holds, for a person: a number, or what else its columns have.
  func text(ofKey key: RowKey, _ entity: EntityIndex) -> String {
    let values = view.keyValues(entity: entity, key: key)?.filter { !$0.isNull }
    return values?.map(\.description).joined(separator: ", ") ?? DisplayName.placeholder(key: key)
  }

  /// The to-many relationships whose members are counted quickly.
  var quickCounts: ByEntity<Set<Slot>> {
    ByEntity(
      schema.entities.map { entity in
        Set(entity.relationshipSlots.filter { view.countsQuickly(entity: entity.index, slot: $0) })
      })
  }
}
