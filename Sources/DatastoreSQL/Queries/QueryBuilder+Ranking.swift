package import DatastoreCore

extension QueryBuilder {
  /// `SELECT key …` of the rows that a question is about, the best first; nil where no index has their words.
  package func keys(_ question: RankedKeysQuestion) throws -> SQLFragment? {
    let entity = try entity(named: question.request.entity)
    guard let slot = entity.slot(named: question.attribute),
      case .attribute(let column) = mapping.entities[entity.index].slots[slot],
      let index = column.wordIndex,
      let ranking = dialect.ranking(
        havingWords: WordSearch(question.words), in: index, as: makeAlias())
    else { return nil }
    let scope = makeScope(entity.index)
    let condition = try whereClause(question.request.predicate, in: scope)
    let key = self.key(entity.index, scope.alias)
    // The index comes first, so that it need not be sorted.
    return """
      SELECT \(key) FROM \(ranking.source) CROSS JOIN \(table(entity.index, scope.alias)) \
      ON \(key) = \(ranking.key) AND \(ranking.condition)\(scope.joins)\(condition) \
      ORDER BY \(ranking.order)\(limit(question.request))
      """
  }
}
