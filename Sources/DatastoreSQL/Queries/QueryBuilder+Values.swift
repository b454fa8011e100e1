package import DatastoreCore

/// Answers that are values, not objects.
extension QueryBuilder {
  package func values(of paths: [[String]], in request: FetchRequest) throws -> SQLFragment {
    let scope = makeScope(try entity(named: request.entity).index)
    let columns = try paths.map { dialect.selected(try operand(at: $0, in: scope).sql) }
    let tail = try clauses(request, in: scope)
    return "SELECT \(columns.joined(by: ", "))\(tail)"
  }

  package func aggregates(_ question: AggregatesQuestion) throws -> SQLFragment {
    let request = question.request
    let scope = makeScope(try entity(named: request.entity).index)
    let groups = try question.paths.map { try operand(at: $0, in: scope) }
    let values = try question.terms.map { try term($0, in: scope) }
    let condition = try whereClause(request.predicate, in: scope)
    var sql: SQLFragment = """
      SELECT \((groups.map { dialect.groupValue($0.sql) } + values).joined(by: ", "))\(from(scope))\(condition)
      """
    if !groups.isEmpty {
      let keys = groups.map { dialect.groupKey($0.sql, isBinary: $0.isBinaryColumn) }
      let order = keys.map { dialect.sortTerm($0, ascending: true) }
      sql += " GROUP BY \(keys.joined(by: ", ")) ORDER BY \(order.joined(by: ", "))"
    }
    return sql
  }

  private func term(
    _ term: AggregateTerm, in scope: QueryScope
  ) throws -> SQLFragment {
    switch term {
    case .countRows: return ("count(*)" as SQLFragment).typed(.count)
    case .aggregate(let aggregate, let path):
      let operand = try operand(at: path, in: scope)
      return self.aggregate(aggregate, operand)
    }
  }
}

extension QueryBuilder {
  package func distinctValues(_ question: DistinctValuesQuestion) throws -> SQLFragment {
    let scope = makeScope(question.entity)
    let operand = try operand(resolve([question.attribute], in: scope))
    let value = operand.stored ?? operand.sql
    var condition: SQLFragment = " WHERE \(value) IS NOT NULL\(andIsMember(scope))"
    if !question.prefix.isEmpty {
      condition += " AND \(dialect.suggests(value, question.prefix))"
    }
    return """
      SELECT DISTINCT \(dialect.binary(value))\(from(scope))\(condition)\
      \(dialect.limit(question.limit, offset: 0))
      """
  }
}
