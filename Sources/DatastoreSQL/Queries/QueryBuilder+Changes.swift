package import DatastoreCore

extension QueryBuilder {
  /// ` WHERE …` for a statement that changes the table `scope.alias`: a condition that needs other
  /// tables becomes a search for keys.
  package func changeClause(_ predicate: Predicate?, _ scope: QueryScope) throws -> SQLFragment {
    let clause = try whereClause(predicate, in: scope)
    guard !scope.joins.isEmpty else { return clause }
    let inner = makeScope(scope.entity)
    let search = try whereClause(predicate, in: inner)
    return """
       WHERE \(key(scope.entity, scope.alias)) IN \
      (SELECT \(key(inner.entity, inner.alias))\(from(inner))\(search))
      """
  }
}
