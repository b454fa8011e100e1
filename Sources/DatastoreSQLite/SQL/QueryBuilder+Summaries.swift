import DatastoreCore

/// The statements of `SQLiteStore+Summaries`.
extension QueryBuilder {
  /// The value that a summary is about, with the tail of the statement: `FROM … WHERE …`.
  private func subject(
    _ path: [String], in request: FetchRequest
  ) throws -> (operand: SQLOperand, source: SQLFragment) {
    let scope = makeScope(try entity(named: request.entity).index)
    let operand = try operand(resolve(path, in: scope))
    let condition = try whereClause(request.predicate, in: scope)
    return (operand, from(scope) + condition)
  }

  /// The value where it is a number, else NULL.
  private static func number(_ operand: SQLOperand) -> SQLFragment {
    "CASE WHEN typeof(\(operand.sql)) IN ('integer', 'real') THEN \(operand.sql) END"
  }

  /// `value, its rows, all values, all rows`.
  func frequencies(
    of path: [String], in request: FetchRequest, limit: Int
  ) throws -> SQLFragment {
    let (operand, source) = try subject(path, in: request)
    let value = operand.stored ?? operand.sql
    return """
      SELECT value, rows, count(*) OVER (), sum(rows) OVER () FROM \
      (SELECT \(value) AS value, count(*) AS rows\(source) GROUP BY \(value) COLLATE BINARY) \
      ORDER BY rows DESC, value COLLATE BINARY LIMIT \(.integer(Int64(limit)))
      """
  }

  /// `rows, values, distinct, min, max, numbers, sum, mean, shortest, longest, empty texts`.
  func statistics(of path: [String], in request: FetchRequest) throws -> SQLFragment {
    let (operand, source) = try subject(path, in: request)
    let value = operand.isBinary ? operand.sql : operand.sql + " COLLATE BINARY"
    let number = Self.number(operand)
    let length: SQLFragment =
      "CASE WHEN typeof(\(operand.sql)) = 'text' THEN length(\(operand.sql)) END"
    return """
      SELECT count(*), count(\(operand.sql)), count(DISTINCT \(value)), min(\(value)), max(\(value)), \
      count(\(number)), total(\(number)), avg(\(number)), min(\(length)), max(\(length)), \
      count(CASE WHEN \(operand.sql) = '' THEN 1 END)\(source)
      """
  }

  /// The sum of the squares of the differences from the mean.
  func squares(of path: [String], in request: FetchRequest, mean: Double) throws -> SQLFragment {
    let (operand, source) = try subject(path, in: request)
    let number = Self.number(operand)
    return "SELECT total((\(number) - \(.real(mean))) * (\(number) - \(.real(mean))))\(source)"
  }

  /// The number in the middle of the sorted numbers, or the two of an even count.
  func middle(of path: [String], in request: FetchRequest, count: Int) throws -> SQLFragment {
    let (operand, source) = try subject(path, in: request)
    let number = Self.number(operand)
    let offset = Value.integer(Int64((count - 1) / 2))
    return """
      SELECT number FROM (SELECT \(number) AS number\(source)) WHERE number IS NOT NULL \
      ORDER BY number LIMIT \(.integer(count.isMultiple(of: 2) ? 2 : 1)) OFFSET \(offset)
      """
  }

  /// `min, max, whole numbers, numbers, rows`.
  func numericRange(of path: [String], in request: FetchRequest) throws -> SQLFragment {
    let (operand, source) = try subject(path, in: request)
    let number = Self.number(operand)
    return """
      SELECT min(\(number)), max(\(number)), \
      count(CASE WHEN typeof(\(operand.sql)) = 'integer' THEN 1 END), count(\(number)), \
      count(*)\(source)
      """
  }

  /// `interval, rows`.
  func histogram(
    of path: [String], in request: FetchRequest, _ scale: HistogramScale
  ) throws -> SQLFragment {
    let (operand, source) = try subject(path, in: request)
    let number = Self.number(operand)
    return """
      SELECT \(Self.interval(scale)), count(*) FROM \
      (SELECT \(number) AS number\(source)) WHERE number IS NOT NULL GROUP BY 1
      """
  }

  /// `group, interval, rows`, the rows of a group one after the other.
  func groupedHistograms(
    of path: [String], in request: FetchRequest, groupBy groupPath: [String],
    _ scale: HistogramScale
  ) throws -> SQLFragment {
    let scope = makeScope(try entity(named: request.entity).index)
    let number = Self.number(try operand(resolve(path, in: scope)))
    let group = try operand(resolve(groupPath, in: scope))
    let condition = try whereClause(request.predicate, in: scope)
    return """
      SELECT value COLLATE BINARY, \(Self.interval(scale)), count(*) FROM \
      (SELECT \(group.stored ?? group.sql) AS value, \(number) AS number\(from(scope))\(condition)) \
      WHERE number IS NOT NULL GROUP BY 1, 2 ORDER BY 1
      """
  }

  private static func interval(_ scale: HistogramScale) -> SQLFragment {
    "CAST((number - \(.real(scale.minimum))) / \(.real(scale.width)) AS INTEGER)"
  }
}
