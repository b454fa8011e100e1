import DatastoreCore
import GRDB
import GRDBSQLite

/// Questions whose answers are values, not objects.
extension SQLiteReadTransaction {
  func answer(_ question: ValuesQuestion) throws -> [[Value]] {
    try asking(question.request) { builder, _ in
      try RawStatement(
        builder.values(of: question.paths, in: question.request), in: database
      ).rows()
    }
  }

  func answer(_ question: AggregatesQuestion) throws -> [[Value]] {
    try asking(question.request) { builder, _ in
      try RawStatement(builder.aggregates(question), in: database).rows()
    }
  }
}

extension RawStatement {
  /// All rows that are still to come.
  func rows() throws -> [[Value]] {
    let count = sqlite3_column_count(pointer)
    var rows: [[Value]] = []
    while try step() {
      rows.append((0..<count).map { value(at: $0) })
    }
    return rows
  }
}

extension QueryBuilder {
  func values(of paths: [[String]], in request: DatastoreCore.FetchRequest) throws -> SQLFragment {
    let scope = makeScope(try entity(named: request.entity).index)
    let columns = try paths.map { try operand(resolve($0, in: scope)).sql }
    let tail = try clauses(request, in: scope)
    return "SELECT \(columns.joined(by: ", "))\(tail)"
  }

  func aggregates(_ question: AggregatesQuestion) throws -> SQLFragment {
    let request = question.request
    let scope = makeScope(try entity(named: request.entity).index)
    let groups = try question.paths.map { try operand(resolve($0, in: scope)) }
    let values = try question.terms.map { try term($0, in: scope) }
    let having = try question.conditions.map { condition in
      let comparison = Predicate.Comparison(
        .keyPath([]), condition.comparator, .value(condition.value))
      return try compare(
        .expression(term(condition.term, in: scope)), comparison, right: scope)
    }
    let condition = try whereClause(request.predicate, in: scope)
    var sql: SQLFragment = """
      SELECT \((groups.map(\.sql) + values).joined(by: ", "))\(from(scope))\(condition)
      """
    if !groups.isEmpty {
      let keys = groups.map { $0.sql + " COLLATE BINARY" }.joined(by: ", ")
      sql += " GROUP BY \(keys)"
      if !having.isEmpty { sql += " HAVING \(having.joined(by: " AND "))" }
      sql += " ORDER BY \(keys)"
    } else if !having.isEmpty {
      sql += " HAVING \(having.joined(by: " AND "))"
    }
    return sql
  }

  private func term(
    _ term: AggregateTerm, in scope: QueryScope
  ) throws -> SQLFragment {
    switch term {
    case .countRows: return "count(*)"
    case .count(let path): return try "count(\(operand(resolve(path, in: scope)).sql))"
    case .aggregate(let aggregate, let path):
      let operand = try operand(resolve(path, in: scope))
      let value = operand.isBinary ? operand.sql : operand.sql + " COLLATE BINARY"
      return switch aggregate {
      case .sum: "datastore_sum(\(value))"
      case .average: "datastore_average(\(value))"
      case .minimum: "min(\(value))"
      case .maximum: "max(\(value))"
      }
    }
  }
}
