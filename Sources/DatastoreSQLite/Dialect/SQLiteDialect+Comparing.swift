package import DatastoreCore
package import DatastoreSQL

/// Values must compare in the order of their storage classes, as in `Value.compare`. SQLite instead converts
/// one side to the *affinity* of a column on the other. The affinity is removed (by a unary `+`, which makes
/// an index unusable) only where a conversion could change the result:
/// <https://www.sqlite.org/datatype3.html#comparison_expressions>.
extension SQLiteDialect {
  package func constant(_ holds: Bool) -> SQLFragment { holds ? "1" : "0" }

  package func number(ofCondition condition: SQLFragment) -> SQLFragment { condition }

  package func isSame(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment {
    "\(left) IS \(right)"
  }

  package func isNotSame(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment {
    "\(left) IS NOT \(right)"
  }

  package func untyped(_ sql: SQLFragment) -> SQLFragment { "+" + sql }

  package func binary(_ sql: SQLFragment) -> SQLFragment { sql + " COLLATE BINARY" }

  package func sortTerm(_ sql: SQLFragment, ascending: Bool) -> SQLFragment {
    ascending ? sql : sql + " DESC"
  }

  package func comparable(
    _ left: SQLOperand, _ right: SQLOperand
  ) -> (SQLFragment, SQLFragment) {
    let isBinary = left.isBinary && right.isBinary
    var (left, right) = (left, right)
    if left.isDecimal { right = right.decimalConstant }
    if right.isDecimal { left = left.decimalConstant }
    if converts(left, right) || converts(right, left) {
      left = withoutAffinity(left)
      right = withoutAffinity(right)
    }
    return (isBinary ? left.sql : binary(left.sql), right.sql)
  }

  /// Whether comparing converts `other` to the affinity of `column` in a way that may change the result.
  private func converts(_ column: SQLOperand, _ other: SQLOperand) -> Bool {
    guard let affinity = column.affinity, affinity != .blob else { return false }
    switch other.constant {
    case .null, .blob: return false
    case .integer, .real: return affinity == .text
    case .text: return affinity.isNumeric
    case nil:
      guard let otherAffinity = other.affinity else { return true }
      return affinity.isNumeric != otherAffinity.isNumeric || otherAffinity == .blob
    }
  }

  private func withoutAffinity(_ operand: SQLOperand) -> SQLOperand {
    guard let affinity = operand.affinity, affinity != .blob else { return operand }
    var result = operand
    result.sql = untyped(operand.sql)
    result.affinity = nil
    return result
  }
}

// Numbers and dates.
extension SQLiteDialect {
  package func decimal(_ column: SQLFragment) -> SQLFragment { "datastore_decimal(\(column))" }

  package func arithmetic(
    _ left: SQLOperand, _ arithmetic: Predicate.Arithmetic, _ right: SQLOperand
  ) -> SQLFragment {
    // SQLite's own operators read text as numbers. The values of columns are checked; an expression would be
    // computed twice then.
    let unknown = [left, right].filter { !$0.isNumber }
    guard unknown.allSatisfy({ $0.affinity != nil }) else {
      return "datastore_arithmetic(\(left.sql), \(.text(arithmetic.rawValue)), \(right.sql))"
    }
    let result: SQLFragment =
      switch arithmetic {
      case .add: "(\(left.sql) + \(right.sql))"
      case .subtract: "(\(left.sql) - \(right.sql))"
      case .multiply: "(\(left.sql) * \(right.sql))"
      case .divide: "(\(left.sql) / \(right.sql))"
      }
    if unknown.isEmpty { return result }
    let tests = unknown.map { "typeof(\($0.sql)) IN ('integer', 'real')" as SQLFragment }
    return "CASE WHEN \(tests.joined(by: " AND ")) THEN \(result) END"
  }

  /// SQLite's own functions know case only for ASCII letters, and end a text at a NUL character.
  package func function(
    _ function: Predicate.Function, _ arguments: [SQLFragment], dates: [DateConvention?]
  ) -> SQLFragment {
    if function == .coalesce, arguments.count > 1 {
      return "coalesce(\(arguments.joined(by: ", ")))"
    }
    let codes = dates.map { dates -> SQLFragment in
      dates.map { "\(number: $0.code)" } ?? "NULL"
    }
    let values = [["\(number: function.code)", "\(number: arguments.count)"], arguments, codes]
      .flatMap(\.self).joined(by: ", ")
    return "datastore_function(\(values))"
  }

  package func aggregate(
    _ aggregate: Predicate.Aggregate, _ value: SQLFragment
  ) -> SQLFragment {
    switch aggregate {
    case .sum: "datastore_sum(\(value))"
    case .average: "datastore_average(\(value))"
    case .minimum: "min(\(value))"
    case .maximum: "max(\(value))"
    }
  }

  package func extreme(_ aggregate: Predicate.Aggregate, ofDecimals column: SQLFragment)
    -> SQLFragment
  {
    aggregate == .minimum ? "datastore_least(\(column))" : "datastore_greatest(\(column))"
  }

  package func datePart(
    _ part: DatePart, of column: SQLFragment, _ dates: DateConvention
  ) -> SQLFragment {
    "datastore_date_part(\(column), \(number: part.code), \(number: dates.code))"
  }

  package func number(_ sql: SQLFragment) -> SQLFragment {
    "CASE WHEN typeof(\(sql)) IN ('integer', 'real') THEN \(sql) END"
  }

  package func isWhole(_ sql: SQLFragment) -> SQLFragment { "typeof(\(sql)) = 'integer'" }

  package func textLength(_ sql: SQLFragment) -> SQLFragment {
    "CASE WHEN \(isText(sql)) THEN length(\(sql)) END"
  }

  package func isEmptyText(_ sql: SQLFragment) -> SQLFragment { "\(sql) = ''" }

  package func mean(_ number: SQLFragment) -> SQLFragment { "avg(\(number))" }

  package func total(_ sql: SQLFragment) -> SQLFragment { "total(\(sql))" }

  package func truncated(_ sql: SQLFragment) -> SQLFragment { "CAST(\(sql) AS INTEGER)" }
}
