package import DatastoreCore
import GRDB
import GRDBSQLite

/// Questions whose answers are values, not objects. All are about what is saved.
extension SQLiteStore {
  /// The values of paths in the rows of a request, row by row.
  package func values(
    of paths: [[String]], in request: DatastoreCore.FetchRequest
  ) throws -> [[Value]] {
    try read { database in
      let builder = QueryBuilder(mapping)
      let entity = try builder.entity(named: request.entity)
      return try reading(entity) {
        try Self.rows(RawStatement(builder.values(of: paths, in: request), in: database))
      }
    }
  }

  /// Terms over groups of rows that share the values of paths, ordered by these; each row holds the
  /// values of the paths, then those of the terms. Without paths there is one group, even of no rows.
  package func aggregates(
    _ terms: [AggregateTerm], of request: DatastoreCore.FetchRequest,
    groupBy paths: [[String]] = [], having conditions: [GroupCondition] = []
  ) throws -> [[Value]] {
    try read { database in
      let builder = QueryBuilder(mapping)
      let entity = try builder.entity(named: request.entity)
      return try reading(entity) {
        try Self.rows(
          RawStatement(
            builder.aggregates(terms, of: request, groupBy: paths, having: conditions),
            in: database))
      }
    }
  }

  static func rows(_ statement: RawStatement) throws -> [[Value]] {
    let count = sqlite3_column_count(statement.pointer)
    var rows: [[Value]] = []
    while try statement.step() {
      rows.append((0..<count).map { statement.value(at: $0) })
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

  func aggregates(
    _ terms: [AggregateTerm], of request: DatastoreCore.FetchRequest,
    groupBy paths: [[String]], having conditions: [GroupCondition]
  ) throws -> SQLFragment {
    let scope = makeScope(try entity(named: request.entity).index)
    let groups = try paths.map { try operand(resolve($0, in: scope)) }
    let values = try terms.map { try term($0, in: scope) }
    let having = try conditions.map { condition in
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
