package import DatastoreCore

/// Rows in the order of their rank: the index of words becomes the first table of the statement, so that its
/// results need no sorting.
extension QueryBuilder {
  /// Makes an index rank the rows of a scope, if the order asks for it and an index answers searches of the
  /// condition.
  ///
  /// - Returns: the conditions that the index does not check.
  package func rank(
    _ predicate: Predicate?, by order: [SortDescriptor], in scope: QueryScope
  ) throws -> Predicate? {
    guard let predicate, order.hasRank(of: schema.entities[scope.entity]) else { return predicate }
    var rest: [Predicate] = []
    var ranked: [RankedCondition] = []
    for part in predicate.conjuncts {
      guard let words = part.words, let condition = try rankedCondition(words, in: scope),
        ranked.allSatisfy({ $0.table == condition.table })
      else {
        rest.append(part)
        continue
      }
      ranked.append(condition)
      // The index holds numbers and blobs in their text form.
      if !condition.isExact { rest.append(part) }
    }
    guard let first = ranked.first else { return predicate }
    let words = ranked.count == 1 ? first.words : .and(ranked.map(\.words))
    scope.ranking = dialect.ranking(
      by: words, in: first.table, key: first.key, as: makeAlias())
    return rest.isEmpty ? nil : rest.count == 1 ? rest[0] : .and(rest)
  }

  /// Searches that one index answers, with its column names.
  private struct RankedCondition {
    let words: WordCondition
    let table: String
    /// The key of its rows, in the searched row.
    let key: SQLFragment
    /// Whether its matches need no further check.
    let isExact: Bool
  }

  private func rankedCondition(
    _ words: WordCondition, in scope: QueryScope
  ) throws -> RankedCondition? {
    var columns: [String: String] = [:]
    var first: WordIndex?
    var isExact = true
    for attribute in words.attributes {
      guard
        case .attribute(let sql, let column, let type, scope.alias) = try resolve(
          [attribute], in: scope), let index = column.wordIndex,
        first == nil || first?.table == index.table
      else { return nil }
      first = index
      columns[attribute] = index.column
      isExact = try isExact && operand(.attribute(sql, column, type, alias: scope.alias)).isText
    }
    guard let first else { return nil }
    return RankedCondition(
      words: words.renamed(columns), table: first.table, key: column(scope.alias, first.key),
      isExact: isExact)
  }

  /// Whether an order needs a tie-breaking key.
  func needsTieBreaker(_ order: [SortDescriptor], in scope: QueryScope) -> Bool {
    scope.ranking == nil || order.count > 1
  }
}

extension WordCondition {
  /// The condition with other names of the attributes.
  fileprivate func renamed(_ names: [String: String]) -> WordCondition {
    switch self {
    case .search(let search, let name): .search(search, attribute: names[name] ?? name)
    case .and(let parts): .and(parts.map { $0.renamed(names) })
    case .or(let parts): .or(parts.map { $0.renamed(names) })
    }
  }
}
