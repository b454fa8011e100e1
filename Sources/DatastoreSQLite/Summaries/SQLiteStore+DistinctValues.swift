package import DatastoreCore
import GRDB
import GRDBSQLite

/// Which values there are, for an editor that offers them.
extension SQLiteStore {
  /// Different values of an attribute in all rows of an entity, NULL left out, ascending.
  ///
  /// Reading ends when there are `limit` of them, so that of a property of many values some are
  /// answered, and quickly. Interrupted when the task is cancelled.
  ///
  /// - Parameter prefix: what values begin with as text; ASCII letters count in either case.
  /// - Throws: `StoreError`; `CancellationError`.
  package func distinctValues(
    of attribute: String, entity index: Int, beginningWith prefix: String, limit: Int
  ) async throws -> [Value] {
    try await readAsync { database in
      try self.reading(self.schema.entities[index]) {
        let statement = try RawStatement(
          QueryBuilder(self.mapping).distinctValues(
            of: attribute, entity: index, beginningWith: prefix, limit: limit), in: database)
        return try Self.rows(statement).compactMap(\.first).sorted {
          Value.compare($0, $1) == .ascending
        }
      }
    }
  }
}

extension QueryBuilder {
  fileprivate func distinctValues(
    of attribute: String, entity: Int, beginningWith prefix: String, limit: Int
  ) throws -> SQLFragment {
    let scope = makeScope(entity)
    let operand = try operand(resolve([attribute], in: scope))
    let value = operand.stored ?? operand.sql
    var condition: SQLFragment = " WHERE \(value) IS NOT NULL\(andIsMember(scope))"
    if !prefix.isEmpty {
      let pattern = prefix.reduce(into: "") { pattern, character in
        if "%_\\".contains(character) { pattern.append("\\") }
        pattern.append(character)
      }
      condition += " AND \(value) LIKE \(.text(pattern + "%")) ESCAPE '\\'"
    }
    return """
      SELECT DISTINCT \(value) COLLATE BINARY\(from(scope))\(condition) LIMIT \(number: limit)
      """
  }
}
