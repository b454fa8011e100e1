package import DatastoreCore

/// The numbers of objects in relationships.
extension QueryBuilder {
  /// The number of objects behind a to-many path.
  package func count(_ path: [String], in scope: QueryScope) throws -> SQLFragment {
    let resolved = try resolve(path, in: scope)
    guard case .toMany(let link, let alias, let rest) = resolved else {
      return try dialect.number(ofCondition: "(\(operand(resolved).sql) IS NOT NULL)")
    }
    if rest.isEmpty, !mapping.countsQuickly(link),
      mapping.entities[link.entity].key != .wholeRow
    {
      return joinedCount(link, of: alias, in: scope)
    }
    let related = try self.related(resolved, eachRouteOnce: true)
    let end = try operand(related.end)
    return ("(SELECT count(\(end.sql))\(related.from) WHERE \(related.condition))" as SQLFragment)
      .typed(.count)
  }

  /// Without an index, reading the members of each owner would read their whole table for every row. So all
  /// are counted in one pass, and the counts joined.
  private func joinedCount(
    _ link: RelationshipLink, of alias: String, in scope: QueryScope
  ) -> SQLFragment {
    let place = ["\(alias).\(link.slot).@count"]
    let counts = scope.joined[place] ?? makeAlias()
    if scope.joined[place] == nil {
      scope.joined[place] = counts
      scope.joins += """
         LEFT JOIN (\(memberCounts(link, where: nil))) AS \(name: counts) \
        ON \(column(counts, "owner")) = \(key(link.entity, alias))
        """
    }
    return ("coalesce(\(column(counts, "number")), 0)" as SQLFragment).typed(.count)
  }

  /// `SELECT owner, number …` for the owners that have members.
  ///
  /// - Parameter condition: a condition on the keys of owners; nil for all.
  package func memberCounts(
    _ link: RelationshipLink, where condition: ((SQLFragment) -> SQLFragment)?
  ) -> SQLFragment {
    var mayRepeat = false
    if case .toManyJoin(let join) = mapping.entities[link.entity].slots[link.slot] {
      mayRepeat = join.mayRepeat
    }
    // With an index the owners must come first; without one the engine's planner knows better.
    let pairs = relatedPairs(
      link, joinedBy: mapping.countsQuickly(link) ? dialect.orderedJoin : dialect.plainJoin)
    let counted: SQLFragment = mayRepeat ? "count(DISTINCT \(pairs.member))" : "count(*)"
    return """
      SELECT \(pairs.owner) AS "owner", \(counted) AS "number"\
      \(pairs.rows(where: condition?(pairs.owner))) GROUP BY \(pairs.owner)
      """
  }
}

extension SchemaMapping {
  /// Whether an index finds the members of an owner, so that counting them does not read a whole table. O(1).
  package func countsQuickly(_ link: RelationshipLink) -> Bool {
    switch entities[link.entity].slots[link.slot] {
    case .toManyForeignKey(let inverse, _):
      guard case .toOne(let foreign) = entities[link.destination].slots[inverse] else {
        return false
      }
      return foreign.isIndexed
    case .toManyJoin(let join): return join.isIndexed
    case .attribute, .toOne: return false
    }
  }
}
