package import DatastoreCore

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
