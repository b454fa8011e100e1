import DatastoreCore
import SwiftDatastore

extension Lane {
  static let search = Lane("search", .latest)
}

extension Effect {
  /// Searches the table for a text, and then for all its matches; the search before it ends.
  static func search(_ request: SearchRequest) -> Effect {
    .work { runner in
      runner.perform(in: .search) { runner in
        if request.text.words != nil {
          let (outcome, places) = try await runner.findWords(request)
          try Task.checkCancellation()
          runner.send(StateChange { $0.apply(outcome, of: request) })
          if case .found = outcome, let places {
            runner.send(MatchesCounted(request: request, places: places))
          }
          return
        }
        let outcome = try await runner.find(request)
        try Task.checkCancellation()
        runner.send(StateChange { $0.apply(outcome, of: request) })
        // In a long list, the places of matches are known only when they are found.
        guard case .found = outcome, request.list.isRead else { return }
        let places = try await runner.places(request)
        try Task.checkCancellation()
        runner.send(MatchesCounted(request: request, places: places))
      } orSend: { error in
        let outcome = SearchOutcome.failed(EffectFailure(error).message)
        return StateChange { $0.apply(outcome, of: request) }
      }
    }
  }

  static var stopSearching: Effect { .work { $0.cancel(.search) } }
}

/// All matches of a search were found in the list.
struct MatchesCounted: BrowserEvent {
  let request: SearchRequest
  let places: [Int]

  func apply(to state: inout BrowserState) {
    guard state.table?.fetch == request.fetch, state.table?.search?.number == request.number else {
      return
    }
    state.table?.search?.places = places
  }
}

extension EffectRunner {
  /// Finds the nearest match range by range, so that a near match costs little, and the search for a far one
  /// can be cancelled after any query.
  fileprivate func find(_ request: SearchRequest) async throws -> SearchOutcome {
    let staged = stagedMatches(request)
    var list = request.list
    for (rows, isWrapped) in request.stretches {
      try Task.checkCancellation()
      if !list.isRead, let controller = self.list?.controller {
        // Of the ranges searched so far, only what is needed to find the next one is kept.
        list.forget(besides: 0..<0) { _ in false }
        list = try await controller.reading(rows, of: list)
      }
      let keys = await Task.detached { [list] in rows.compactMap { list.readKey(at: $0) } }.value
      let found = try await view.answer(
        MatchingKeysQuestion(
          containing: request.text.text, request.text.options, at: request.paths,
          entity: request.entity, among: keys))
      if found.isEmpty, staged.isEmpty { continue }
      let places = keys.indices
      func isMatch(_ place: Int) -> Bool { staged[keys[place]] ?? found.contains(keys[place]) }
      let place =
        request.direction == .backward ? places.last(where: isMatch) : places.first(where: isMatch)
      if let place {
        return .found(
          row: rows.lowerBound + place, key: keys[place],
          column: try await matchingColumn(request, keys[place]), isWrapped: isWrapped)
      }
    }
    return .nothing
  }

  /// The places of all matches in ascending order, from one pass over the rows of the entity. O(rows).
  fileprivate func places(_ request: SearchRequest) async throws -> [Int] {
    let staged = stagedMatches(request)
    let found = try await view.answer(
      MatchingKeysQuestion(
        containing: request.text.text, request.text.options, at: request.paths,
        entity: request.entity))
    return await Task.detached {
      var places: [Int] = []
      for (place, key) in request.list.enumerated() where staged[key] ?? found.contains(key) {
        places.append(place)
      }
      return places
    }.value
  }

  /// The first column in which a row shows the text.
  func matchingColumn(_ request: SearchRequest, _ key: RowKey) async throws -> Int {
    let first = request.columns.first?.index ?? 0
    guard request.columns.count > 1,
      let object = try await view.load(entity: request.entity, keys: [key]).first
    else { return first }
    for (index, column) in request.columns {
      guard let value = try await value(of: column, object, request) else { continue }
      if let destination = column.destination, let related = value.key {
        _ = try await view.load(entity: destination, keys: [related])
      }
      if isMatch(value, column, request.text) { return index }
    }
    return first
  }

  /// The value of a column for an object; nil if it has none.
  private func value(
    of column: TableColumn, _ object: DynamicObject, _ request: SearchRequest
  ) async throws -> Value? {
    guard let operand = column.operand else {
      return column.slot.map { object.shownValue(at: $0) }
    }
    return try await view.values(of: [operand], [object], entity: request.entity)[object.key]?.first
  }

  /// Whether objects with unsaved changes match, by key; the store does not have these changes.
  func stagedMatches(_ request: SearchRequest) -> [RowKey: Bool] {
    let graph = view.core.graph
    let entity = schema.entities[request.entity]
    let changed = (graph.insertedObjects + graph.updatedObjects).filter {
      $0.entity.isKind(of: entity)
    }
    return Dictionary(
      changed.map { object in
        (
          object.key,
          request.columns.contains {
            isMatch($0.column.value.value(of: object), $0.column, request.text)
          }
        )
      }, uniquingKeysWith: { first, _ in first })
  }

  private func isMatch(_ value: Value, _ column: TableColumn, _ text: SearchText) -> Bool {
    shownText(value, column).map { text.isIn($0) } ?? false
  }

  /// The shown text of a value; nil for a relationship to an object that is not in memory.
  private func shownText(_ value: Value, _ column: TableColumn) -> String? {
    guard let destination = column.destination, let key = value.key else {
      return column.cell(value).text
    }
    guard let object = view.loadedObject(entity: destination, key: key) else { return nil }
    return knownName(of: object, as: destination)
  }
}
