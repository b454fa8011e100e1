import DatastoreCore
import Foundation
import SwiftDatastore

extension Lane {
  static let search = Lane("search", .latest)
}

extension Effect {
  /// Looks for a text in a column; ends the search before.
  static func search(_ request: SearchRequest) -> Effect {
    .work { runner in
      runner.answer(in: .search) {
        try await $0.find(request)
      } as: { result in
        switch result {
        case .success(let outcome): Searched(request: request, outcome: outcome)
        case .failure(let failure):
          Searched(request: request, outcome: .failed(failure.message))
        }
      }
    }
  }

  static var stopSearching: Effect { .work { $0.cancel(.search) } }
}

struct Searched: BrowserEvent {
  let request: SearchRequest
  let outcome: SearchOutcome

  func apply(to state: inout BrowserState) -> [Effect] {
    state.apply(outcome, of: request)
    return []
  }
}

extension EffectRunner {
  /// The nearest match, looked for stretch by stretch, so that a near one costs no more than a glance
  /// and a far one is never more than one query from being given up.
  fileprivate func find(_ request: SearchRequest) async throws -> SearchOutcome {
    let staged = stagedMatches(request)
    for (rows, isWrapped) in request.stretches {
      try Task.checkCancellation()
      let keys = await Task.detached { Array(request.list[rows]) }.value
      let found = try await view.answer(
        MatchingKeysQuestion(
          containing: request.text, at: request.path, entity: request.entity, among: keys))
      if found.isEmpty, staged.isEmpty { continue }
      let places = keys.indices
      func isMatch(_ place: Int) -> Bool { staged[keys[place]] ?? found.contains(keys[place]) }
      let place =
        request.direction == .backward ? places.last(where: isMatch) : places.first(where: isMatch)
      if let place {
        return .found(
          row: rows.lowerBound + place, key: keys[place], isWrapped: isWrapped)
      }
    }
    return .nothing
  }

  /// Whether objects with unsaved changes match, by key: the store does not know them.
  private func stagedMatches(_ request: SearchRequest) -> [RowKey: Bool] {
    let graph = view.core.graph
    let entity = schema.entities[request.entity]
    let changed = (graph.insertedObjects + graph.updatedObjects).filter {
      $0.entity.isKind(of: entity)
    }
    guard !changed.isEmpty else { return [:] }
    let column = TableColumn.columns(of: entity, in: schema)
      .first { $0.slot == request.slot }
    return Dictionary(
      changed.compactMap { object -> (RowKey, Bool)? in
        guard let column, let shown = shownText(object.value(at: request.slot), column) else {
          return nil
        }
        return (object.key, shown.range(of: request.text, options: .caseInsensitive) != nil)
      }, uniquingKeysWith: { first, _ in first })
  }

  /// What a value shows; nil for a relationship to an object that is not in memory.
  private func shownText(_ value: Value, _ column: TableColumn) -> String? {
    guard let destination = column.destination, let key = value.key else {
      return column.cell(value).text
    }
    guard let object = view.loadedObject(entity: destination, key: key) else { return nil }
    let slot = DisplayName.slot(of: schema.entities[destination])
    return DisplayName.name(slot.map { object[$0] } ?? .null, key: key)
  }
}
