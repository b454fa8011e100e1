package import DatastoreCore

extension QueryBuilder {
  /// ` WHERE …` for a statement that changes the table `scope.alias`: a condition that needs other tables
  /// becomes a subquery for keys.
  package func changeClause(_ predicate: Predicate?, _ scope: QueryScope) throws -> SQLFragment {
    let clause = try whereClause(predicate, in: scope)
    guard !scope.joins.isEmpty else { return clause }
    let inner = makeScope(scope.entity)
    let search = try whereClause(predicate, in: inner)
    if case .columns(let names) = mapping.entities[scope.entity].key, names.count > 1 {
      // A key of several columns is a single value only in comparisons; no engine finds it among the results
      // of a subquery.
      let found = makeAlias()
      let columns = names.map { "\(column(inner.alias, $0)) AS \(name: $0)" as SQLFragment }
      let isSame = names.map { name in
        let known = typedColumn(name, of: scope.entity, scope.alias)
        let (left, right) = (column(found, name), column(scope.alias, name))
        // A NULL-safe comparison prevents a server from using the index of the key.
        return known.type?.mayBeNull == false
          ? "\(left) = \(right)" : dialect.isSame(left, right)
      }
      return """
         WHERE EXISTS (SELECT 1 FROM (SELECT \(columns.joined(by: ", "))\(from(inner))\(search)) \
        AS \(name: found) WHERE \(isSame.joined(by: " AND ")))
        """
    }
    return """
       WHERE \(key(scope.entity, scope.alias)) IN \
      (SELECT \(key(inner.entity, inner.alias))\(from(inner))\(search))
      """
  }
}
