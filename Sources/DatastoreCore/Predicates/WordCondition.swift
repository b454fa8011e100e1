/// Searches for words in attributes of one object: the part of a condition that an index of words can answer
/// and rank.
package indirect enum WordCondition: Sendable, Hashable {
  case search(WordSearch, attribute: String)
  case and([WordCondition])
  case or([WordCondition])

  /// The attributes that are searched.
  package var attributes: [String] {
    switch self {
    case .search(_, let attribute): [attribute]
    case .and(let parts), .or(let parts): parts.flatMap(\.attributes)
    }
  }
}

extension Predicate {
  /// The condition, if it consists only of word searches in attributes of the object itself.
  package var words: WordCondition? {
    switch flattened {
    case .comparison(let comparison):
      guard comparison.comparator == .search, comparison.quantifier == .direct,
        case .keyPath(let path) = comparison.left, path.count == 1,
        case .value(.text(let text)) = comparison.right
      else { return nil }
      let search = WordSearch.of(text)
      return search.phrases.isEmpty ? nil : .search(search, attribute: path[0])
    case .and(let parts): return Self.words(of: parts).map { .and($0) }
    case .or(let parts): return Self.words(of: parts).map { .or($0) }
    case .constant, .not: return nil
    }
  }

  private static func words(of parts: [Predicate]) -> [WordCondition]? {
    let words = parts.compactMap(\.words)
    return words.isEmpty || words.count < parts.count ? nil : words
  }

  /// The conditions that must all hold.
  package var conjuncts: [Predicate] {
    guard case .and(let parts) = flattened else { return [self] }
    return parts.flatMap(\.conjuncts)
  }

  /// Whether its objects may have a rank.
  package var isRanked: Bool { conjuncts.contains { $0.words != nil } }
}
