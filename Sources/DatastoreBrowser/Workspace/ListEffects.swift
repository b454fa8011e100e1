import DatastoreCore
import SwiftDatastore

extension Lane {
  static let list = Lane("list", .latest)
  static let keys = Lane("keys", .latest)
  /// A count may read a whole table, so only one runs at a time.
  static let count = Lane("count", .inOrder)
}

/// The effects of the table and of the list of entities.
extension Effect {
  /// Reads the list of a query; the reading of the former list ends.
  static func fetch(_ number: Int, _ query: TableQuery) -> Effect {
    .work { $0.fetch(number, query) }
  }

  static var stopFetching: Effect { .work { $0.cancel(.list) } }

  /// Reads rows as cells for some columns.
  static func loadRows(
    fetch: Int, entity: EntityIndex, keys: [RowKey], columns: [TableColumn]
  ) -> Effect {
    .work { $0.loadRows(fetch: fetch, entity: entity, keys: keys, columns: columns) }
  }

  /// Reads keys of a long list; keys that were requested before are no longer waited for.
  static func readKeys(fetch: Int, _ places: Range<Int>) -> Effect {
    readingList(fetch, in: .keys) {
      try await $0.readKeys(places)
      return .keysRead(fetch: fetch, $0.list)
    }
  }

  /// Reads the keys around an object of a long list.
  static func searchKey(_ key: RowKey, fetch: Int) -> Effect {
    readingList(fetch, in: .list) {
      if let place = try await $0.index(of: key) {
        try await $0.readKeys(max(0, place - 1)..<place + 1)
      }
      return .keySearched(fetch: fetch, $0.list)
    }
  }

  /// Reads more of a fetch's list, if that list is still shown.
  private static func readingList(
    _ fetch: Int, in lane: Lane, of maker: String = #function,
    _ read:
      @escaping @MainActor @Sendable (FetchedObjectsController<DynamicObject>) async throws ->
      ListEvent
  ) -> Effect {
    .work(of: maker) { runner in
      runner.perform(in: lane) { runner in
        guard let feed = runner.list, feed.number == fetch else { return }
        runner.send(try await read(feed.controller))
      } orSend: {
        ListEvent.rowsFailed(fetch: fetch, String(describing: $0))
      }
    }
  }

  static func loadNames(entity: EntityIndex, keys: [RowKey]) -> Effect {
    .answer { runner in
      let found = try await runner.names(entity: entity, keys: keys)
      var names: [RowKey: NameCache.Entry] = [:]
      for key in keys {
        names[key] = found[key].map { .name($0) } ?? .missing(runner.text(ofKey: key, entity))
      }
      return names
    } then: {
      (state: inout BrowserState, names: Result<[RowKey: NameCache.Entry], EffectFailure>) in
      switch names {
      case .success(let names): state.apply(names, of: entity)
      case .failure(let failure): state.tellUnreadable(failure.message)
      }
    }
  }

  static func count(entity: EntityIndex) -> Effect {
    .answer(in: .count) { runner in
      try Task.checkCancellation()
      let request = FetchRequest(entity: runner.schema.entities[entity].name)
      return try await runner.view.answer(CountQuestion(request))
    } then: { (state: inout BrowserState, count: Result<Int, EffectFailure>) in
      guard state.entities.apply(count, of: entity), state.entities.beginCounting(entity) else {
        return
      }
      state.request(.count(entity: entity))
    }
  }

  /// Asks a server for its estimates of the numbers of objects.
  static var estimateCounts: Effect {
    .answer(in: .count) {
      try await $0.view.answer(EstimatedCountsQuestion())
    } then: { state, counts in
      // Entities without an estimate are counted.
      if case .success(let counts) = counts { state.entities.apply(estimates: counts) }
    }
  }

  /// Counts the members of a to-many relationship for some rows.
  static func loadCounts(fetch: Int, entity: EntityIndex, slot: Slot, keys: [RowKey]) -> Effect {
    .answer {
      try await $0.view.relatedCounts(entity: entity, slot: slot, keys: keys)
    } as: { result in
      switch result {
      case .success(let counts): ListEvent.countsLoaded(fetch: fetch, slot: slot, counts)
      case .failure(let failure): StateChange { $0.tellUnreadable(failure.message) }
      }
    }
  }
}

extension EffectRunner {
  /// The number of rows that are read before the list: a few screens.
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
    } orSend: {
      ListEvent.failed(fetch: number, String(describing: $0))
    }
  }

  fileprivate func loadRows(
    fetch: Int, entity index: EntityIndex, keys: [RowKey], columns: [TableColumn]
  ) {
    // The first rows of a list come with it: they are shown in the same picture.
    let known = keys.compactMap { view.loadedObject(entity: index, key: $0) }
    let operands = columns.compactMap(\.operand)
    if known.count == keys.count, operands.allSatisfy(\.isOwn) {
      let rows = snapshots(of: known, columns) { object in
        operands.map { $0.value(of: object) }
      }
      send(ListEvent.rowsLoaded(fetch: fetch, asked: keys, rows, of: columns))
      return
    }
    answer { [self] runner in
      let objects = try await runner.view.load(entity: index, keys: keys)
      let computed =
        operands.isEmpty ? [:] : try await runner.view.values(of: operands, objects, entity: index)
      return snapshots(of: objects, columns) { computed[$0.key] ?? [] }
    } as: { (result: Result<[RowSnapshot], EffectFailure>) in
      switch result {
      case .success(let rows): ListEvent.rowsLoaded(fetch: fetch, asked: keys, rows, of: columns)
      case .failure(let failure): ListEvent.rowsFailed(fetch: fetch, failure.message)
      }
    }
  }

  /// - Parameter computed: returns the values of the computed columns for an object, in the order of the
  ///   columns.
  private func snapshots(
    of objects: [DynamicObject], _ columns: [TableColumn],
    computed: (DynamicObject) -> [Value]
  ) -> [RowSnapshot] {
    service(TableFeed.self).keep(objects)
    return objects.map { object in
      var values = computed(object).makeIterator()
      let cells = columns.map { column in
        column.operand == nil ? column.cell(of: object) : column.cell(values.next() ?? .null)
      }
      return RowSnapshot(key: object.key, cells: cells, seen: seen(object))
    }
  }

  /// The text of a key for people: a number, or the values of its columns.
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
