import DatastoreCore
import SwiftDatastore

/// Searching a table for words: the search goes through the matches from the best to the worst.
extension EffectRunner {
  /// The match to go to, and the places of all matches, the best first; nil for a long list. O(rows of the
  /// list).
  func findWords(_ request: SearchRequest) async throws -> (SearchOutcome, places: [Int]?) {
    let keys = try await rankedKeys(request)
    let list = request.list
    guard list.isRead else { return (try await findWords(request, among: keys), nil) }
    let places = await Task.detached {
      let ranks = Dictionary(
        zip(keys, keys.indices), uniquingKeysWith: { first, _ in first })
      var found: [(rank: Int, place: Int)] = []
      for (place, key) in list.enumerated() {
        if let rank = ranks[key] { found.append((rank, place)) }
      }
      return found.sorted { $0.rank < $1.rank }.map(\.place)
    }.value
    let start = places.firstIndex(of: request.start)
    guard let (row, isWrapped) = request.next(in: places, from: start) else {
      return (.nothing, [])
    }
    let key = list[row]
    return (
      .found(
        row: row, key: key, column: try await matchingColumn(request, key), isWrapped: isWrapped),
      places
    )
  }

  /// The match to go to in a list that has been read only in parts.
  private func findWords(
    _ request: SearchRequest, among ranked: [RowKey]
  ) async throws -> SearchOutcome {
    let present = request.list.readKey(at: request.start).flatMap { ranked.firstIndex(of: $0) }
    guard let (next, isWrapped) = request.next(in: Array(ranked.indices), from: present) else {
      return .nothing
    }
    let key = ranked[next]
    guard let row = try await list?.controller.index(of: key) else { return .nothing }
    return .found(
      row: row, key: key, column: try await matchingColumn(request, key), isWrapped: isWrapped)
  }

  /// The keys of the rows that contain the words, including some outside the list: those ranked by an index,
  /// then others in the order of the store, then those that match only with unsaved changes.
  private func rankedKeys(_ request: SearchRequest) async throws -> [RowKey] {
    let entity = schema.entities[request.entity]
    let indexes = view.store.information(about: entity).wordIndexes
    let names = request.columns.map(\.column.name)
    let index = names.lazy.compactMap { indexes[$0] }.first
    let indexed = names.filter { index != nil && indexes[$0] == index }
    var keys: [RowKey] = []
    for names in [indexed, names.filter { !indexed.contains($0) }] where !names.isEmpty {
      keys += try await view.answer(KeysQuestion(request.fetch(entity, havingWordsIn: names)))
    }
    let staged = stagedMatches(request)
    if staged.isEmpty { return keys }
    let stored = Set(keys)
    return keys.filter { staged[$0] ?? true }
      + staged.filter { $0.value && !stored.contains($0.key) }.keys.sorted()
  }
}

extension SearchRequest {
  /// The rows that contain the words in one of some attributes, the best first.
  fileprivate func fetch(_ entity: Entity, havingWordsIn names: [String]) -> FetchRequest {
    let searches = names.map { Predicate.search(text.text, in: $0) }
    let words = searches.count == 1 ? searches[0] : .or(searches)
    return FetchRequest(
      entity: entity.name, predicate: condition.map { .and([$0, words]) } ?? words,
      sortDescriptors: [.rank])
  }

  /// The match to go to, and whether it is beyond the end of the ranking.
  ///
  /// - Parameter present: the index of the match where the search starts; nil if it starts at none.
  func next(in ranked: [Int], from present: Int?) -> (row: Int, isWrapped: Bool)? {
    guard let best = ranked.first, let worst = ranked.last else { return nil }
    guard direction != .firstAtStart, let present else {
      return (best, false)
    }
    if direction == .forward {
      return present + 1 < ranked.count ? (ranked[present + 1], false) : (best, true)
    }
    return present > 0 ? (ranked[present - 1], false) : (worst, true)
  }
}

extension Predicate {
  /// The condition that an attribute contains words.
  static func search(_ words: String, in attribute: String) -> Predicate {
    .comparison(Comparison(.keyPath([attribute]), .search, .value(.text(words))))
  }
}
