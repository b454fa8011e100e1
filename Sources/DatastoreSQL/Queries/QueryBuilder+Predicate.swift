package import DatastoreCore

extension QueryBuilder {
  /// The condition as SQL. It is NULL only where that may count as false.
  ///
  /// - Throws: `StoreError.unknownProperty`, or `.unsupportedPredicate` for invalid trees.
  package func condition(_ predicate: Predicate, in scope: QueryScope) throws -> SQLFragment {
    switch predicate.flattened {
    case .constant(let value): return dialect.constant(value)
    case .and(let parts):
      if parts.isEmpty { return dialect.constant(true) }
      return list(try parts.map { try condition($0, in: scope) }, by: " AND ")
    case .or(let parts):
      if parts.isEmpty { return dialect.constant(false) }
      return list(try parts.map { try condition($0, in: scope) }, by: " OR ")
    case .not(let part):
      // Two-valued: anything not true is false.
      return try "((\(condition(part, in: scope))) IS NOT TRUE)"
    case .comparison(let comparison):
      return try condition(comparison, in: scope)
    }
  }

  /// Conditions joined in parentheses: many are grouped, because a list of a thousand is a tree that is too
  /// deep for SQLite, and deep for others.
  private func list(_ conditions: [SQLFragment], by separator: String) -> SQLFragment {
    var conditions = conditions
    let most = 256
    while conditions.count > most {
      conditions = stride(from: 0, to: conditions.count, by: most).map { start in
        let group = conditions[start..<min(start + most, conditions.count)]
        return "(\(Array(group).joined(by: separator)))"
      }
    }
    return "(\(conditions.joined(by: separator)))"
  }

  private func condition(
    _ comparison: Predicate.Comparison, in scope: QueryScope
  ) throws -> SQLFragment {
    guard case .keyPath(let path) = comparison.left else {
      let holds = try compare(
        operand(comparison.left, in: scope), comparison, right: scope)
      return comparison.quantifier == .none ? "((\(holds)) IS NOT TRUE)" : holds
    }
    let left = try resolve(path, in: scope)
    guard case .toMany = left else {
      let holds = try compare(operand(left), comparison, right: scope)
      return comparison.quantifier == .none ? "((\(holds)) IS NOT TRUE)" : holds
    }
    switch comparison.quantifier {
    case .direct, .any:
      return try "EXISTS (\(search(left, comparison, right: scope) { $0 }))"
    case .none:
      return try "NOT EXISTS (\(search(left, comparison, right: scope) { $0 }))"
    case .all:
      return try """
      NOT EXISTS (\(search(left, comparison, right: scope) { "((\($0)) IS NOT TRUE)" }))
      """
    }
  }

  /// `SELECT 1 …` for every object behind a to-many path for which the comparison, changed by `body`, holds.
  private func search(
    _ path: ResolvedPath, _ comparison: Predicate.Comparison, right scope: QueryScope,
    body: (SQLFragment) -> SQLFragment
  ) throws -> SQLFragment {
    let related = try self.related(path)
    let holds = try compare(operand(related.end), comparison, right: scope)
    return "SELECT 1\(related.from) WHERE \(related.condition) AND \(body(holds))"
  }

  /// The rows of a path with to-many steps.
  ///
  /// - Parameter eachRouteOnce: for counts and sums: a pair that occurs twice in a join table counts once,
  ///   and a last to-one step only if its object exists.
  package func related(_ path: ResolvedPath, eachRouteOnce: Bool = false) throws -> RelatedRows {
    var end = path
    var from = SQLFragment()
    var conditions: [SQLFragment] = []
    var inner = QueryScope(entity: 0, alias: "")
    while case .toMany(let link, let alias, let rest) = end {
      let joinAlias = makeAlias()
      inner = makeScope(link.destination)
      if case .toManyJoin(let join) = mapping.entities[link.entity].slots[link.slot] {
        from +=
          (from.isEmpty ? " FROM " : dialect.plainJoin)
          + pairs(join, joinAlias, isDistinct: eachRouteOnce)
      }
      from +=
        (from.isEmpty ? " FROM " : dialect.plainJoin)
        + table(link.destination, beside: inner.alias)
      conditions.append(
        isRelated(
          link, owner: .row(alias: alias), destination: inner.alias, joinAlias: joinAlias))
      end = try resolve(rest, in: inner, entersLast: eachRouteOnce)
      from += inner.joins
    }
    return RelatedRows(
      from: from, condition: conditions.joined(by: " AND "), end: end,
      key: key(inner.entity, inner.alias))
  }

  /// A join table; in both directions if its pairs count in both.
  package func pairs(_ join: JoinTable, _ alias: String, isDistinct: Bool = false) -> SQLFragment {
    let own = join.ownColumns.map { "\(name: $0)" as SQLFragment }.joined(by: ", ")
    let other = join.otherColumns.map { "\(name: $0)" as SQLFragment }.joined(by: ", ")
    guard join.isSymmetric else {
      guard isDistinct, join.mayRepeat else {
        return "\(beside: join.qualifiedTable) AS \(name: alias)"
      }
      return "(SELECT DISTINCT \(own), \(other) FROM \(join.qualifiedTable)) AS \(name: alias)"
    }
    var order = SQLFragment()
    var swappedOrder = SQLFragment()
    if let column = join.orderColumn {
      order = ", \(name: column)"
      swappedOrder = ", NULL"
    }
    return """
      (SELECT \(own), \(other)\(order) FROM \(join.qualifiedTable) \
      UNION SELECT \(other), \(own)\(swappedOrder) FROM \(join.qualifiedTable)) AS \(name: alias)
      """
  }
}

/// Rows behind a to-many path, as parts of a query on them.
package struct RelatedRows {
  package let from: SQLFragment
  package let condition: SQLFragment
  /// The end of the path, seen from the last row.
  package let end: ResolvedPath
  /// The key of the last row.
  package let key: SQLFragment
}
