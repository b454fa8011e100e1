import DatastoreCore
import GRDB

/// Which values there are, for an editor that offers them.
extension SQLiteReadTransaction {
  func answer(_ question: DistinctValuesQuestion) throws -> [Value] {
    try store.reading(schema.entities[question.entity]) {
      let statement = try RawStatement(QueryBuilder(mapping).distinctValues(question), in: database)
      return try statement.rows().compactMap(\.first).sorted {
        Value.compare($0, $1) == .ascending
      }
    }
  }
}

extension QueryBuilder {
  fileprivate func distinctValues(_ question: DistinctValuesQuestion) throws -> SQLFragment {
    let scope = makeScope(question.entity)
    let operand = try operand(resolve([question.attribute], in: scope))
    let value = operand.stored ?? operand.sql
    var condition: SQLFragment = " WHERE \(value) IS NOT NULL\(andIsMember(scope))"
    if !question.prefix.isEmpty {
      let pattern = question.prefix.reduce(into: "") { pattern, character in
        if "%_\\".contains(character) { pattern.append("\\") }
        pattern.append(character)
      }
      condition += " AND \(value) LIKE \(.text(pattern + "%")) ESCAPE '\\'"
    }
    return """
      SELECT DISTINCT \(value) COLLATE BINARY\(from(scope))\(condition) LIMIT \(number: question.limit)
      """
  }
}
