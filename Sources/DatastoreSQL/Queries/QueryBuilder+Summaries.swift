package import DatastoreCore

/// The statements of summaries.
extension QueryBuilder {
  /// The value that a summary covers, with the tail of the statement: `FROM … WHERE …`.
  private func subject(
    _ path: [String], in request: FetchRequest
  ) throws -> (operand: SQLOperand, source: SQLFragment) {
    let scope = makeScope(try entity(named: request.entity).index)
    let operand = try operand(at: path, in: scope)
    let condition = try whereClause(request.predicate, in: scope)
    return (operand, from(scope) + condition)
  }

  /// `value, its rows, all rows`.
  package func frequencies(
    of path: [String], in request: FetchRequest, limit: Int
  ) throws -> SQLFragment {
    let (operand, source) = try subject(path, in: request)
    let value = operand.stored ?? operand.sql
    let shown = dialect.groupValue(value)
    let groups = dialect.table(
      of: """
        SELECT \(shown) AS value, count(*) AS rows\(source) \
        GROUP BY \(dialect.groupKey(value, isBinary: operand.isBinaryColumn))
        """)
    let outer = ("value" as SQLFragment).typed(shown.type)
    return """
      SELECT value, rows, sum(rows) OVER () FROM \(groups) \
      ORDER BY rows DESC, \(dialect.sortTerm(dialect.binary(outer), ascending: true))\
      \(dialect.limit(limit, offset: 0))
      """
  }

  /// `rows, values, distinct, min, max, numbers, sum, mean, shortest, longest, empty texts`.
  package func statistics(of path: [String], in request: FetchRequest) throws -> SQLFragment {
    let (operand, source) = try subject(path, in: request)
    let value = binary(operand)
    let number = dialect.number(operand.sql)
    let length = dialect.textLength(operand.sql)
    return """
      SELECT count(*), count(\(operand.sql)), count(DISTINCT \(value)), \
      \(aggregate(.minimum, operand)), \(aggregate(.maximum, operand)), \
      count(\(number)), \(dialect.aggregate(.sum, operand.sql)), \(dialect.mean(number)), min(\(length)), max(\(length)), \
      count(CASE WHEN \(dialect.isEmptyText(operand.sql)) THEN 1 END)\(source)
      """
  }

  /// The sum of the squares of the differences from the mean; and the sum of the differences, which is 0 if
  /// the mean is exact.
  ///
  /// - Parameter mean: an integer is subtracted from integers without rounding them.
  package func squares(of path: [String], in request: FetchRequest, mean: Value) throws
    -> SQLFragment
  {
    let (operand, source) = try subject(path, in: request)
    var difference: SQLFragment = "(\(dialect.number(operand.sql)) - \(mean))"
    // The square of an integer may be too large for one.
    if case .integer = mean { difference = "(\(difference) - \(.real(0)))" }
    let square: SQLFragment = "\(difference) * \(difference)"
    return "SELECT \(dialect.total(square)), \(dialect.total(difference))\(source)"
  }

  /// The middle one of the sorted numbers, or the two of an even count.
  package func middle(of path: [String], in request: FetchRequest, count: Int) throws -> SQLFragment
  {
    let (operand, source) = try subject(path, in: request)
    let number = dialect.number(operand.sql)
    let limit = dialect.limit(count.isMultiple(of: 2) ? 2 : 1, offset: (count - 1) / 2)
    return """
      SELECT number FROM \(dialect.table(of: "SELECT \(number) AS number\(source)")) WHERE number IS NOT NULL \
      ORDER BY number\(limit)
      """
  }

  /// `min, max, whole numbers, numbers, rows`.
  package func numericRange(of path: [String], in request: FetchRequest) throws -> SQLFragment {
    let (operand, source) = try subject(path, in: request)
    let number = dialect.number(operand.sql)
    return """
      SELECT min(\(number)), max(\(number)), \
      count(CASE WHEN \(dialect.isWhole(operand.sql)) THEN 1 END), count(\(number)), \
      count(*)\(source)
      """
  }

  /// `interval, rows`.
  package func histogram(
    of path: [String], in request: FetchRequest, _ scale: HistogramScale
  ) throws -> SQLFragment {
    let (operand, source) = try subject(path, in: request)
    let number = dialect.number(operand.sql)
    return """
      SELECT \(interval(scale)), count(*) FROM \
      \(dialect.table(of: "SELECT \(number) AS number\(source)")) WHERE number IS NOT NULL GROUP BY 1
      """
  }

  /// `group, interval, rows`, the rows of a group one after the other.
  package func groupedHistograms(
    of path: [String], in request: FetchRequest, groupBy groupPath: [String],
    _ scale: HistogramScale
  ) throws -> SQLFragment {
    let scope = makeScope(try entity(named: request.entity).index)
    let number = dialect.number(try operand(at: path, in: scope).sql)
    let group = try operand(at: groupPath, in: scope)
    let condition = try whereClause(request.predicate, in: scope)
    let value = group.stored ?? group.sql
    let rows = dialect.table(
      of: "SELECT \(value) AS value, \(number) AS number\(from(scope))\(condition)")
    let outer = ("value" as SQLFragment).typed(value.type)
    return """
      SELECT \(dialect.binary(outer)), \(interval(scale)), count(*) FROM \(rows) \
      WHERE number IS NOT NULL GROUP BY 1, 2 ORDER BY 1
      """
  }

  private func interval(_ scale: HistogramScale) -> SQLFragment {
    dialect.truncated("(number - \(.real(scale.minimum))) / \(.real(scale.width))")
  }
}
