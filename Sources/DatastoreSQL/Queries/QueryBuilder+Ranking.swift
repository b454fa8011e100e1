package import DatastoreCore

/// Rows in the order of their rank: the index of words becomes the first table of the statement, so that it
/// need not be sorted by what it has found.
extension QueryBuilder {
  /// Lets an index rank the rows of a scope, if that is asked for and there is one that answers searches of
  /// the condition.
  ///
  /// - Returns: what the index does not see to.
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
      // The index has numbers and blobs as the texts that they are written as.
      if !condition.isExact { rest.append(part) }
    }
    guard let first = ranked.first else { return predicate }
    let words = ranked.count == 1 ? first.words : .and(ranked.map(\.words))
    scope.ranking = dialect.ranking(
      by: words, in: first.table, key: first.key, as: makeAlias())
    return rest.isEmpty ? nil : rest.count == 1 ? rest[0] : .and(rest)
  }

  /// Searches that one index answers, with its names of the columns.
  private struct RankedCondition {
    let words: WordCondition
    let table: String
    /// The keys that its rows have, in the row that is searched.
    let key: SQLFragment
    /// Whether it finds nothing but what the condition is about.
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

  /// Whether an order needs a key that distinguishes rows which are equal in it.
  func needsTieBreaker(_ order: [SortDescriptor], in scope: QueryScope) -> Bool {
    scope.ranking == nil || order.count > 1
  }
}

extension WordCondition {
  /// With other names of the attributes.
  fileprivate func renamed(_ names: [String: String]) -> WordCondition {
    switch self {
    case .search(let search, let name): .search(search, attribute: names[name] ?? name)
    case .and(let parts): .and(parts.map { $0.renamed(names) })
    case .or(let parts): .or(parts.map { $0.renamed(names) })
    }
  }
}
